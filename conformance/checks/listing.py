"""What the list shows, and what it says of each session."""

from __future__ import annotations

from typing import Any

from ..link import Link
from ..outcome import Failed, Skipped, printable
from ..registry import check
from ..scene import Scene
from ..steps import archive, bare_session, expect, new_session, pages, sessions, unarchive

#: So many sessions are made at most to get a list of several pages.
_MANY = 240


@check("archive-hides", "Listing and state")
async def archive_hides(scene: Scene, link: Link) -> None:
    """An archived session is not in the default list; another one still is."""
    hidden, kept = await new_session(scene, link), await new_session(scene, link)
    await archive(link, hidden)
    shown = await sessions(link)
    if hidden in shown:
        raise Failed("the archived session is in the default list")
    if kept not in shown:
        raise Failed("a session that was not archived is no longer in the default list")


@check("filter-off-forms", "Listing and state")
async def filter_off_forms(scene: Scene, link: Link) -> None:
    """The filter archived omitted, null and false give the same list."""
    hidden, _ = await new_session(scene, link), await new_session(scene, link)
    await archive(link, hidden)
    omitted = set(await sessions(link))
    for value in (None, False):
        found = set(await sessions(link, archived=value))
        if found != omitted:
            form = "null" if value is None else "false"
            raise Failed(
                f"archived {form} lists {len(found)} sessions, archived omitted lists {len(omitted)}"
            )


@check("filter-on-lists-both", "Listing and state")
async def filter_on_lists_both(scene: Scene, link: Link) -> None:
    """The filter archived true lists archived and unarchived sessions, under the same ids."""
    hidden, kept = await new_session(scene, link), await new_session(scene, link)
    await archive(link, hidden)
    found = await sessions(link, archived=True)
    for session, kind in ((hidden, "archived"), (kept, "unarchived")):
        if session not in found:
            raise Failed(f"archived true does not list the {kind} session")


@check("filter-with-cwd", "Listing and state")
async def filter_with_cwd(scene: Scene, link: Link) -> None:
    """The filters combine: a list with cwd and archived is the part of that with archived there."""
    for cwd in (scene.project, scene.elsewhere):
        hidden, _ = await new_session(scene, link, cwd), await new_session(scene, link, cwd)
        await archive(link, hidden)
    for filters in ({"archived": True}, {}):
        everywhere = await sessions(link, **filters)
        expected = {id_ for id_, info in everywhere.items() if info["cwd"] == scene.project}
        found = set(await sessions(link, cwd=scene.project, **filters))
        what = f"with cwd and {filters or 'no other filter'} the list"
        if not expected:
            raise Failed(f"with {filters or 'no filter'} no session of a folder is listed")
        if found - expected:
            raise Failed(f"{what} has {len(found - expected)} sessions too many")
        if expected - found:
            raise Failed(f"{what} leaves out {len(expected - found)} sessions of the folder")


@check("filter-before-pages", "Listing and state")
async def filter_before_pages(scene: Scene, link: Link) -> None:
    """The filter applies before pagination: pages are full, and together hold each session once.

    Sessions are made, every second one being archived, until the default list has two pages.
    """
    hidden: set[str] = set()
    kept = {await new_session(scene, link)}
    while len(await pages(link)) < 2:
        if len(hidden) + len(kept) > _MANY:
            raise Skipped(f"{len(kept)} sessions were made, and the list still is one page")
        for _ in range(8):
            hidden.add(session := await bare_session(link, scene.project))
            await archive(link, session)
            kept.add(await bare_session(link, scene.project))
    lengths = await _whole(link, kept, hidden, {})
    unfiltered = await _whole(link, hidden, kept, {"archived": True})
    await _whole(link, kept, hidden, {"cwd": scene.project})
    await _whole(link, hidden, kept, {"cwd": scene.project, "archived": True})
    # Nothing says that pages are of equal length; but where they are, a filter does not shorten them.
    if len(unfiltered) == 1 and lengths != unfiltered:
        raise Failed(
            f"pages of the default list have {sorted(lengths)} sessions, those with archived true"
            f" {sorted(unfiltered)}: the list is cut into pages before it is filtered"
        )


async def _whole(link: Link, one: set[str], other: set[str], filters: dict[str, Any]) -> set[int]:
    """Check what the pages hold together; return the lengths of all but the last.

    Sessions of the kind ``one`` must be there; of each kind there must be all or none, and that it
    is the right kinds is the matter of other checks.
    """
    found = await pages(link, **filters)
    ids = [info["sessionId"] for page in found for info in page]
    what = f"the list with {filters or 'no filter'}, of {len(found)} pages,"
    if len(ids) != len(set(ids)):
        raise Failed(f"{what} has a session twice")
    for kind in (one, other):
        shown = len(kind.intersection(ids))
        if shown < len(kind) and (shown or kind is one):
            name = "archived" if (kind is one) == ("archived" in filters) else "unarchived"
            raise Failed(f"{what} has {shown} of {len(kind)} {name} sessions")
    return {len(page) for page in found[:-1]}


@check("state-reported", "Listing and state")
async def state_reported(scene: Scene, link: Link) -> None:
    """Every listed session has a boolean archived, and the right one."""
    hidden, _ = await new_session(scene, link), await new_session(scene, link)
    await archive(link, hidden)
    for params in ({}, {"archived": False}, {"archived": True}):
        result = await link.raw("session/list", params)
        found = result.get("sessions") if isinstance(result, dict) else None
        if not isinstance(found, list) or not found:
            raise Failed(f"session/list with {params} lists no sessions")
        for info in found:
            value = info.get("archived", "left out") if isinstance(info, dict) else info
            if not isinstance(value, bool):
                raise Failed(f"archived of a session listed with {params} is {printable(value)}")
            if value != (info.get("sessionId") == hidden):
                raise Failed(f"archived of a session listed with {params} is {value}, wrongly")


@check("success-visible", "Guarantees: consistency")
async def success_visible(scene: Scene, link: Link) -> None:
    """A list that is asked for after a success shows it, ten changes in a row."""
    session = await new_session(scene, link)
    for number in range(1, 11):
        archived = number % 2 == 1
        await (archive if archived else unarchive)(link, session)
        await expect(link, session, archived, f"after change {number}")
