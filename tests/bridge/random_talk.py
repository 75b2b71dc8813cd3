"""Random conversations: valid messages in any order, and the same with something wrong in them."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from typing import Any

from talk import chunk, notify, prompt, request, result, text, update

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
        chunk("user_message", "a", messageId="w"), chunk("user_message", "a", messageId="v", more=1),
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
            },
            {"sessionId": "s2", "availableCommands": []},
        ],
        "session/prompt": [{"messageId": "u"}, {"messageId": "w", "_meta": {"a": 1}}],
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


def pools(
    versions: Mapping[str, str], rng: random.Random | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Return what each side may say by itself; with ``rng`` some of it, which then comes often."""
    every = {
        "client": [*CLIENT[versions["client"]], *BOTH],
        "agent": AGENT[versions["agent"]],
    }
    if rng is None:
        return every
    prompt_, *others = [BOTH[0], *every["client"]]
    return {
        "client": [prompt_, *(one for one in others if rng.random() < 0.3)],
        "agent": rng.sample(every["agent"], 4),
    }


def valid(
    versions: Mapping[str, str],
    pool: Mapping[str, list[dict[str, Any]]],
    asked: dict[str, list[Any]],
    rng: random.Random,
    answering: float = 0.4,
) -> tuple[str, dict[str, Any]]:
    """Return a side and a valid message of it, sometimes an answer to what it was asked."""
    side = rng.choice(("client", "agent", "agent"))
    if asked[side] and rng.random() < answering:
        one = asked[side].pop(rng.randrange(len(asked[side])))
        return side, _answer(versions[side], one, rng)
    return side, copy.deepcopy(rng.choice(pool[side]))


def spoil(value: Any, rng: random.Random) -> Any:
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
        return {**value, key: spoil(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.7:
        index = rng.randrange(len(value))
        return [*value[:index], spoil(value[index], rng), *value[index + 1 :]]
    return copy.deepcopy(rng.choice(JUNK))
