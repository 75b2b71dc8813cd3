"""Sessions at work, and who hears of a change."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Any

from ..link import Link
from ..outcome import Failed, Refused, Skipped
from ..registry import check
from ..scene import Scene
from ..steps import (
    LONG_PROMPT,
    archive,
    archive_as_is,
    archive_open,
    expect,
    new_session,
    sessions,
    unarchive,
)
from ..version import Turn
from ..versions import UNKNOWN

#: Seconds in which an observer hears of a change that was answered already.
_NOTICE = 3.0


@check("active-session", "Guarantees: independent execution")
async def active_session(scene: Scene, link: Link) -> None:
    """Archiving a session at work either archives it, or is refused and changes nothing."""
    session = await new_session(scene, link)
    turn = await _busy(link, session)
    try:
        await archive_as_is(link, session)
    except Refused as error:
        await expect(link, session, False, f"after archiving was refused ({error})")
    else:
        await expect(link, session, True, "archived while at work")
    await _finish(link, session, turn)


@check("does-not-cancel", "Guarantees: independent execution")
async def does_not_cancel(scene: Scene, link: Link) -> None:
    """The prompt of a session goes on while it is archived and unarchived, or that is refused."""
    session = await new_session(scene, link)
    turn = await _busy(link, session)
    for change in (archive_as_is, unarchive):
        with contextlib.suppress(Refused):
            await change(link, session)
        await _worked(link, session, turn, len(_work(link, session)) + 1)
    if turn.over():
        reason = await turn.end()
        if reason == UNKNOWN:
            raise Skipped("the prompt ended meanwhile, and the agent does not say why")
        if reason in ("cancelled", "error"):
            raise Failed(f"the prompt ended with {reason} when the session was archived")
    await _finish(link, session, turn)


@check("updated-at-kept", "Guarantees: activity")
async def updated_at_kept(scene: Scene, link: Link) -> None:
    """Archiving and unarchiving alone leave updatedAt as it was."""
    session = await new_session(scene, link)
    before = (await sessions(link))[session].get("updatedAt")
    if before is None:
        raise Skipped("the list has no updatedAt")
    for change, word in ((archive, "archiving"), (unarchive, "unarchiving")):
        # So long that a new time would differ, by the precision of the old one.
        await asyncio.sleep(0.05 if "." in str(before) else 1.1)
        await change(link, session)
        found = (await sessions(link, archived=True)).get(session, {}).get("updatedAt", before)
        if found != before:
            raise Failed(f"{word} changed updatedAt from {before} to {found}")


@check("observer-told", "Listing and state")
async def observer_told(scene: Scene, link: Link) -> None:
    """A connection with the session open gets session_info_update with archived, for each change."""
    session = await new_session(scene, link)
    for change, archived in ((archive_open, True), (unarchive, False)):
        find = partial(_told, link, session, len(link.updates))
        await change(link, session)
        told = await link.until("session/update", find, min(_NOTICE, link.limit))
        word = "true" if archived else "false"
        if told is None:
            raise Failed(f"no session_info_update came with archived {word}")
        if told[0] is not archived:
            raise Failed(f"session_info_update came with archived {told[0]} instead of {word}")


def _told(link: Link, session: str, seen: int) -> list[Any] | None:
    """Return what the updates from ``seen`` on say of the archive state; None: nothing."""
    said = [
        update["archived"]
        for id_, update in link.updates[seen:]
        if id_ == session
        and update.get("sessionUpdate") == "session_info_update"
        and "archived" in update
    ]
    return said or None


def _work(link: Link, session: str) -> list[Any]:
    return [
        update
        for id_, update in link.updates
        if id_ == session and update.get("sessionUpdate") not in _ASIDE
    ]


#: Updates that do not show that a prompt is being worked on.
_ASIDE = (
    "session_info_update",
    "state_update",
    "user_message",
    "user_message_chunk",
    "available_commands_update",
    "usage_update",
)


async def _busy(link: Link, session: str) -> Turn:
    """Start a long prompt and return when there are the first updates of it."""
    turn = link.version.prompt(link, session, LONG_PROMPT)
    await _worked(link, session, turn, 1)
    if turn.over():
        await turn.end()
        raise Skipped("the long prompt ended before the session could be archived")
    return turn


async def _worked(link: Link, session: str, turn: Turn, more_than: int) -> None:
    """Wait until the turn is over or has shown more than so many signs of work."""

    def found() -> bool | None:
        return turn.over() or len(_work(link, session)) > more_than or None

    await link.patiently("session/prompt", found)


async def _finish(link: Link, session: str, turn: Turn) -> None:
    if not turn.over():
        await link.version.cancel(link, session)
        # What a cancelled prompt is answered with is no matter of archiving.
        with contextlib.suppress(Refused):
            await turn.end()
