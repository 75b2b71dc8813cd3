"""An agent that holds the guarantees of session archiving, in protocol v1 and v2.

Read ``program`` (options, negotiation), ``agent_v2`` and ``agent_v1`` (the protocol's words),
``sessions`` (what is promised) and ``store`` (SQLite). Each promise is kept by a small method. To see
what breaks without it, write a program that hands a subclass to ``main``::

    class Forgetful(Store):
        def set_archived(self, session_id: str, archived: bool) -> bool:
            return False

    sys.exit(main(store_class=Forgetful))

============================================  ==================================
promise                                                method
============================================  ==================================
the capability, in v1 with the list                    ``capabilities`` of both agents
what ``archived`` means in a list                      ``Sessions.includes_archived``
filters come before pages                              ``Store.condition``, ``Store.page``
a cursor belongs to its filters                        ``Sessions.cursor``, ``Sessions.position``
every listed session says whether it is archived       ``info`` of both agents
idempotent, serialised, ``updatedAt`` as it was        ``Store.set_archived``
nothing is loaded, closed or cancelled                 ``Sessions.set_archived``
the observer is told                                   ``Sessions.announce``, ``watch``
unknown and deleted sessions are not found             ``Store._find``
deleted sessions stay deleted                          ``Store.delete``
opening and closing leave the state alone              ``Sessions.open``, ``Sessions.close``
history is whole, in order and in batches              ``Sessions.replay``
changes survive a kill                                 ``Store._transaction``
============================================  ==================================
"""

from .agent_v1 import AgentV1 as AgentV1
from .agent_v2 import AgentV2 as AgentV2
from .program import main as main
from .sessions import Sessions as Sessions
from .store import Store as Store
