"""The client in the words of protocol v1."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from acp_bindings import v1

from ..peer import Peer
from .transcript import Transcript


class ClientV1(v1.Client):
    """Talks to one agent.

    Args:
        peer: the connection.
        transcript: where the conversation goes.
    """

    def __init__(self, peer: Peer, transcript: Transcript) -> None:
        self.transcript = transcript
        self.agent = v1.ClientSideConnection(peer.channel)
        # Given the client, the dispatcher serves what the agent asks; this one takes updates only.
        peer.channel.serve(v1.ClientDispatcher(self))

    async def start(self) -> None:
        """Agree on the version. From here on ``self.agent`` knows what the agent offers."""
        answer = await self.agent.initialize(
            v1.InitializeRequest(
                protocol_version=1,
                client_info=v1.Implementation(name="archive-client", version="1"),
            )
        )
        if answer.protocol_version != 1:
            raise ConnectionError(
                f"the agent speaks version {answer.protocol_version} of the protocol, not 1"
            )

    async def sessions(
        self, *, cwd: str | None = None, archived: bool = False
    ) -> AsyncIterator[v1.SessionInfo]:
        """Yield the sessions of the list, page after page."""
        request = v1.ListSessionsRequest()
        # What is not set is not sent: agents without archiving do not know the parameter.
        if cwd is not None:
            request.cwd = cwd
        if archived:
            request.archived = True
        while True:
            page = await self.agent.list_sessions(request)
            for session in page.sessions:
                yield session
            if page.next_cursor is None:
                return
            # The filters stay the same from page to page.
            request.cursor = page.next_cursor

    def lists_archived(self) -> bool:
        """Tell whether archived sessions can be listed."""
        return self.agent.supports("session/list", "archived")

    async def new(self, cwd: str) -> str:
        """Make a session and return its id."""
        answer = await self.agent.new_session(v1.NewSessionRequest(cwd=cwd, mcp_servers=[]))
        return answer.session_id

    async def resume(self, session_id: str, cwd: str, *, replay: bool) -> None:
        """Open a session again; with ``replay`` its history is printed."""
        if replay:
            await self.agent.load_session(
                v1.LoadSessionRequest(session_id=session_id, cwd=cwd, mcp_servers=[])
            )
        else:
            await self.agent.resume_session(v1.ResumeSessionRequest(session_id=session_id, cwd=cwd))
        self.transcript.end()

    async def prompt(self, session_id: str, text: str) -> str:
        """Send a prompt, wait for the end of the turn and return why it ended."""
        # In v1 it is the client that shows what the user said.
        self.transcript.piece("you", None, text)
        try:
            answer = await self.agent.prompt(
                v1.PromptRequest(session_id=session_id, prompt=[v1.TextContentBlock(text=text)])
            )
        except asyncio.CancelledError:
            await self.agent.cancel(v1.CancelNotification(session_id=session_id))
            raise
        finally:
            self.transcript.end()
        return answer.stop_reason

    async def archive(self, session_id: str) -> None:
        """Take a session out of the default list."""
        await self.agent.archive_session(v1.ArchiveSessionRequest(session_id=session_id))

    async def unarchive(self, session_id: str) -> None:
        """Put a session back into the default list."""
        await self.agent.unarchive_session(v1.UnarchiveSessionRequest(session_id=session_id))

    async def session_update(self, params: v1.SessionNotification) -> None:
        update = params.update
        if isinstance(
            update, (v1.UserMessageChunkSessionUpdate, v1.AgentMessageChunkSessionUpdate)
        ):
            who = "you" if isinstance(update, v1.UserMessageChunkSessionUpdate) else "agent"
            content = update.content
            text = content.text if isinstance(content, v1.TextContentBlock) else f"[{content.type}]"
            self.transcript.piece(who, update.message_id, text)
