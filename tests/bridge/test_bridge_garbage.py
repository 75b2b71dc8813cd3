"""No message of a peer makes the bridge raise, and valid ones stay valid in any order."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from talk import Limits, Talk, chunk, notify, prompt, request, result, text, update

INFO = {"name": "p", "version": "1"}
BLOCK = {"type": "content", "content": text("x")}
OPTIONS = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
IDLE = {"state": "idle", "stopReason": "end_turn"}
CALL = {"toolCallId": "t", "title": "T"}

CLIENT: dict[str, list[dict[str, Any]]] = {
    "v1": [
        request(1, "initialize", protocolVersion=1, clientInfo=INFO),
        request(2, "session/new", cwd="/w", mcpServers=[]),
        request(3, "session/load", sessionId="s1", cwd="/w", mcpServers=[]),
    ],
    "v2": [
        request(1, "initialize", protocolVersion=2, info=INFO),
        request(2, "session/new", cwd="/w"),
        request(3, "session/resume", sessionId="s1", cwd="/w", replayFrom={"type": "start"}),
    ],
}
BOTH = [
    prompt(4, "Go"), prompt(5, "Go", session="s2"), notify("session/cancel", sessionId="s1"),
    notify("$/cancel_request", requestId=4), request(6, "session/close", sessionId="s2"),
    request(7, "session/list", archived=True), request(8, "session/archive", sessionId="s1"),
]  # fmt: skip
AGENT: dict[str, list[dict[str, Any]]] = {
    "v1": [
        chunk("agent_message", "a"), chunk("user_message", "a", messageId="u"),
        update("tool_call", **CALL), update("tool_call", **CALL, content=[BLOCK], status="completed"),
        update("tool_call_update", toolCallId="t", status="failed", locations=[{"path": "/a", "line": 3}]),
        update("plan", entries=[{"content": "x", "priority": "low", "status": "pending"}]),
        update("session_info_update", title=None, archived=False),
        request(1, "session/request_permission", sessionId="s1", options=OPTIONS, toolCall=CALL),
        request(2, "fs/read_text_file", sessionId="s1", path="/a"),
    ],
    "v2": [
        chunk("agent_message", "a", messageId="a"), chunk("agent_thought", "a", messageId="b"),
        update("agent_message", messageId="c", content=[text("1"), text("2")]),
        update("user_message", messageId="u", content=[text("1")]),
        update("tool_call_update", **CALL, content=[BLOCK]),
        update("tool_call_update", toolCallId="t", status="completed", content=None),
        update("tool_call_content_chunk", toolCallId="t", content=BLOCK),
        update("state_update", state="running"), update("state_update", **IDLE),
        update("state_update", state="idle"), update("state_update", state="requires_action"),
        update("state_update", state="idle", stopReason="error", error={"code": 1, "message": "x"}),
        request(1, "session/request_permission", sessionId="s1", options=OPTIONS, title="T",
                subject={"type": "tool_call", "toolCall": CALL}),
    ],
}  # fmt: skip
ANSWERS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "v1": {
        "initialize": [
            {"protocolVersion": 1, "agentInfo": INFO, "agentCapabilities": {"loadSession": True}}
        ],
        "session/new": [{"sessionId": "s1"}, {"sessionId": "s2", "modes": None}],
        "session/prompt": [{"stopReason": "end_turn"}, {"stopReason": "cancelled", "_meta": {}}],
    },
    "v2": {
        "initialize": [{"protocolVersion": 2, "info": INFO, "capabilities": {"session": {}}}],
        "session/new": [
            {
                "sessionId": "s1",
                "availableCommands": [{"type": "command", "name": "n", "description": "d"}],
            }
        ],
        "session/prompt": [{"messageId": "u"}, {"messageId": "w", "_meta": {}}],
    },
}
OUTCOMES = [
    {"outcome": {"outcome": "cancelled"}},
    {"outcome": {"outcome": "selected", "optionId": "y"}},
]
JUNK: list[Any] = [
    None, True, False, 0, -1, 1.5, 2**70, "", "x", "s1", [], {}, [[]], {"a": {"b": None}}, "tool_call",
    [None], {"type": "text"}, {"sessionUpdate": []}, float("inf"), "state_update",
]  # fmt: skip


def _answer(version: str, message: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.1:
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -1, "message": "no"}}
    if message["method"] == "session/request_permission":
        return result(message["id"], **rng.choice(OUTCOMES))
    usual = {"session/list": [{"sessions": []}]}.get(message["method"], [{}])
    return result(message["id"], **rng.choice(ANSWERS[version].get(message["method"], usual)))


def _messages(
    talk: Talk, asked: dict[str, list[Any]], rng: random.Random
) -> tuple[str, dict[str, Any]]:
    """Return a side and a valid message of it, sometimes an answer to what it was asked."""
    side = rng.choice(("client", "agent", "agent"))
    version = talk.versions[side]
    if asked[side] and rng.random() < 0.4:
        return side, _answer(version, asked[side].pop(rng.randrange(len(asked[side]))), rng)
    pool = [*CLIENT[version], *BOTH] if side == "client" else AGENT[version]
    return side, copy.deepcopy(rng.choice(pool))


def _spoil(value: Any, rng: random.Random) -> Any:
    """Return ``value`` with one thing wrong somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(sorted(value))
        if rng.random() < 0.2:
            return {k: v for k, v in value.items() if k != key}
        if rng.random() < 0.1:
            return {
                **value,
                rng.choice(("more", "_meta", "id", "method", "error")): rng.choice(JUNK),
            }
        return {**value, key: _spoil(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.7:
        index = rng.randrange(len(value))
        return [*value[:index], _spoil(value[index], rng), *value[index + 1 :]]
    return copy.deepcopy(rng.choice(JUNK))


@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("client", ["v1", "v2"])
def test_valid_messages_in_any_order_give_valid_messages(client: str, lossy: bool) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        talk = Talk(client, lossy=lossy, limits=Limits(ids=5, pending=12))
        asked: dict[str, list[Any]] = {"client": [], "agent": []}
        for _ in range(100):
            side, message = _messages(talk, asked, rng)
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
            side, message = _messages(talk, asked, rng)
            spoilt = message if rng.random() < 0.4 else _spoil(message, rng)
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
