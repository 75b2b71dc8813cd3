"""The example agent with one guarantee broken at a time: a class or two for each check.

Behind them are lawful agents, which do what the RFD leaves open in another way than the example.

Run as ``python faulty_agents.py NAME [OPTIONS OF THE EXAMPLE AGENT]``, NAME being a check or that of a
lawful agent.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "generated" / "python")]

from acp_bindings import v1, v2  # noqa: E402

from examples.archive_agent import AgentV1, AgentV2, Sessions, Store, main  # noqa: E402
from examples.archive_agent.store import UnknownSessionError  # noqa: E402

#: Check -> the arguments of ``main`` that break it.
FAULTS: dict[str, dict] = {}
#: Name of a lawful agent -> the arguments of ``main`` that make it.
LAWFUL: dict[str, dict] = {"example": {}, "without-archive": {"options": ["--without-archive"]}}


def breaks(check: str, table=FAULTS, **more):
    """Register a subclass as what breaks ``check``; the class it extends tells where it goes."""

    def register(cls):
        found = table.setdefault(check, {})
        for base, name in _PLACES.items():
            if issubclass(cls, base):
                found[name] = cls
        found.update(more)
        return cls

    return register


def allowed(name: str):
    """Register a subclass as a lawful agent."""
    return breaks(name, LAWFUL)


_PLACES = {
    Store: "store_class",
    Sessions: "sessions_class",
    AgentV1: "agent_v1",
    AgentV2: "agent_v2",
}


# ---- advertising ----


@breaks("capability-advertised")
class WithoutList(AgentV1):
    def capabilities(self):
        found = super().capabilities()
        v1.clear(found.session_capabilities, "list_")
        return found


@breaks("capability-advertised")
class NoMarker(AgentV2):
    async def initialize(self, params):
        found = v2.encode(await super().initialize(params))
        found["capabilities"]["session"]["archive"] = True
        return found


class _Served:
    """Serves what is not offered."""

    async def archive_session(self, params):
        await self.sessions.set_archived(params.session_id, True)

    async def unarchive_session(self, params):
        await self.sessions.set_archived(params.session_id, False)


@breaks("unadvertised-refused", options=["--without-archive"])
class ServedV1(_Served, AgentV1):
    pass


@breaks("unadvertised-refused")
class ServedV2(_Served, AgentV2):
    pass


# ---- results ----


class _OddMeta:
    async def unarchive_session(self, params):
        await super().unarchive_session(params)
        return {"_meta": "restored"}


@breaks("result-object")
class OddMetaV1(_OddMeta, AgentV1):
    pass


@breaks("result-object")
class OddMetaV2(_OddMeta, AgentV2):
    pass


class _NoMeta:
    async def archive_session(self, params):
        if params.meta:
            raise self.invalid("_meta is not expected")
        return await super().archive_session(params)


@breaks("meta-accepted")
class NoMetaV1(_NoMeta, AgentV1):
    pass


@breaks("meta-accepted")
class NoMetaV2(_NoMeta, AgentV2):
    pass


# ---- listing ----


@breaks("archive-hides")
class HidesNothing(Sessions):
    def includes_archived(self, archived):
        return True


class _NullIsTrue:
    async def list_sessions(self, params):
        if self.wire.is_set(params, "archived") and params.archived is None:
            params.archived = True
        return await super().list_sessions(params)


@breaks("filter-off-forms")
class NullIsTrueV1(_NullIsTrue, AgentV1):
    wire = v1


@breaks("filter-off-forms")
class NullIsTrueV2(_NullIsTrue, AgentV2):
    wire = v2


@breaks("filter-on-lists-both")
class OnlyArchived(Store):
    def condition(self, cwd, archived):
        return "NOT deleted AND archived = ? AND (? IS NULL OR cwd = ?)", (archived, cwd, cwd)


@breaks("filter-with-cwd")
class CwdForgotten(Sessions):
    async def page(self, cwd, archived, cursor):
        return await super().page(None if archived else cwd, archived, cursor)


@breaks("filter-before-pages")
class FilterAfterwards(Sessions):
    async def page(self, cwd, archived, cursor):
        found, following = await super().page(cwd, True, cursor)
        return [one for one in found if archived or not one.archived], following


class _OnlyTrueReported:
    def info(self, session):
        found = super().info(session)
        if not session.archived:
            self.wire.leave(found, "archived")
        return found


@breaks("state-reported")
class OnlyTrueReportedV1(_OnlyTrueReported, AgentV1):
    wire = v1


@breaks("state-reported")
class OnlyTrueReportedV2(_OnlyTrueReported, AgentV2):
    wire = v2


@breaks("success-visible")
class LazyAfterMany(Sessions):
    """From the sixth change on, one that follows a list is carried out after the next list."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.changes, self.late, self.was_listed = 0, [], False

    async def set_archived(self, session_id, archived):
        self.changes += 1
        if self.changes >= 6 and self.was_listed:
            self.late.append((session_id, archived))
        else:
            await super().set_archived(session_id, archived)
        self.was_listed = False

    async def page(self, cwd, archived, cursor):
        found = await super().page(cwd, archived, cursor)
        self.was_listed = True
        while self.late:
            await super().set_archived(*self.late.pop(0))
        return found


