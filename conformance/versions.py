"""What differs between the protocol versions, behind one small adapter each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .version import Connected, Take, Version
from .wire import v1, v2

_INFO = {"name": "acp-codegen-conformance", "version": "1"}

#: The stop reason of a turn that ended without one.
UNKNOWN = "unknown"


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

    async def cancel(self, link: Connected, session: str) -> None:
        params = self.params("CancelNotification", sessionId=session)
        await link.step("session/cancel", link.agent.cancel(params))

    async def _load(self, link: Connected, session: str, cwd: str) -> None:
        params = self.params("LoadSessionRequest", sessionId=session, cwd=cwd, mcpServers=[])
        await link.step("session/load", link.agent.load_session(params))

    async def _turn(self, link: Connected, session: str, text: str) -> str:
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

    async def cancel(self, link: Connected, session: str) -> None:
        params = self.params("CancelSessionNotification", sessionId=session)
        await link.step("session/cancel", link.agent.cancel(params))

    async def _load(self, link: Connected, session: str, cwd: str) -> None:
        params = self.params(
            "ResumeSessionRequest",
            sessionId=session,
            cwd=cwd,
            mcpServers=[],
            replayFrom={"type": "start"},
        )
        await link.step("session/resume", link.agent.resume_session(params))

    async def _turn(self, link: Connected, session: str, text: str) -> str:
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
