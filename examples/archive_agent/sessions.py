"""What an archiving agent promises, whatever the protocol version.

``Sessions`` is the agent of one connection. It keeps the sessions in a ``Store`` and shows what
happens through a ``View``, which is the version-specific half. Each promise is kept by a small
method of its own.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import json
import logging
import math
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, ParamSpec, TypeVar

from .model import Block, Session, UnknownSessionError
from .store import Store
from .turns import Active, Turn
from .view import SETTINGS, View

_LOG = logging.getLogger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Sessions:
    """The sessions as one connection sees them.

    Args:
        store: where they are kept. Other connections may share it.
        archiving: whether archiving is offered.
        page_size: how many sessions a page of the list has.
        pace: seconds between two pieces of an answer.
    """

    #: A replay is sent in batches of so many updates, with a pause of so many seconds between
    #: them, so that a client can draw what it has got.
    batch = 10
    pause = 0.01
    #: An answer comes in at most so many pieces.
    pieces = 50
    #: Seconds between two looks at what other processes have changed.
    interval = 0.5

    view: View

    def __init__(
        self, store: Store, *, archiving: bool = True, page_size: int = 50, pace: float = 0.02
    ) -> None:
        self.store = store
        self.archiving = archiving
        self.page_size = page_size
        self.pace = pace
        self._active: dict[str, Active] = {}
        # SQLite blocks; in a thread it blocks nobody. One thread: changes come one after the other.
        self._thread = ThreadPoolExecutor(1, "store")

    # Listing

    async def page(
        self, cwd: str | None, archived: bool | None, cursor: str | None
    ) -> tuple[list[Session], str | None]:
        """Return a page of the list, and the cursor of the next one if there is one."""
        wanted = self.includes_archived(archived)
        before = None if cursor is None else self.position(cursor, cwd, wanted)
        found = await self.stored(
            self.store.page, cwd=cwd, archived=wanted, before=before, limit=self.page_size + 1
        )
        page = found[: self.page_size]
        more = len(found) > len(page)
        return page, self.cursor(page[-1].number, cwd, wanted) if more else None

    def includes_archived(self, archived: bool | None) -> bool:
        """Tell what the parameter ``archived`` means: omitted and null are like false."""
        # Who does not offer archiving hides nothing.
        return bool(archived) or not self.archiving

    def cursor(self, number: int, cwd: str | None, archived: bool) -> str:
        """Return the cursor for what comes after session ``number`` in a list with these filters."""
        text = f"{number} {_digest(cwd, archived)}"
        return base64.urlsafe_b64encode(text.encode()).decode()

    def position(self, cursor: str, cwd: str | None, archived: bool) -> int | None:
        """Return the number in a cursor; None to start anew, which other filters make necessary."""
        try:
            number, digest = base64.b64decode(cursor, b"-_", validate=True).decode().split(" ")
            before = int(number)
            if not 0 < before < 2**63:
                raise ValueError("no session has this number")
        except (binascii.Error, ValueError):
            raise self.view.invalid("the cursor is none of this agent's") from None
        return before if digest == _digest(cwd, archived) else None

    # Archiving

    async def set_archived(self, session_id: str, archived: bool) -> None:
        """Archive or restore a session, active or not, here or elsewhere.

        The store has committed the change when this returns, and the history, the time of the last
        activity and running turns are as they were. To repeat it is no error.
        """
        changed = await self.stored(self.store.set_archived, session_id, archived)
        if changed:
            await self.announce(session_id, archived)

    async def announce(self, session_id: str, archived: bool) -> None:
        """Tell the client of a change of the archive state if it has the session open."""
        active = self._active.get(session_id)
        if active is not None and active.archived != archived:
            active.archived = archived
            # The change stands, even if the client cannot be told any more.
            with suppress(ConnectionError):
                await self.view.show_archived(session_id, archived)

    async def watch(self) -> None:
        """Announce what others do to the sessions that are open here; never ends."""
        while True:
            await asyncio.sleep(self.interval)
            changed = await self.stored(self.store.changed_elsewhere)
            if changed and self._active:
                open_here = list(self._active)
                states = await self.stored(self.store.archive_states, open_here)
                for session_id, archived in states.items():
                    await self.announce(session_id, archived)

    # Opening and closing

    async def create(self, cwd: str) -> Session:
        """Make a session for an absolute path and open it."""
        if not (PurePosixPath(cwd).is_absolute() or PureWindowsPath(cwd).is_absolute()):
            raise self.view.invalid("cwd is no absolute path")
        settings = {name: setting.default for name, setting in SETTINGS.items()}
        session = await self.stored(self.store.create, self.new_id("sess"), cwd, settings)
        self._active[session.id] = Active()
        return session

    async def open(self, session_id: str, *, replay: bool) -> Session:
        """Open a session, archived or not, after showing its whole history if ``replay``."""
        session = await self.stored(self.store.find, session_id)
        self._active.setdefault(session_id, Active(archived=session.archived))
        if replay:
            await self.replay(session_id)
        return session

    async def replay(self, session_id: str) -> None:
        """Show the history, as far as it goes now: what comes later is shown when it comes."""
        end, after = await self.stored(self.store.end, session_id), 0
        while blocks := await self.stored(self.store.history, session_id, after, end, self.batch):
            for block in blocks:
                await self.view.show_block(session_id, block)
            after = blocks[-1].number
            await asyncio.sleep(self.pause)

    async def close(self, session_id: str) -> None:
        """Close a session: stop what runs in it. One that is not open is as good as closed."""
        active = self._active.pop(session_id, None)
        if active is not None and active.turns:
            for turn in active.turns:
                turn.stop()
            await asyncio.wait([turn.task for turn in active.turns])

    async def delete(self, session_id: str) -> None:
        """Delete a session for good. One that is not there is as good as deleted."""
        await self.close(session_id)
        await self.stored(self.store.delete, session_id)

    async def shutdown(self) -> None:
        """End everything; to be called when the connection has ended."""
        tasks = [turn.task for active in self._active.values() for turn in active.turns]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thread.shutdown()
        self.store.close()

    # Settings

    async def set_setting(self, session_id: str, name: str, value: object) -> Session:
        """Choose ``value`` for the setting ``name`` of an open session."""
        self.active(session_id)
        if name not in SETTINGS or value not in SETTINGS[name].choices:
            raise self.view.invalid(f"there is no choice {value!r} of {name!r}")
        return await self.stored(self.store.set_setting, session_id, name, str(value))

    # Prompts

    def prompt(self, session_id: str, content: Sequence[Any], text: str) -> Turn:
        """Begin to answer a prompt, as soon as the earlier ones of the session are answered.

        Args:
            session_id: an open session.
            content: the prompt, as JSON.
            text: what of it can be read.
        """
        active, turn = self.active(session_id), Turn()
        turn.task = asyncio.create_task(self._turn(session_id, active, turn, content, text))
        active.turns.append(turn)

        def ended(task: asyncio.Task[str]) -> None:
            active.turns.remove(turn)
            turn.inserted.set()
            if not task.cancelled() and task.exception() is not None:
                _LOG.info("a turn of %s failed: %s", session_id, task.exception())

        turn.task.add_done_callback(ended)
        return turn

    def cancel(self, session_id: str) -> None:
        """Stop what runs in a session, and the prompts that wait there."""
        active = self._active.get(session_id)
        for turn in active.turns if active is not None else []:
            turn.stop()

    def is_running(self, session_id: str) -> bool:
        """Tell whether a turn goes on in a session."""
        return any(turn.message_id is not None for turn in self.active(session_id).turns)

    async def _turn(
        self, session_id: str, active: Active, turn: Turn, content: Sequence[Any], text: str
    ) -> str:
        async with active.order:
            if turn.stopping.is_set():
                return "cancelled"
            session = await self._insert(session_id, turn, content, text)
            await self.view.show_running(session_id)
            try:
                stop_reason = await self._answer(session, turn, text)
            except Exception as error:
                await self.view.show_idle(session_id, "error", error)
                raise
            await self.view.show_idle(session_id, stop_reason, None)
            return stop_reason

    async def _insert(
        self, session_id: str, turn: Turn, content: Sequence[Any], text: str
    ) -> Session:
        message = self.new_id("msg")
        blocks = [Block(message, "user", self.view.protocol, block) for block in content]
        before = await self.stored(self.store.find, session_id)
        session = await self.stored(self.store.append, session_id, blocks, _title(text))
        turn.message_id = message
        await self.view.show_prompt(session_id, blocks)
        turn.inserted.set()
        if session.title != before.title:
            await self.view.show_title(session)
        return session

    async def _answer(self, session: Session, turn: Turn, text: str) -> str:
        reply = self.reply(session, text)
        message = self.new_id("msg")
        size = max(8, math.ceil(len(reply) / self.pieces))
        for start in range(0, len(reply), size):
            if turn.stopping.is_set():
                return "cancelled"
            content = self.view.text(reply[start : start + size])
            block = Block(message, "agent", self.view.protocol, content)
            # Saved first: what a client has seen survives whatever happens next.
            await self.stored(self.store.append, session.id, [block])
            await self.view.show_block(session.id, block)
            with suppress(TimeoutError):
                await asyncio.wait_for(turn.stopping.wait(), self.pace)
        return "cancelled" if turn.stopping.is_set() else "end_turn"

    def reply(self, session: Session, text: str) -> str:
        """Return the answer to a prompt."""
        said = text.upper() if session.settings.get("mode") == "shout" else text
        return said if session.settings.get("opening") == "none" else f"Echo: {said}"

    # Helpers

    def active(self, session_id: str) -> Active:
        """Return the state of an open session, or raise the error for one that is not open."""
        try:
            return self._active[session_id]
        except KeyError:
            raise self.view.unknown(session_id) from None

    def new_id(self, kind: str) -> str:
        """Return an id that was never used."""
        return f"{kind}_{uuid.uuid4().hex[:16]}"

    async def stored(self, method: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a method of the store in its thread; an unknown session is the view's error."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, lambda: method(*args, **kwargs))
        except UnknownSessionError as error:
            raise self.view.unknown(error.session_id) from error


def _digest(cwd: str | None, archived: bool) -> str:
    return hashlib.sha256(json.dumps([cwd, archived]).encode()).hexdigest()[:16]


def _title(text: str) -> str | None:
    line = " ".join(text[:200].split())
    return (line if len(line) <= 60 else f"{line[:59]}…") or None