# ---- restoring ----


@breaks("unarchive-restores-id")
class StaysHidden(Sessions):
    """What was unarchived once stays out of the default list."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.restored = Counter()

    async def set_archived(self, session_id, archived):
        await super().set_archived(session_id, archived)
        self.restored[session_id] += not archived

    async def page(self, cwd, archived, cursor):
        found, following = await super().page(cwd, archived, cursor)
        return [one for one in found if archived or self.restored[one.id] != 1], following


@breaks("unarchive-restores-history")
class HistoryCut(Store):
    def set_archived(self, session_id, archived):
        if not archived:
            self._database.execute(
                "DELETE FROM blocks WHERE session = ? AND number >"
                " (SELECT min(number) FROM blocks WHERE session = ?)",
                (session_id, session_id),
            )
        return super().set_archived(session_id, archived)


class _Once(Sessions):
    refused: bool

    async def set_archived(self, session_id, archived):
        changed = await self.stored(self.store.set_archived, session_id, archived)
        if not changed and archived is self.refused:
            raise self.view.invalid("that is its state already")
        if changed:
            await self.announce(session_id, archived)


@breaks("archive-idempotent")
class ArchivesOnce(_Once):
    refused = True


@breaks("unarchive-idempotent")
class UnarchivesOnce(_Once):
    refused = False


@breaks("concurrent-changes")
class TwoTruths(Sessions):
    """Keeps what is hidden and what is archived apart; the two fall out of step in a crowd.

    A crowd is seven changes with no list between them, so that no timing decides about it.
    """

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.hidden, self.crowd = set(), 0

    async def set_archived(self, session_id, archived):
        self.crowd += 1
        await super().set_archived(session_id, archived)
        if archived:
            self.hidden.add(session_id)
        elif self.crowd < 7:
            self.hidden.discard(session_id)

    async def page(self, cwd, archived, cursor):
        self.crowd = 0
        found, following = await super().page(cwd, archived, cursor)
        return [one for one in found if archived or one.id not in self.hidden], following


# ---- sessions that are not there ----


class _Tombs(Store):
    """Keeps what a deleted session was."""

    def delete(self, session_id):
        self._find(self._database, session_id)
        self._database.execute("UPDATE sessions SET deleted = 1 WHERE id = ?", (session_id,))
        return True

    def is_deleted(self, session_id):
        query = "SELECT 1 FROM sessions WHERE id = ? AND deleted"
        return self._database.execute(query, (session_id,)).fetchone() is not None


@breaks("unknown-session")
class UnknownIsInvalid(Sessions):
    async def set_archived(self, session_id, archived):
        if not session_id.startswith("sess_"):
            raise self.view.invalid("that is no session id")
        await super().set_archived(session_id, archived)


@breaks("deleted-session")
class DeletedIsFine(_Tombs):
    def set_archived(self, session_id, archived):
        return not self.is_deleted(session_id) and super().set_archived(session_id, archived)


@breaks("deleted-stays-out")
class ListsDeleted(_Tombs):
    def condition(self, cwd, archived):
        found, values = super().condition(cwd, archived)
        return found.replace("NOT deleted", "(? OR NOT deleted)"), (archived, *values)


@breaks("deleted-not-restored")
class Undeletes(_Tombs):
    def set_archived(self, session_id, archived):
        if not archived and self.is_deleted(session_id):
            self._database.execute(
                "UPDATE sessions SET deleted = 0, archived = 0 WHERE id = ?", (session_id,)
            )
            raise UnknownSessionError(session_id)
        return super().set_archived(session_id, archived)


# ---- persistence ----


@breaks("survives-restart")
class ForgetsAtTheEnd(Store):
    def close(self):
        self._database.execute("UPDATE sessions SET archived = 0")
        super().close()


@breaks("survives-kill")
class ForgetsAfterACrash(Store):
    """Starts afresh if it finds the mark of a process that is gone."""

    def __init__(self, path, **options):
        super().__init__(path, **options)
        folder = Path(path).parent
        for mark in folder.glob("running-*"):
            if not _alive(int(mark.name.removeprefix("running-"))):
                self._database.execute("UPDATE sessions SET archived = 0")
                mark.unlink()
        self.mark = folder / f"running-{os.getpid()}"
        self.mark.touch()

    def close(self):
        self.mark.unlink(missing_ok=True)
        super().close()


def _alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@breaks("versions-agree")
class ToEachTheirOwn(Sessions):
    """What was archived over the other version counts as not archived."""

    async def set_archived(self, session_id, archived):
        await super().set_archived(session_id, archived)
        version = str(self.view.protocol)
        await self.stored(self.store.set_setting, session_id, "archived_over", version)

    async def page(self, cwd, archived, cursor):
        found, following = await super().page(cwd, archived, cursor)
        mine = str(self.view.protocol)
        return [
            one
            if one.settings.get("archived_over", mine) == mine
            else dataclasses.replace(one, archived=False)
            for one in found
        ], following


# ---- independence ----


@breaks("no-activation-needed")
class OnlyOpenOnes(Sessions):
    async def set_archived(self, session_id, archived):
        await self.stored(self.store.find, session_id)
        if archived and session_id not in self._active:
            raise self.view.invalid("the session is not open")
        await super().set_archived(session_id, archived)


@breaks("does-not-load")
class Loads(Sessions):
    async def set_archived(self, session_id, archived):
        await super().set_archived(session_id, archived)
        if session_id not in self._active:
            await self.open(session_id, replay=True)


@breaks("does-not-close")
class Closes(Sessions):
    async def set_archived(self, session_id, archived):
        await super().set_archived(session_id, archived)
        active = self._active.get(session_id)
        if not archived and active is not None and not active.turns:
            await self.close(session_id)


class _Opens(Sessions):
    by_replay: bool

    async def open(self, session_id, *, replay):
        found = await super().open(session_id, replay=replay)
        if replay is self.by_replay:
            await self.stored(self.store.set_archived, session_id, False)
        return found


@breaks("load-keeps-state")
class LoadUnarchives(_Opens):
    by_replay = True


@breaks("resume-keeps-state")
class ResumeUnarchives(_Opens):
    by_replay = False


@breaks("close-keeps-state")
class CloseUnarchives(Sessions):
    async def close(self, session_id):
        await super().close(session_id)
        await self.stored(self.store.set_archived, session_id, False)


# ---- activity ----


@breaks("active-session")
class RefusesAndArchives(Sessions):
    async def set_archived(self, session_id, archived):
        await super().set_archived(session_id, archived)
        active = self._active.get(session_id)
        if archived and active is not None and active.turns:
            raise self.view.invalid("the session is at work")


@breaks("does-not-cancel")
class Cancels(Sessions):
    async def set_archived(self, session_id, archived):
        await super().set_archived(session_id, archived)
        self.cancel(session_id)


@breaks("updated-at-kept")
class Touches(Store):
    def set_archived(self, session_id, archived):
        changed = super().set_archived(session_id, archived)
        self._database.execute(
            "UPDATE sessions SET updated_at = ? WHERE id = ?", (self.now(), session_id)
        )
        return changed


@breaks("observer-told")
class TellsNobody(Sessions):
    async def announce(self, session_id, archived):
        pass


# ---- lawful agents ----


@allowed("archives-only-closed")
class ArchivesOnlyClosed(Sessions):
    """An open session has to be closed before it is archived."""

    async def set_archived(self, session_id, archived):
        if archived and session_id in self._active:
            raise self.view.invalid("the session is open")
        await super().set_archived(session_id, archived)


@allowed("archives-only-idle")
class ArchivesOnlyIdle(Sessions):
    """A session at work is not archived."""

    async def set_archived(self, session_id, archived):
        if archived and session_id in self._active and self._active[session_id].turns:
            raise self.view.invalid("the session is at work")
        await super().set_archived(session_id, archived)


@allowed("opens-only-unarchived")
class OpensOnlyUnarchived(Sessions):
    """An archived session has to be unarchived before it is opened."""

    async def open(self, session_id, *, replay):
        if (await self.stored(self.store.find, session_id)).archived:
            raise self.view.invalid("the session is archived")
        return await super().open(session_id, replay=replay)


@allowed("bare")
class BareV1(AgentV1):
    """Offers no more than archiving needs, and announces that by an object that is not empty."""

    def capabilities(self):
        found = v1.SessionCapabilities(
            list_=v1.SessionListCapabilities(), archive=v1.SessionArchiveCapabilities(meta={"a": 1})
        )
        return v1.AgentCapabilities(session_capabilities=found)


@allowed("bare")
class BareV2(AgentV2):
    def capabilities(self):
        found = v2.SessionCapabilities(archive=v2.SessionArchiveCapabilities(meta={"a": 1}))
        return v2.AgentCapabilities(session=found)


@allowed("lists-after-prompt")
class ListsAfterPrompt(Store):
    """A session is listed from its first prompt on."""

    def condition(self, cwd, archived):
        found, values = super().condition(cwd, archived)
        return f"{found} AND title IS NOT NULL", values


@allowed("one-page")
class OnePage(Sessions):
    """The list has no pages, and no times either."""

    async def page(self, cwd, archived, cursor):
        self.page_size = 100_000
        found, following = await super().page(cwd, archived, cursor)
        return [dataclasses.replace(one, updated_at=None) for one in found], following


class _OneVersion:
    async def initialize(self, params):
        found = await super().initialize(params)
        found.protocol_version = 3 - self.protocol
        return found


@allowed("speaks-the-other-version")
class OtherV1(_OneVersion, AgentV1):
    pass


@allowed("speaks-the-other-version")
class OtherV2(_OneVersion, AgentV2):
    pass


def run(name: str, arguments: list[str]) -> int:
    """Run the agent that breaks one check, or the lawful one."""
    agent = dict(FAULTS[name] if name in FAULTS else LAWFUL[name])
    return main([*agent.pop("options", []), *arguments], **agent)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
