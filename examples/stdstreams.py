"""This process's stdin and stdout as asyncio streams, whatever they are connected to."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import threading
from typing import BinaryIO


async def own_streams() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a reader of stdin and a writer of stdout. To be called once.

    From then on file descriptor 1 is stderr, so that a forgotten print, in a library for example,
    cannot get between the messages.
    """
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    target = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader),
        source if _is_stream(source) else _copied_from(source),
    )
    transport, protocol = await loop.connect_write_pipe(
        # Its reader stays empty; what a writer needs of a protocol is the rest.
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()),
        target if _is_stream(target) else _copied_to(target),
    )
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)


def _is_stream(file: BinaryIO) -> bool:
    """True for what asyncio can wait for: pipes, sockets and terminals, but no files."""
    mode = os.fstat(file.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or file.isatty()


def _copied_from(file: BinaryIO) -> BinaryIO:
    """Return a pipe that a thread fills from ``file``."""
    ours, theirs = os.pipe()
    threading.Thread(target=_copy, args=(file, os.fdopen(theirs, "wb", 0)), daemon=True).start()
    return os.fdopen(ours, "rb", 0)


def _copied_to(file: BinaryIO) -> BinaryIO:
    """Return a pipe that a thread empties into ``file``; the process ends only after that."""
    theirs, ours = os.pipe()
    threading.Thread(target=_copy, args=(os.fdopen(theirs, "rb", 0), file)).start()
    return os.fdopen(ours, "wb", 0)


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    with source, target:
        shutil.copyfileobj(source, target)
