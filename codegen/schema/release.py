"""Finds the schema of a version in what a publisher released: a file, a folder, an npm package."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, UsageError, Where
from .importing import SCHEMA_FILE
from .load import load_document

PACKAGE_FILE = "package.json"
UNKNOWN = "unknown"

#: Where a package unpacked with its own folder has everything.
_UNPACKED = "package"
_DEPTH = 4  # folders below the given one; a release is flat
_FOREIGN = ("node_modules",)
_VERSION_FOLDER = re.compile(r"v[0-9]+")


@dataclass(frozen=True)
class Release:
    """A schema file, and who released it as what."""

    file: Path
    publisher: str
    release: str


def find_release(
    path: Path, version: str, *, publisher: str | None, release: str | None
) -> Release:
    """Return the schema of ``version`` in ``path``.

    Args:
        path: a schema file; or a folder with ``<version>/schema.json`` or one ``schema.json``, in
            it or in a folder below; if there is a ``package.json``, it names publisher and release.
        version: the protocol version.
        publisher: who released it, instead of the package's name.
        release: what it is called, instead of the package's version.

    Raises:
        InputError: if there is no such schema in the folder, or more than one, or its
            ``package.json`` cannot be used.
    """
    if not path.is_dir():
        return Release(path, publisher or UNKNOWN, release or UNKNOWN)
    root = path
    if not (path / PACKAGE_FILE).is_file() and (path / _UNPACKED / PACKAGE_FILE).is_file():
        root = path / _UNPACKED
    if publisher is None or release is None:
        name, number = _package(root / PACKAGE_FILE)
        publisher, release = publisher or name, release or number
    return Release(_schema(root, version), publisher, release)


def _package(path: Path) -> tuple[str, str]:
    if not path.is_file():
        return UNKNOWN, UNKNOWN
    document = load_document(path)
    found = []
    for key, option in (("name", "--publisher"), ("version", "--release")):
        value = document.data.get(key)
        if not isinstance(value, str) or not value or not value.isprintable():
            raise InputError(
                f"{key} is no text of one line" if key in document.data else f"there is no {key}",
                where=Where(document.file, f"/{key}" if key in document.data else ""),
                remedy=f"give --publisher and --release; {option} stands for it",
            )
        found.append(value)
    return found[0], found[1]


def _schema(root: Path, version: str) -> Path:
    try:
        found = sorted(_schemas(root, 0))
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=Where(str(root)), remedy="check the path"
        ) from error
    fit = [path for path in found if path.parent.name == version and path.parent != root]
    if not fit:
        # A folder that is itself the version's, or a release of one version that does not say so.
        fit = [path for path in found if not _says_version(path.relative_to(root))]
        if root.resolve().name != version and _VERSION_FOLDER.fullmatch(root.resolve().name):
            fit = []
    if len(fit) == 1:
        return fit[0]
    listed = ", ".join(path.relative_to(root).as_posix() for path in (fit or found)[:10])
    what = (
        f"there is more than one {SCHEMA_FILE} that could be of {version}: {listed}"
        if fit
        else f"there is no {SCHEMA_FILE} of {version}" + (f", only {listed}" if listed else "")
    )
    raise InputError(what, where=Where(str(root)), remedy="give the schema file itself")


def _says_version(path: Path) -> bool:
    return any(_VERSION_FOLDER.fullmatch(part) for part in path.parts[:-1])


def _schemas(folder: Path, depth: int) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda item: item.name):
            if entry.name == SCHEMA_FILE and entry.is_file():
                yield folder / entry.name
            elif (
                depth < _DEPTH
                and entry.is_dir(follow_symlinks=False)
                and entry.name not in _FOREIGN
                and not entry.name.startswith(".")
            ):
                yield from _schemas(folder / entry.name, depth + 1)
