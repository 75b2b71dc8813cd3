"""What the agent announces, and what it does if it announces nothing."""

from __future__ import annotations

from typing import Any

from ..link import Link
from ..outcome import Failed, Refused, Skipped, printable
from ..registry import check
from ..scene import Scene
from ..steps import bare_session


@check("capability-advertised", "Capabilities", advertised=None)
async def capability_advertised(scene: Scene, link: Link) -> None:
    """The archive capability is an object, or null, or left out; in v1, listing is advertised too."""
    version = scene.version
    found = version.capability(link.announced, "archive")
    place = version.place("archive")
    if found is None:
        raise Skipped(f"the agent does not advertise {place}")
    _marker(found, place)
    for name in version.needed:
        needed = version.capability(link.announced, name)
        if needed is None:
            raise Failed(f"{place} is advertised without {version.place(name)}, which it needs")
        _marker(needed, version.place(name))


def _marker(found: Any, place: str) -> None:
    if not isinstance(found, dict):
        raise Failed(f"{place} is {printable(found)}, which is no object")
    if not isinstance(found.get("_meta"), dict | None):
        raise Failed(f"{place}._meta is {printable(found['_meta'])}, which is no object")


@check("unadvertised-refused", "Capabilities", advertised=False)
async def unadvertised_refused(scene: Scene, link: Link) -> None:
    """An agent that does not advertise archiving refuses both methods."""
    try:
        session = await bare_session(link, scene.project)
    except Refused as error:
        raise Skipped(f"there is no session to try it with: {error}") from None
    for method in ("session/archive", "session/unarchive"):
        try:
            result = await link.raw(method, {"sessionId": session})
        except Refused:
            continue
        raise Failed(f"{method} is not advertised, and yet answered with {printable(result)}")
