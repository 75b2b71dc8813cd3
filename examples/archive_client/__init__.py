"""A small terminal client for agents that archive sessions, in protocol v1 and v2.

Read ``program`` (commands), then ``client_v2`` and ``client_v1`` (the protocol's words).
"""
