"""What a check may ask of a protocol version, whichever it is."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

from .history import Message, read_history
from .outcome import Refused, Skipped
from .wire import v2

_UNSUPPORTED_VERSION = v2.UnsupportedProtocolVersionError().code

T = TypeVar("T")
Take = Callable[[str, Any], None]


class Connected(Protocol):
    """What a version needs of a connection to the agent."""

    #: Typed calls.
    agent: Any
    #: What the agent said about its sessions: (session id, update as JSON), in order.
    updates: list[tuple[str, Any]]

    async def step(self, what: str, call: Awaitable[T], *, limit: float | None = math.inf) -> T:
        """Await a call within a time limit."""
        ...

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something beside the check."""
        ...

    async def patiently(self, what: str, found: Callable[[], T | None]) -> T:
        """Wait until ``found`` gives something."""
        ...


class Turn:
    """A prompt on its way. ``task`` ends with the stop reason."""

    def __init__(self, task: asyncio.Task[str]) -> None:
        self._task = task

    def over(self) -> bool:
        """True if the turn has ended, well or not."""
        return self._task.done()

    async def end(self) -> str:
        """Wait for the end and return the stop reason.

        Raises:
            Failed: if the prompt is answered with an error, or does not end in time.
        """
        return await self._task


class Version:
    """One protocol version.

    ``name`` is what the command line calls it, ``number`` what is negotiated, ``module`` the
    bindings, ``session_path`` where the capabilities of sessions are in the announcement,
    ``batches`` whether a line may be a list of messages.
    """

    name: str
    number: int
    module: Any
    session_path: tuple[str, ...]
    batches = False
    #: Other capabilities of sessions that archiving needs.
    needed: tuple[str, ...] = ()

    def hello(self) -> dict[str, Any]:
        """Return the params of ``initialize``."""
        raise NotImplementedError

    def client(self, take: Take) -> Any:
        """Return a client that hands the updates of sessions to ``take``."""
        raise NotImplementedError

    def params(self, definition: str, **values: Any) -> Any:
        """Return typed params made of JSON values."""
        return self.module.decode(definition, values)

    async def initialize(self, link: Connected) -> None:
        """Negotiate, and keep what the agent announces.

        Raises:
            Skipped: if the agent does not speak this version.
        """
        hello = self.params("InitializeRequest", **self.hello())
        try:
            result = await link.step("initialize", link.agent.initialize(hello))
        except Refused as error:
            if error.code != _UNSUPPORTED_VERSION:
                raise
            raise Skipped(f"the agent does not speak {self.name}: {error}") from None
        if result.protocol_version != self.number:
            raise Skipped(
                f"the agent does not speak {self.name}; it answers with protocol version {result.protocol_version}"
            )

    def capability(self, announced: Any, *names: str) -> Any:
        """Return what is announced for sessions at ``names``; None if nothing."""
        found = announced
        for name in (*self.session_path, *names):
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def place(self, *names: str) -> str:
        """Return the dotted path of a capability of sessions."""
        return ".".join((*self.session_path, *names))

    def prompt(self, link: Connected, session: str, text: str) -> Turn:
        """Send a prompt and return its turn."""
        return Turn(link.start(self._turn(link, session, text)))

    async def cancel(self, link: Connected, session: str) -> None:
        """Cancel the turn of a session."""
        raise NotImplementedError

    async def load(self, link: Connected, session: str, cwd: str) -> list[Message]:
        """Open a session with its history and return the history."""
        before = len(link.updates)
        await self._load(link, session, cwd)
        return read_history(update for id_, update in link.updates[before:] if id_ == session)

    async def resume(self, link: Connected, session: str, cwd: str) -> None:
        """Open a session without its history."""
        params = self.params("ResumeSessionRequest", sessionId=session, cwd=cwd, mcpServers=[])
        await link.step("session/resume", link.agent.resume_session(params))

    async def _load(self, link: Connected, session: str, cwd: str) -> None:
        raise NotImplementedError

    async def _turn(self, link: Connected, session: str, text: str) -> str:
        raise NotImplementedError

    def _prompt(self, session: str, text: str) -> Any:
        return self.params(
            "PromptRequest", sessionId=session, prompt=[{"type": "text", "text": text}]
        )
