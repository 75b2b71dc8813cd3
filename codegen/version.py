"""The version of the tool."""

from __future__ import annotations

from functools import cache


@cache
def tool_version() -> str:
    """Return the installed version of acp-codegen."""
    from importlib.metadata import version

    return version("acp-codegen")
