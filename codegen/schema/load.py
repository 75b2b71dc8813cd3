"""Strict reading of JSON files, and the check that a schema is one this generator understands."""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from .dialect import METASCHEMA, keyword_faults
from .references import alias_cycle_faults, reference_faults
from .strict_json import decode, parse
from .walk import Fault

MAX_BYTES = 64 * 1024 * 1024
MAX_FINDINGS = 10


@dataclass(frozen=True)
class Document:
    """A JSON file that was read.

    Attributes:
        data: its top-level object.
        file: the name to use for it in messages.
        sha256: hexadecimal digest of its bytes with CRLF turned to LF, so that a checkout with
            Windows line ends has the same digest.
    """

    data: dict[str, Any]
    file: str
    sha256: str


def load_document(path: Path, *, file: str | None = None) -> Document:
    """Read a JSON file strictly.

    Args:
        path: the file to read.
        file: the name to use in messages; the path when left out.

    Raises:
        InputError: if the file cannot be read, is too large or too deep, is not UTF-8 or not JSON,
            has duplicate keys, NaN, infinite numbers or lone surrogates, or is not an object.
    """
    name = str(path) if file is None else file
    return parse_document(read_bytes(path, file=name), name)


def read_bytes(path: Path, *, file: str) -> bytes:
    """Return the content of ``path``.

    Raises:
        InputError: if it cannot be read or is larger than ``MAX_BYTES``.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(
            f"cannot read the file: {reason}",
            where=Where(file),
            remedy="check the path and its permissions",
        ) from error
    if len(raw) > MAX_BYTES:
        raise InputError(
            f"larger than {MAX_BYTES // 1024 // 1024} MiB",
            where=Where(file),
            remedy="this is not a protocol schema; check the path",
        )
    return raw


def parse_document(raw: bytes, file: str) -> Document:
    """Parse the bytes of a JSON file as strictly as ``load_document``.

    Raises:
        InputError: as ``load_document`` does.
    """
    data = parse(decode(raw, file), file)
    if not isinstance(data, dict):
        raise InputError(
            "the top level is not an object",
            where=Where(file),
            remedy="give a file that holds a JSON object",
        )
    digest = hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()
    return Document(data=data, file=file, sha256=digest)


def check_schema(document: Document, *, harmless: Collection[str] = ()) -> None:
    """Check that ``document`` is a JSON Schema 2020-12 in the dialect of this generator.

    Args:
        document: the schema.
        harmless: unknown ``x-`` keywords to accept.

    Raises:
        InputError: with the first ``MAX_FINDINGS`` faults: not valid by the metaschema, no
            ``$defs``, keywords that are not understood, references to anything but a definition of
            this schema, or definitions made of nothing but one another.
    """
    data = document.data
    # The own checks come first: they tell of unknown keywords in words that help.
    faults = list(keyword_faults(data, harmless=harmless))
    broken = metaschema_fault(data)
    if broken:
        faults.append(broken)
    definitions = data.get("$defs")
    if not isinstance(definitions, dict):
        if not broken:
            faults.append(
                Fault("", "the schema has no $defs", "give a schema with its definitions in $defs")
            )
    else:
        faults.extend(reference_faults(data, definitions))
        faults.extend(alias_cycle_faults(definitions))
    raise_faults(faults, document.file)


def metaschema_fault(schema: Any) -> Fault | None:
    """Return what makes ``schema`` invalid by the metaschema of 2020-12, if anything."""
    # Imported here: it is slow, and a check with nothing to do never needs it.
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    error = next(iter(validator.iter_errors(schema)), None)
    if error is None:
        return None
    return Fault(
        join("", *error.absolute_path),
        f"not a valid JSON Schema: {textwrap.shorten(error.message, 200)}",
        f"correct it by {METASCHEMA}",
    )


def raise_faults(faults: list[Fault], file: str) -> None:
    """Raise one InputError that tells of all ``faults`` (at most ``MAX_FINDINGS``), if any.

    Raises:
        InputError: placed at the first fault, with the remedy of the first.
    """
    if not faults:
        return
    first = faults[0]
    others = [f"#{fault.pointer}: {fault.what}" for fault in faults[1:MAX_FINDINGS]]
    left = len(faults) - 1 - len(others)
    what = first.what
    if others:
        what += "; also " + "; ".join(others)
    if left:
        what += f"; and {left} more"
    raise InputError(what, where=Where(file, first.pointer), remedy=first.remedy)
