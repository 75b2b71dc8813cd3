"""Sessions that are not there, or not any more."""

from __future__ import annotations

import uuid

from ..link import Link
from ..outcome import Failed
from ..registry import check
from ..scene import Scene
from ..steps import NOT_FOUND, archive, code_of, delete, listed, new_session, unarchive

_CHANGES = {"session/archive": archive, "session/unarchive": unarchive}


@check("unknown-session", "Guarantees: idempotency")
async def unknown_session(scene: Scene, link: Link) -> None:
    """Both methods answer -32002 for a session that never was."""
    await _not_found(link, str(uuid.uuid4()), "an unknown session")


@check("deleted-session", "Guarantees: idempotency")
async def deleted_session(scene: Scene, link: Link) -> None:
    """Both methods answer -32002 for a deleted session."""
    session = await new_session(scene, link)
    await delete(link, session)
    await _not_found(link, session, "a deleted session")


@check("deleted-stays-out", "Guarantees: deletion")
async def deleted_stays_out(scene: Scene, link: Link) -> None:
    """A deleted session is in no list, whatever the filter and whether it was archived or not."""
    hidden, kept = await new_session(scene, link), await new_session(scene, link)
    await archive(link, hidden)
    for session, kind in ((hidden, "archived"), (kept, "unarchived")):
        await delete(link, session)
        for filters in ({}, {"archived": True}):
            if await listed(link, session, **filters):
                raise Failed(f"the deleted {kind} session is in the list with {filters}")


@check("deleted-not-restored", "Guarantees: deletion")
async def deleted_not_restored(scene: Scene, link: Link) -> None:
    """Unarchiving a deleted session does not bring it back, whatever it answers."""
    session = await new_session(scene, link)
    await archive(link, session)
    await delete(link, session)
    await code_of(unarchive(link, session))
    if await listed(link, session):
        raise Failed("the deleted session is in the default list after unarchiving it")


async def _not_found(link: Link, session: str, kind: str) -> None:
    for method, change in _CHANGES.items():
        code = await code_of(change(link, session))
        if code != NOT_FOUND:
            answer = "a result" if code is None else f"error {code}"
            raise Failed(f"{method} of {kind} was answered with {answer} instead of {NOT_FOUND}")
