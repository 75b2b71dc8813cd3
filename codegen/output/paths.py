"""Which relative paths may be written: the same set on Linux, macOS and Windows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from ..errors import InputError

_WINDOWS_FORBIDDEN = frozenset('<>:"|?*')
_WINDOWS_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{device}{number}" for device in ("com", "lpt") for number in "123456789¹²³"]
)
_REMEDY = "change the name it comes from in the schema, or map that name in the configuration"


def path_fault(path: str) -> str:
    """Return why ``path`` may not be written below an output folder, or ``""`` if it may.

    Args:
        path: a relative path with ``/`` between its segments.
    """
    if not path:
        return "it is empty"
    if "\\" in path:
        return "it has a backslash"
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in path):
        return "it has a control or invisible character"
    if path.startswith("/"):
        return "it is absolute"
    return next((fault for part in path.split("/") if (fault := _segment_fault(part))), "")


def _segment_fault(segment: str) -> str:
    if segment in ("", ".", ".."):
        return f"it has the segment {segment!r}"
    if segment != segment.strip() or segment.endswith("."):
        return f"{segment!r} begins or ends with a blank, or ends with a dot"
    if _WINDOWS_FORBIDDEN & set(segment):
        return f"{segment!r} has a character that Windows forbids"
    if segment.split(".")[0].rstrip().casefold() in _WINDOWS_RESERVED:
        return f"{segment!r} is a reserved name on Windows"
    if len(segment.encode("utf-8")) > 255:
        return f"{segment[:20]!r}... is longer than 255 bytes"
    return ""


def check_paths(paths: Iterable[str]) -> None:
    """Check that ``paths`` are safe and can exist together on every file system.

    Args:
        paths: relative paths with ``/`` between their segments.

    Raises:
        InputError: for an unsafe path, two paths that differ in case or Unicode form alone, or
            one that is both a file and a folder.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in sorted(paths):
        if fault := path_fault(path):
            raise InputError(f"the output path {path!r} cannot be used: {fault}", remedy=_REMEDY)
        parts = path.split("/")
        for end in range(1, len(parts)):
            _claim(folders, "/".join(parts[:end]))
        _claim(files, path)
    for key in sorted(files.keys() & folders.keys()):
        raise InputError(
            f"the output path {files[key]!r} is needed both as a file and as a folder",
            remedy=_REMEDY,
        )


def _claim(taken: dict[str, str], path: str) -> None:
    """Enter ``path`` in ``taken`` by the form that case-folding file systems compare."""
    other = taken.setdefault(_folded(path), path)
    if other != path:
        raise InputError(
            f"the output paths {other!r} and {path!r} are the same file where the file system "
            "ignores case",
            remedy=_REMEDY,
        )


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
