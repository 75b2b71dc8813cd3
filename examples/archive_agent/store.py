"""Sessions in one SQLite file. Nothing here knows the protocol.

Every change is one transaction, and it is on the disk when its method returns: a process may be
killed at any moment, and several processes may share the file. Methods block for a moment; the
caller runs them in a thread.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .model import Block, Session, UnknownSessionError

_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,      -- order of creation, never used again
    id TEXT NOT NULL UNIQUE,
    cwd TEXT NOT NULL,
    title TEXT,
    updated_at TEXT NOT NULL,                      -- RFC 3339, UTC
    archived INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,            -- a tombstone: the row stays, the content goes
    settings TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE IF NOT EXISTS blocks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions (id),
    message TEXT NOT NULL,                         -- blocks with the same one make up a message
    role TEXT NOT NULL,                            -- user or agent
    protocol INTEGER NOT NULL,                     -- the version that the content is written in
    content TEXT NOT NULL                          -- a content block as JSON
);
CREATE INDEX IF NOT EXISTS blocks_of_session ON blocks (session, number);
"""


class Store:
    """The sessions of one file.

    Args:
        path: the file, which is created if need be; ``:memory:`` keeps nothing.
        durable: False does not wait for the disk. Then a power failure may cost the latest changes;
            a killed process still costs nothing.

    Raises:
        sqlite3.Error: if the file cannot be used.
    """

    def __init__(self, path: str, *, durable: bool = True) -> None:
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        # Autocommit, so that transactions are begun where the code says so. The thread may change;
        # the lock sees to it that only one is in here at a time.
        self._database = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=30
        )
        self._database.row_factory = sqlite3.Row
        self._lock = threading.Lock()
        self._seen: int | None = None
        self._log_ahead()
        self._database.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
        with self._transaction() as database:
            for statement in _TABLES.split(";"):
                database.execute(statement)

    def _log_ahead(self) -> None:
        """Switch to the write-ahead log: readers in other processes go on while one writes."""
        deadline = time.monotonic() + 30
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                # This alone does not wait for another process that switches a new file as well.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. IMMEDIATE takes the write lock first, so that changes of a session are
        made one after the other, also between processes."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def create(self, session_id: str, cwd: str, settings: Mapping[str, str]) -> Session:
        """Add a session and return it."""
        with self._transaction() as database:
            database.execute(
                "INSERT INTO sessions (id, cwd, updated_at, settings) VALUES (?, ?, ?, ?)",
                (session_id, cwd, self.now(), json.dumps(settings)),
            )
            return self._find(database, session_id)

    def find(self, session_id: str) -> Session:
        """Return a session.

        Raises:
            UnknownSessionError: if there is none.
        """
        with self._lock:
            return self._find(self._database, session_id)

    def _find(self, database: sqlite3.Connection, session_id: str) -> Session:
        row = database.execute(
            "SELECT * FROM sessions WHERE id = ? AND NOT deleted", (session_id,)
        ).fetchone()
        if row is None:
            raise UnknownSessionError(session_id)
        return _session(row)

    def page(
        self, *, cwd: str | None, archived: bool, before: int | None, limit: int
    ) -> list[Session]:
        """Return the newest sessions, filtered first and counted afterwards.

        Args:
            cwd: only those of this folder; None for all.
            archived: whether archived ones are included.
            before: only those older than the session of this number.
            limit: how many at most.
        """
        # By number, which never changes: whatever happens between two pages, a session that stays
        # is neither missed nor seen twice.
        condition, values = self.condition(cwd, archived)
        query = (
            f"SELECT * FROM sessions WHERE {condition} AND (? IS NULL OR number < ?)"
            " ORDER BY number DESC LIMIT ?"
        )
        with self._lock:
            rows = self._database.execute(query, (*values, before, before, limit))
            return [_session(row) for row in rows]

    def condition(self, cwd: str | None, archived: bool) -> tuple[str, tuple[object, ...]]:
        """Return which sessions a list shows, as SQL, and the values in it."""
        return "NOT deleted AND (? OR NOT archived) AND (? IS NULL OR cwd = ?)", (
            archived,
            cwd,
            cwd,
        )

    def set_archived(self, session_id: str, archived: bool) -> bool:
        """Archive or restore a session; return whether that changed anything.

        Title, history and ``updated_at`` stay as they are.

        Raises:
            UnknownSessionError: if there is none.
        """
        with self._transaction() as database:
            if self._find(database, session_id).archived == archived:
                return False
            database.execute(
                "UPDATE sessions SET archived = ? WHERE id = ?", (archived, session_id)
            )
            return True

    def changed_elsewhere(self) -> bool:
        """Tell whether another process has changed anything since the last call."""
        with self._lock:
            (version,) = self._database.execute("PRAGMA data_version").fetchone()
            changed = bool(version != self._seen)
            self._seen = version
            return changed

    def archive_states(self, session_ids: Sequence[str]) -> dict[str, bool]:
        """Return which of these sessions are archived; those that are gone are left out."""
        states = {}
        for session_id in session_ids:
            with suppress(UnknownSessionError):
                states[session_id] = self.find(session_id).archived
        return states

    def set_setting(self, session_id: str, name: str, value: str) -> Session:
        """Change one setting and return the session.

        Raises:
            UnknownSessionError: if there is none.
        """
        with self._transaction() as database:
            settings = {**self._find(database, session_id).settings, name: value}
            database.execute(
                "UPDATE sessions SET settings = ? WHERE id = ?", (json.dumps(settings), session_id)
            )
            return self._find(database, session_id)

    def append(self, session_id: str, blocks: Sequence[Block], title: str | None = None) -> Session:
        """Add to the history and return the session. ``title`` counts if it has none yet.

        Raises:
            UnknownSessionError: if there is none.
        """
        with self._transaction() as database:
            self._find(database, session_id)
            database.executemany(
                "INSERT INTO blocks (session, message, role, protocol, content)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    (session_id, block.message, block.role, block.protocol, _text(block.content))
                    for block in blocks
                ],
            )
            database.execute(
                "UPDATE sessions SET updated_at = ?, title = coalesce(title, ?) WHERE id = ?",
                (self.now(), title, session_id),
            )
            return self._find(database, session_id)

    def end(self, session_id: str) -> int:
        """Return the number of the last block of a session; 0 if it has none."""
        with self._lock:
            row = self._database.execute(
                "SELECT coalesce(max(number), 0) FROM blocks WHERE session = ?", (session_id,)
            ).fetchone()
            return int(row[0])

    def history(self, session_id: str, after: int, end: int, limit: int) -> list[Block]:
        """Return at most ``limit`` blocks, those after number ``after`` and up to ``end``.

        Raises:
            UnknownSessionError: if there is no such session.
        """
        with self._lock:
            self._find(self._database, session_id)
            rows = self._database.execute(
                "SELECT * FROM blocks WHERE session = ? AND number > ? AND number <= ?"
                " ORDER BY number LIMIT ?",
                (session_id, after, end, limit),
            )
            return [
                Block(
                    row["message"],
                    row["role"],
                    row["protocol"],
                    json.loads(row["content"]),
                    row["number"],
                )
                for row in rows
            ]

    def delete(self, session_id: str) -> bool:
        """Delete a session for good; return whether there was one.

        The row stays as a tombstone: what another process still writes to the session finds no
        session, instead of bringing it back.
        """
        with self._transaction() as database:
            try:
                self._find(database, session_id)
            except UnknownSessionError:
                return False
            database.execute("DELETE FROM blocks WHERE session = ?", (session_id,))
            database.execute(
                "UPDATE sessions SET deleted = 1, title = NULL, cwd = '', settings = '{}'"
                " WHERE id = ?",
                (session_id,),
            )
            return True

    def now(self) -> str:
        """Return the present time as RFC 3339 in UTC, to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _text(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _session(row: sqlite3.Row) -> Session:
    return Session(
        row["number"],
        row["id"],
        row["cwd"],
        row["title"],
        row["updated_at"],
        bool(row["archived"]),
        json.loads(row["settings"]),
    )
