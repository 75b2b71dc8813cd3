"""Conversations of Python bridges, written down so that a bridge in another language can have them.

As a plugin of pytest it writes down those of a whole run, to the file that ``ACP_RECORDING`` names.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "generated" / "python"))

from acp_bindings.convert import Outcome, SessionBridge

Conversation = dict[str, Any]

_LISTS = {
    "toClient": "to_client",
    "toAgent": "to_agent",
    "dropped": "dropped",
    "absorbed": "absorbed",
    "losses": "losses",
}


@contextmanager
def recording() -> Iterator[list[Conversation]]:
    """Collect the conversations of all bridges that are made meanwhile; their ids are counted."""
    found: list[Conversation] = []
    begin = SessionBridge.__init__
    kept: dict[str, Any] = {}

    def made(bridge: Any, **options: Any) -> None:
        numbers = iter(range(1, 1_000_000))
        options["ids"] = lambda: f"m{next(numbers)}"
        begin(bridge, **options)
        limits = options.get("limits")
        bridge.conversation = {
            "client": options["client"],
            "agent": options["agent"],
            "lossy": options.get("lossy", False),
            "limits": limits._asdict() if limits is not None else {},
            "steps": [],
            "outcomes": [],
        }
        found.append(bridge.conversation)

    def recorded(side: str, name: str) -> Any:
        take = getattr(SessionBridge, name)

        def taken(bridge: Any, message: Any) -> Outcome:
            said = _text(message)
            outcome: Outcome = take(bridge, message)
            if said is None:
                bridge.conversation = None  # what follows depends on what cannot be written
            if bridge.conversation is not None:
                bridge.conversation["steps"].append({"side": side, "text": said})
                bridge.conversation["outcomes"].append(_plain(outcome))
            return outcome

        return taken

    for side in ("client", "agent"):
        kept[f"from_{side}"] = recorded(side, f"from_{side}")
    kept["__init__"] = made
    with pytest.MonkeyPatch.context() as patch:
        for name, function in kept.items():
            patch.setattr(SessionBridge, name, function)
        yield found


def _text(message: Any) -> str | None:
    """Return JSON text; None for what is nested too deeply to be written."""
    try:
        return json.dumps(message).replace("Infinity", "1e999")
    except RecursionError:
        return None


def _plain(outcome: Outcome) -> Any:
    made: dict[str, Any] = {}
    for name, own in _LISTS.items():
        items = getattr(outcome, own)
        made[name] = items if name.startswith("to") else [item._asdict() for item in items]
    return json.loads(json.dumps(made))


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart() -> Iterator[None]:
    """Begin to record. What comes out is not held against the schemas: that is slow, and no news."""
    import talk

    pytest.MonkeyPatch().setattr(talk, "faults", lambda *_: [])
    yield


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Iterator[Any]:
    """Record while the tests run."""
    with recording() as found:
        done = yield
    Path(os.environ["ACP_RECORDING"]).write_text(json.dumps(found), encoding="utf-8")
    return done
