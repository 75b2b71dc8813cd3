"""Tells whether an output folder is what a build would make. Writes nothing, anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import UsageError, Where
from .drift import Change, Drift, describe, short_diff
from .manifest import Manifest, read_manifest, wanted_files
from .plan import stale_files
from .scan import CACHE_FOLDER, Entry, parents, scan
from .tree import MANIFEST_NAME, Tree, is_marked, read_head, text_digest, with_lf

__all__ = ["Change", "Drift", "compare", "describe", "is_current"]

_NOUNS = {"folder": "a folder", "link": "a symbolic link", "other": "a special file"}
_SKIPPED_FOLDERS = frozenset([CACHE_FOLDER, ".git", "node_modules"])


def compare(tree: Tree) -> Drift:
    """Compare the folder ``tree.root`` to ``tree``.

    Line ends (LF or CRLF) and foreign files are no drift. A corrupt manifest is: it is among the
    modified files, and ``obstacle`` says what to do first.

    Args:
        tree: what a build would make.

    Returns:
        The drift, false if there is none.

    Raises:
        UsageError: if the folder or a file in it cannot be read.
    """
    wanted = wanted_files(tree)
    with_fault = Where(tree.root.as_posix())
    try:
        entries = _scan(tree.root)
        manifest, obstacle = _manifest(tree) if entries else (None, "")
        found = {
            path: (tree.root / path).read_bytes()
            for path in wanted
            if path in entries and entries[path].kind == "file"
        }
        stale = stale_files(tree.root, entries, manifest, wanted)
        stray = _stray_files(tree.root, entries, {*wanted, *stale})
    except OSError as error:
        raise UsageError(
            f"the output folder cannot be read: {error.strerror or error}", where=with_fault
        ) from error
    blocked = {path: noun for path in wanted if (noun := _obstacle(entries, path))}
    modified = {path: f"there is {noun} where it must be" for path, noun in blocked.items()}
    for path, data in found.items():
        if with_lf(data) != wanted[path]:
            modified[path] = short_diff(path, data, wanted[path])
    return Drift(
        root=tree.root,
        command=tree.command,
        modified=tuple(Change(path, modified[path]) for path in sorted(modified)),
        missing=tuple(path for path in wanted if path not in found and path not in blocked),
        stale=tuple(stale),
        stray=tuple(stray),
        line_endings=tuple(
            path for path, data in found.items() if data != wanted[path] and path not in modified
        ),
        obstacle=obstacle,
        tools=(manifest.tool, tree.tool)
        if manifest is not None and manifest.tool not in ("", tree.tool)
        else None,
    )


def is_current(root: Path, inputs: str) -> bool:
    """Tell, without rendering anything, whether ``root`` holds an untouched build of ``inputs``.

    Args:
        root: the output folder.
        inputs: digest of what a build would use now.

    Returns:
        True if the manifest is sealed and names ``inputs``, each listed file has its text, and no
        other file is marked as generated. False otherwise, whatever the reason; ``compare`` finds
        it.
    """
    try:
        manifest = read_manifest(root)
        if manifest is None or not manifest.sealed or manifest.inputs != inputs:
            return False
        entries = _scan(root)
        for path, digest in manifest.files.items():
            if _obstacle(entries, path) or path not in entries:
                return False
            if text_digest((root / path).read_bytes()) != digest:
                return False
        return not _stray_files(root, entries, {MANIFEST_NAME, *manifest.files})
    except (OSError, UsageError):
        return False


def _scan(root: Path) -> dict[str, Entry]:
    return scan(root) if root.is_dir() else {}


def _manifest(tree: Tree) -> tuple[Manifest | None, str]:
    try:
        return read_manifest(tree.root, tree.command), ""
    except UsageError as error:
        return None, str(error)


def _obstacle(entries: Mapping[str, Entry], path: str) -> str:
    """Return what keeps ``path`` from being a regular file below plain folders, or ``""``."""
    for above in parents(path):
        if above in entries and entries[above].kind != "folder":
            return f"{_NOUNS.get(entries[above].kind, 'a file')} ({above})"
    if path in entries and entries[path].kind != "file":
        return _NOUNS[entries[path].kind]
    return ""


def _stray_files(root: Path, entries: Mapping[str, Entry], known: Iterable[str]) -> list[str]:
    """Return the marked files that are not known, leaving out nested output folders."""
    taken = set(known)
    nested = {
        path.removesuffix(f"/{MANIFEST_NAME}")
        for path in entries
        if path.endswith(f"/{MANIFEST_NAME}")
    }
    stray = []
    for path, entry in entries.items():
        above = parents(path)
        skipped = any(folder in nested or _last(folder) in _SKIPPED_FOLDERS for folder in above)
        if entry.kind == "file" and path not in taken and not skipped and _marked(root / path):
            stray.append(path)
    return stray


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _marked(path: Path) -> bool:
    try:
        return is_marked(read_head(path))
    except OSError:
        return False  # a foreign file that we may not read is none of ours
