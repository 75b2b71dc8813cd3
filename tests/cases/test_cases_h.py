"""Reported faults, group h: methods, features, conversion."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError
from mini import faults, refused, render, same, write_schemas
from shapes import META, SIDES, TEXT, WHOLE, method, obj, ref, use


def _peer(real: Any, answer: Any = None) -> Any:
    class Peer:
        def __init__(self) -> None:
            self.seen: list[tuple[str, Any]] = []

        async def request(self, method: str, params: Any) -> Any:
            self.seen.append((method, params))
            return answer

        async def notify(self, method: str, params: Any) -> None:
            self.seen.append((method, params))

    return Peer()


def _error(real: Any) -> Any:
    from acp_bindings import _rpc

    return _rpc.RpcError


def test_h01_meta_must_not_shadow_params(real: Any) -> None:
    v1 = real.v1
    got: list[Any] = []

    class Host(v1.Agent):  # type: ignore[name-defined, misc]
        async def new_session(self, params: Any) -> Any:
            got.append(params)
            return v1.NewSessionResponse(session_id="n")

        async def prompt(self, params: Any) -> Any:
            got.append(params)
            return v1.PromptResponse(stop_reason="end_turn")

    meta = {
        "cwd": "/wrong",
        "session_id": "w",
        "self": 3,
        "mcp_servers": [4],
        "kwargs": {},
        "params": 1,
    }

    async def go() -> None:
        served = v1.AgentDispatcher(Host())
        await served.request("session/new", {"cwd": "/right", "mcpServers": [], "_meta": meta})
        await served.request("session/prompt", {"sessionId": "right", "prompt": [], "_meta": meta})
        for name, params in (
            ("session/new", {"_meta": {"cwd": "/w"}, "mcpServers": []}),
            ("session/prompt", {"prompt": [], "_meta": {"sessionId": "w"}}),
        ):
            with pytest.raises(_error(real)) as caught:
                await served.request(name, params)
            assert caught.value.code == -32602

    asyncio.run(go())
    assert (got[0].cwd, got[0].mcp_servers, got[0].meta) == ("/right", [], meta)
    assert (got[1].session_id, got[1].prompt, got[1].meta) == ("right", [], meta)


def test_h02_wire_names_only(real: Any) -> None:
    v1 = real.v1
    found = same(v1, "PromptRequest", {"sessionId": "a", "session_id": "b", "prompt": []})
    assert found.session_id == "a" and found.model_extra == {"session_id": "b"}
    assert refused(v1, "PromptRequest", {"session_id": "a", "prompt": []}) == ["/sessionId"]
    assert refused(v1, "InitializeRequest", {"protocol_version": 1}) == ["/protocolVersion"]
    assert refused(v1, "ToolCallUpdate", {"tool_call_id": "c"}) == ["/toolCallId"]
    made = v1.PromptRequest(session_id="a", prompt=[])
    for dumped in (v1.encode(made), made.model_dump(), made.model_dump(mode="json")):
        assert dumped == {"sessionId": "a", "prompt": []}
    assert '"sessionId"' in made.model_dump_json()
    with pytest.raises(TypeError):
        v1.PromptRequest(sessionId="a", prompt=[])


def test_h03_extension_methods(real: Any) -> None:
    v1 = real.v1
    heard: list[Any] = []

    class Plain(v1.Agent):  # type: ignore[name-defined, misc]
        async def prompt(self, params: Any) -> Any:
            return v1.PromptResponse(stop_reason="end_turn")

    class Extended(Plain):
        async def ext_method(self, method: str, params: Any) -> Any:
            return [method, params]

        async def ext_notification(self, method: str, params: Any) -> None:
            heard.append((method, params))

    async def code(call: Any) -> Any:
        with pytest.raises(_error(real)) as caught:
            await call
        return caught.value

    async def go() -> None:
        plain, extended = v1.AgentDispatcher(Plain()), v1.AgentDispatcher(Extended())
        for params in ([1, "a"], None, {}, {"a": None}, 5, "s", False):
            assert await extended.request("_shop/buy", params) == ["_shop/buy", params]
            await extended.notify("_shop/tell", params)
        assert heard == [
            ("_shop/tell", params) for params in ([1, "a"], None, {}, {"a": None}, 5, "s", False)
        ]
        assert (await code(plain.request("_shop/buy", {}))).code == -32601
        assert (await code(plain.request("session/nope", {}))).code == -32601
        assert (await code(extended.request("session/nope", {}))).code == -32601
        for name in ("$/unheard", "_shop/tell", "session/nope"):
            assert await plain.notify(name, [1]) is None
        bad = await code(plain.request("session/prompt", {}))
        assert bad.code == -32602
        assert {fault["path"] for fault in bad.data["errors"]} == {"/sessionId", "/prompt"}
        peer = _peer(real, answer=[{"stopReason": 5}])
        agent = v1.ClientSideConnection(peer)
        assert await agent.ext_method("_shop/buy", [1]) == [{"stopReason": 5}]
        await agent.ext_notification("_shop/tell", "x")
        assert peer.seen == [("_shop/buy", [1]), ("_shop/tell", "x")]
        wrong = v1.ClientSideConnection(_peer(real, answer={"sessionId": "s"}))
        with pytest.raises(v1.DecodeError):
            await wrong.prompt(v1.PromptRequest(session_id="s", prompt=[]))

    asyncio.run(go())


_LIBRARY = {
    "Powers": obj({"shelf": {"anyOf": [ref("ShelfPowers"), {"type": "null"}]}}),
    "ShelfPowers": obj({"list": {"type": "boolean"}}),
    "HelloRequest": method("agent", "hello", {}),
    "HelloResponse": method("agent", "hello", {"powers": ref("Powers")}),
    "Book": obj({"id": TEXT}, "id"),
    "ListRequest": method("agent", "book/list", {"cursor": TEXT}),
    "ListResponse": method(
        "agent", "book/list", {"books": {"type": "array", "items": ref("Book")}}
    ),
}


def _overlay(word: str) -> dict[str, Any]:
    powers = {"definition": "HelloResponse", "path": ["powers", "shelf", word]}
    title = word.title()
    return {
        "definitions": {
            f"{title}Request": method("agent", f"book/{word}", {"id": TEXT}, "id"),
            f"{title}Response": method("agent", f"book/{word}", {"_meta": META}),
        },
        "properties": {
            "Book": {f"{word}ed": {"schema": {"type": "boolean"}}},
            "ListRequest": {f"{word}ed": {"schema": {"type": ["boolean", "null"]}}},
            "ShelfPowers": {word: {"schema": {"type": "boolean"}}},
        },
        "gates": [{"side": "agent", "method": f"book/{word}", "capability": powers}],
    }


def test_h06_archive_overlay(tmp_path: Path, mini: Any, real: Any) -> None:
    overlays = {("lend", "v1"): _overlay("lend"), ("bind", "v1"): _overlay("bind")}
    bare = write_schemas(tmp_path / "bare", {"v1": _LIBRARY})
    with_overlays = write_schemas(tmp_path / "more", {"v1": _LIBRARY}, overlays=overlays)
    assert render(bare) == render(with_overlays)
    both = render(with_overlays, ("lend", "bind"))
    assert both == render(with_overlays, ("bind", "lend")) != render(bare)
    off = mini(_LIBRARY)
    same(off, "Book", {"id": "b", "lended": "any"})
    on = mini(_LIBRARY, overlays=overlays, features=("lend",))
    for value in ({}, {"lended": True}, {"lended": False}):
        same(on, "Book", {"id": "b", **value})
        same(on, "ListRequest", value)
    same(on, "ListRequest", {"lended": None})
    assert refused(on, "Book", {"id": "b", "lended": None}) == ["/lended"]
    assert refused(on, "LendRequest", {}) == ["/id"]
    assert refused(on, "ShelfPowers", {"lend": "y"}) == ["/lend"]
    assert on.AGENT_METHODS["book/lend"].capability == "powers.shelf.lend"

    for version in (real.v1, real.v2):
        for value in ({}, {"archived": True}, {"archived": False}, {"archived": None}):
            same(version, "ListSessionsRequest", value)
        least = {"sessionId": "a", "cwd": "/a"}
        for value in ({}, {"archived": True}, {"archived": False}):
            same(version, "SessionInfo", {**least, **value})
            same(version, "SessionInfoUpdate", value)
        assert not version.decode("SessionInfo", least).archived
        assert refused(version, "SessionInfo", {**least, "archived": None}) == ["/archived"]
        assert refused(version, "SessionInfoUpdate", {"archived": None}) == ["/archived"]
        assert refused(version, "ListSessionsRequest", {"archived": "only"}) == ["/archived"]
        for name in ("ArchiveSessionRequest", "UnarchiveSessionRequest"):
            same(version, name, {"sessionId": "a", "_meta": {"k": 1}})
            assert refused(version, name, {}) == ["/sessionId"]
        for name in ("session/archive", "session/unarchive"):
            assert version.AGENT_METHODS[name].feature == "unstable_session_archive"
            assert version.AGENT_METHODS[name].capability
    same(real.v1, "SessionCapabilities", {"archive": {}, "list": {}})
    same(real.v1, "SessionCapabilities", {"archive": None})


def _or_refused(real: Any, direction: str, name: str, value: Any) -> list[Any] | None:
    """Return what the value becomes; None if the converter refuses and says where."""
    try:
        return list(real.convert.convert_json(direction, name, value))
    except real.convert.ConversionError as error:
        assert isinstance(error.path, str) and error.direction == direction and str(error)
        return None


def test_h12_v1_v2_loss_is_reported(real: Any) -> None:
    there, back = "v1_to_v2", "v2_to_v1"
    for name, value in (
        ("ArchiveSessionRequest", {"sessionId": "a", "_meta": {"k": None}}),
        ("ListSessionsRequest", {"archived": False, "cursor": "c"}),
        ("SessionInfoUpdate", {"title": None, "updatedAt": "2031-01-01T00:00:00.50Z"}),
        ("SessionInfoUpdate", {"title": "t", "archived": True, "_meta": {"x": {"y": 1}}}),
    ):
        [made] = real.convert.convert_json(there, name, value)
        assert real.convert.convert_json(back, name, made) == [value]
        real.v2.decode(name, made, strict=True)
    with pytest.raises(real.convert.ConversionError) as caught:
        real.convert.convert_json(there, "ArchiveSessionRequest", {"sessionId": "a", "mine/x": 1})
    assert caught.value.path == "/mine~1x" and caught.value.faults[0].reason

    v1_words = {
        "pending",
        "in_progress",
        "completed",
        "failed",
        "read",
        "edit",
        "delete",
        "move",
        "search",
        "execute",
        "think",
        "fetch",
        "switch_mode",
        "other",
    }
    for value in (
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "t",
            "status": "melted",
            "kind": "carve",
            "title": None,
        },
        {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"},
        {"sessionUpdate": "agent_message", "messageId": "m", "content": None},
        {"sessionUpdate": "_mine", "k": 1},
    ):
        for made in _or_refused(real, back, "SessionUpdate", value) or []:
            real.v1.decode("SessionUpdate", made, strict=True)
            assert made.get("status") not in v1_words and made.get("kind") not in v1_words
    for value in (
        {
            "sessionUpdate": "tool_call",
            "toolCallId": "t",
            "title": "x",
            "kind": "edit",
            "content": [{"type": "diff", "path": "/a", "oldText": None, "newText": "n"}],
        },
        {"sessionUpdate": "current_mode_update", "currentModeId": "m"},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "h"}},
    ):
        for made in _or_refused(real, there, "SessionUpdate", value) or []:
            real.v2.decode("SessionUpdate", made, strict=True)
    update = {"sessionUpdate": "session_info_update", "title": None, "_meta": {"k": [1]}}
    made = _or_refused(real, there, "SessionUpdate", update)
    assert made is None or made == [update]


def test_h13_pairing_request_response(mini: Any, tmp_path: Path) -> None:
    defs = {
        "RunRequest": method("agent", "s/run", {"a": TEXT}, "a"),
        "RunResponse": method("agent", "s/run", {"_meta": META}),
        "PingAgentRequest": method("agent", "s/ping"),
        "PingAgentResponse": method("agent", "s/ping"),
        "PingClientRequest": method("client", "s/ping"),
        "PingClientResponse": method("client", "s/ping"),
        "TellNotification": method("client", "s/tell", {"n": WHOLE}, "n"),
        "HaltNotification": method("protocol", "$/halt"),
    }
    v1 = mini(defs, names=SIDES + "\n[sides.protocol]\nshared = true\n")
    run = v1.AGENT_METHODS["s/run"]
    assert (run.kind, run.params, run.result) == ("request", "RunRequest", "RunResponse")
    assert inspect.signature(v1.Agent.run, eval_str=True).return_annotation is v1.RunResponse
    assert v1.CLIENT_METHODS["s/tell"].kind == "notification"
    assert v1.CLIENT_METHODS["s/tell"].result is None
    assert hasattr(v1.Agent, "ping_agent") and hasattr(v1.Client, "ping_client")
    assert hasattr(v1.Agent, "halt") and hasattr(v1.Client, "halt")
    assert set(v1.PROTOCOL_METHODS) == {"$/halt"}
    assert refused(v1, "RunRequest", {}) == ["/a"]
    assert refused(v1, "RunResponse", None) == [""]
    assert faults(v1, "TellNotification", {"n": "1"}) == ["/n"]

    for index, (broken, word) in enumerate(
        (
            ({"LostRequest": method("agent", "s/lost")}, "LostRequest"),
            ({"LostResponse": method("agent", "s/lost")}, "LostResponse"),
            (
                {
                    "ARequest": method("agent", "s/a"),
                    "BRequest": method("agent", "s/a"),
                    "AResponse": method("agent", "s/a"),
                },
                "BRequest",
            ),
            (
                {
                    "ARequest": method("agent", "s/a"),
                    "BResponse": method("agent", "s/a"),
                    "AResponse": method("agent", "s/a"),
                },
                "AResponse",
            ),
            ({"Odd": method("agent", "s/odd"), "Use": obj({"x": use("Odd")})}, "Odd"),
        )
    ):
        where = write_schemas(tmp_path / f"broken{index}", {"v1": broken})
        with pytest.raises(InputError) as caught:
            render(where)
        assert word in str(caught.value) and "/$defs/" in str(caught.value)
