"""Keeps two builds from working on the same output folder at once."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import UsageError, Where

if sys.platform != "win32":
    import fcntl

_UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL)
_PAUSE_SECONDS = 0.02


@contextlib.contextmanager
def locked(folders: Iterable[Path], wait_seconds: float) -> Iterator[None]:
    """Hold an exclusive lock on each of ``folders``; leaves no file behind, even when killed.

    Where folders cannot be locked (Windows, some network file systems) nothing is excluded; two
    builds at once may then fail, but each swap is still whole.

    Args:
        folders: existing folders. Lock the parent of an output folder, not the folder itself,
            which is about to be replaced.
        wait_seconds: how long to wait for another build.

    Raises:
        UsageError: if another build still holds a lock after that time.
        OSError: if a folder cannot be opened.
    """
    deadline = time.monotonic() + wait_seconds
    with contextlib.ExitStack() as stack:
        # Sorted and once each: two builds must not wait for each other, nor one for itself.
        for folder in sorted(set(folders)):
            _lock(folder, deadline, stack)
        yield


def _lock(folder: Path, deadline: float, stack: contextlib.ExitStack) -> None:
    handle = _open(folder)
    if handle is None:
        return
    stack.callback(os.close, handle)
    while not _try_lock(handle):
        if time.monotonic() >= deadline:
            raise UsageError(
                "another build is writing into this folder",
                where=Where(folder.as_posix()),
                remedy="wait until it has finished and run yours again",
            )
        time.sleep(_PAUSE_SECONDS)


if sys.platform == "win32":

    def _open(folder: Path) -> int | None:
        return None  # Windows opens no folders

    def _try_lock(handle: int) -> bool:
        return True

else:

    def _open(folder: Path) -> int | None:
        return os.open(folder, os.O_RDONLY)

    def _try_lock(handle: int) -> bool:
        """Return False while somebody else holds the lock; True too where there are no locks."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return False
            if error.errno not in _UNSUPPORTED:
                raise
        return True
