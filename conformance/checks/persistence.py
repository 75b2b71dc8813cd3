"""What outlives the process, and what both protocol versions see."""

from __future__ import annotations

from ..link import Link
from ..outcome import Refused, Skipped
from ..registry import check
from ..scene import Scene
from ..steps import archive, bare_session, expect, new_session, talk, unarchive


@check("survives-restart", "Guarantees: preservation")
async def survives_restart(scene: Scene, link: Link) -> None:
    """The state is the same after a clean end of the agent and a new start."""
    hidden, restored = await _changed(scene, link)
    await link.stop()
    await _unchanged(await scene.start(), hidden, restored, "after a restart")


@check("survives-kill", "Guarantees: preservation")
async def survives_kill(scene: Scene, link: Link) -> None:
    """The state is the same after the agent was killed right after its answer, as by kill -9."""
    hidden, restored = await _changed(scene, link)
    await link.kill()
    await _unchanged(await scene.start(), hidden, restored, "after a kill")


async def _changed(scene: Scene, link: Link) -> tuple[str, str]:
    hidden, restored = await new_session(scene, link), await new_session(scene, link)
    for session in (hidden, restored):
        # Some agents save a session with its first prompt.
        await talk(link, session)
    await archive(link, restored)
    await unarchive(link, restored)
    await archive(link, hidden)
    return hidden, restored


async def _unchanged(link: Link, hidden: str, restored: str, when: str) -> None:
    await expect(link, hidden, True, when)
    await expect(link, restored, False, when)


@check("versions-agree", "Implementation: both protocol versions")
async def versions_agree(scene: Scene, link: Link) -> None:
    """What is archived over one version is archived over the other, both ways, and so is what is not."""
    session = await new_session(scene, link)
    await talk(link, session)
    await archive(link, session)
    try:
        theirs = await scene.another(scene.other_version)
    except Refused as error:
        raise Skipped(f"the agent does not speak {scene.other_version.name}: {error}") from None
    if not isinstance(theirs.version.capability(theirs.announced, "archive"), dict):
        raise Skipped(f"the agent does not advertise archiving over {theirs.version.name}")
    name, other = link.version.name, theirs.version.name
    await expect(theirs, session, True, f"archived over {name} and listed over {other}")
    await unarchive(theirs, session)
    back = await bare_session(theirs, scene.project)
    await talk(theirs, back)
    await archive(theirs, back)
    ours = await scene.another()
    await expect(ours, session, False, f"unarchived over {other} and listed over {name}")
    await expect(ours, back, True, f"archived over {other} and listed over {name}")
