"""Archiving is no opening and no closing, and those do not change the state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..link import Link
from ..outcome import Failed, Refused, Skipped
from ..registry import check
from ..scene import Scene
from ..steps import archive, archive_open, close, expect, new_session, state, talk, unarchive


@check("no-activation-needed", "Guarantees: idempotency")
async def no_activation_needed(scene: Scene, link: Link) -> None:
    """Both methods work in a process that has not opened the session."""
    session = await _saved(scene, link)
    fresh = await scene.another()
    for change, archived in ((archive, True), (unarchive, False)):
        try:
            await change(fresh, session)
        except Refused as error:
            raise Failed(f"{error}; the session was not opened in this process") from None
        await expect(fresh, session, archived, "after a change in another process")


@check("does-not-load", "Guarantees: independent execution")
async def does_not_load(scene: Scene, link: Link) -> None:
    """Neither method opens the session: of one that is not open, no history comes."""
    session = await _saved(scene, link)
    fresh = await scene.another()
    for change in (archive, unarchive):
        try:
            await change(fresh, session)
        except Refused as error:
            raise Skipped(f"nothing can be seen of it: {error}") from None
        # What comes before the answer to this came because of the change.
        await state(fresh, session)
    told = {str(update.get("sessionUpdate")) for id_, update in fresh.updates if id_ == session}
    if told - {"session_info_update"}:
        raise Failed(f"the agent sent {', '.join(sorted(told))} for a session that is not open")


@check("does-not-close", "Guarantees: independent execution")
async def does_not_close(scene: Scene, link: Link) -> None:
    """An open session that is archived and unarchived is still open: it takes a prompt."""
    session = await new_session(scene, link)
    await talk(link, session)
    await archive_open(link, session)
    await unarchive(link, session)
    try:
        await talk(link, session)
    except Refused as error:
        raise Failed(f"after archiving and unarchiving the session was closed: {error}") from None


@check("load-keeps-state", "Guarantees: explicit restoration")
async def load_keeps_state(scene: Scene, link: Link) -> None:
    """Opening an archived session with its history leaves it archived; it may be refused."""
    await _kept(scene, link, lambda fresh, id_: fresh.version.load(fresh, id_, scene.project))


@check("resume-keeps-state", "Guarantees: explicit restoration")
async def resume_keeps_state(scene: Scene, link: Link) -> None:
    """Opening an archived session without its history leaves it archived; it may be refused."""
    await _kept(scene, link, lambda fresh, id_: fresh.version.resume(fresh, id_, scene.project))


@check("close-keeps-state", "Guarantees: explicit restoration")
async def close_keeps_state(scene: Scene, link: Link) -> None:
    """Closing an archived session leaves it archived."""
    session = await new_session(scene, link)
    await archive_open(link, session)
    await close(link, session)
    await expect(link, session, True, "after closing it")


async def _saved(scene: Scene, link: Link) -> str:
    session = await new_session(scene, link)
    await talk(link, session)
    return session


async def _kept(scene: Scene, link: Link, open_: Callable[[Link, str], Awaitable[object]]) -> None:
    session = await _saved(scene, link)
    await archive(link, session)
    fresh = await scene.another()
    try:
        await open_(fresh, session)
        when = "after opening it"
    except Refused as error:
        when = f"after opening it was refused ({error})"
    await expect(fresh, session, True, when)
