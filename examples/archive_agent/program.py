"""The program: options, negotiation of the version, and one connection over stdio."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from acp_bindings import v1, v2

from ..peer import stdio
from .agent_v1 import AgentV1
from .agent_v2 import AgentV2
from .sessions import Sessions
from .store import Store

VERSIONS = (1, 2)


class Negotiator:
    """Serves ``initialize``, and the rest through the dispatcher of the version agreed upon.

    Args:
        channel: the connection.
        sessions: what is served.
        agent_v1, agent_v2: classes of the agents.
    """

    def __init__(
        self,
        channel: v1.Channel,
        sessions: Sessions,
        agent_v1: type[AgentV1] = AgentV1,
        agent_v2: type[AgentV2] = AgentV2,
    ) -> None:
        self._channel = channel
        self._sessions = sessions
        self._agent_v1 = agent_v1
        self._agent_v2 = agent_v2
        self._dispatcher: v1.AgentDispatcher | v2.AgentDispatcher | None = None

    async def request(self, method: str, params: Any) -> Any:
        """Serve a request."""
        if self._dispatcher is not None:
            if method == "initialize":
                raise v1.InvalidRequestError("The connection is initialized already")
            return await self._dispatcher.request(method, params)
        if method != "initialize":
            raise v1.InvalidRequestError("The connection has to be initialized first")
        self._dispatcher = self._agreed(params)
        try:
            return await self._dispatcher.request(method, params)
        except v1.RpcError:
            # Params that do not fit; the client may try again.
            self._dispatcher = None
            raise

    async def notify(self, method: str, params: Any) -> None:
        """Take a notification; before ``initialize`` there is nothing to notify."""
        if self._dispatcher is not None:
            await self._dispatcher.notify(method, params)

    def _agreed(self, params: Any) -> v1.AgentDispatcher | v2.AgentDispatcher:
        """Return the dispatcher of the newest version that the client can speak as well."""
        given = params.get("protocolVersion") if isinstance(params, dict) else None
        try:
            requested: int = v2.decode("ProtocolVersion", given)
        except v2.DecodeError as error:
            raise v2.RpcError.invalid_params("initialize", error) from error
        version = max((known for known in VERSIONS if known <= requested), default=None)
        # v2 allows several messages in one line, v1 does not.
        self._channel.batches = version == 2
        if version == 1:
            old_client = v1.AgentSideConnection(self._channel)
            old = self._agent_v1(self._sessions, old_client)
            self._sessions.view = old
            return v1.AgentDispatcher(old, old_client)
        if version == 2:
            new_client = v2.AgentSideConnection(self._channel)
            new = self._agent_v2(self._sessions, new_client)
            self._sessions.view = new
            return v2.AgentDispatcher(new, new_client)
        # v1 has no code for this, so that of v2 is sent.
        data = v2.UnsupportedProtocolVersionErrorData(requested=requested, supported=list(VERSIONS))
        raise v2.UnsupportedProtocolVersionError(data=v2.encode(data))


def main(
    argv: Sequence[str] | None = None,
    *,
    store_class: type[Store] = Store,
    sessions_class: type[Sessions] = Sessions,
    agent_v1: type[AgentV1] = AgentV1,
    agent_v2: type[AgentV2] = AgentV2,
) -> int:
    """Run the agent on stdin and stdout until the client closes them; return the exit code.

    The classes may be subclasses, of another program that changes one thing.
    """
    options = _parser().parse_args(argv)
    logging.basicConfig(
        stream=sys.stderr, level=options.log.upper(), format="%(name)s: %(message)s"
    )

    async def serve() -> None:
        sessions = sessions_class(
            store,
            archiving=not options.without_archive,
            page_size=options.page_size,
            pace=options.pace,
        )
        peer = await stdio(line_limit=options.line_limit)
        peer.channel.serve(Negotiator(peer.channel, sessions, agent_v1, agent_v2))
        watching = asyncio.create_task(sessions.watch())
        try:
            await peer.run()
        finally:
            watching.cancel()
            await sessions.shutdown()

    try:
        store = store_class(options.db)
    except (OSError, sqlite3.Error) as error:
        print(f"archive_agent: cannot use {options.db}: {error}", file=sys.stderr)
        return 2
    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="archive_agent",
        description="An agent that echoes, and archives sessions. It speaks ACP v1 and v2 on stdio.",
    )
    parser.add_argument(
        "--db",
        metavar="PATH",
        default=os.environ.get("ARCHIVE_AGENT_DB") or str(_default_path()),
        help="the file with the sessions, or :memory:; default: $ARCHIVE_AGENT_DB or %(default)s",
    )
    parser.add_argument(
        "--without-archive", action="store_true", help="neither offer nor serve archiving"
    )
    parser.add_argument(
        "--page-size",
        type=_positive,
        default=50,
        metavar="N",
        help="sessions on a page of the list",
    )
    parser.add_argument(
        "--pace",
        type=float,
        default=0.02,
        metavar="SECONDS",
        help="time between two pieces of an answer",
    )
    parser.add_argument(
        "--line-limit",
        type=_positive,
        default=64 * 1024 * 1024,
        metavar="BYTES",
        help="length of the longest message that is taken",
    )
    parser.add_argument(
        "--log", choices=["debug", "info", "warning", "error"], default="warning", help="to stderr"
    )
    return parser


def _default_path() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "acp-archive-agent" / "sessions.db"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number
