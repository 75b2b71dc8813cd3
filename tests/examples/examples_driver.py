"""Talks to the example agent, in this process or over real pipes, in JSON of either version."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
for folder in (ROOT, ROOT / "generated" / "python"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from acp_bindings import v1  # noqa: E402

from examples.archive_agent import AgentV1, AgentV2, Sessions, Store  # noqa: E402
from examples.archive_agent.program import Negotiator  # noqa: E402
from examples.peer import Child, Peer, spawn  # noqa: E402

AGENT = [sys.executable, "-m", "examples.archive_agent"]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated' / 'python'}",
    # Many processes are started: compile the bindings once, whatever the environment says.
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(ROOT / ".pytest_cache" / "pycache"),
}


class Talk:
    """A client in raw JSON: it keeps what it is told and refuses what it is asked."""

    def __init__(self, peer: Peer, version: int) -> None:
        self.peer = peer
        self.version = version
        self.heard: list[tuple[str, Any]] = []
        self._news = asyncio.Event()
        peer.channel.serve(self)
        peer.channel.batches = version == 2

    async def request(self, method: str, params: Any) -> Any:
        raise v1.MethodNotFoundError

    async def notify(self, method: str, params: Any) -> None:
        self.heard.append((method, params))
        self._news.set()

    def updates(self, kind: str | None = None) -> list[Any]:
        """What was in the session updates, of one kind or all."""
        found = [params["update"] for method, params in self.heard if method == "session/update"]
        return [update for update in found if kind in (None, update["sessionUpdate"])]

    async def until(self, kind: str, count: int = 1, **values: Any) -> Any:
        """Wait for the update of that kind, the ``count``th, with these values; return it."""
        async with asyncio.timeout(20):
            while True:
                found = [
                    update
                    for update in self.updates(kind)
                    if all(update.get(key) == value for key, value in values.items())
                ]
                if len(found) >= count:
                    return found[count - 1]
                self._news.clear()
                await self._news.wait()

    async def call(self, method: str, **params: Any) -> Any:
        """Make a call and return its result."""
        async with asyncio.timeout(60):
            return await self.peer.channel.request(method, params)

    async def error(self, method: str, **params: Any) -> int:
        """Make a call that fails and return the code."""
        try:
            result = await self.call(method, **params)
        except v1.RpcError as error:
            return error.code
        raise AssertionError(f"{method} did not fail: {result}")

    async def initialize(self) -> Any:
        if self.version == 1:
            return await self.call("initialize", protocolVersion=1)
        return await self.call(
            "initialize", protocolVersion=2, info={"name": "test", "version": "1"}
        )

    async def new(self, cwd: str = "/work") -> str:
        answer = await self.call("session/new", cwd=cwd, mcpServers=[])
        return str(answer["sessionId"])

    async def say(self, session: str, text: str = "hello") -> str:
        """Send a prompt, wait for the end of the turn, return why it ended."""
        begun = len(self.updates("state_update"))
        answer = await self.call("session/prompt", sessionId=session, prompt=[block(text)])
        if self.version == 1:
            return str(answer["stopReason"])
        async with asyncio.timeout(30):
            while True:
                for update in self.updates("state_update")[begun:]:
                    if "stopReason" in update:
                        return str(update["stopReason"])
                self._news.clear()
                await self._news.wait()

    async def listed(self, **filters: Any) -> list[Any]:
        """All sessions of the list, page after page."""
        found: list[Any] = []
        cursor: dict[str, Any] = {}
        while True:
            page = await self.call("session/list", **filters, **cursor)
            found += page["sessions"]
            if page.get("nextCursor") is None:
                return found
            cursor = {"cursor": page["nextCursor"]}

    async def ids(self, **filters: Any) -> list[str]:
        return [info["sessionId"] for info in await self.listed(**filters)]

    async def archive(self, session: str) -> Any:
        return await self.call("session/archive", sessionId=session)

    async def unarchive(self, session: str) -> Any:
        return await self.call("session/unarchive", sessionId=session)

    async def reopen(self, session: str, *, replay: bool = False, cwd: str = "/work") -> Any:
        """Load or resume a session."""
        if self.version == 1:
            method = "session/load" if replay else "session/resume"
            return await self.call(method, sessionId=session, cwd=cwd, mcpServers=[])
        start = {"replayFrom": {"type": "start"}} if replay else {}
        return await self.call("session/resume", sessionId=session, cwd=cwd, **start)

    def history(self) -> list[tuple[str, str]]:
        """Who said what, put together from the chunks heard."""
        found: list[tuple[str, str, str]] = []
        for update in self.updates():
            kind = update["sessionUpdate"]
            if kind in ("user_message_chunk", "agent_message_chunk"):
                who, text = kind.split("_")[0], update["content"].get("text", "?")
                if found and found[-1][:2] == (who, update["messageId"]):
                    text = found.pop()[2] + text
                found.append((who, update["messageId"], text))
        return [(who, text) for who, _, text in found]


def block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


@asynccontextmanager
async def inside(
    version: int,
    database: str | Path = ":memory:",
    *,
    sessions_class: type[Sessions] = Sessions,
    store_class: type[Store] = Store,
    agent_v1: type[AgentV1] = AgentV1,
    agent_v2: type[AgentV2] = AgentV2,
    start: bool = True,
    **options: Any,
) -> AsyncIterator[Talk]:
    """An agent in this process, with a socket pair for its pipes."""
    options.setdefault("pace", 0)
    ours, theirs = await _pair()
    store = store_class(str(database), durable=False)
    sessions = sessions_class(store, **options)
    theirs.channel.serve(Negotiator(theirs.channel, sessions, agent_v1, agent_v2))
    running = [asyncio.create_task(peer.run()) for peer in (ours, theirs)]
    try:
        talk = Talk(ours, version)
        if start:
            await talk.initialize()
        yield talk
    finally:
        await ours.close()
        await asyncio.gather(*running)
        await sessions.shutdown()


async def _pair() -> tuple[Peer, Peer]:
    peers = []
    for end in socket.socketpair():
        peers.append(Peer(*await asyncio.open_connection(sock=end)))
    return peers[0], peers[1]


@asynccontextmanager
async def child(
    version: int,
    database: str | Path = ":memory:",
    *options: str,
    command: Sequence[str] = AGENT,
    start: bool = True,
    pace: float = 0,
) -> AsyncIterator[Talk]:
    """An agent in a process of its own, over real pipes."""
    arguments = [*command, "--db", str(database), "--pace", str(pace), *options]
    async with await spawn(arguments, env=ENVIRONMENT) as peer:
        talk = Talk(peer, version)
        if start:
            await talk.initialize()
        yield talk


def process_of(talk: Talk) -> asyncio.subprocess.Process:
    assert isinstance(talk.peer, Child)
    return talk.peer.process


def memory(talk: Talk, key: str = "VmRSS") -> float:
    """Resident memory of the agent's process in MiB; ``VmHWM`` is its peak."""
    status = Path(f"/proc/{process_of(talk).pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(key + ":"))
    return int(line.split()[1]) / 1024


def pages(items: Iterable[Any], size: int) -> list[list[Any]]:
    """The items in lists of ``size``."""
    every = list(items)
    return [every[start : start + size] for start in range(0, len(every), size)]
