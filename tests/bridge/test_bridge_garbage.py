"""No message of a peer makes the bridge raise, and valid ones stay valid in any order."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from random_talk import JUNK, pools, spoil, valid
from talk import (
    SESSION,
    Limits,
    Talk,
    notify,
    prompt,
    request,
    result,
    state,
    text,
    update,
)  # fmt: skip


@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("client", ["v1", "v2"])
def test_valid_messages_in_any_order_give_valid_messages(client: str, lossy: bool) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        talk = Talk(client, lossy=lossy, limits=Limits(ids=5, pending=12))
        asked: dict[str, list[Any]] = {"client": [], "agent": []}
        for _ in range(100):
            side, message = valid(talk.versions, pools(talk.versions), asked, rng)
            outcome = talk.client(message) if side == "client" else talk.agent(message)
            asked["client"] += [one for one in outcome.to_client if "id" in one and "method" in one]
            asked["agent"] += [one for one in outcome.to_agent if "id" in one and "method" in one]
            reasons = [fault.reason for fault in outcome.dropped]
            assert not [reason for reason in reasons if "does not have the form" in reason]


@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("client", ["v1", "v2"])
def test_garbage_never_raises_and_leaves_a_trace(client: str, lossy: bool) -> None:
    limits = Limits(sessions=3, pending=20, ids=5, content=500)
    for seed in range(25):
        rng = random.Random(1000 + seed)
        talk = Talk(client, lossy=lossy, limits=limits)
        asked: dict[str, list[Any]] = {"client": [], "agent": []}
        for _ in range(200):
            side, message = valid(talk.versions, pools(talk.versions), asked, rng)
            spoilt = message if rng.random() < 0.4 else spoil(message, rng)
            take = talk.bridge.from_client if side == "client" else talk.bridge.from_agent
            outcome = take(spoilt)
            assert any(outcome), spoilt
            json.dumps(outcome)
            for name, sent in (("client", outcome.to_client), ("agent", outcome.to_agent)):
                asked[name] += [one for one in sent if "id" in one and "method" in one]
        memory = talk.bridge._memory
        assert len(memory.sessions) <= 3
        assert len(memory.pending) <= 20
        assert all(0 <= one.size <= 500 for one in memory.sessions.values())


@pytest.mark.parametrize("client", ["v1", "v2"])
@pytest.mark.parametrize("junk", JUNK)
def test_what_is_no_message_is_dropped(client: str, junk: Any) -> None:
    talk = Talk(client)
    for take in (talk.bridge.from_client, talk.bridge.from_agent):
        assert take(junk).dropped


def test_deep_nesting_is_refused_or_passed() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    talk = Talk("v1")
    outcome = talk.bridge.from_client(request(1, "_x", deep=deep))
    assert len(outcome.to_client) + len(outcome.to_agent) == 1
    assert talk.bridge.from_agent(update("notice", text=deep)).dropped


def test_deep_metadata_of_a_turn_never_raises() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"m": deep}
    for ending in (
        state("idle", stopReason="end_turn", _meta=deep),
        state("idle", stopReason="error", error={"code": 1, "message": "", "data": deep}),
        update("agent_message_chunk", messageId="m", content=text("a"), _meta=deep),
    ):
        talk = Talk("v1")
        talk.bridge.from_client(prompt(1, "Go"))
        talk.bridge.from_agent(result(1, messageId="u1"))
        assert any(talk.bridge.from_agent(ending)), ending
        assert any(talk.bridge.from_client(notify("session/cancel", sessionId=SESSION, _meta=deep)))
    talk = Talk("v2")
    talk.bridge.from_client({**prompt(1, "Go"), "_meta": deep})
    talk.bridge.from_agent(update("agent_message_chunk", content=text("a"), _meta=deep))
    assert any(talk.bridge.from_agent(result(1, stopReason="end_turn", _meta=deep)))
