"""Where the peers are, and our own client for them."""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import interop_setup
import pytest
from acp_bindings import v1, v2

from examples.peer import Child, spawn

HERE = Path(__file__).resolve().parent
PEERS = HERE / "peers"
ROOT = HERE.parents[1]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "generated" / "python")]),
}

#: The example agent with what it lacks. Two sessions are a page of its list.
OUR_AGENT = [
    *(sys.executable, str(PEERS / "asking_agent.py")),
    *("--db", ":memory:", "--page-size", "2", "--pace", "0.005"),
]


@functools.cache
def _missing(peer: str) -> str:
    if peer == "v1-python":
        # There is none for a Python that is newer than the release.
        return "" if importlib.util.find_spec("acp") else "agent-client-protocol is not installed"
    return interop_setup.missing() or ("" if interop_setup.installed() else "run `make node` first")


def need(peer: str) -> None:
    """Skip the test if the peer cannot run; under CI that is a failure."""
    missing = _missing(peer)
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"CI has to run the interop tests: {missing}", pytrace=False)
    if missing:
        pytest.skip(f"interop with {peer} was NOT tested: {missing}")


def command(side: str, peer: str) -> list[str]:
    """Return how to start a peer: its ``side`` is client or agent."""
    need(peer)
    if peer == "v1-python":
        return [sys.executable, str(PEERS / f"py_{side}.py")]
    node = shutil.which("node")
    assert node is not None
    return [node, str(PEERS / f"{side}_{peer[:2]}.mjs"), peer]


def conversation(peer: str) -> Any:
    """Let a client have its conversation with our agent, once, and return what it saw."""
    said, problem = _conversation(tuple(command("client", peer)))
    assert not problem, problem
    return json.loads(said)


@functools.cache
def _conversation(client: tuple[str, ...]) -> tuple[str, str]:
    """What a client printed, and what went wrong if something did."""
    try:
        done = subprocess.run(
            [*client, *OUR_AGENT],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return "", f"the conversation came to a halt: {error.stderr!r}"
    if done.returncode != 0 or done.stderr:
        return "", f"exit code {done.returncode}: {done.stderr}"
    return done.stdout, ""


class _OurClient:
    """What our clients do alike: they remember what they are told."""

    agent: Any

    def __init__(self) -> None:
        self.updates: list[Any] = []
        self.notes: list[Any] = []
        self.asked: list[Any] = []
        self.answers: list[Any] = []
        self.heard: list[tuple[str, Any]] = []
        self._news = asyncio.Event()

    async def session_update(self, params: Any) -> None:
        # It takes its time, and still the order stays, and answers come after what was before them.
        await asyncio.sleep(0.002)
        self.notes.append(params)
        self.updates.append(params.update)
        self._news.set()

    async def request_permission(self, params: Any) -> Any:
        self.asked.append(params)
        return self.answers.pop(0)

    async def ext_method(self, method: str, params: Any) -> Any:
        assert method == "_interop/echo"
        return {"echo": params}

    async def ext_notification(self, method: str, params: Any) -> None:
        self.heard.append((method, params))
        self._news.set()

    async def until(self, found: Callable[[], Any]) -> Any:
        """Wait until ``found`` returns something true, and return it."""
        async with asyncio.timeout(30):
            while not (value := found()):
                self._news.clear()
                await self._news.wait()
            return value

    def kinds(self) -> list[str]:
        """What kinds of update came."""
        return [update.session_update for update in self.updates]

    def said(self) -> list[str]:
        """What came as chunks of the agent's messages."""
        return [
            update.content.text
            for update in self.updates
            if update.session_update == "agent_message_chunk"
        ]

    async def pages(self, request: Any) -> list[list[str]]:
        """All pages of the list, as ids."""
        found = []
        while True:
            page = await self.agent.list_sessions(request)
            found.append([info.session_id for info in page.sessions])
            if page.next_cursor is None:
                return found
            request.cursor = page.next_cursor


class OurClientV1(_OurClient, v1.Client):
    """A client on the v1 bindings."""

    def __init__(self, peer: Child) -> None:
        super().__init__()
        self.agent = v1.ClientSideConnection(peer.channel)
        peer.channel.serve(v1.ClientDispatcher(self))

    async def read_text_file(self, params: v1.ReadTextFileRequest) -> v1.ReadTextFileResponse:
        return v1.ReadTextFileResponse(content=f"line {params.line} of {params.path}")

    async def new(self, cwd: str) -> str:
        """Make a session and return its id."""
        answer = await self.agent.new_session(v1.NewSessionRequest(cwd=cwd, mcp_servers=[]))
        return str(answer.session_id)

    async def prompt(self, session_id: str, words: str, **more: Any) -> v1.PromptResponse:
        """Send a prompt and return the answer, which is the end of the turn."""
        self.updates.clear()
        request = v1.PromptRequest(
            session_id=session_id, prompt=[v1.TextContentBlock(text=words)], **more
        )
        answer: v1.PromptResponse = await self.agent.prompt(request)
        return answer

    def begin(self, session_id: str, words: str) -> asyncio.Task[v1.PromptResponse]:
        """Send a prompt and do not wait; what came earlier is forgotten at once."""
        self.updates.clear()
        return asyncio.create_task(self.prompt(session_id, words))


class OurClientV2(_OurClient, v2.Client):
    """A client on the v2 bindings."""

    def __init__(self, peer: Child) -> None:
        super().__init__()
        self.agent = v2.ClientSideConnection(peer.channel)
        peer.channel.serve(v2.ClientDispatcher(self))

    async def new(self, cwd: str) -> str:
        """Make a session and return its id."""
        return str((await self.agent.new_session(v2.NewSessionRequest(cwd=cwd))).session_id)

    async def prompt(self, session_id: str, words: str, **more: Any) -> v2.PromptResponse:
        """Send a prompt and return the answer, which says that it is in the conversation."""
        self.updates.clear()
        request = v2.PromptRequest(
            session_id=session_id, prompt=[v2.TextContentBlock(text=words)], **more
        )
        answer: v2.PromptResponse = await self.agent.prompt(request)
        return answer

    async def idle(self) -> str | None:
        """Wait for the end of the turn and return the reason."""
        last = await self.until(
            lambda: [u for u in self.updates if getattr(u, "stop_reason", None) is not None]
        )
        return str(last[0].stop_reason)


@asynccontextmanager
async def connected(peer: str) -> AsyncIterator[tuple[Any, Child]]:
    """Start an agent and yield our client, initialized, and the connection."""
    arguments: Sequence[str] = command("agent", peer)
    async with await spawn(arguments, env=ENVIRONMENT) as child, asyncio.timeout(60):
        client = (OurClientV2 if peer.startswith("v2") else OurClientV1)(child)
        yield client, child
    assert child.process.returncode == 0
