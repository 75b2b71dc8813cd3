"""The result of comparing an output folder to what a build would make, and its rendering."""

from __future__ import annotations

import difflib
import unicodedata
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .tree import with_lf

_DIFF_LINES = 14
_DIFF_WIDTH = 140
_WINDOW = 200


@dataclass(frozen=True)
class Change:
    """A file that is not what the build makes.

    Args:
        path: relative to the output folder.
        diff: a short unified diff (``-`` on disk, ``+`` as built), or a sentence.
    """

    path: str
    diff: str


@dataclass(frozen=True)
class Drift:
    """How an output folder differs from what the build makes.

    Args:
        root: the output folder.
        command: the command that mends it.
        modified: files with another text.
        missing: files that are not there.
        stale: files that an earlier build made and this one does not.
        stray: files marked as generated that no manifest lists; a build leaves them alone.
        line_endings: files that differ in line ends only; that is not drift.
        obstacle: why the command cannot mend this before something else is done, or ``""``.
        tools: the version of the generator that made the folder and that of this one, if they
            differ.
    """

    root: Path
    command: str
    modified: tuple[Change, ...] = ()
    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()
    line_endings: tuple[str, ...] = ()
    obstacle: str = ""
    tools: tuple[str, str] | None = None

    def __bool__(self) -> bool:
        """Whether there is any drift."""
        return bool(self.modified or self.missing or self.stale or self.stray)


def describe(drift: Drift) -> str:
    """Return ``drift`` for people: names, short diffs and the command that mends it.

    Args:
        drift: what ``compare`` found.

    Returns:
        Lines ending in a newline; without drift one line saying so.
    """
    root = drift.root.as_posix()
    if not drift:
        note = f" ({len(drift.line_endings)} differ in line ends only)"
        return f"{root}: up to date{note if drift.line_endings else ''}\n"
    lines: list[str] = []
    if drift.tools is not None:
        made, here = map(_printable, drift.tools)
        lines.append(f"{root} was made by acp-codegen {made}, and this is {here}")
    for change in drift.modified:
        lines.append(f"modified: {root}/{change.path}")
        lines += [f"    {line}" for line in change.diff.splitlines()]
    lines += [f"missing: {root}/{path}" for path in drift.missing]
    lines += [f"stale: {root}/{path} (no longer generated)" for path in drift.stale]
    lines += [
        f"stray: {root}/{path} (marked as generated, but not by this)" for path in drift.stray
    ]
    return "\n".join([*lines, *_remedies(drift)]) + "\n"


def _remedies(drift: Drift) -> list[str]:
    lines = [drift.obstacle] if drift.obstacle else []
    if drift.modified or drift.missing or drift.stale:
        lines.append(f"To mend it, run: {drift.command}")
    if drift.stray:
        lines.append("Delete the stray files by hand; a build never deletes what it did not list.")
    return lines


def short_diff(path: str, found: bytes, wanted: bytes) -> str:
    """Return a unified diff of two texts, cut to a few lines that are safe to print.

    Args:
        path: the name in the diff's head.
        found: what is on disk; any bytes.
        wanted: what the build makes.
    """
    before, after = _lines(found), _lines(wanted)
    first = _first_difference(before, after)
    # Only the region of the first difference is compared: whole files can take minutes.
    end = first + _WINDOW
    lines = difflib.unified_diff(
        before[:end], after[:end], f"{path} (on disk)", f"{path} (as built)", n=1, lineterm=""
    )
    shown = list(islice(lines, _DIFF_LINES + 1))
    cut = len(shown) > _DIFF_LINES or len(before) > end or len(after) > end
    shown = [_printable(line) for line in shown[:_DIFF_LINES]]
    return "\n".join([*shown, "..."] if cut else shown)


def _lines(data: bytes) -> list[str]:
    lines = with_lf(data).decode("utf-8", "backslashreplace").split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], f"{lines[-1]} (no newline at the end)"]


def _first_difference(before: list[str], after: list[str]) -> int:
    pairs = zip(before, after, strict=False)
    different = (index for index, (one, other) in enumerate(pairs) if one != other)
    return next(different, min(len(before), len(after)))


def _printable(line: str) -> str:
    shown = "".join(
        char if char == "\t" or unicodedata.category(char)[0] != "C" else ascii(char)[1:-1]
        for char in line[:_DIFF_WIDTH]
    )
    return shown if len(line) <= _DIFF_WIDTH else f"{shown}..."
