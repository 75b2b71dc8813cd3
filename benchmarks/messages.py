"""Typical messages of protocol v1, as JSON values."""

from __future__ import annotations

from typing import Any, NamedTuple

OLD = "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"
NEW = 'def total(items):\n    """Return the sum of the items."""\n    return sum(items)\n'


class Message(NamedTuple):
    """One message.

    Args:
        label: what to call it in the table.
        ours: the definition in the schema.
        peer: the class of the peer's models.
        data: the JSON value.
        response: the peer writes responses with other options than requests.
    """

    label: str
    ours: str
    peer: str
    data: dict[str, Any]
    response: bool = False


def _update(tag: str, **fields: Any) -> dict[str, Any]:
    return {"sessionId": "sess_4f2a", "update": {"sessionUpdate": tag, **fields}}


def _notification(label: str, data: dict[str, Any]) -> Message:
    return Message(label, "SessionNotification", "SessionNotification", data)


def _call(**fields: Any) -> dict[str, Any]:
    diff = {"type": "diff", "path": "/project/src/total.py", "oldText": OLD, "newText": NEW}
    text = {"type": "content", "content": {"type": "text", "text": "The loop is a sum."}}
    return {
        "toolCallId": "call_17",
        "title": "Edit src/total.py",
        "kind": "edit",
        "content": [text, diff, {**diff, "path": "/project/src/mean.py"}],
        "locations": [
            {"path": "/project/src/total.py", "line": 3},
            {"path": "/project/src/mean.py"},
        ],
        "rawInput": {"path": "/project/src/total.py", "edits": [{"from": 1, "to": 5}]},
        **fields,
    }


def _sessions(count: int) -> list[dict[str, Any]]:
    return [
        {
            "sessionId": f"sess_{number:04}",
            "cwd": f"/home/dev/project-{number % 7}",
            "title": f"Mend the parser, part {number}",
            "updatedAt": f"2026-03-{number % 28 + 1:02}T10:15:00Z",
            "additionalDirectories": [f"/home/dev/shared-{number % 3}"],
        }
        for number in range(count)
    ]


_CLIENT = {
    "protocolVersion": 1,
    "clientCapabilities": {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True},
    "clientInfo": {"name": "editor", "title": "Editor", "version": "3.2.0"},
}
_AGENT = {
    "protocolVersion": 1,
    "agentCapabilities": {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": True, "embeddedContext": True},
        "mcpCapabilities": {"http": True, "sse": True},
        "sessionCapabilities": {"list": {}, "close": {}},
    },
    "authMethods": [{"id": "login", "name": "Log in", "description": "In the browser"}],
    "agentInfo": {"name": "agent", "title": "Agent", "version": "1.4.2"},
}
_STDIO = {
    "name": "files",
    "command": "/usr/bin/mcp-files",
    "args": ["--root", "/project"],
    "env": [{"name": "LOG", "value": "info"}, {"name": "MODE", "value": "strict"}],
}
_HTTP = {
    "type": "http",
    "name": "search",
    "url": "https://mcp.example/search",
    "headers": [{"name": "X-Client", "value": "editor"}],
}
_RESOURCE = {"uri": "file:///project/src/total.py", "mimeType": "text/x-python", "text": OLD * 8}
_PROMPT = [
    {"type": "text", "text": "Please make this shorter, and keep the tests green. " * 4},
    {"type": "resource", "resource": _RESOURCE},
]
_CHUNK = {"type": "text", "text": "I will read the file first."}
_STEPS = [
    {"content": "Read the module", "priority": "high", "status": "completed"},
    {"content": "Replace the loop", "priority": "high", "status": "in_progress"},
    {"content": "Add a test", "priority": "medium", "status": "pending"},
    {"content": "Run the suite", "priority": "medium", "status": "pending"},
    {"content": "Write the summary", "priority": "low", "status": "pending"},
]
_OPTIONS = [
    {"optionId": "once", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "always", "name": "Always allow", "kind": "allow_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]

MESSAGES = (
    Message("initialize request", "InitializeRequest", "InitializeRequest", _CLIENT),
    Message("initialize response", "InitializeResponse", "InitializeResponse", _AGENT, True),
    Message(
        "session/new, two servers",
        "NewSessionRequest",
        "NewSessionRequest",
        {"cwd": "/project", "mcpServers": [_STDIO, _HTTP]},
    ),
    Message(
        "prompt, text and resource",
        "PromptRequest",
        "PromptRequest",
        {"sessionId": "sess_4f2a", "prompt": _PROMPT},
    ),
    Message(
        "list response, 50 sessions",
        "ListSessionsResponse",
        "ListSessionsResponse",
        {"sessions": _sessions(50), "nextCursor": "50"},
        True,
    ),
    _notification("agent_message_chunk", _update("agent_message_chunk", content=_CHUNK)),
    _notification("tool_call, diffs", _update("tool_call", **_call(status="in_progress"))),
    _notification(
        "tool_call_update, diffs",
        _update("tool_call_update", **_call(status="completed", rawOutput={"changed": 2})),
    ),
    _notification("plan, 5 entries", _update("plan", entries=_STEPS)),
    Message(
        "permission request",
        "RequestPermissionRequest",
        "RequestPermissionRequest",
        {"sessionId": "sess_4f2a", "toolCall": _call(status="pending"), "options": _OPTIONS},
    ),
    _notification(
        "session_info_update",
        _update("session_info_update", title="Shorter sums", updatedAt="2026-03-04T10:15:00Z"),
    ),
)
