"""Takes a schema release into ``schemas/``: layout normalised, provenance written down."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError, Where
from .dialect import EXTENSIONS, KEYWORDS
from .load import check_schema, load_document, parse_document, read_bytes
from .walk import rebuild

SCHEMA_FILE = "schema.json"
SOURCES_FILE = "sources.json"

_RANK = {keyword: rank for rank, keyword in enumerate(KEYWORDS + EXTENSIONS)}
_DIGEST = re.compile(r"[0-9A-Fa-f]{64}")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def import_schema(
    path: Path,
    version: str,
    schemas_dir: Path,
    *,
    keep_descriptions: bool,
    publisher: str,
    release: str,
    harmless: Collection[str] = (),
    sha256: str | None = None,
) -> list[str]:
    """Import a schema file as ``<schemas_dir>/<version>/schema.json``.

    ``<schemas_dir>/sources.json`` records publisher, release, the sha256 of the file as it was read
    and whether descriptions were kept. Nothing is written unless all input is good; files that are
    right already are left alone.

    Args:
        path: the schema as its publisher released it.
        version: the protocol version, such as ``v1``.
        schemas_dir: the folder to import into; made if it is not there.
        keep_descriptions: whether to keep the ``description`` keywords.
        publisher: who released the schema.
        release: the name of the release.
        harmless: unknown ``x-`` keywords to accept.
        sha256: the digest that the file must have, in hexadecimal; None for any.

    Returns:
        The files that changed, relative to ``schemas_dir``, with ``/`` between the parts.

    Raises:
        InputError: if the schema or the present ``sources.json`` cannot be used, or the schema has
            another digest.
        UsageError: if the version is no plain name, the digest no digest, or the folder cannot be
            written.
    """
    if not _VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is not a version name", remedy="use a name such as v1")
    if sha256 is not None and not _DIGEST.fullmatch(sha256):
        raise UsageError(f"{sha256!r} is no sha256", remedy="give 64 hexadecimal digits")
    raw = read_bytes(path, file=str(path))
    digest = hashlib.sha256(raw).hexdigest()
    if sha256 is not None and digest != sha256.lower():
        raise InputError(
            f"the file has the sha256 {digest}, not {sha256.lower()}",
            where=Where(str(path)),
            remedy="get the file again from its publisher, or correct --sha256",
        )
    document = parse_document(raw, str(path))
    check_schema(document, harmless=harmless)
    sources = _read_sources(schemas_dir / SOURCES_FILE)
    sources[version] = {
        "descriptions": keep_descriptions,
        "publisher": publisher,
        "release": release,
        "sha256": digest,
    }
    schema = normalise(document.data, keep_descriptions=keep_descriptions)
    return _write(
        schemas_dir,
        {
            f"{version}/{SCHEMA_FILE}": dump(schema),
            SOURCES_FILE: dump(dict(sorted(sources.items()))),
        },
    )


def normalise(schema: dict[str, Any], *, keep_descriptions: bool) -> dict[str, Any]:
    """Return ``schema`` with the keywords of each subschema in one order.

    Names under ``properties`` and ``$defs`` keep their order, and so does data. Without
    ``keep_descriptions``, every ``description`` keyword goes.
    """

    def change(node: dict[str, Any]) -> dict[str, Any]:
        kept = (k for k in node if keep_descriptions or k != "description")
        ordered = sorted(kept, key=lambda keyword: (_RANK.get(keyword, len(_RANK)), keyword))
        return {keyword: node[keyword] for keyword in ordered}

    result: dict[str, Any] = rebuild(schema, change)
    return result


def dump(data: Any) -> str:
    """Return ``data`` as the text of a JSON file in the project's layout."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _read_sources(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    document = load_document(path)
    for version, entry in document.data.items():
        if not isinstance(entry, dict):
            raise InputError(
                f"the entry for {version!r} is not an object",
                where=Where(document.file),
                remedy="correct it, or delete the file and import every version again",
            )
    return document.data


def _write(folder: Path, files: dict[str, str]) -> list[str]:
    """Write the ``files`` that differ: all of them beside their places first, then each moved."""
    staged: dict[str, Path] = {}
    try:
        for name, text in files.items():
            target = folder / name
            content = text.encode("utf-8")
            if target.is_file() and target.read_bytes() == content:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            staged[name] = target.with_name(f".{target.name}.{os.getpid()}.tmp")
            staged[name].write_bytes(content)
        for name, temporary in staged.items():
            temporary.replace(folder / name)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"cannot write the imported schema: {reason}",
            where=Where(str(folder)),
            remedy="check the folder and its permissions",
        ) from error
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
    return list(staged)
