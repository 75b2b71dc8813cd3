"""The manifest: which files of an output folder the generator made, and from what.

The manifest lies inside the folder and is committed with it. ``files`` maps each path to the
sha256 of its text, ``inputs`` is the digest of all inputs, and ``seal`` is the digest of the
manifest itself (with an empty seal), so that an edit of it is seen without rendering anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError, Where
from .paths import path_fault
from .tree import MANIFEST_NAME, Tree, text_digest

_GENERATOR = "acp-codegen"
_RESERVED = ("generator", "version", "command", "inputs", "files", "seal")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Manifest:
    """What a manifest on disk says.

    Args:
        inputs: hex digest of the inputs of the build that wrote it.
        files: relative path to sha256 (hex) of the text, without the manifest itself.
        sealed: whether the manifest is as the generator wrote it.
        tool: version of the generator that wrote it; empty if it does not say.
    """

    inputs: str
    files: Mapping[str, str]
    sealed: bool
    tool: str = ""


def manifest_text(tree: Tree) -> str:
    """Return the text of the manifest of ``tree``: the same for the same tree, byte for byte.

    Raises:
        InputError: if ``tree.facts`` uses a name that the manifest has for itself, or holds what
            JSON cannot.
    """
    if taken := sorted(set(_RESERVED) & set(tree.facts)):
        raise InputError(f"the manifest facts use the reserved name {taken[0]!r}")
    content = {
        "generator": _GENERATOR,
        "version": tree.tool,
        "command": tree.command,
        **tree.facts,
        "inputs": tree.inputs,
        "files": {path: text_digest(tree.files[path].encode()) for path in sorted(tree.files)},
    }
    try:
        return _dump({**content, "seal": _seal(content)})
    except (TypeError, ValueError) as error:
        raise InputError(f"the manifest facts cannot be written as JSON: {error}") from error


def wanted_files(tree: Tree) -> dict[str, bytes]:
    """Return every file of ``tree`` with its manifest, sorted by path, as the bytes to write."""
    texts = {**tree.files, MANIFEST_NAME: manifest_text(tree)}
    return {path: texts[path].encode("utf-8") for path in sorted(texts)}


def read_manifest(root: Path, command: str = "the build") -> Manifest | None:
    """Read the manifest of the output folder ``root``.

    Args:
        root: the output folder.
        command: the command that builds it, named in the remedy.

    Returns:
        The manifest, or None if there is none.

    Raises:
        UsageError: if there is one that cannot be read or understood. What the generator made is
            then not known, so nothing may be taken for its own.
    """
    path = root / MANIFEST_NAME
    if not path.is_symlink() and not path.exists():
        return None
    try:
        if path.is_symlink() or not path.is_file():
            raise ValueError("it is not a regular file")
        return _parse(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or "unreadable"
        raise UsageError(
            f"the manifest cannot be used: {reason}",
            where=Where(path.as_posix()),
            remedy=f"restore it from version control, or delete it, then run `{command}`",
        ) from error


def _parse(data: bytes) -> Manifest:
    content = json.loads(data.decode("utf-8"))
    if not isinstance(content, dict) or content.get("generator") != _GENERATOR:
        raise ValueError(f'it does not say "generator": "{_GENERATOR}"')
    inputs, files, seal = content.get("inputs"), content.get("files"), content.get("seal")
    if not isinstance(inputs, str) or not isinstance(files, dict):
        raise ValueError('"inputs" or "files" is missing')
    for path, digest in files.items():
        # A hostile or mistaken path must not make a later step look outside the folder.
        if path == MANIFEST_NAME or path_fault(path):
            raise ValueError(f"it lists the unsafe path {path!r}")
        if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
            raise ValueError(f"the digest of {path!r} is not a sha256")
    content.pop("seal", None)
    sealed = seal == _seal(content) and _is_canonical({**content, "seal": seal}, data)
    tool = content.get("version")
    return Manifest(inputs, files, sealed, tool if isinstance(tool, str) else "")


def _is_canonical(content: Mapping[str, Any], data: bytes) -> bool:
    return text_digest(_dump(content).encode("utf-8", "replace")) == text_digest(data)


def _seal(content: Mapping[str, Any]) -> str:
    return text_digest(_dump({**content, "seal": ""}).encode("utf-8", "replace"))


def _dump(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
