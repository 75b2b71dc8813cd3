"""Puts a staged folder in the place of the live one, and recovers from a kill in between.

A *box* is a folder beside the live one that holds the stage as ``new`` and, after the swap, the
former folder as ``old``.

Where the system can exchange two folders in one step (Linux ``renameat2``, macOS ``renamex_np``)
the live path names the old folder or the new one at every moment. Where it cannot (Windows, some
network and overlay file systems) the old folder is moved into the box and the new one out of it;
a kill between the two leaves no live folder, and the next build puts the old one back first. A
folder that cannot even be renamed (a lower layer of an overlay) is hard-linked into the box and
then removed, with the same recovery.

The states of a box, and what recovery does:

- ``new`` alone: not swapped in yet, or exchanged a moment ago. Remove the box.
- ``new`` and ``old``: killed between the two renames. Put ``old`` back, remove the box.
- ``old`` alone: swapped in. Remove the box.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError, Where
from .scan import scan
from .stage import link_or_copy, remove_folder, sync_folder

NEW = "new"
OLD = "old"

_PARTIAL = "old.partial"
_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE on Linux and RENAME_SWAP on macOS
_SYSCALLS = {"x86_64": 316, "aarch64": 276, "riscv64": 276, "loongarch64": 276, "s390x": 347}
_UNAVAILABLE = frozenset(
    # EPERM: what old container sandboxes answer to calls they do not know.
    [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV, errno.EPERM]
)


def make_box(live: Path) -> Path:
    """Create an empty box beside ``live`` and return its path."""
    return Path(tempfile.mkdtemp(prefix=_prefix(live), dir=live.parent))


def swap_in(box: Path, live: Path) -> None:
    """Make ``new`` of the box the live folder, and what was live ``old``.

    Raises:
        OSError: if that cannot be done; ``recover`` then restores what was there.
    """
    new, old = box / NEW, box / OLD
    if not live.exists():
        new.rename(live)
    elif exchange(new, live):
        new.rename(old)
    else:
        _retire(live, box)
        new.rename(live)
    sync_folder(live.parent)


def swap_out(box: Path, live: Path) -> None:
    """Undo ``swap_in``.

    Raises:
        OSError: if that cannot be done.
    """
    new, old = box / NEW, box / OLD
    if not old.exists():
        live.rename(new)
    elif exchange(old, live):
        old.rename(new)
    else:
        live.rename(new)
        old.rename(live)
    sync_folder(live.parent)


def recover(live: Path) -> None:
    """Remove the boxes of ``live``; first restore its folder if a swap was interrupted.

    Only call this while no other build works on the same folder.

    Raises:
        UsageError: if a half-removed folder has files that the old one has not.
        OSError: if the old folder cannot be put back.
    """
    for box in sorted(_boxes(live)):
        old = box / OLD
        if old.exists() and (box / NEW).exists():
            if live.exists():
                _remove_remnant(live, old)
            old.rename(live)
            sync_folder(live.parent)
        remove_folder(box)


def exchange(first: Path, second: Path) -> bool:
    """Let two existing folders trade places in one step.

    Returns:
        False if this system or file system cannot do that; nothing has changed then.

    Raises:
        OSError: if it can but this pair cannot be exchanged.
    """
    code = _exchange_call(os.fsencode(first), os.fsencode(second))
    if code in _UNAVAILABLE:
        return False
    if code:
        raise OSError(code, os.strerror(code), str(second))
    return True


def _exchange_call(first: bytes, second: bytes) -> int:
    """Return 0 or the errno of the system's exchange call."""
    if sys.platform == "win32":
        return errno.ENOSYS
    libc = ctypes.CDLL(None, use_errno=True)
    flags = ctypes.c_uint(_EXCHANGE)
    if hasattr(libc, "renameat2"):
        failed = libc.renameat2(_AT_FDCWD, first, _AT_FDCWD, second, flags)
    elif hasattr(libc, "renamex_np"):
        failed = libc.renamex_np(first, second, flags)
    elif sys.platform == "linux" and platform.machine() in _SYSCALLS:
        number = ctypes.c_long(_SYSCALLS[platform.machine()])
        failed = libc.syscall(number, _AT_FDCWD, first, _AT_FDCWD, second, flags)
    else:
        return errno.ENOSYS
    return ctypes.get_errno() if failed else 0


def _prefix(live: Path) -> str:
    return f".{live.name}.acp-codegen-stage-"


def _boxes(live: Path) -> Iterator[Path]:
    if not live.parent.is_dir():
        return
    for path in live.parent.iterdir():
        if path.name.startswith(_prefix(live)) and path.is_dir() and not path.is_symlink():
            yield path


def _retire(live: Path, box: Path) -> None:
    """Move ``live`` into the box as ``old``."""
    try:
        live.rename(box / OLD)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _link_tree(live, box / _PARTIAL)
        # From this rename on, recovery has a complete old folder to put back.
        (box / _PARTIAL).rename(box / OLD)
        shutil.rmtree(live)


def _link_tree(source: Path, target: Path) -> None:
    target.mkdir()
    entries = scan(source)
    for path, entry in entries.items():
        if entry.kind == "folder":
            (target / path).mkdir()
        else:
            link_or_copy(source / path, target / path)
    for path in [*(path for path in reversed(entries) if entries[path].kind == "folder"), ""]:
        shutil.copystat(source / path, target / path)


def _remove_remnant(live: Path, old: Path) -> None:
    if surplus := sorted(scan(live).keys() - scan(old).keys()):
        raise UsageError(
            f"an interrupted build half removed this folder, and {surplus[0]!r} was added since",
            where=Where(live.as_posix()),
            remedy=f"move what you need out of it and delete it; the next build restores {old}",
        )
    shutil.rmtree(live)
