"""What an import costs, in a fresh process each, beyond pydantic's own."""

from __future__ import annotations

import json
from typing import NamedTuple

from environment import Lab
from ratios import Row, at_most, in_turns

_TIMED = """
import sys, time
start = time.perf_counter()
import pydantic
from pydantic import BaseModel
middle = time.perf_counter()
{code}
end = time.perf_counter()
print([middle - start, end - middle])
"""
_OURS = "from acp_bindings import v1; v1.SessionNotification"
_PEER = "from acp.schema import SessionNotification"
# The peer's package imports all of its SDK. Without that, the schema module alone is left.
_PEER_ALONE = """
import types, importlib.util
package = types.ModuleType("acp")
package.__path__ = importlib.util.find_spec("acp").submodule_search_locations
sys.modules["acp"] = package
middle = time.perf_counter()
from acp.schema import SessionNotification
"""
_MESSAGE = {
    "sessionId": "s",
    "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "t"}},
}
_LAZY = """
import sys
import acp_bindings
loaded = [name for name in sys.modules if name.startswith(("pydantic", "acp_bindings."))]
assert not loaded, loaded
"""


class Cost(NamedTuple):
    """Seconds of one process."""

    pydantic: float
    beyond: float


def import_rows(lab: Lab, python: str, rounds: int) -> list[Row]:
    """Return the import of the v1 models against pydantic's own and the peer's.

    Raises:
        SystemExit: if ``import acp_bindings`` alone loads pydantic or a version.
    """
    lab.run("-c", _LAZY, python=python)

    def cost(code: str) -> Cost:
        return Cost(*json.loads(lab.run("-c", _TIMED.format(code=code), python=python)))

    first = f"{_OURS}; v1.decode('SessionNotification', {_MESSAGE})"
    peer_first = f"{_PEER_ALONE}SessionNotification.model_validate({_MESSAGE})"
    codes = (_OURS, _PEER, _PEER_ALONE, first, peer_first)
    for code in codes:
        cost(code)  # writes the byte code
    found: list[tuple[Cost, ...]] = in_turns(
        rounds, *(lambda code=code: cost(code) for code in codes)
    )
    ours = [turn[0].beyond for turn in found]
    ours_first = [turn[3].beyond for turn in found]
    return [
        at_most("v1 models / pydantic", [turn[0].beyond / turn[0].pydantic for turn in found], 1),
        at_most("v1 models / peer's acp.schema as imported", _by(ours, found, 1), 0.25),
        at_most("v1 models / peer's schema module alone", _by(ours, found, 2), 0.25),
        Row(
            "the same two, with a first message decoded",
            _by(ours_first, found, 4),
        ),
    ]


def _by(these: list[float], found: list[tuple[Cost, ...]], other: int) -> list[float]:
    return [one / turn[other].beyond for one, turn in zip(these, found, strict=True)]
