"""Bringing sessions back, and repeating what was done."""

from __future__ import annotations

import asyncio

from ..history import same
from ..link import Link
from ..outcome import Failed, Skipped
from ..registry import check
from ..scene import Scene
from ..steps import archive, code_of, expect, listed, new_session, sessions, talk, unarchive


@check("unarchive-restores-id", "Guarantees: preservation")
async def unarchive_restores_id(scene: Scene, link: Link) -> None:
    """A session that is unarchived is in the default list again, under its id."""
    session = await new_session(scene, link)
    await archive(link, session)
    await unarchive(link, session)
    if not await listed(link, session):
        raise Failed("the unarchived session is not in the default list under its id")


@check("unarchive-restores-history", "Guarantees: preservation")
async def unarchive_restores_history(scene: Scene, link: Link) -> None:
    """The history that is replayed after archiving and unarchiving is that from before."""
    session = await new_session(scene, link)
    await talk(link, session, "Say hello. This is the first message.")
    await talk(link, session, "Say goodbye. This is the second message.")
    await link.stop()
    link = await scene.start()
    before = await link.version.load(link, session, scene.project)
    if not before:
        raise Skipped("the agent replays no history")
    await archive(link, session)
    await unarchive(link, session)
    await link.stop()
    link = await scene.start()
    after = await link.version.load(link, session, scene.project)
    if not same(before, after):
        raise Failed(
            f"the history had {len(before)} messages before and has {len(after)} after archiving"
            " and unarchiving, or their texts differ"
        )


@check("archive-idempotent", "Guarantees: idempotency")
async def archive_idempotent(scene: Scene, link: Link) -> None:
    """Archiving an archived session succeeds and leaves it archived."""
    session = await new_session(scene, link)
    await archive(link, session)
    if (code := await code_of(archive(link, session))) is not None:
        raise Failed(f"archiving a second time was answered with error {code}")
    await expect(link, session, True, "after archiving twice")


@check("unarchive-idempotent", "Guarantees: idempotency")
async def unarchive_idempotent(scene: Scene, link: Link) -> None:
    """Unarchiving succeeds on a session that never was archived, and on one that no longer is."""
    session = await new_session(scene, link)
    for when in ("that never was archived", "that no longer is archived"):
        if (code := await code_of(unarchive(link, session))) is not None:
            raise Failed(f"unarchiving a session {when} was answered with error {code}")
        await expect(link, session, False, f"after unarchiving a session {when}")
        await archive(link, session)
        await unarchive(link, session)


@check("concurrent-changes", "Guarantees: consistency")
async def concurrent_changes(scene: Scene, link: Link) -> None:
    """Archive and unarchive at the same time end in one of the two states, and all lists agree."""
    session = await new_session(scene, link)
    changes = [archive, unarchive] * 4
    await asyncio.gather(*(change(link, session) for change in changes))
    default = await sessions(link)
    everything = await sessions(link, archived=True)
    again = await sessions(link)
    found = everything.get(session) or default.get(session)
    if found is None:
        raise Failed("afterwards the session is in no list")
    if (session in default) != (session in again):
        raise Failed("afterwards the list still changes, though all changes were answered")
    archived = found.get("archived")
    if archived is (session in default):
        raise Failed(
            f"afterwards the list says archived {archived}, and the default list"
            f" {'has' if session in default else 'does not have'} the session"
        )
