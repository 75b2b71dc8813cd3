"""A connection over newline-delimited JSON: the transport that the generated bindings leave to you.

``Channel`` does JSON-RPC over whole messages. What is left is to turn bytes into messages and back,
and to survive what real pipes do: lines that are too long, broken or cut off, a reader that is slow,
a process that dies. ``stdio`` connects to whoever started this process; ``spawn`` starts a process
and connects to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self

from acp_bindings.v1 import CANCEL, Channel

from .stdstreams import own_streams
from .strict_json import compact, parse

_LOG = logging.getLogger(__name__)

#: Bytes that a line may have.
LINE_LIMIT = 64 * 1024 * 1024
#: Seconds for requests in flight when the other side has closed, and for a child to end.
GRACE = 5.0

PARSE_ERROR = -32700
INVALID_REQUEST = -32600

_CHUNK = 256 * 1024
#: Bytes of a bad line that are looked at for its id.
_HEAD = 512
#: Messages that may wait to be written before no more is read.
_UNSENT = 2000

_ID = re.compile(
    rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?'
    rb'"id"\s*:\s*(-?\d{1,18}|"[\x20\x21\x23-\x5b\x5d-\x7e]*")\s*,\s*"(method|result|error)"'
)

#: How a line ended: with its end, too late, or not at all because nothing came any more.
_Line = Literal["whole", "long", "last"]


class Peer:
    """One end of a connection: a ``channel``, and the loop that feeds it.

    Args:
        reader: what the other side writes.
        writer: what the other side reads.
        line_limit: bytes that a line may have. A longer one is answered with an error and skipped.
        grace: seconds that requests in flight may take after the other side has closed.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        line_limit: int = LINE_LIMIT,
        grace: float = GRACE,
    ) -> None:
        # The notification that cancels a request is the same in v1 and v2.
        self.channel = Channel(self._send, cancel=CANCEL)
        self._reader = reader
        self._writer = writer
        self._limit = line_limit
        self._grace = grace
        self._writing = asyncio.Lock()
        self._unsent = 0
        self._ended = asyncio.Event()
        self._reason = ""
        self._broken: OSError | None = None
        self._reading: asyncio.Task[Any] | None = None
        self._given_up = False

    async def run(self) -> None:
        """Serve until the other side closes its end or breaks off; then end all calls."""
        reason = "the other side has closed it"
        self._reading = asyncio.current_task()
        try:
            async for line, how in self._lines():
                await self._take(line, how)
                # Somebody who only writes and never reads must not fill the memory with answers.
                while self._unsent > _UNSENT and self._broken is None:
                    await asyncio.sleep(0.01)
        except OSError as error:
            reason = f"the other side broke off: {error}"
        except asyncio.CancelledError:
            if not self._given_up:
                raise
        self._reading = None
        reason = await self._epitaph(str(self._broken or reason))
        await self.close(reason, grace=self._grace)

    async def close(self, reason: str = "closed by this side", *, grace: float = 0) -> None:
        """End all calls and close the writing end, which tells the other side."""
        self._reason = self._reason or reason
        self._ended.set()
        await self.channel.close(ConnectionError(reason), grace=grace)
        self._writer.close()
        try:
            await asyncio.wait_for(asyncio.shield(self._writer.wait_closed()), self._grace)
        except TimeoutError:
            # The other side does not read: what is still in the buffer is given up.
            self._writer.transport.abort()
        except OSError as error:
            _LOG.debug("the writing end was closed already: %s", error)

    def _give_up(self) -> None:
        if self._reading is not None:
            self._given_up = True
            self._reading.cancel()

    async def wait_ended(self) -> str:
        """Wait until the connection has ended and return why."""
        await self._ended.wait()
        return self._reason

    async def _epitaph(self, reason: str) -> str:
        """Return what to tell those who wait for an answer; a subclass may know more."""
        return reason

    async def _send(self, message: Any) -> None:
        # ``Channel`` turns the ValueError for what is no JSON into an error response.
        line = compact(message) + b"\n"
        self._unsent += 1
        try:
            # One writer at a time, who waits until the pipe takes more: that is the back-pressure.
            # A line is handed over as a whole, so cancelling the writer never leaves half of one.
            async with self._writing:
                if self._broken is not None:
                    raise ConnectionError(str(self._broken))
                self._writer.write(line)
                await self._writer.drain()
        except OSError as error:
            if self._broken is None:
                self._broken = error
                # It may have written something before it went; but nobody waits for ever.
                asyncio.get_running_loop().call_later(self._grace, self._give_up)
            reason = await self._epitaph(f"the other side does not read any more: {error}")
            raise ConnectionError(reason) from error
        finally:
            self._unsent -= 1

    async def _lines(self) -> AsyncIterator[tuple[bytearray, _Line]]:
        """Yield each line and how it ended; of one that is too long only the head."""
        line = bytearray()
        skipping = False
        while chunk := await self._reader.read(_CHUNK):
            *ends, rest = chunk.split(b"\n")
            for part, ended in [*((end, True) for end in ends), (rest, False)]:
                if not skipping:
                    line += part
                    if len(line) > self._limit:
                        yield line[:_HEAD], "long"
                        line, skipping = bytearray(), True
                    elif ended:
                        yield line, "whole"
                        line = bytearray()
                skipping = skipping and not ended
        if line:
            yield line, "last"

    async def _take(self, line: bytearray, how: _Line) -> None:
        if how == "long":
            await self._refuse(
                line, INVALID_REQUEST, f"The line is longer than {self._limit} bytes", named=True
            )
        elif line.strip():
            try:
                message = parse(line)
            except ValueError as error:
                known = _ID.match(line)
                if how == "last" and known is not None and known[2] != b"method":
                    # An answer that was cut off: its call is told that the other side is gone.
                    return
                head = line[:_HEAD]
                await self._refuse(head, PARSE_ERROR, f"Parse error: {error}", named=False)
            else:
                await self.channel.receive(message)

    async def _refuse(self, head: bytearray, code: int, message: str, *, named: bool) -> None:
        """Answer a line that was not taken in, so that nobody waits for ever.

        Its id is known if it is at the beginning, where most senders write it. A response goes to
        the call of this side that waits for it. A request is answered under its id only if it is
        ``named``: JSON-RPC wants null in a parse error.
        """
        _LOG.warning("a line was refused: %s", message)
        error = {"code": code, "message": message}
        known = _ID.match(head)
        if known is not None and known[2] != b"method":
            await self.channel.receive(
                {"jsonrpc": "2.0", "id": json.loads(known[1]), "error": error}
            )
        elif known is not None and named:
            with contextlib.suppress(ConnectionError):
                await self._send({"jsonrpc": "2.0", "id": json.loads(known[1]), "error": error})
        else:
            await self.channel.reject(code, message)


