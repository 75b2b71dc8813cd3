"""What publishing one tree would do to its folder. Reads the disk, writes nothing.

The generator owns a file of the folder if the manifest lists it and it still is what was made
(same text, or marked as generated). Everything else is foreign and stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError, Where
from .manifest import Manifest, read_manifest, wanted_files
from .scan import CACHE_FOLDER, Entry, parents, scan
from .tree import MANIFEST_NAME, Tree, is_marked, text_digest, with_lf


@dataclass(frozen=True)
class Report:
    """What one publish did to one output folder (the manifest counts as a file).

    Args:
        root: the folder, as the tree names it.
        added: files that were not there.
        changed: files whose text is new; line ends alone do not count.
        removed: files that an earlier build made and this one does not.
        unchanged: how many files have the text they had.
    """

    root: Path
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int

    @property
    def up_to_date(self) -> bool:
        """Whether there was nothing to do, so that nothing was written."""
        return not (self.added or self.changed or self.removed)


@dataclass(frozen=True)
class Plan:
    """All that is needed to stage and swap one folder.

    Args:
        live: the absolute path of the folder.
        wanted: every file of ours as bytes, with the manifest.
        before: what the folder held when the plan was made; None if it was not there.
        kept: files and links of the folder to carry over as they are: foreign ones, and ours
            that have the wanted bytes.
        folders: folders below it that stay, outermost first.
        report: what will have been done.
    """

    live: Path
    wanted: Mapping[str, bytes]
    before: dict[str, Entry] | None
    kept: tuple[str, ...]
    folders: tuple[str, ...]
    report: Report


def make_plan(tree: Tree, live: Path) -> Plan:
    """Compare ``tree`` to the folder ``live`` and plan the change.

    Args:
        tree: what is wanted.
        live: the absolute path of ``tree.root``.

    Raises:
        UsageError: if something foreign is where a file of ours must go, or the manifest there is
            corrupt.
        InputError: if the manifest of ``tree`` cannot be written.
        OSError: if the folder cannot be read.
    """
    wanted = wanted_files(tree)
    before = scan(live) if live.is_dir() else None
    entries = before or {}
    manifest = read_manifest(live, tree.command) if entries else None
    texts = {path: (live / path).read_bytes() for path in wanted if _is(entries, path, "file")}
    same = {path for path, text in texts.items() if text == wanted[path]}
    removed = stale_files(live, entries, manifest, wanted)
    made = {*wanted, *removed, *(manifest.files if manifest else ())}
    kept = same | _foreign_files(entries, {*wanted, *removed}, rewritten=made - same)
    folders = _kept_folders(entries, kept, made)
    _refuse_occupied(tree, entries, manifest, texts, {*folders, *kept})
    changed = [path for path, text in texts.items() if with_lf(text) != wanted[path]]
    added = [path for path in wanted if path not in texts]
    report = Report(
        tree.root, tuple(added), tuple(changed), tuple(removed), len(texts) - len(changed)
    )
    return Plan(live, wanted, before, tuple(sorted(kept)), folders, report)


def stale_files(
    root: Path,
    entries: Mapping[str, Entry],
    manifest: Manifest | None,
    wanted: Mapping[str, bytes],
) -> list[str]:
    """Return the files that the manifest lists, that are not wanted, and that still are ours.

    A listed file that someone replaced by a hand-written one is theirs.
    """
    listed = sorted(set(manifest.files) - set(wanted)) if manifest else []
    return [
        path
        for path in listed
        if manifest
        and _is(entries, path, "file")
        and _is_made(root / path, digest=manifest.files[path])
    ]


def _is_made(path: Path, *, digest: str) -> bool:
    data = path.read_bytes()
    return text_digest(data) == digest or is_marked(data)


def _is(entries: Mapping[str, Entry], path: str, kind: str) -> bool:
    return path in entries and entries[path].kind == kind


def _foreign_files(entries: Mapping[str, Entry], ours: set[str], rewritten: set[str]) -> set[str]:
    """Return what is not ours, folders aside, without the compiled caches of rewritten modules.

    Python trusts such a cache if the new source has the old size and was written within the same
    second; two builds can be that close.
    """
    return {
        path
        for path, entry in entries.items()
        if entry.kind != "folder" and path not in ours and _cache_source(path) not in rewritten
    }


def _cache_source(path: str) -> str:
    """Return the module that a file of ``__pycache__`` was compiled from, else ``""``."""
    folders, _, name = path.rpartition("/")
    above, _, folder = folders.rpartition("/")
    if folder != CACHE_FOLDER:
        return ""
    return f"{above}/{name.split('.')[0]}.py".lstrip("/")


def _kept_folders(entries: Mapping[str, Entry], kept: set[str], made: set[str]) -> tuple[str, ...]:
    """Return the folders that hold something kept, and the empty ones that never held ours."""
    filled = {folder for path in kept for folder in parents(path)}
    ours = {folder for path in made for folder in parents(path)}
    for path, entry in entries.items():
        if entry.kind == "folder" and path not in ours and path.split("/")[-1] != CACHE_FOLDER:
            filled |= {path, *parents(path)}
    return tuple(sorted(filled))


def _refuse_occupied(
    tree: Tree,
    entries: Mapping[str, Entry],
    manifest: Manifest | None,
    texts: Mapping[str, bytes],
    staying: set[str],
) -> None:
    wanted = wanted_files(tree)
    listed = {MANIFEST_NAME, *(manifest.files if manifest else ())}
    for path, text in wanted.items():
        for above in parents(path):
            if above in staying and entries[above].kind != "folder":
                raise _occupied(tree, above, entries[above])
        entry = entries.get(path)
        if entry is None or (path in listed and entry.kind == "file"):
            continue
        if entry.kind == "folder" and path not in staying:
            continue
        # The marker lets a build mend a folder whose manifest was lost.
        found = texts.get(path, b"")
        if entry.kind != "file" or (with_lf(found) != text and not is_marked(found)):
            raise _occupied(tree, path, entry)


def _occupied(tree: Tree, path: str, entry: Entry) -> UsageError:
    noun = {"file": "file", "folder": "folder", "link": "symbolic link"}.get(entry.kind, "thing")
    return UsageError(
        f"a {noun} that acp-codegen did not make is where a generated file must go",
        where=Where((tree.root / path).as_posix()),
        remedy=f"move or delete it, or choose another output folder, then run `{tree.command}`; "
        "nothing was changed",
    )
