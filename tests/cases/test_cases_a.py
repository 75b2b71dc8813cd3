"""Reported faults, group a: null is not omission."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mini import faults, refused, salvaged, same
from pydantic import BaseModel, TypeAdapter
from shapes import FLAG, META, NULL, ON_ERROR, ON_NULL, REAL, SKIP, TEXT, WHOLE, many, obj, ref, use

_ORDER = {
    "Topping": obj({"name": TEXT, "grams": WHOLE}),
    "Order": obj(
        {"table": TEXT, "note": TEXT, "main": use("Topping"), "extras": many(ref("Topping"))},
        "table",
    ),
}


def test_a01_unset_is_omitted(mini: Any) -> None:
    v1 = mini(_ORDER)
    assert v1.encode(v1.Order(table="4")) == {"table": "4"}
    order = v1.Order(table="4", main=v1.Topping(), extras=[v1.Topping(grams=2), v1.Topping()])
    assert v1.encode(order) == {"table": "4", "main": {}, "extras": [{"grams": 2}, {}]}
    same(v1, "Order", {"table": "4", "main": {}, "extras": [{}]})
    assert refused(v1, "Order", {"table": "4", "note": None}) == ["/note"]
    assert refused(v1, "Order", {"table": "4", "main": None}) == ["/main"]
    assert refused(v1, "Order", {"table": "4", "main": {"name": None}}) == ["/main/name"]
    assert refused(v1, "Order", {"table": "4", "extras": [{"grams": None}]}) == ["/extras/0/grams"]


def test_a02_explicit_null_clears(real: Any) -> None:
    for value in (
        {"title": None},
        {},
        {"title": None, "updatedAt": "2031-05-06T07:08:09Z"},
        {"_meta": None},
        {"_meta": {}},
        {"_meta": {"k": None}},
    ):
        same(real.v1, "SessionInfoUpdate", value)
        same(real.v1, "SessionUpdate", {"sessionUpdate": "session_info_update", **value})
    salvaged(real.v1, "SessionInfoUpdate", {"title": {}}, {})
    refused(real.v1, "SessionUpdate", {"title": None})
    for value in ({"content": None}, {}, {"content": []}):
        same(real.v1, "ToolCallUpdate", {"toolCallId": "c-9", **value})
    assert refused(real.v1, "ToolCallUpdate", {"content": None}) == ["/toolCallId"]
    update = real.v1.SessionInfoUpdate(title=None)
    assert real.v1.encode(update) == {"title": None}
    del update.title
    assert real.v1.encode(update) == {}


def test_a03_every_dump_path_agrees(mini: Any) -> None:
    v1 = mini(_ORDER)
    order = v1.Order(table="4", main=v1.Topping(), note=None)
    wanted = {"table": "4", "main": {}}

    class Foreign(BaseModel):
        order: Any
        typed: v1.Order
        pair: list[v1.Order]

    foreign = Foreign(order=order, typed=order, pair=[order])
    assert v1.encode(order) == wanted
    assert json.loads(v1.to_json(order)) == wanted
    assert order.model_dump() == wanted
    assert order.model_dump(mode="json", by_alias=True) == wanted
    assert json.loads(order.model_dump_json()) == wanted
    assert json.loads(order.model_dump_json(by_alias=True)) == wanted
    assert json.loads(TypeAdapter(list[v1.Order]).dump_json([order])) == [wanted]
    assert TypeAdapter(list[v1.Order]).dump_python([order], mode="json") == [wanted]
    assert foreign.model_dump() == {"order": wanted, "typed": wanted, "pair": [wanted]}
    assert json.loads(foreign.model_dump_json()) == foreign.model_dump()


def test_a04_required_nullable(mini: Any) -> None:
    v1 = mini(
        {
            "Stamp": obj({"year": WHOLE}, "year"),
            "Letter": obj(
                {
                    "to": TEXT,
                    "sender": {"type": ["string", "null"]},
                    "reply": {"type": ["string", "null"]},
                    "stamp": {"anyOf": [ref("Stamp"), NULL]},
                },
                "to",
                "sender",
                "stamp",
            ),
        }
    )
    least = {"to": "x", "sender": None, "stamp": None}
    same(v1, "Letter", least)
    same(v1, "Letter", {"to": "x", "sender": "y", "stamp": {"year": 3}, "reply": None})
    for key in least:
        assert refused(v1, "Letter", {k: v for k, v in least.items() if k != key}) == [f"/{key}"]
    assert refused(v1, "Letter", {**least, "to": None}) == ["/to"]
    assert refused(v1, "Letter", {**least, "stamp": {}}) == ["/stamp/year"]
    with pytest.raises(ValueError):
        v1.Letter(to="x", stamp=None)
    assert v1.encode(v1.Letter(to="x", sender=None, stamp=None)) == least


def test_a06_null_result_for_empty_reply(real: Any) -> None:
    v1 = real.v1

    class Peer:
        async def request(self, method: str, params: Any) -> Any:
            return None

        async def notify(self, method: str, params: Any) -> None: ...

    class Silent(v1.Agent):  # type: ignore[name-defined, misc]
        async def close_session(self, params: Any) -> Any:
            return None

        async def logout(self, params: Any) -> Any:
            return v1.LogoutResponse()

    async def go() -> None:
        agent = v1.ClientSideConnection(Peer(), gated=False)
        closed = await agent.close_session(v1.CloseSessionRequest(session_id="q"))
        assert isinstance(closed, v1.CloseSessionResponse) and v1.encode(closed) == {}
        assert isinstance(await agent.logout(v1.LogoutRequest()), v1.LogoutResponse)
        client = v1.AgentSideConnection(Peer(), gated=False)
        text = v1.WriteTextFileRequest(session_id="q", path="/f", content="")
        assert isinstance(await client.write_text_file(text), v1.WriteTextFileResponse)
        served = v1.AgentDispatcher(Silent())
        assert await served.request("session/close", {"sessionId": "q"}) == {}
        assert await served.request("logout", None) == {}
        with pytest.raises(ValueError):  # a reply with content cannot be null
            await agent.prompt(v1.PromptRequest(session_id="q", prompt=[]))

    asyncio.run(go())
    refused(v1, "CloseSessionResponse", [])
    refused(v1, "CloseSessionResponse", None)
    same(v1, "CloseSessionResponse", {"_meta": {"a": 2}})
    same(v1, "AgentResponse", {"id": 8, "result": {}})
    same(v1, "AgentResponse", {"id": 8, "result": None})
    refused(v1, "AgentResponse", {"id": 8})
    refused(v1, "AgentResponse", {"result": {}})


def test_a07_null_capabilities_object(mini: Any, real: Any) -> None:
    v1 = mini(
        {
            "Skills": obj(
                {
                    "knots": {**FLAG, "default": False, **ON_ERROR},
                    "depth": {**REAL, "default": 2.5, **ON_ERROR},
                }
            ),
            "Hello": obj(
                {"v": WHOLE, "skills": use("Skills", default={"knots": True}, **ON_ERROR)}, "v"
            ),
        }
    )
    for bad in (None, 5, [], "x"):
        found = salvaged(v1, "Hello", {"v": 1, "skills": bad}, {"v": 1})
        assert isinstance(found.skills, v1.Skills)
        assert found.skills.knots is True and found.skills.depth == 2.5
    found = salvaged(v1, "Hello", {"v": 1, "skills": {"knots": "y"}}, {"v": 1, "skills": {}})
    assert found.skills.knots is False
    assert refused(v1, "Hello", {"skills": {}}) == ["/v"]
    start = {"protocolVersion": 1}
    found = salvaged(real.v1, "InitializeResponse", {**start, "agentCapabilities": None}, start)
    assert found.agent_capabilities.load_session is False
    salvaged(
        real.v1,
        "InitializeResponse",
        {**start, "agentCapabilities": {"loadSession": 3}},
        {**start, "agentCapabilities": {}},
    )
    good = {"id": "m", "name": "M"}
    salvaged(
        real.v1,
        "InitializeResponse",
        {**start, "authMethods": [good, {"id": []}]},
        {**start, "authMethods": [good]},
    )


def test_a09_default_on_null_arrays(mini: Any, real: Any) -> None:
    v1 = mini(
        {
            "Tool": obj(
                {"name": TEXT, "args": many(TEXT, **ON_NULL), "_meta": META}, "name", "args"
            ),
            "Kit": obj(
                {"tools": many(ref("Tool"), **ON_NULL), "spare": many(TEXT, **SKIP)}, "tools"
            ),
        }
    )
    salvaged(v1, "Kit", {"tools": None}, {"tools": []})
    salvaged(
        v1, "Kit", {"tools": [{"name": "t", "args": None}]}, {"tools": [{"name": "t", "args": []}]}
    )
    assert refused(v1, "Kit", {"tools": [{"name": "t"}]}) == ["/tools/0/args"]
    assert refused(v1, "Kit", {}) == ["/tools"]
    assert refused(v1, "Kit", {"tools": [], "spare": None}) == ["/spare"]
    assert v1.encode(v1.Kit(tools=[])) == {"tools": []}

    stdio = {"name": "n", "command": "/x", "args": None, "env": None}
    new = {"cwd": "/w", "mcpServers": [stdio]}
    salvaged(
        real.v1,
        "NewSessionRequest",
        new,
        {"cwd": "/w", "mcpServers": [{**stdio, "args": [], "env": []}]},
    )
    salvaged(
        real.v1,
        "NewSessionRequest",
        {"cwd": "/w", "mcpServers": None},
        {"cwd": "/w", "mcpServers": []},
    )
    missing = {"cwd": "/w", "mcpServers": [{"name": "n", "command": "/x", "args": []}]}
    assert faults(real.v1, "NewSessionRequest", missing) == ["/mcpServers/0/env"]
    assert refused(real.v1, "NewSessionRequest", {"cwd": "/w"}) == ["/mcpServers"]
