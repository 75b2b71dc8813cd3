"""Steps that many checks take: make a session, change its state, look at the list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from .link import Link
from .outcome import Failed, Refused, Skipped
from .scene import Scene

T = TypeVar("T")

NOT_FOUND = -32002

#: A prompt that any agent answers quickly.
SHORT_PROMPT = "Say hello."
#: A prompt that keeps an agent busy for a while, with updates on the way; also one that echoes.
LONG_PROMPT = "\n".join(
    [
        "Count from 1 to 200, slowly, one number in a line, and say nothing else. Use no tools.",
        "It goes like this:",
        *(f"This is number {number}." for number in range(1, 41)),
        "and so on.",
    ]
)

_PAGES = 1000


async def new_session(scene: Scene, link: Link, cwd: str | None = None) -> str:
    """Make a session and return its id. Agents that list a session only once it was used, use it."""
    session = await bare_session(link, cwd or scene.project)
    if not await listed(link, session):
        await talk(link, session)
        if not await listed(link, session):
            raise Skipped("a new session is not in session/list, even after a prompt")
    return session


async def bare_session(link: Link, cwd: str) -> str:
    """Make a session and return its id; nothing else."""
    params = link.version.params("NewSessionRequest", cwd=cwd, mcpServers=[])
    try:
        result = await link.step("session/new", link.agent.new_session(params))
    except Refused as error:
        if error.code == link.version.module.AuthenticationRequiredError().code:
            raise Skipped("the agent wants the user to authenticate first") from None
        raise
    return str(result.session_id)


async def talk(link: Link, session: str, text: str = SHORT_PROMPT) -> None:
    """Send a prompt and wait until its turn is over."""
    await link.version.prompt(link, session, text).end()


async def archive(link: Link, session: str) -> None:
    """Archive a session, which is closed first if the agent wants that."""
    await settled(link, session, lambda: archive_as_is(link, session))


async def settled(link: Link, session: str, attempt: Callable[[], Awaitable[T]]) -> T:
    """Do what archives a session. Agents may refuse that for an open one; then close it before."""
    try:
        return await attempt()
    except Refused as error:
        if error.code == NOT_FOUND or not link.agent.supports("session/close"):
            raise
        if await code_of(close(link, session)) is not None:
            raise
    return await attempt()


async def archive_as_is(link: Link, session: str) -> None:
    """Archive a session; if it is open, it stays so."""
    params = link.version.params("ArchiveSessionRequest", sessionId=session)
    await link.step("session/archive", link.agent.archive_session(params))


async def archive_open(link: Link, session: str) -> None:
    """Archive an open session.

    Raises:
        Skipped: if the agent refuses that, as it may.
    """
    try:
        await archive_as_is(link, session)
    except Refused as error:
        raise Skipped(f"the agent does not archive an open session: {error}") from None


async def unarchive(link: Link, session: str) -> None:
    """Bring a session back."""
    params = link.version.params("UnarchiveSessionRequest", sessionId=session)
    await link.step("session/unarchive", link.agent.unarchive_session(params))


async def close(link: Link, session: str) -> None:
    """Close a session."""
    params = link.version.params("CloseSessionRequest", sessionId=session)
    await link.step("session/close", link.agent.close_session(params))


async def delete(link: Link, session: str) -> None:
    """Delete a session."""
    params = link.version.params("DeleteSessionRequest", sessionId=session)
    await link.step("session/delete", link.agent.delete_session(params))


async def pages(link: Link, **filters: Any) -> list[list[dict[str, Any]]]:
    """Return all pages of the list as JSON. ``filters`` are wire names; what is left out is omitted."""
    found: list[list[dict[str, Any]]] = []
    cursors: set[str] = set()
    page = dict(filters)
    while True:
        params = link.version.params("ListSessionsRequest", **page)
        result = await link.step("session/list", link.agent.list_sessions(params))
        found.append(link.version.module.encode(result.sessions))
        cursor = result.next_cursor
        if cursor is None:
            return found
        if cursor in cursors or len(found) == _PAGES:
            raise Failed(f"session/list comes to no end: {len(found)} pages, then one more cursor")
        cursors.add(cursor)
        page["cursor"] = cursor


async def sessions(link: Link, **filters: Any) -> dict[str, dict[str, Any]]:
    """Return the listed sessions by id."""
    return {info["sessionId"]: info for page in await pages(link, **filters) for info in page}


async def listed(link: Link, session: str, **filters: Any) -> bool:
    """True if the list has the session."""
    return session in await sessions(link, **filters)


async def state(link: Link, session: str) -> bool | None:
    """Tell whether a session is archived, by all that the agent says; None: it is not listed.

    What the list says of the session counts; where it does not say, being in the default list.
    """
    everything = (await sessions(link, archived=True)).get(session)
    if everything is not None and isinstance(everything.get("archived"), bool):
        return bool(everything["archived"])
    if await listed(link, session):
        return False
    return None if everything is None else True


async def expect(link: Link, session: str, archived: bool, when: str) -> None:
    """Fail unless the session is in the state given."""
    found = await state(link, session)
    if found is not archived:
        words = {True: "archived", False: "not archived", None: "not listed"}
        raise Failed(f"{when}, the session is {words[found]} instead of {words[archived]}")


async def code_of(call: Any) -> int | None:
    """Await a step and return the code of the error that answered it; None: it succeeded."""
    try:
        await call
    except Refused as error:
        return error.code
    return None
