"""Builds the complete new folder beside the live one, ready to be swapped in."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from .plan import Plan
from .scan import parents


def build_stage(plan: Plan, stage: Path) -> None:
    """Create ``stage`` with the planned content and force it to disk.

    Kept files are hard links to the live ones, so that not one byte of them is written and they
    keep inode and times. Links stay links.

    Args:
        plan: what the folder will hold.
        stage: a path on the same file system that does not exist yet.

    Raises:
        OSError: if something cannot be read or written. The caller removes the stage.
    """
    stage.mkdir(mode=0o755)
    folders = sorted({*plan.folders, *(above for path in plan.wanted for above in parents(path))})
    for folder in folders:
        (stage / folder).mkdir(mode=0o755)
    for path in plan.kept:
        link_or_copy(plan.live / path, stage / path)
    for path in sorted(plan.wanted.keys() - set(plan.kept)):
        _write(stage / path, plan.wanted[path])
    # Innermost first: a folder's mode may forbid what is still to be done inside it.
    for folder in [*reversed(folders), ""]:
        sync_folder(stage / folder)
        _copy_folder_status(plan, stage, folder)


def link_or_copy(source: Path, target: Path) -> None:
    """Make ``target`` the same thing as ``source``: a hard link, or a copy where that cannot be.

    Raises:
        OSError: if neither works, or ``target`` exists.
    """
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        if source.is_symlink():
            target.symlink_to(source.readlink())
        else:
            shutil.copy2(source, target, follow_symlinks=False)


def _write(path: Path, data: bytes) -> None:
    with open(path, "xb", opener=_open_0644) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _open_0644(path: str, flags: int) -> int:
    return os.open(path, flags, 0o644)


def _copy_folder_status(plan: Plan, stage: Path, folder: str) -> None:
    """Give a folder that was there before its owner and mode, and if it is foreign its times."""
    source, target = plan.live / folder, stage / folder
    if plan.before is None or (folder and folder not in plan.before) or not source.is_dir():
        return
    before, now = source.stat(), target.stat()
    if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid):
        with suppress(OSError):  # only root may give a folder away
            os.chown(target, before.st_uid, before.st_gid)
    holds_ours = any(path.startswith(f"{folder}/") for path in plan.wanted)
    if folder and not holds_ours:
        shutil.copystat(source, target)
    else:
        shutil.copymode(source, target)


def sync_folder(folder: Path) -> None:
    """Force the entries of ``folder`` to disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove_folder(folder: Path) -> None:
    """Delete ``folder`` as far as that is possible; what is left is for the next build.

    Files are never made writable first: they may be hard links to live ones.
    """
    for above, names, _ in os.walk(folder):
        for path in (Path(above, name) for name in names):
            if not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
