"""What a round trip may change, and where the way back refuses, each with its rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from convprop_forms import Forms, Hook

#: Definitions that no value of converts, although they have a counterpart: direction -> name -> rule.
NEVER = {
    "v1_to_v2": {"PromptResponse": 29},
    "v2_to_v1": {"PromptResponse": 29, "Diff": 39},
}
#: Where the way back may refuse what the way there made: direction of the first -> (path, rule).
ONE_WAY: Mapping[str, tuple[tuple[str, int], ...]] = {
    "v1_to_v2": (
        (r"(.*)/changes$", 39),  # a v2 diff has no v1 form, whatever it holds
        (r"(.*)/_meta/[^/]*$", 3),  # a null under a key of v1 metadata would delete in v2
        (r"(/params)?/title$", 47),  # the title came from the context, the tool call has none
    ),
    "v2_to_v1": (
        (r"(/params)?/toolCall/title$", 47),  # an empty title of the tool call is no title
    ),
}


def one_way(direction: str, path: str) -> int | None:
    """Return the rule by which the way back of ``direction`` refuses at ``path``, None if none."""
    return next((rule for pattern, rule in ONE_WAY[direction] if re.match(pattern, path)), None)


# ---- v1 -> v2 -> v1 -----------------------------------------------------------------------------


def _client(value: dict[str, Any]) -> dict[str, Any]:
    """11: every v2 client has what these markers say."""
    marks = {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}}
    return {**value, "session": marks}


def _untyped(value: dict[str, Any]) -> dict[str, Any]:
    """16, 24: the branch without a type may carry its name."""
    if value.get("type") in ("stdio", "agent"):
        del value["type"]
    return value


def _option_id(value: dict[str, Any]) -> dict[str, Any]:
    """27: a text with an unknown type is an id."""
    if isinstance(value.get("value"), str) and value.get("type") != "boolean":
        value.pop("type", None)
    return value


def _call(value: dict[str, Any]) -> dict[str, Any]:
    """34: a v2 tool call is always an update."""
    if value.get("sessionUpdate") == "tool_call":
        return {**value, "sessionUpdate": "tool_call_update"}
    return value


_V1: Mapping[str, Hook] = {
    "ClientCapabilities": _client,
    "McpServer": _untyped,
    "AuthMethod": _untyped,
    "SetSessionConfigOptionRequest": _option_id,
    "SessionUpdate": _call,
}

# ---- v2 -> v1 -> v2 -----------------------------------------------------------------------------


def _resets(value: dict[str, Any]) -> dict[str, Any]:
    """3: nulls with a value of the same effect; 34: capabilities without content say nothing."""
    for key, reset in {
        "kind": "other",
        "status": "pending",
        "content": [],
        "locations": [],
    }.items():
        if key in value and value[key] is None:
            value[key] = reset
    value.pop("capabilities", None)
    return value


def _stdio(value: dict[str, Any]) -> dict[str, Any]:
    """15: stdio is mandatory in v1."""
    return {**value, "stdio": {}}


def _session(value: dict[str, Any]) -> dict[str, Any]:
    """15: the same where the group is absent."""
    held = value.get("session")
    if isinstance(held, dict) and not held.get("mcp"):
        value["session"] = {**held, "mcp": {"stdio": {}}}
    return value


def _sorted(value: dict[str, Any]) -> dict[str, Any]:
    """16: a map has no order, so entries come back by name."""
    if isinstance(value.get("env"), list):
        value["env"] = sorted(value["env"], key=lambda entry: str(entry["name"]))
    return value


def _plan(value: dict[str, Any]) -> dict[str, Any]:
    """41: metadata of a plan has one place in v1 and comes back on the update."""
    plan = value.get("plan")
    if isinstance(plan, dict) and plan.get("_meta") is not None:
        value["plan"] = {key: item for key, item in plan.items() if key != "_meta"}
        value["_meta"] = plan["_meta"]
    return value


_V2: Mapping[str, Hook] = {
    "ToolCallUpdate": _resets,
    "McpCapabilities": _stdio,
    "AgentCapabilities": _session,
    "AuthMethodTerminal": _sorted,
    "PlanUpdate": _plan,
}

TRIP_FORMS = {
    "v1": lambda: Forms("v1", _V1),
    "v2": lambda: Forms("v2", _V2),
}
_CHUNKS = {
    "user_message": "user_message_chunk",
    "agent_message": "agent_message_chunk",
    "agent_thought": "agent_thought_chunk",
}


def expected(direction: str, name: str, value: Any, context: Mapping[str, Any]) -> list[Any]:
    """Return what a round trip of ``value`` gives: itself, or the chunks of a whole message (33)."""
    if name == "Command":  # 42: a v2 command says its type where it stands in a list
        return [{"type": "command", **value}]
    if direction == "v2_to_v1":
        return _messages(value)
    return [_chunk_id(name, value, context)]


def _messages(value: Any) -> list[Any]:
    if not isinstance(value, dict):
        return [value]
    if value.get("sessionUpdate") in _CHUNKS:
        rest = {key: item for key, item in value.items() if key != "content"}
        rest["sessionUpdate"] = _CHUNKS[value["sessionUpdate"]]
        return [{**rest, "content": block} for block in value.get("content") or ()]
    for key in ("update", "params"):
        if isinstance(value.get(key), dict):
            return [{**value, key: inner} for inner in _messages(value[key])]
    return [value]


def _chunk_id(name: str, value: Any, context: Mapping[str, Any]) -> Any:
    """32: the context may name the message of a chunk."""
    if not isinstance(value, dict) or "messageId" not in context:
        return value
    if (
        name == "ContentChunk"
        or str(value.get("sessionUpdate")).endswith("_message_chunk")
        or (value.get("sessionUpdate") == "agent_thought_chunk")
    ):
        said = value.get("messageId")
        return {**value, "messageId": context["messageId"] if said is None else said}
    for key in ("update", "params"):
        if isinstance(value.get(key), dict):
            return {**value, key: _chunk_id("", value[key], context)}
    return value


#: A definition that comes back as another one.
RENAMED: Mapping[str, Mapping[str, str]] = {
    "v1_to_v2": {"ToolCall": "ToolCallUpdate", "LoadSessionResponse": "ResumeSessionResponse"},
    "v2_to_v1": {"Command": "AvailableCommand"},
}
#: The names that a method has in the other version (7); every other name is the same.
METHODS = {"authenticate": "auth/login", "logout": "auth/logout", "session/load": "session/resume"}
