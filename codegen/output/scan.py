"""What lies in a folder, without following a single symbolic link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["file", "folder", "link", "other"]

CACHE_FOLDER = "__pycache__"


@dataclass(frozen=True)
class Entry:
    """One thing in a folder.

    Args:
        path: relative to the folder, with ``/`` between segments.
        kind: what it is; a symbolic link is ``link`` whatever it points to.
        stamp: what changes when someone edits or replaces it: mode, size and time. Not the inode:
            an overlay file system gives a file another one when it is first linked.
    """

    path: str
    kind: Kind
    stamp: tuple[int, ...]


def scan(root: Path) -> dict[str, Entry]:
    """Return everything below ``root`` by relative path, sorted, folders before their content.

    Raises:
        OSError: if ``root`` or a folder below it cannot be read.
    """
    return {entry.path: entry for entry in sorted(_walk(root, ""), key=lambda entry: entry.path)}


def _walk(folder: Path, prefix: str) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        for item in found:
            path = prefix + item.name
            status = item.stat(follow_symlinks=False)
            kind = _kind(status.st_mode)
            if kind == "folder":
                # Its own times change with its content, which is listed anyway.
                yield Entry(path, kind, (status.st_mode,))
                yield from _walk(folder / item.name, f"{path}/")
            else:
                stamp = (status.st_mode, status.st_size, status.st_mtime_ns)
                yield Entry(path, kind, stamp)


def _kind(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "other"


def parents(path: str) -> list[str]:
    """Return the folders above the relative ``path``, outermost first, without the root."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def differs(before: dict[str, Entry], now: dict[str, Entry]) -> str:
    """Return the first path that is not the same in both scans, or ``""``.

    Compiled caches are left out: any import may write them at any time.
    """
    paths = sorted(before.keys() | now.keys())
    changed = (path for path in paths if before.get(path) != now.get(path))
    return next((path for path in changed if CACHE_FOLDER not in path.split("/")), "")
