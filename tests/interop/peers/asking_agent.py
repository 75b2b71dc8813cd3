"""The example agent and what it lacks for these tests.

It asks for permission when a prompt says so, serves extensions and hands ``_meta`` back.
"""

from __future__ import annotations

import sys
from typing import Any

from acp_bindings import v1, v2

from examples.archive_agent import AgentV1, AgentV2, Sessions, main
from examples.archive_agent.sessions import Turn
from examples.archive_agent.store import Session


class AskingSessions(Sessions):
    """A prompt that begins with "may I" is answered with what the client said to it."""

    async def _answer(self, session: Session, turn: Turn, text: str) -> str:
        if text.startswith("may I"):
            text = await self.view.ask(session.id)  # type: ignore[attr-defined]
        return await super()._answer(session, turn, text)


class Extended:
    """Answers an extension method, and an extension notification with one."""

    client: Any

    async def ext_method(self, method: str, params: Any) -> Any:
        if method == "_interop/ask_back":
            return {"theySaid": await self.client.ext_method("_interop/echo", params)}
        if method == "_interop/echo":
            return {"echo": params}
        raise v1.RpcError.method_not_found(method)

    async def ext_notification(self, method: str, params: Any) -> None:
        await self.client.ext_notification("_interop/heard", {"method": method, "params": params})


class AskingV1(Extended, AgentV1):
    async def ask(self, session_id: str) -> str:
        answer = await self.client.request_permission(
            v1.RequestPermissionRequest(
                session_id=session_id,
                tool_call=v1.ToolCallUpdate(
                    tool_call_id="call_1", title="Water the plants", kind="edit", status="pending"
                ),
                options=[
                    v1.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
                    v1.PermissionOption(option_id="no", name="No", kind="reject_once"),
                ],
                meta={"why": ["dry"]},
            )
        )
        chosen = answer.outcome
        said = (
            chosen.option_id
            if isinstance(chosen, v1.SelectedRequestPermissionOutcome)
            else chosen.outcome
        )
        return f"{said} {answer.meta}"

    async def prompt(self, params: v1.PromptRequest) -> v1.PromptResponse:
        answer = await super().prompt(params)
        if v1.is_set(params, "meta"):
            answer.meta = params.meta
        return answer


class AskingV2(Extended, AgentV2):
    async def ask(self, session_id: str) -> str:
        # In v2 the state says that it is the user's turn.
        await self._update(session_id, v2.RequiresActionStateUpdateSessionUpdate())
        answer = await self.client.request_permission(
            v2.RequestPermissionRequest(
                session_id=session_id,
                title="Water the plants?",
                subject=v2.CommandRequestPermissionSubject(command="water plants", cwd="/garden"),
                options=[
                    v2.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
                    v2.PermissionOption(option_id="no", name="No", kind="reject_once"),
                ],
                meta={"why": ["dry"]},
            )
        )
        await self.show_running(session_id)
        chosen = answer.outcome
        said = (
            chosen.option_id
            if isinstance(chosen, v2.SelectedRequestPermissionOutcome)
            else chosen.outcome
        )
        return f"{said} {answer.meta}"

    async def prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        answer = await super().prompt(params)
        if v2.is_set(params, "meta"):
            answer.meta = params.meta
        return answer


if __name__ == "__main__":
    sys.exit(main(sessions_class=AskingSessions, agent_v1=AskingV1, agent_v2=AskingV2))
