"""The files that describe a schema in words of our own, and reading them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..resources import schemas_dir
from ..schema.load import read_bytes
from .places import DEFINITIONS, MEMBERS, Path

DESCRIPTIONS_DIR = "descriptions"
FORMAT_FILE = "descriptions.schema.json"
_TEXT = "text"


@dataclass(frozen=True)
class Text:
    """A description and the place in a file where it is written."""

    text: str
    where: Where


@dataclass(frozen=True)
class Texts:
    """What the files of a folder say.

    Attributes:
        shared: by path, what is said of every version.
        versions: by version and path, what is said of that version alone.
    """

    shared: Mapping[Path, Text]
    versions: Mapping[str, Mapping[Path, Text]]

    def find(self, version: str, paths: Iterator[Path]) -> Text | None:
        """Return the text of the first of ``paths`` that has one, the version's own before others."""
        own = self.versions.get(version, {})
        for path in paths:
            found = own.get(path) or self.shared.get(path)
            if found is not None:
                return found
        return None


def description_files(folder: FilePath) -> list[FilePath]:
    """Return the description files of a schemas folder, sorted by name."""
    return sorted((folder / DESCRIPTIONS_DIR).glob("*.toml"))


def load_texts(folder: FilePath) -> Texts:
    """Read the description files of the schemas folder ``folder``.

    Raises:
        InputError: if a file is not TOML, does not have the format of
            ``descriptions.schema.json``, or describes what another one describes.
    """
    shared: dict[Path, Text] = {}
    versions: dict[str, dict[Path, Text]] = {}
    for path in description_files(folder):
        file = f"{folder.name}/{DESCRIPTIONS_DIR}/{path.name}"
        for key, tables in _by_version(_read(path, file)):
            pointer = join("", key) if key else ""
            for at, text in _texts(tables, pointer, ()):
                into = versions.setdefault(key, {}) if key else shared
                where = Where(file, text[0])
                if at in into:
                    raise InputError(
                        f"{'.'.join(at[1::2])} is described twice: also at {into[at].where}",
                        where=where,
                        remedy="keep one of the two",
                    )
                into[at] = Text(_folded(text[1]), where)
    return Texts(shared, versions)


def _read(path: FilePath, file: str) -> dict[str, Any]:
    raw = read_bytes(path, file=file)
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"not TOML: {error}", where=Where(file), remedy="mend the file") from error
    errors = sorted(_format().iter_errors(data), key=lambda error: list(map(str, error.path)))
    if errors:
        raise InputError(
            errors[0].message[:200],
            where=Where(file, join("", *errors[0].absolute_path)),
            remedy="see docs/descriptions.md",
        )
    return data


@cache
def _format() -> Any:
    # Imported here: it is slow, and a check with nothing to do never needs it.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads((schemas_dir() / FORMAT_FILE).read_text(encoding="utf-8"))
    )


def _by_version(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "", {key: value for key, value in data.items() if key in (DEFINITIONS, MEMBERS)}
    for key, value in data.items():
        if key not in (DEFINITIONS, MEMBERS):
            yield key, value


def _texts(
    tables: Mapping[str, Any], pointer: str, path: Path
) -> Iterator[tuple[Path, tuple[str, str]]]:
    """Yield path, JSON Pointer and text of everything that ``tables`` describe."""
    for table, entries in tables.items():
        if table == _TEXT and path:
            yield path, (join(pointer, table), entries)
            continue
        for name, entry in entries.items():
            inner, place = (*path, table, name), join(pointer, table, name)
            if isinstance(entry, str):
                yield inner, (place, entry)
            else:
                yield from _texts(entry, place, inner)


def _folded(text: str) -> str:
    """Return ``text`` with each paragraph on one line: line breaks in a file are for its editor."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
