"""What differs between the protocol versions, behind one small adapter each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from .history import Message, read_history
from .link import Link
from .outcome import Refused, Skipped
from .wire import v1, v2

_INFO = {"name": "acp-codegen-conformance", "version": "1"}

#: The stop reason of a turn that ended without one.
UNKNOWN = "unknown"

_UNSUPPORTED_VERSION = v2.UnsupportedProtocolVersionError().code

Take = Callable[[str, Any], None]


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

    async def initialize(self, link: Link) -> None:
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

    def prompt(self, link: Link, session: str, text: str) -> Turn:
        """Send a prompt and return its turn."""
        return Turn(link.start(self._turn(link, session, text)))

    async def cancel(self, link: Link, session: str) -> None:
        """Cancel the turn of a session."""
        raise NotImplementedError

    async def load(self, link: Link, session: str, cwd: str) -> list[Message]:
        """Open a session with its history and return the history."""
        before = len(link.updates)
        await self._load(link, session, cwd)
        return read_history(update for id_, update in link.updates[before:] if id_ == session)

    async def resume(self, link: Link, session: str, cwd: str) -> None:
        """Open a session without its history."""
        params = self.params("ResumeSessionRequest", sessionId=session, cwd=cwd, mcpServers=[])
        await link.step("session/resume", link.agent.resume_session(params))

    async def _load(self, link: Link, session: str, cwd: str) -> None:
        raise NotImplementedError

    async def _turn(self, link: Link, session: str, text: str) -> str:
        raise NotImplementedError

    def _prompt(self, session: str, text: str) -> Any:
        return self.params(
            "PromptRequest", sessionId=session, prompt=[{"type": "text", "text": text}]
        )


class _Client:
    """Keeps what the agent says about sessions, and allows nothing."""

    def __init__(self, take: Take) -> None:
        self._take = take

    async def session_update(self, params: Any) -> None:
        self._take(params.session_id, self._module.encode(params.update))

    async def request_permission(self, params: Any) -> Any:
        refusals = [one.option_id for one in params.options if str(one.kind).startswith("reject")]
        outcome = (
            {"outcome": "selected", "optionId": refusals[0]}
            if refusals
            else {"outcome": "cancelled"}
        )
        return self._module.decode("RequestPermissionResponse", {"outcome": outcome})

    _module: Any


class _V1Client(_Client, v1.Client):
    _module = v1


class _V2Client(_Client, v2.Client):
    _module = v2


class _V1(Version):
    name = "v1"
    number = 1
    module = v1
    session_path = ("agentCapabilities", "sessionCapabilities")
    needed = ("list",)

    def hello(self) -> dict[str, Any]:
        return {"protocolVersion": self.number, "clientInfo": _INFO}

    def client(self, take: Take) -> Any:
        return _V1Client(take)

    async def cancel(self, link: Link, session: str) -> None:
        params = self.params("CancelNotification", sessionId=session)
        await link.step("session/cancel", link.agent.cancel(params))

    async def _load(self, link: Link, session: str, cwd: str) -> None:
        params = self.params("LoadSessionRequest", sessionId=session, cwd=cwd, mcpServers=[])
        await link.step("session/load", link.agent.load_session(params))

    async def _turn(self, link: Link, session: str, text: str) -> str:
        call = link.agent.prompt(self._prompt(session, text))
        prompt = link.start(link.step("session/prompt", call, limit=None))
        await link.patiently("session/prompt", lambda: prompt if prompt.done() else None)
        return str((await prompt).stop_reason)


class _V2(Version):
    name = "v2"
    number = 2
    module = v2
    batches = True
    session_path = ("capabilities", "session")

    def hello(self) -> dict[str, Any]:
        return {"protocolVersion": self.number, "info": _INFO, "capabilities": {}}

    def client(self, take: Take) -> Any:
        return _V2Client(take)

    async def cancel(self, link: Link, session: str) -> None:
        params = self.params("CancelSessionNotification", sessionId=session)
        await link.step("session/cancel", link.agent.cancel(params))

    async def _load(self, link: Link, session: str, cwd: str) -> None:
        params = self.params(
            "ResumeSessionRequest",
            sessionId=session,
            cwd=cwd,
            mcpServers=[],
            replayFrom={"type": "start"},
        )
        await link.step("session/resume", link.agent.resume_session(params))

    async def _turn(self, link: Link, session: str, text: str) -> str:
        before = len(link.updates)

        def idle() -> str | None:
            running = False
            for id_, update in link.updates[before:]:
                if id_ == session and update.get("sessionUpdate") == "state_update":
                    reason = update.get("stopReason")
                    if update.get("state") == "idle" and (running or reason):
                        return str(reason or UNKNOWN)
                    running = update.get("state") != "idle"
            return None

        await link.step("session/prompt", link.agent.prompt(self._prompt(session, text)))
        return await link.patiently("session/prompt", idle)


#: The versions by the name that the command line gives them.
VERSIONS: Mapping[str, Version] = {version.name: version for version in (_V1(), _V2())}
