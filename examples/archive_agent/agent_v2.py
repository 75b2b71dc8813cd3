"""The agent in the words of protocol v2: a thin layer between ``Sessions`` and the generated types.

In v2 the answer to a prompt says that it is in the conversation, and state updates tell when the
turn begins and ends. ``session/resume`` replays if it is asked to, and modes are config options.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from acp_bindings import v2

from .content import in_protocol
from .model import Block, Session
from .sessions import Sessions
from .view import SETTINGS


class AgentV2(v2.Agent):
    """Serves one client.

    Args:
        sessions: what it serves.
        client: the calls to that client.
    """

    protocol = 2

    def __init__(self, sessions: Sessions, client: v2.AgentSideConnection) -> None:
        self.sessions = sessions
        self.client = client

    # What the agent is

    async def initialize(self, params: v2.InitializeRequest) -> v2.InitializeResponse:
        return v2.InitializeResponse(
            protocol_version=self.protocol,
            info=v2.Implementation(name="archive-agent", version="1"),
            capabilities=self.capabilities(),
        )

    def capabilities(self) -> v2.AgentCapabilities:
        """What the agent offers. In v2 new, list, resume, close and prompt come with ``session``."""
        session = v2.SessionCapabilities(
            prompt=v2.PromptCapabilities(
                image=v2.PromptImageCapabilities(),
                audio=v2.PromptAudioCapabilities(),
                embedded_context=v2.PromptEmbeddedContextCapabilities(),
            ),
            delete=v2.SessionDeleteCapabilities(),
        )
        if self.sessions.archiving:
            session.archive = v2.SessionArchiveCapabilities()
        return v2.AgentCapabilities(session=session)

    # Sessions

    async def new_session(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        session = await self.sessions.create(params.cwd)
        return v2.NewSessionResponse(session_id=session.id, config_options=self.options(session))

    async def resume_session(self, params: v2.ResumeSessionRequest) -> v2.ResumeSessionResponse:
        replay = params.replay_from
        if replay is not None and not isinstance(replay, v2.StartReplayFrom):
            raise self.invalid(f"a replay from {replay.type!r} is not offered")
        session = await self.sessions.open(params.session_id, replay=replay is not None)
        # The client learns the state before the answer; the answer alone does not say idle.
        if self.sessions.is_running(session.id):
            await self.show_running(session.id)
        else:
            await self._update(session.id, v2.NoneIdleStateUpdateSessionUpdate())
        return v2.ResumeSessionResponse(config_options=self.options(session))

    async def list_sessions(self, params: v2.ListSessionsRequest) -> v2.ListSessionsResponse:
        page, cursor = await self.sessions.page(params.cwd, params.archived, params.cursor)
        listed = [self.info(session) for session in page]
        if cursor is None:
            return v2.ListSessionsResponse(sessions=listed)
        return v2.ListSessionsResponse(sessions=listed, next_cursor=cursor)

    def info(self, session: Session) -> v2.SessionInfo:
        """A line of the list. With archiving each says whether it is archived."""
        info = v2.SessionInfo(session_id=session.id, cwd=session.cwd, updated_at=session.updated_at)
        # What is not set is not sent; a None would be sent as null.
        if session.title is not None:
            info.title = session.title
        if self.sessions.archiving:
            info.archived = session.archived
        return info

    async def close_session(self, params: v2.CloseSessionRequest) -> v2.CloseSessionResponse:
        await self.sessions.close(params.session_id)
        return v2.CloseSessionResponse()

    async def delete_session(self, params: v2.DeleteSessionRequest) -> v2.DeleteSessionResponse:
        await self.sessions.delete(params.session_id)
        return v2.DeleteSessionResponse()

    async def archive_session(self, params: v2.ArchiveSessionRequest) -> v2.ArchiveSessionResponse:
        if not self.sessions.archiving:
            return await super().archive_session(params)
        await self.sessions.set_archived(params.session_id, True)
        return v2.ArchiveSessionResponse()

    async def unarchive_session(
        self, params: v2.UnarchiveSessionRequest
    ) -> v2.UnarchiveSessionResponse:
        if not self.sessions.archiving:
            return await super().unarchive_session(params)
        await self.sessions.set_archived(params.session_id, False)
        return v2.UnarchiveSessionResponse()

    # Settings

    async def set_session_config_option(
        self, params: v2.SetSessionConfigOptionRequest
    ) -> v2.SetSessionConfigOptionResponse:
        session = await self.sessions.set_setting(params.session_id, params.config_id, params.value)
        return v2.SetSessionConfigOptionResponse(config_options=self.options(session))

    def options(self, session: Session) -> list[v2.SessionConfigOption]:
        """The settings, and what each is set to."""
        return [
            v2.SelectSessionConfigOption(
                config_id=key,
                name=setting.name,
                category=setting.category,
                current_value=session.settings[key],
                options=[
                    v2.SessionConfigSelectOption(value=value, name=name)
                    for value, name in setting.choices.items()
                ],
            )
            for key, setting in SETTINGS.items()
        ]

    # Prompts

    async def prompt(self, params: v2.PromptRequest) -> v2.PromptResponse:
        text = " ".join(
            block.text if isinstance(block, v2.TextContentBlock) else f"[{block.type}]"
            for block in params.prompt
        )
        turn = self.sessions.prompt(params.session_id, v2.encode(params.prompt), text)
        try:
            await turn.inserted.wait()
        except asyncio.CancelledError:
            # By $/cancel_request, which comes too late if the prompt is in the conversation.
            turn.stop()
            await turn.inserted.wait()
        if turn.message_id is not None:
            return v2.PromptResponse(message_id=turn.message_id)
        # It failed, or it was stopped while it waited for its turn.
        await turn.task
        raise v2.RequestCancelledError

    async def cancel(self, params: v2.CancelSessionNotification) -> None:
        self.sessions.cancel(params.session_id)

    # The view of ``Sessions``

    def unknown(self, session_id: str) -> Exception:
        return v2.ResourceNotFoundError(
            data=v2.encode(v2.SessionNotFoundErrorData(session_id=session_id))
        )

    def invalid(self, why: str) -> Exception:
        return v2.InvalidParamsError(f"Invalid params: {why}")

    def text(self, text: str) -> Any:
        return v2.encode(v2.TextContentBlock(text=text))

    async def show_block(self, session_id: str, block: Block) -> None:
        update = (
            v2.UserMessageChunkSessionUpdate
            if block.role == "user"
            else v2.AgentMessageChunkSessionUpdate
        )
        await self._update(
            session_id, update(message_id=block.message, content=self._content(block))
        )

    async def show_prompt(self, session_id: str, blocks: Sequence[Block]) -> None:
        await self._update(
            session_id,
            v2.UserMessageSessionUpdate(
                message_id=blocks[0].message, content=[self._content(block) for block in blocks]
            ),
        )

    async def show_running(self, session_id: str) -> None:
        await self._update(session_id, v2.RunningStateUpdateSessionUpdate())

    async def show_idle(self, session_id: str, stop_reason: str, error: Exception | None) -> None:
        if error is not None:
            code = error.code if isinstance(error, v2.RpcError) else v2.ERROR_CODE_INTERNAL_ERROR
            await self._update(
                session_id,
                v2.ErrorIdleStateUpdateSessionUpdate(error=v2.Error(code=code, message=str(error))),
            )
        elif stop_reason == "cancelled":
            await self._update(session_id, v2.CancelledIdleStateUpdateSessionUpdate())
        else:
            await self._update(session_id, v2.EndTurnIdleStateUpdateSessionUpdate())

    async def show_title(self, session: Session) -> None:
        await self._update(
            session.id,
            v2.SessionInfoUpdateSessionUpdate(title=session.title, updated_at=session.updated_at),
        )

    async def show_archived(self, session_id: str, archived: bool) -> None:
        await self._update(session_id, v2.SessionInfoUpdateSessionUpdate(archived=archived))

    def _content(self, block: Block) -> v2.ContentBlock:
        note = self.text("[something that protocol v2 cannot show]")
        content: v2.ContentBlock = v2.decode(
            "ContentBlock", in_protocol(block, self.protocol, note)
        )
        return content

    async def _update(self, session_id: str, update: v2.SessionUpdate) -> None:
        await self.client.session_update(
            v2.UpdateSessionNotification(session_id=session_id, update=update)
        )
