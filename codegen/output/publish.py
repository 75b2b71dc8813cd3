"""Writes trees to disk, each as a whole: old or new at any moment, never missing or mixed.

The new folder is staged beside the live one and then swapped with it; see ``swap`` for how, and
for what holds on systems that cannot exchange two folders in one step. The output folder itself
is thus another inode after a build that changed something: a shell standing in it must ``cd .``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import UsageError, Where
from .lock import locked
from .plan import Plan, Report, make_plan
from .scan import differs, scan
from .stage import build_stage
from .swap import NEW, OLD, make_box, recover, swap_in, swap_out
from .tree import Tree

__all__ = ["WAIT_SECONDS", "Report", "publish"]

WAIT_SECONDS = 60.0
"""How long a build waits for another one that writes into the same folder."""


def publish(trees: Sequence[Tree]) -> list[Report]:
    """Make each output folder hold its tree, and leave alone what the generator did not make.

    Foreign files keep inode, mode and times. Files that an earlier build made and this one does
    not are removed. If a folder has all it should, nothing in it is written. All folders are
    staged before the first is swapped; a kill between two swaps leaves one new and one old, each
    whole.

    Args:
        trees: what is wanted, one tree for each output folder.

    Returns:
        What was done, in the order of ``trees``.

    Raises:
        UsageError: if a folder is unsuitable, holds something foreign where ours must go, has a
            corrupt manifest, is being written by another build, changes meanwhile, or cannot be
            written. Nothing has changed then.
        InputError: if a manifest cannot be written.
    """
    if not trees:
        return []
    lives = _live_folders(trees)
    for tree, live in zip(trees, lives, strict=True):
        with _as_usage_error(tree):
            _check_root(tree, live)
    with contextlib.ExitStack() as undo:
        for tree, live in zip(trees, lives, strict=True):
            with _as_usage_error(tree):
                _make_parents(live, undo)
        with _as_usage_error(trees[0]), locked([live.parent for live in lives], WAIT_SECONDS):
            reports = _publish_locked(trees, lives)
        undo.pop_all()
    return reports


def _publish_locked(trees: Sequence[Tree], lives: Sequence[Path]) -> list[Report]:
    plans: list[Plan] = []
    for tree, live in zip(trees, lives, strict=True):
        with _as_usage_error(tree):
            recover(live)
            plans.append(make_plan(tree, live))
    todo = [
        (tree, plan) for tree, plan in zip(trees, plans, strict=True) if not plan.report.up_to_date
    ]
    try:
        _stage_and_swap(todo)
    finally:
        for tree, plan in todo:
            with _as_usage_error(tree):
                recover(plan.live)
    return [plan.report for plan in plans]


def _stage_and_swap(todo: Sequence[tuple[Tree, Plan]]) -> None:
    boxes: list[Path] = []
    for tree, plan in todo:
        with _as_usage_error(tree):
            _check_writable(plan.live)
            boxes.append(make_box(plan.live))
            build_stage(plan, boxes[-1] / NEW)
    with contextlib.ExitStack() as undo, _following_working_folder():
        for (tree, plan), box in zip(todo, boxes, strict=True):
            with _as_usage_error(tree):
                _check_unchanged(tree, plan, plan.live)
                swap_in(box, plan.live)
                undo.callback(_put_back, tree, box, plan.live)
                # Decisive: by now nobody can reach the old folder by its name.
                _check_unchanged(tree, plan, box / OLD)
        undo.pop_all()


def _put_back(tree: Tree, box: Path, live: Path) -> None:
    try:
        swap_out(box, live)
    except OSError as error:
        raise UsageError(
            f"the old folder could not be put back: {error.strerror or error}",
            where=Where(tree.root.as_posix()),
            remedy=f"run `{tree.command}` again",
        ) from error


def _check_unchanged(tree: Tree, plan: Plan, folder: Path) -> None:
    if plan.before is None:
        return
    if path := differs(plan.before, scan(folder)):
        raise UsageError(
            "this changed while the build was running",
            where=Where((tree.root / path).as_posix()),
            remedy=f"run `{tree.command}` again; nothing was changed",
        )


def _live_folders(trees: Sequence[Tree]) -> list[Path]:
    """Return the absolute path of each root, its parents resolved but not its last name."""
    lives: list[Path] = []
    for tree in trees:
        with _as_usage_error(tree):
            named = tree.root.name not in ("", "..")
            root = tree.root
            lives.append(root.parent.resolve() / root.name if named else root.resolve())
    for index, live in enumerate(lives):
        for other in lives[:index]:
            if live == other or live in other.parents or other in live.parents:
                raise UsageError(
                    f"the output folders {other} and {live} lie inside each other",
                    remedy="give each target an output folder of its own",
                )
    return lives


def _check_root(tree: Tree, live: Path) -> None:
    where = Where(tree.root.as_posix())
    if not live.name:
        raise UsageError("the root of a file system cannot be an output folder", where=where)
    if live.is_symlink():
        raise UsageError(
            "the output folder is a symbolic link",
            where=where,
            remedy="name the folder it points to; a build replaces the folder and would not "
            "follow the link",
        )
    if live.exists() and not live.is_dir():
        raise UsageError(
            "the output folder is not a folder",
            where=where,
            remedy="move it away or choose another output folder",
        )


def _check_writable(live: Path) -> None:
    """Take a read-only folder as a wish: swapping alone would not notice it."""
    if live.exists() and not os.access(live, os.W_OK):
        raise PermissionError(13, "Permission denied", str(live))


def _make_parents(live: Path, undo: contextlib.ExitStack) -> None:
    missing = [folder for folder in live.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        undo.callback(_remove_if_empty, folder)


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


@contextlib.contextmanager
def _following_working_folder() -> Iterator[None]:
    """Keep this process where it stands by name, not inside a folder that was swapped away."""
    try:
        here = Path.cwd()
    except OSError:
        here = None
    try:
        yield
    finally:
        for folder in [here, *here.parents] if here else []:
            with contextlib.suppress(OSError):
                os.chdir(folder)
                break


@contextlib.contextmanager
def _as_usage_error(tree: Tree) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        culprit = f" ({error.filename})" if isinstance(error.filename, str) else ""
        raise UsageError(
            f"the output folder cannot be written: {reason}{culprit}",
            where=Where(tree.root.as_posix()),
            remedy="check that it and the folder above it can be written, are no mount points and "
            "have room; nothing was changed",
        ) from error
