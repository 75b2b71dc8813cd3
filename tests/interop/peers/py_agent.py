"""An agent on the official Python SDK, protocol v1: the same as agent_v1.mjs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import acp
from acp import schema

PAGE = 2


class Agent:
    """Sessions in memory."""

    def __init__(self) -> None:
        self.sessions: dict[str, Any] = {}

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    def find(self, session_id: str) -> Any:
        if session_id not in self.sessions:
            # The SDK's own helper has a place for a URI only.
            raise acp.RequestError(-32002, "Resource not found", {"sessionId": session_id})
        return self.sessions[session_id]

    async def initialize(self, protocol_version: int, **meta: Any) -> schema.InitializeResponse:
        for name in ("client_capabilities", "client_info"):
            meta.pop(name, None)
        return schema.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_info=schema.Implementation(name="interop", version="1"),
            agent_capabilities=schema.AgentCapabilities(
                load_session=True,
                session_capabilities=schema.SessionCapabilities(
                    list=schema.SessionListCapabilities(),
                    delete=schema.SessionDeleteCapabilities(),
                    resume=schema.SessionResumeCapabilities(),
                    close=schema.SessionCloseCapabilities(),
                ),
            ),
            field_meta=meta,
        )

    async def new_session(self, cwd: str, **meta: Any) -> schema.NewSessionResponse:
        session_id = f"s{len(self.sessions)}"
        self.sessions[session_id] = {"cwd": cwd, "history": [], "stop": asyncio.Event()}
        return schema.NewSessionResponse(session_id=session_id)

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **meta: Any
    ) -> schema.ListSessionsResponse:
        found = [
            schema.SessionInfo(session_id=key, cwd=one["cwd"], title=f"In {one['cwd']}")
            for key, one in self.sessions.items()
            if cwd in (None, one["cwd"])
        ]
        start = int(cursor or 0)
        return schema.ListSessionsResponse(
            sessions=found[start : start + PAGE],
            next_cursor=str(start + PAGE) if start + PAGE < len(found) else None,
        )

    async def load_session(self, session_id: str, **meta: Any) -> schema.LoadSessionResponse:
        for update in self.find(session_id)["history"]:
            await self.client.session_update(session_id=session_id, update=update)
        return schema.LoadSessionResponse()

    async def resume_session(self, session_id: str, **meta: Any) -> schema.ResumeSessionResponse:
        self.find(session_id)
        return schema.ResumeSessionResponse()

    async def close_session(self, session_id: str, **meta: Any) -> None:
        self.find(session_id)

    async def prompt(
        self, session_id: str, prompt: list[Any], **meta: Any
    ) -> schema.PromptResponse:
        session = self.find(session_id)
        words = prompt[0].text
        errors: dict[str, Exception] = {
            "file": acp.RequestError.resource_not_found("file:///none"),
            "login": acp.RequestError.auth_required({"methods": ["x"]}),
            "own": acp.RequestError(7, "Seven", [1]),
            "fault": ValueError("boom"),
        }
        if words in errors:
            raise errors[words]
        session["stop"].clear()
        session["history"].append(acp.update_user_message_text(words))
        async for update, more in self.turn(session_id, words):
            session["history"].append(update)
            await self.client.session_update(session_id=session_id, update=update, **more)
            if session["stop"].is_set():
                return schema.PromptResponse(stop_reason="cancelled")
        return schema.PromptResponse(stop_reason="end_turn", field_meta=meta or None)

    async def turn(self, session_id: str, words: str) -> Any:
        """Yield the updates that a prompt is answered with, and the _meta of each."""
        if words == "may I":
            answer = await self.client.request_permission(
                session_id=session_id,
                tool_call=schema.ToolCallUpdate(
                    tool_call_id="c1", title="Water the plants", kind="edit", status="pending"
                ),
                options=[
                    schema.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
                    schema.PermissionOption(option_id="no", name="No", kind="reject_always"),
                ],
                why=["dry"],
            )
            told = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
            yield acp.update_agent_message_text(json.dumps(told, separators=(",", ":"))), {}
        elif words == "read":
            file = await self.client.read_text_file(
                session_id=session_id, path="/garden/note", line=2
            )
            yield acp.update_agent_message_text(file.content), {}
        elif words == "endless":
            while True:
                yield acp.update_agent_message_text("on and "), {}
                await asyncio.sleep(0.005)
        else:
            thought = acp.update_agent_thought_text("hm")
            thought.field_meta = {"deep": {"n": [1, None]}}
            yield thought, {"beside": True}
            yield acp.start_tool_call("c0", "Look", kind="read"), {}
            yield acp.update_tool_call("c0", status="completed"), {}
            yield (
                acp.update_plan([acp.plan_entry("Water", priority="high", status="in_progress")]),
                {},
            )
            for word in words.split(" "):
                yield acp.update_agent_message_text(word), {}

    async def cancel(self, session_id: str, **meta: Any) -> None:
        self.find(session_id)["stop"].set()

    # The SDK leaves the underscore of an extension's name off, and puts it on.

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "interop/echo":
            return {"echo": params}
        if method == "interop/ask_back":
            return {"theySaid": await self.client.ext_method("interop/echo", params)}
        raise acp.RequestError.method_not_found(f"_{method}")

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        await self.client.ext_notification("interop/heard", params)


if __name__ == "__main__":
    # Without the flag this release answers close and resume with -32601, although its schema has
    # them as stable.
    asyncio.run(acp.run_agent(Agent(), use_unstable_protocol=True))  # type: ignore[arg-type]
