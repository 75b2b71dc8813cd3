"""A client connected to one running agent: typed calls, a time limit for each, all recorded."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from .exchange import Exchange
from .outcome import Failed, Refused, Skipped, printable
from .process import Process
from .version import Version

T = TypeVar("T")

#: So many updates are kept; an agent that sends more is stuck.
_UPDATES = 100_000


class Link:
    """A connection to one process of the agent.

    Args:
        version: the protocol version to speak.
        process: the agent.
        number: the number of the process within its check.
        exchange: where the messages are recorded.
        limit: seconds for each step.
    """

    def __init__(
        self, version: Version, process: Process, number: int, exchange: Exchange, limit: float
    ) -> None:
        module = version.module
        self.version = version
        self.limit = limit
        #: What the agent said about its sessions: (session id, update as JSON), in order.
        self.updates: list[tuple[str, Any]] = []
        #: The first result, which is that of ``initialize``, as it came.
        self.announced: Any = None
        self._process = process
        self._number = number
        self._exchange = exchange
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._fault: Failed | None = None
        self._channel = module.Channel(self._send, cancel=module.CANCEL, batches=version.batches)
        self._channel.serve(module.ClientDispatcher(version.client(self.take_update)))
        #: Typed calls; one whose capability is not announced is refused.
        self.agent = module.ClientSideConnection(self._channel)
        #: The same without gates, for what must not be called.
        self.ungated = module.ClientSideConnection(self._channel, gated=False)
        exchange.event(number, f"started, to speak {version.name}")
        self._reading = asyncio.create_task(self._read())

    # ---- calls ----

    async def step(self, what: str, call: Awaitable[T], *, limit: float | None = math.inf) -> T:
        """Await ``call`` within the time limit of a step, or another ``limit``; None: none.

        Raises:
            Refused: if the agent answers with an error.
            Skipped: if the agent has not announced what the call needs.
            Failed: if there is no answer, or one that does not fit the protocol.
        """
        module = self.version.module
        limit = self.limit if limit == math.inf else limit
        try:
            async with asyncio.timeout(limit):
                return await call
        except module.CapabilityError as error:
            raise Skipped(str(error)) from None
        except module.RpcError as error:
            raise Refused(what, error.code, error.message) from None
        except module.DecodeError as error:
            raise Failed(f"the result of {what} does not fit the protocol: {error}") from None
        except TimeoutError:
            raise Failed(f"{what}: no answer within {limit:g} s") from None
        except ConnectionError as error:
            raise await self._broken(what, error) from None

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run ``work`` beside the check; it ends with the connection."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._changed.set())
        return task

    async def raw(self, method: str, params: Any) -> Any:
        """Send a request as JSON, as it stands, and return its JSON result."""
        return await self.step(method, self.ungated.ext_method(method, params))

    async def until(self, what: str, found: Callable[[], T | None], limit: float) -> T | None:
        """Wait until ``found`` gives something, looking after each update; None: it did not.

        Raises:
            Failed: if the connection broke meanwhile.
        """
        try:
            async with asyncio.timeout(limit):
                while (value := found()) is None:
                    self._changed.clear()
                    if self._reading.done():
                        raise await self._broken(what, ConnectionError())
                    await self._changed.wait()
                return value
        except TimeoutError:
            return None

    async def patiently(self, what: str, found: Callable[[], T | None]) -> T:
        """Wait like ``until``; the time limit starts anew with every update.

        Raises:
            Failed: if nothing comes for the time limit, or too much for too long.
        """
        for _ in range(_UPDATES):
            seen = len(self.updates)
            await self.until(what, partial(self._moved, found, seen), self.limit)
            value = found()
            if value is not None:
                return value
            if len(self.updates) == seen:
                raise Failed(f"{what}: nothing came for {self.limit:g} s")
        raise Failed(f"{what}: no end after {_UPDATES} updates")

    # ---- the end ----

    async def stop(self) -> None:
        """End the agent the clean way: its input ends."""
        self._exchange.event(self._number, "its input ends")
        await self._process.stop()
        await self._close()

    async def kill(self) -> None:
        """Kill the agent, as kill -9 does."""
        self._exchange.event(self._number, "killed")
        await self.abandon()

    def kill_now(self) -> None:
        """Send the signal that kills the agent, without waiting for its effect."""
        self._process.kill_now()

    async def abandon(self) -> None:
        """Kill the agent because the check is over."""
        await self._process.kill()
        await self._close()

    # ---- inside ----

    def take_update(self, session: str, update: Any) -> None:
        if len(self.updates) < _UPDATES:
            self.updates.append((session, update))
        self._changed.set()

    def _moved(self, found: Callable[[], object], seen: int) -> bool | None:
        return found() is not None or len(self.updates) > seen or None

    async def _send(self, message: Any) -> None:
        self._exchange.sent(self._number, message)
        await self._process.send(message)

    async def _take(self, message: Any) -> None:
        self._exchange.received(self._number, message)
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            if self.announced is None:
                self.announced = message.get("result")
        elif not (isinstance(message, list) and self.version.batches):
            raise Failed(f"the agent wrote JSON that is no message: {printable(message)}")
        await self._channel.receive(message)

    async def _read(self) -> None:
        output = asyncio.create_task(self._process.messages(self._take))
        ending = asyncio.create_task(self._process.wait())
        try:
            await asyncio.wait([output, ending], return_when=asyncio.FIRST_COMPLETED)
            if not output.done():
                # The rest of its output; what it left running may keep the pipe open for ever.
                await asyncio.wait([output], timeout=1.0)
            if output.done() and isinstance(error := output.exception(), Failed):
                self._fault = error
                self._exchange.event(self._number, str(error))
        finally:
            output.cancel()
            ending.cancel()
            await asyncio.shield(self._channel.close())
            self._changed.set()

    async def _close(self) -> None:
        tasks = [self._reading, *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._channel.close()

    async def _broken(self, what: str, error: Exception) -> Failed:
        if self._fault is not None:
            return Failed(f"{what}: {self._fault}")
        code = await self._process.end()
        words = self._process.last_words()
        said = f"; its last words: {words}" if words else ""
        if code is not None:
            return Failed(f"{what}: the agent ended with exit code {code}{said}")
        reason = "the agent closed its output" if self._reading.done() else str(error)
        return Failed(f"{what}: {reason}{said}")
