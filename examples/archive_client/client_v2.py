"""The client in the words of protocol v2."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from acp_bindings import v2

from ..peer import Peer
from .transcript import Transcript


class ClientV2(v2.Client):
    """Talks to one agent.

    Args:
        peer: the connection.
        transcript: where the conversation goes.
    """

    def __init__(self, peer: Peer, transcript: Transcript) -> None:
        self.transcript = transcript
        self.agent = v2.ClientSideConnection(peer.channel)
        self._peer = peer
        #: The stop reason of the turn that is waited for.
        self._idle: asyncio.Future[str] | None = None
        peer.channel.batches = True
        peer.channel.serve(v2.ClientDispatcher(self))

    async def start(self) -> None:
        """Agree on the version. From here on ``self.agent`` knows what the agent offers."""
        request = v2.InitializeRequest(
            protocol_version=2, info=v2.Implementation(name="archive-client", version="1")
        )
        # An agent that speaks v1 only answers in the words of v1. So the version is looked at before
        # the answer is decoded, which ``self.agent.initialize`` would do at once.
        answer = await self._peer.channel.request("initialize", v2.encode(request))
        version = answer.get("protocolVersion") if isinstance(answer, dict) else None
        if version != 2:
            raise ConnectionError(f"the agent speaks version {version} of the protocol, not 2")
        self.agent.learn(v2.decode("InitializeResponse", answer))

    async def sessions(
        self, *, cwd: str | None = None, archived: bool = False
    ) -> AsyncIterator[v2.SessionInfo]:
        """Yield the sessions of the list, page after page."""
        request = v2.ListSessionsRequest()
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
        return (await self.agent.new_session(v2.NewSessionRequest(cwd=cwd))).session_id

    async def resume(self, session_id: str, cwd: str, *, replay: bool) -> None:
        """Open a session again; with ``replay`` its history is printed."""
        request = v2.ResumeSessionRequest(session_id=session_id, cwd=cwd)
        if replay:
            request.replay_from = v2.StartReplayFrom()
        await self.agent.resume_session(request)
        self.transcript.end()

    async def prompt(self, session_id: str, text: str) -> str:
        """Send a prompt, wait for the end of the turn and return why it ended."""
        self._idle = asyncio.get_running_loop().create_future()
        ended = asyncio.create_task(self._peer.wait_ended())
        try:
            await self.agent.prompt(
                v2.PromptRequest(session_id=session_id, prompt=[v2.TextContentBlock(text=text)])
            )
            # The answer says only that the prompt was accepted; the turn ends with an update.
            await asyncio.wait([self._idle, ended], return_when=asyncio.FIRST_COMPLETED)
            if not self._idle.done():
                raise ConnectionError(f"the connection is closed: {ended.result()}")
            return self._idle.result()
        except asyncio.CancelledError:
            await self.agent.cancel(v2.CancelSessionNotification(session_id=session_id))
            raise
        finally:
            ended.cancel()
            self.transcript.end()

    async def archive(self, session_id: str) -> None:
        """Take a session out of the default list."""
        await self.agent.archive_session(v2.ArchiveSessionRequest(session_id=session_id))

    async def unarchive(self, session_id: str) -> None:
        """Put a session back into the default list."""
        await self.agent.unarchive_session(v2.UnarchiveSessionRequest(session_id=session_id))

    async def session_update(self, params: v2.UpdateSessionNotification) -> None:
        update = params.update
        match update:
            case v2.UserMessageChunkSessionUpdate() | v2.AgentMessageChunkSessionUpdate():
                who = "you" if isinstance(update, v2.UserMessageChunkSessionUpdate) else "agent"
                self.transcript.piece(who, update.message_id, _text(update.content))
            case v2.UserMessageSessionUpdate():
                for block in update.content or []:
                    self.transcript.piece("you", update.message_id, _text(block))
            case v2.AgentMessageSessionUpdate():
                for block in update.content or []:
                    self.transcript.piece("agent", update.message_id, _text(block))
            case _ if update.session_update == "state_update":
                # Idle, with the reason: the end of a turn. Without one it is only a snapshot.
                reason = getattr(update, "stop_reason", None)
                if reason is not None and self._idle is not None and not self._idle.done():
                    self._idle.set_result(reason)


def _text(block: v2.ContentBlock) -> str:
    return block.text if isinstance(block, v2.TextContentBlock) else f"[{block.type}]"
