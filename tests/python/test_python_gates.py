"""Capability gates of the bundled protocols, and the errors that calls end in."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGES = Path(__file__).parents[2] / "generated" / "python"
sys.path.insert(0, str(PACKAGES))

from acp_bindings import v1, v2  # noqa: E402

VERSIONS = {"v1": v1, "v2": v2}
#: The least params that decode, by method.
PARAMS: dict[str, Any] = {
    "session/new": {"cwd": "/p", "mcpServers": []},
    "session/load": {"sessionId": "s", "cwd": "/p", "mcpServers": []},
    "session/resume": {"sessionId": "s", "cwd": "/p", "mcpServers": []},
    "session/prompt": {"sessionId": "s", "prompt": [{"type": "text", "text": ""}]},
    "session/list": {},
    "session/set_config_option": {"sessionId": "s", "configId": "c", "value": "v", "type": "id"},
    "logout": {},
    "auth/login": {"methodId": "m"},
    "auth/logout": {},
    "fs/read_text_file": {"sessionId": "s", "path": "/p"},
    "fs/write_text_file": {"sessionId": "s", "path": "/p", "content": ""},
    "terminal/create": {"sessionId": "s", "command": "c"},
    "elicitation/create": {
        "sessionId": "s",
        "mode": "other",
        "message": "m",
        "requestedSchema": {"type": "object", "properties": {}},
        "url": "u:",
        "elicitationId": "e",
    },
    "elicitation/complete": {"elicitationId": "e"},
    "session/update": {"sessionId": "s", "update": {}},
}
TERMINAL = {"sessionId": "s", "terminalId": "t"}
ITEMS: dict[str, Any] = {
    "image": {"type": "image", "data": "", "mimeType": "image/png"},
    "audio": {"type": "audio", "data": "", "mimeType": "audio/wav"},
    "resource": {"type": "resource", "resource": {"uri": "u:", "text": ""}},
    "http": {"type": "http", "name": "n", "url": "u:", "headers": []},
    "sse": {"type": "sse", "name": "n", "url": "u:", "headers": []},
    "stdio": {"type": "stdio", "name": "n", "command": "/c", "args": [], "env": []},
    "notice": {"sessionUpdate": "notice", "title": "t", "severity": "info"},
    "compaction_update": {
        "sessionUpdate": "compaction_update",
        "compactionId": "c",
        "status": "completed",
    },
    "compaction_summary_chunk": {
        "sessionUpdate": "compaction_summary_chunk",
        "compactionId": "c",
        "content": {"type": "text", "text": ""},
    },
}


class Peer:
    def __init__(self) -> None:
        self.sent: list[str] = []

    async def request(self, method: str, params: Any) -> Any:
        self.sent.append(method)
        raise v1.RpcError(7, "sent")

    async def notify(self, method: str, params: Any) -> None:
        self.sent.append(method)


def gates() -> list[Any]:
    return [
        pytest.param(version, method, gate, id=f"{version}-{method.wire_name}-{index}")
        for version, module in VERSIONS.items()
        for table in (module.AGENT_METHODS, module.CLIENT_METHODS)
        for method in table.values()
        for index, gate in enumerate(method.gates)
    ]


def example(version: str, method: Any, gate: Any) -> Any:
    """Return typed params that use what ``gate`` gates."""
    module = VERSIONS[version]
    wire = method.wire_name
    data = copy.deepcopy(PARAMS.get(wire, TERMINAL if "terminal" in wire else {"sessionId": "s"}))
    if gate.tag is None and gate.parameter is not None:
        data[gate.parameter] = [] if gate.parameter == "additionalDirectories" else True
    elif gate.parameter is not None:
        item = ITEMS[gate.value]
        data[gate.parameter] = item if wire == "session/update" else [item]
    elif gate.tag is not None:
        data[gate.tag] = gate.value
    elif wire == "session/update":
        data["update"] = ITEMS["notice"]
    return module.decode(method.params, data)


LEAVES: tuple[Any, ...] = (True, {}, [{"type": "agent", "methodId": "m", "name": "m"}])


def announced(version: str, side: str, paths: Any) -> Any:
    """Return the message that announces just ``paths``, decoded."""
    module = VERSIONS[version]
    data: dict[str, Any] = {"protocolVersion": int(version[1:])}
    if version == "v2":
        data["info"] = {"name": "n", "version": "1"}
    name = "InitializeResponse" if side == "agent" else "InitializeRequest"
    for path in sorted(paths, key=len, reverse=True):
        # A capability is true, an object or a list; reading drops what does not fit.
        for leaf in LEAVES:
            tried = copy.deepcopy(data)
            place = tried
            for key in path[:-1]:
                place = place.setdefault(key, {})
            place.setdefault(path[-1], leaf)
            kept: Any = module.encode(module.decode(name, tried))
            for key in path:
                kept = kept.get(key) if isinstance(kept, dict) else None
            if kept not in (None, False, []):
                data = tried
                break
        else:
            raise AssertionError(f"{path} cannot be announced")
    return module.decode(name, data)


def call(version: str, side: str, method: Any, params: Any, message: Any) -> tuple[Any, list[str]]:
    """Return how a call ends, and what was sent."""
    module = VERSIONS[version]
    peer = Peer()
    kind = module.ClientSideConnection if side == "agent" else module.AgentSideConnection
    connection = kind(peer)
    if message is not None:
        connection.learn(message)
    try:
        asyncio.run(getattr(connection, method.name)(params))
    except Exception as error:
        return error, peer.sent
    return None, peer.sent


def paths_for(version: str, method: Any, params: Any) -> set[tuple[str, ...]]:
    sent = VERSIONS[version].encode(params)
    return {path for gate in method.gates if gate.used_by(sent) for path in gate.capabilities}


@pytest.mark.parametrize(("version", "method", "gate"), gates())
def test_each_gate_opens_with_its_capabilities_and_with_nothing_less(
    version: str, method: Any, gate: Any
) -> None:
    side = method.side
    params = example(version, method, gate)
    needed = paths_for(version, method, params)
    assert set(gate.capabilities) <= needed
    end, sent = call(version, side, method, params, announced(version, side, needed))
    assert sent == [method.wire_name] and not isinstance(end, VERSIONS[version].CapabilityError)
    for path in gate.capabilities:
        # What lies below a capability that is missing is missing too.
        less = [p for p in needed if p[: len(path)] != path]
        end, sent = call(version, side, method, params, announced(version, side, less))
        assert isinstance(end, VERSIONS[version].CapabilityError) and sent == []
        assert end.capability in {".".join(p) for p in needed - set(less)}
        assert end.method == method.wire_name and end.capability in str(end)
    end, sent = call(version, side, method, params, None)
    assert isinstance(end, VERSIONS[version].CapabilityError) and sent == []


@pytest.mark.parametrize("version", VERSIONS)
def test_every_capability_of_the_agent_gates_something(version: str) -> None:
    """So that a capability which a new schema brings is not forgotten."""
    root = Path(__file__).parents[2] / "schemas"
    definitions = json.loads((root / version / "schema.json").read_text())["$defs"]
    tables = (VERSIONS[version].AGENT_METHODS, VERSIONS[version].CLIENT_METHODS)
    gated = {
        path[-1]
        for table in tables
        for method in table.values()
        for gate in method.gates
        for path in gate.capabilities
    }
    for name in ("PromptCapabilities", "McpCapabilities", "SessionCapabilities"):
        known = set(definitions[name]["properties"]) - {"_meta", "prompt", "mcp"}
        assert known <= gated, (name, known - gated)


@pytest.mark.parametrize(
    "capability", [None, {}, "no", {"archive": {}}, {"list": {}, "archive": None}]
)
def test_v1_archive_counts_with_list_alone(capability: Any) -> None:
    data = {"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": capability}}
    agent = v1.ClientSideConnection(Peer())
    agent.learn(v1.decode("InitializeResponse", data))
    assert not agent.supports("session/archive") and not agent.supports("session/unarchive")
    assert not agent.supports("session/list", "archived")


def test_v1_archive_with_list() -> None:
    agent = v1.ClientSideConnection(Peer())
    can = {"list": {}, "archive": {"_meta": {}}}
    agent.learn(
        v1.decode(
            "InitializeResponse",
            {"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": can}},
        )
    )
    assert agent.supports("session/archive") and agent.supports("session/list", "archived")
    assert not agent.supports("session/delete") and agent.supports("session/new")


def test_v2_baseline_needs_no_marker_of_its_own() -> None:
    agent = v2.ClientSideConnection(Peer())
    assert not agent.supports("session/new")
    agent.learn(announced("v2", "agent", [("capabilities", "session")]))
    baseline = ("new", "list", "resume", "close", "prompt", "cancel", "set_config_option")
    assert all(agent.supports(f"session/{name}") for name in baseline)
    assert not any(agent.supports(f"session/{name}") for name in ("delete", "archive", "unarchive"))


def test_a_typed_error_says_its_code_and_survives_pickling() -> None:
    for module in VERSIONS.values():
        for code, kind in module.ERRORS.items():
            error = kind("m", {"a": 1})
            assert (error.code, error.message, error.data) == (code, "m", {"a": 1})
            again = pickle.loads(pickle.dumps(error))
            assert (type(again), again.to_json()) == (kind, error.to_json())
        assert module.ResourceNotFoundError().to_json() == {
            "code": -32002,
            "message": "Resource not found",
        }
        assert module.AuthenticationRequiredError().code == -32000
    assert v2.UnsupportedProtocolVersionError().code == -32022
    assert not hasattr(v1, "UnsupportedProtocolVersionError")


def test_a_caller_gets_the_typed_error() -> None:
    class Refusing(Peer):
        async def request(self, method: str, params: Any) -> Any:
            raise v1.RpcError(*self.answer)

        answer: tuple[Any, ...] = (-32002, "gone", {"id": "s"})

    peer = Refusing()
    agent = v1.ClientSideConnection(peer, gated=False)
    with pytest.raises(v1.ResourceNotFoundError) as caught:
        asyncio.run(agent.archive_session(v1.ArchiveSessionRequest("s")))
    assert caught.value.to_json() == {"code": -32002, "message": "gone", "data": {"id": "s"}}
    peer.answer = (12345, "own")
    with pytest.raises(v1.RpcError) as other:
        asyncio.run(agent.archive_session(v1.ArchiveSessionRequest("s")))
    assert (type(other.value), other.value.code) == (v1.RpcError, 12345)


def test_docstrings_say_name_side_feature_capability_and_errors() -> None:
    said = " ".join((inspect.getdoc(v1.ClientSideConnection.archive_session) or "").split())
    for part in (
        "session/archive, a request that side agent serves.",
        "Feature: unstable_session_archive.",
        "agentCapabilities.sessionCapabilities.archive and "
        "agentCapabilities.sessionCapabilities.list",
        "CapabilityError",
        "RpcError",
    ):
        assert part in said
    assert "-32601" in (inspect.getdoc(v1.Agent.archive_session) or "")
    prompt = inspect.getdoc(v2.ClientSideConnection.prompt) or ""
    assert "type image in the parameter prompt needs the capability" in prompt.replace("\n", " ")
