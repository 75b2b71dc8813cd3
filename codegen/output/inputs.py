"""Digests of inputs, so that a build with nothing to do is recognised before rendering."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import InputError, Where
from .tree import with_lf


def digest_inputs(parts: Mapping[str, bytes | str]) -> str:
    """Return one digest of all named parts.

    The order of ``parts`` and CRLF line ends do not matter; names, lengths and contents do.

    Args:
        parts: name (such as ``schemas/v1/schema.json``) to content.

    Returns:
        A sha256 in hex.
    """
    digest = hashlib.sha256()
    for name in sorted(parts):
        part = parts[name]
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        for data in (name.encode("utf-8", "surrogatepass"), with_lf(content)):
            # The length before each keeps ("ab", "c") and ("a", "bc") apart.
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
    return digest.hexdigest()


def source_parts(folder: Path, patterns: Iterable[str]) -> dict[str, bytes]:
    """Read files of ``folder`` as parts for ``digest_inputs``.

    Args:
        folder: where to look.
        patterns: glob patterns relative to it, such as ``**/*.jinja``.

    Returns:
        Path relative to ``folder`` (``/`` between segments) to content, sorted by path.

    Raises:
        InputError: if the folder is not there or a file cannot be read.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", where=Where(folder.as_posix()))
    found: dict[str, bytes] = {}
    for path in {match for pattern in patterns for match in folder.glob(pattern)}:
        if not path.is_file():
            continue
        try:
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"the file cannot be read: {error.strerror}", where=Where(path.as_posix())
            ) from error
    return dict(sorted(found.items()))
