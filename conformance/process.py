"""The agent as a child process: newline-delimited JSON over its standard streams."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .outcome import CannotStartError, Failed, printable

#: The longest line that is read, in bytes.
LINE_LIMIT = 32 * 1024 * 1024
#: Seconds for an agent to end on its own, once its input has ended and again once it was asked to.
_GRACE = 3.0
#: Seconds between two looks at whether it has ended.
_LOOK = 0.02


class Process:
    """One running agent. ``kill`` ends it for sure, with all that it started in its group.

    Args:
        transport, child: the child process.
        limit: seconds for one write.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        child: asyncio.subprocess.Process,
        limit: float,
    ) -> None:
        self._transport = transport
        self._child = child
        self._limit = limit
        self._gone = False
        self._errors: deque[bytes] = deque(maxlen=8)
        self._reading = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(
        cls, command: Sequence[str], folder: Path, env: Mapping[str, str], limit: float
    ) -> Process:
        """Start ``command`` in ``folder``.

        Raises:
            CannotStartError: if the system cannot run it.
        """
        loop = asyncio.get_running_loop()
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: asyncio.subprocess.SubprocessStreamProtocol(LINE_LIMIT, loop),
                *command,
                cwd=folder,
                env=dict(env),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStartError(error.strerror or str(error)) from error
        return cls(transport, asyncio.subprocess.Process(transport, protocol, loop), limit)

    async def send(self, message: Any) -> None:
        """Write one message.

        Raises:
            ConnectionError: if the agent does not take it.
        """
        stdin = self._child.stdin
        assert stdin is not None
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        try:
            stdin.write(text.encode("utf-8", "surrogatepass") + b"\n")
            async with asyncio.timeout(self._limit):
                await stdin.drain()
        except TimeoutError:
            raise ConnectionError("the agent does not read its input") from None
        except RuntimeError as error:
            raise ConnectionError(str(error)) from error

    async def messages(self, take: Callable[[Any], Awaitable[None]]) -> None:
        """Hand every message to ``take`` until the output ends.

        Raises:
            Failed: if the agent writes something that is no JSON.
        """
        stdout = self._child.stdout
        assert stdout is not None
        while True:
            try:
                line = await stdout.readline()
            except ValueError:
                raise Failed(f"the agent wrote a line of more than {LINE_LIMIT} bytes") from None
            if not line:
                return
            if line.strip():
                await take(_parse(line))

    async def end(self) -> int | None:
        """Wait for the exit code; negative if a signal ended it. None: it goes on."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self.wait()
                await asyncio.shield(self._reading)
        return self._child.returncode

    async def wait(self) -> None:
        """Wait until the process has ended."""
        # The child's own wait also waits for its pipes, which what it left running may hold.
        while self._child.returncode is None:
            await asyncio.sleep(_LOOK)

    async def stop(self) -> None:
        """End the input and let the agent end on its own; if it does not, ask it, then kill it."""
        stdin = self._child.stdin
        assert stdin is not None
        stdin.close()
        for ask in (None, signal.SIGTERM):
            if ask is not None:
                self._signal(ask)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    await self.wait()
                    break
        await self.kill()

    def kill_now(self) -> None:
        """Send the signal of ``kill`` without waiting for its effect."""
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    async def kill(self) -> None:
        """Kill the process and its group (SIGKILL), and wait until it is gone."""
        self.kill_now()
        await self.wait()
        self._gone = True
        self._reading.cancel()
        # Its pipes may be held by what it left running, so their end is not waited for.
        self._transport.close()
        await asyncio.sleep(0)

    def last_words(self) -> str:
        """Return the end of what the agent wrote to its standard error; empty if nothing."""
        lines = [line.decode("utf-8", "replace").rstrip() for line in self._errors]
        return printable(" | ".join(line for line in lines if line.strip())[-600:], 600)

    def _signal(self, number: int) -> None:
        if self._gone:
            # By now the number may be that of another group.
            return
        # A group that has ended is no fault; some systems say so by a permission error.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, number)
            else:
                self._child.kill()

    async def _read_errors(self) -> None:
        stderr = self._child.stderr
        assert stderr is not None
        while block := await stderr.read(64 * 1024):
            for line in block[-4096:].splitlines():
                self._errors.append(line[-600:])


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        text = printable(line[:200].decode("utf-8", "replace").strip())
        raise Failed(f"the agent wrote a line that is no JSON: {text}") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
