"""The agent in the words of protocol v1: a thin layer between ``Sessions`` and the generated types.

In v1 the answer to a prompt is the end of the turn, ``session/load`` replays, and modes are
something of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from acp_bindings import v1

from .content import in_protocol
from .model import Block, Session
from .sessions import Sessions
from .view import SETTINGS

_STOP_REASONS: dict[str, v1.StopReason] = {"end_turn": "end_turn", "cancelled": "cancelled"}


class AgentV1(v1.Agent):
    """Serves one client.

    Args:
        sessions: what it serves.
        client: the calls to that client.
    """

    protocol = 1

    def __init__(self, sessions: Sessions, client: v1.AgentSideConnection) -> None:
        self.sessions = sessions
        self.client = client

    # What the agent is

    async def initialize(self, params: v1.InitializeRequest) -> v1.InitializeResponse:
        return v1.InitializeResponse(
            protocol_version=self.protocol,
            agent_capabilities=self.capabilities(),
            agent_info=v1.Implementation(name="archive-agent", version="1"),
        )

    def capabilities(self) -> v1.AgentCapabilities:
        """What the agent offers. Archiving needs the list too: where else would one find them?"""
        session = v1.SessionCapabilities(
            list_=v1.SessionListCapabilities(),
            delete=v1.SessionDeleteCapabilities(),
            resume=v1.SessionResumeCapabilities(),
            close=v1.SessionCloseCapabilities(),
        )
        if self.sessions.archiving:
            session.archive = v1.SessionArchiveCapabilities()
        return v1.AgentCapabilities(
            load_session=True,
            prompt_capabilities=v1.PromptCapabilities(
                image=True, audio=True, embedded_context=True
            ),
            session_capabilities=session,
        )

    # Sessions

    async def new_session(self, params: v1.NewSessionRequest) -> v1.NewSessionResponse:
        # An echo needs no MCP servers; those in the params are not started.
        session = await self.sessions.create(params.cwd)
        return v1.NewSessionResponse(
            session_id=session.id, modes=self.modes(session), config_options=self.options(session)
        )

    async def load_session(self, params: v1.LoadSessionRequest) -> v1.LoadSessionResponse:
        session = await self.sessions.open(params.session_id, replay=True)
        return v1.LoadSessionResponse(
            modes=self.modes(session), config_options=self.options(session)
        )

    async def resume_session(self, params: v1.ResumeSessionRequest) -> v1.ResumeSessionResponse:
        session = await self.sessions.open(params.session_id, replay=False)
        return v1.ResumeSessionResponse(
            modes=self.modes(session), config_options=self.options(session)
        )

    async def list_sessions(self, params: v1.ListSessionsRequest) -> v1.ListSessionsResponse:
        page, cursor = await self.sessions.page(params.cwd, params.archived, params.cursor)
        listed = [self.info(session) for session in page]
        if cursor is None:
            return v1.ListSessionsResponse(sessions=listed)
        return v1.ListSessionsResponse(sessions=listed, next_cursor=cursor)

    def info(self, session: Session) -> v1.SessionInfo:
        """A line of the list. With archiving each says whether it is archived."""
        info = v1.SessionInfo(session_id=session.id, cwd=session.cwd, updated_at=session.updated_at)
        # What is not set is not sent; a None would be sent as null.
        if session.title is not None:
            info.title = session.title
        if self.sessions.archiving:
            info.archived = session.archived
        return info

    async def close_session(self, params: v1.CloseSessionRequest) -> v1.CloseSessionResponse:
        await self.sessions.close(params.session_id)
        return v1.CloseSessionResponse()

    async def delete_session(self, params: v1.DeleteSessionRequest) -> v1.DeleteSessionResponse:
        await self.sessions.delete(params.session_id)
        return v1.DeleteSessionResponse()

    async def archive_session(self, params: v1.ArchiveSessionRequest) -> v1.ArchiveSessionResponse:
        if not self.sessions.archiving:
            return await super().archive_session(params)
        await self.sessions.set_archived(params.session_id, True)
        return v1.ArchiveSessionResponse()

    async def unarchive_session(
        self, params: v1.UnarchiveSessionRequest
    ) -> v1.UnarchiveSessionResponse:
        if not self.sessions.archiving:
            return await super().unarchive_session(params)
        await self.sessions.set_archived(params.session_id, False)
        return v1.UnarchiveSessionResponse()

    # Settings

    async def set_session_mode(self, params: v1.SetSessionModeRequest) -> v1.SetSessionModeResponse:
        session = await self.sessions.set_setting(params.session_id, "mode", params.mode_id)
        # The mode is a config option as well, and has changed there too.
        await self._update(
            session.id, v1.ConfigOptionUpdateSessionUpdate(config_options=self.options(session))
        )
        return v1.SetSessionModeResponse()

    async def set_session_config_option(
        self, params: v1.SetSessionConfigOptionRequest
    ) -> v1.SetSessionConfigOptionResponse:
        session = await self.sessions.set_setting(params.session_id, params.config_id, params.value)
        if params.config_id == "mode":
            mode = session.settings["mode"]
            await self._update(session.id, v1.CurrentModeUpdateSessionUpdate(current_mode_id=mode))
        return v1.SetSessionConfigOptionResponse(config_options=self.options(session))

    def modes(self, session: Session) -> v1.SessionModeState:
        """The modes, and which one is on."""
        return v1.SessionModeState(
            current_mode_id=session.settings["mode"],
            available_modes=[
                v1.SessionMode(id=value, name=name)
                for value, name in SETTINGS["mode"].choices.items()
            ],
        )

    def options(self, session: Session) -> list[v1.SessionConfigOption]:
        """The settings, and what each is set to."""
        return [
            v1.SelectSessionConfigOption(
                id=key,
                name=setting.name,
                category=setting.category,
                current_value=session.settings[key],
                options=[
                    v1.SessionConfigSelectOption(value=value, name=name)
                    for value, name in setting.choices.items()
                ],
            )
            for key, setting in SETTINGS.items()
        ]

    # Prompts

    async def prompt(self, params: v1.PromptRequest) -> v1.PromptResponse:
        text = " ".join(
            block.text if isinstance(block, v1.TextContentBlock) else f"[{block.type}]"
            for block in params.prompt
        )
        turn = self.sessions.prompt(params.session_id, v1.encode(params.prompt), text)
        try:
            stop_reason = await asyncio.shield(turn.task)
        except asyncio.CancelledError:
            # By $/cancel_request: the turn ends first, then the client gets its error.
            turn.stop()
            await asyncio.wait([turn.task])
            raise
        return v1.PromptResponse(stop_reason=_STOP_REASONS[stop_reason])

    async def cancel(self, params: v1.CancelNotification) -> None:
        self.sessions.cancel(params.session_id)

    # The view of ``Sessions``

    def unknown(self, session_id: str) -> Exception:
        return v1.ResourceNotFoundError(data={"sessionId": session_id})

    def invalid(self, why: str) -> Exception:
        return v1.InvalidParamsError(f"Invalid params: {why}")

    def text(self, text: str) -> Any:
        return v1.encode(v1.TextContentBlock(text=text))

    async def show_block(self, session_id: str, block: Block) -> None:
        note = self.text("[something that protocol v1 cannot show]")
        content = v1.decode("ContentBlock", in_protocol(block, self.protocol, note))
        update = (
            v1.UserMessageChunkSessionUpdate
            if block.role == "user"
            else v1.AgentMessageChunkSessionUpdate
        )
        await self._update(session_id, update(content=content, message_id=block.message))

    async def show_prompt(self, session_id: str, blocks: Sequence[Block]) -> None:
        """Nothing: in v1 a client shows its own prompts."""

    async def show_running(self, session_id: str) -> None:
        """Nothing: in v1 the pending request says so."""

    async def show_idle(self, session_id: str, stop_reason: str, error: Exception | None) -> None:
        """Nothing: in v1 the response says so."""

    async def show_title(self, session: Session) -> None:
        await self._update(
            session.id,
            v1.SessionInfoUpdateSessionUpdate(title=session.title, updated_at=session.updated_at),
        )

    async def show_archived(self, session_id: str, archived: bool) -> None:
        await self._update(session_id, v1.SessionInfoUpdateSessionUpdate(archived=archived))

    async def _update(self, session_id: str, update: v1.SessionUpdate) -> None:
        await self.client.session_update(
            v1.SessionNotification(session_id=session_id, update=update)
        )
