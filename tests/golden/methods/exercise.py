"""Methods: requests, notifications, both sides, a shared side, one name for both kinds."""

import asyncio
import inspect

import pytest

EXPECTED = (
    "v1/models.py",
    "v1/methods.py",
    "v1/agent.py",
    "v1/client.py",
    "v1/codec.py",
    "v1/__init__.py",
)


def check_tables(pkg):
    v1 = pkg.v1
    brew = v1.AGENT_METHODS["tea/brew"]
    assert (brew.name, brew.kind, brew.params, brew.result) == (
        "make_tea",
        "request",
        "BrewRequest",
        "BrewResponse",
    )
    assert v1.CLIENT_METHODS["tea/steam"].result is None
    assert v1.CLIENT_METHODS["tea/steam"].kind == "notification"
    assert v1.PROTOCOL_METHODS["$/halt"].side == "protocol"
    assert {method.wire_name for method in v1.AGENT_METHODS.values()} == {
        "tea/brew",
        "tea/pour",
        "pot/rinse",
        "tea/stir",
    }
    stir = [method for method in v1.AGENT_METHODS.values() if method.wire_name == "tea/stir"]
    assert {(method.name, method.kind) for method in stir} == {
        ("stir", "request"),
        ("notify_stir", "notification"),
    }


def check_interfaces(pkg):
    v1 = pkg.v1
    own = {name for name in vars(v1.Agent) if not name.startswith("_")}
    assert own == {"make_tea", "pour", "rinse_agent", "stir", "notify_stir", "halt"}
    own = {name for name in vars(v1.Client) if not name.startswith("_")}
    assert own == {"rinse_client", "steam", "cups", "halt"}
    for side in (v1.Agent, v1.Client, v1.ClientSideConnection, v1.AgentSideConnection):
        for name, function in vars(side).items():
            if not name.startswith("_"):
                assert inspect.iscoroutinefunction(function)
                inspect.signature(function, eval_str=True)


class Loop:
    """A peer that hands every message straight to a dispatcher, by JSON text."""

    def __init__(self, dispatcher):
        self.dispatcher = dispatcher
        self.seen = []

    async def request(self, method, params):
        self.seen.append((method, params))
        return await self.dispatcher.request(method, params)

    async def notify(self, method, params):
        self.seen.append((method, params))
        await self.dispatcher.notify(method, params)


def check_round(pkg):
    v1 = pkg.v1

    heard = []

    class Kettle(v1.Agent):
        async def make_tea(self, params):
            return v1.BrewResponse(ready=params.cups < 3)

        async def stir(self, params):
            heard.append("request")
            return v1.StirResponse()

        async def notify_stir(self, params):
            heard.append("notification")

        async def halt(self, params):
            heard.append(params.why)

    async def run():
        peer = Loop(v1.AgentDispatcher(Kettle()))
        agent = v1.ClientSideConnection(peer)
        made = await agent.make_tea(v1.BrewRequest(cups=2, meta={"k": 1}))
        assert isinstance(made, v1.BrewResponse) and made.ready is True
        await agent.stir(v1.StirRequest())
        await agent.notify_stir(v1.StirNotification())
        await agent.halt(v1.HaltNotification(why="w"))
        assert heard == ["request", "notification", "w"]
        assert peer.seen[0] == ("tea/brew", {"cups": 2, "_meta": {"k": 1}})
        assert peer.seen[3] == ("$/halt", {"why": "w"})

    asyncio.run(run())


def check_errors(pkg):
    v1 = pkg.v1
    error_type = __import__(f"{pkg.__name__}._rpc", fromlist=["RpcError"]).RpcError

    class Broken(v1.Agent):
        async def make_tea(self, params):
            raise RuntimeError("cold")

        async def pour(self, params):
            return None

    async def code(call):
        with pytest.raises(error_type) as caught:
            await call
        return caught.value

    async def run():
        agent = v1.AgentDispatcher(Broken())
        assert (await code(agent.request("tea/none", {}))).code == -32601
        assert (await code(agent.request("pot/rinse", {}))).code == -32601
        wrong = await code(agent.request("tea/brew", {"cups": "2"}))
        assert wrong.code == -32602 and wrong.data["errors"][0]["path"] == "/cups"
        broken = await code(agent.request("tea/brew", {"cups": 2}))
        assert broken.code == -32603 and "cold" in str(broken.data)
        assert await agent.request("tea/pour", None) == {}
        assert await agent.notify("$/unheard", {"x": 1}) is None

    asyncio.run(run())