class Child(Peer):
    """The connection to a process that ``spawn`` started. Leaving its ``async with`` ends it."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        line_limit: int = LINE_LIMIT,
        grace: float = GRACE,
    ) -> None:
        assert process.stdout is not None and process.stdin is not None
        super().__init__(process.stdout, process.stdin, line_limit=line_limit, grace=grace)
        self.process = process
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self.run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The loop still reads, so that a child with something left to say can say it and end.
        await self.close()
        try:
            await asyncio.wait_for(self.process.wait(), self._grace)
        except TimeoutError:
            _LOG.warning("the child does not end; it is killed")
            self.process.kill()
            await self.process.wait()
        if self._running is not None:
            await self._running

    async def _epitaph(self, reason: str) -> str:
        try:
            code = await asyncio.wait_for(self.process.wait(), 1)
        except TimeoutError:
            return reason
        if code < 0:
            return f"the agent was killed by signal {-code}"
        return f"the agent ended with exit code {code}"


async def stdio(*, line_limit: int = LINE_LIMIT, grace: float = GRACE) -> Peer:
    """Return the peer on this process's own stdin and stdout; print nothing there any more."""
    reader, writer = await own_streams()
    return Peer(reader, writer, line_limit=line_limit, grace=grace)


async def spawn(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    line_limit: int = LINE_LIMIT,
    grace: float = GRACE,
) -> Child:
    """Start ``command`` and return the peer on its stdin and stdout; its stderr is this one's.

    It gets a session of its own, so that Ctrl-C in a terminal is for this process to handle.

    Raises:
        OSError: if it cannot be started.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=None if env is None else dict(env),
        start_new_session=True,
    )
    return Child(process, line_limit=line_limit, grace=grace)
