"""Configuration: ``acp-codegen.toml``, or ``[tool.acp-codegen]`` in ``pyproject.toml``.

Paths in it are relative to the file. A key that does not belong there is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .config_format import check_format
from .errors import UsageError, Where
from .pointer import join
from .style.model import Choices, read_choices

OWN_FILE = "acp-codegen.toml"
SHARED_FILE = "pyproject.toml"
_TABLE = ("tool", "acp-codegen")
_NOWHERE = Where("")
#: Keys of an output that only some targets know.
OPTIONS = ("integers", "prefix")


@dataclass(frozen=True)
class Output:
    """One folder to write.

    Args:
        target: the name of the target.
        out: the folder; everything in it that a manifest lists is ours.
        versions: the protocol versions in it; all of the schemas folder when empty.
        features: the features in it; those of the configuration when None.
        conversions: what to do about converters; as the configuration says when None.
        schemas: version -> a schema file to read instead of the folder's.
        place: its table in the configuration file, for messages.
        choices: layout, names and style.
        options: what the target is told beside that; which there are depends on the target.
        templates: a folder whose templates are used instead of the target's; None for none.
    """

    target: str
    out: Path
    versions: tuple[str, ...] = ()
    features: tuple[str, ...] | None = None
    conversions: str | None = None
    schemas: Mapping[str, Path] = field(default_factory=dict)
    place: Where = _NOWHERE
    choices: Choices = field(default_factory=Choices)
    options: Mapping[str, str] = field(default_factory=dict)
    templates: Path | None = None


@dataclass(frozen=True)
class Config:
    """What to build from what.

    Args:
        file: the configuration file as messages name it; empty if there is none.
        schemas: the folder of schemas; None for the bundled ones.
        features: features that are on in every output that does not say otherwise.
        harmless: unknown x- keywords that may be ignored.
        outputs: what to write.
        conversions: one of ``MODES`` for every output that does not say otherwise; None to choose
            by what is built.
    """

    file: str = ""
    schemas: Path | None = None
    features: tuple[str, ...] = ()
    harmless: tuple[str, ...] = ()
    outputs: tuple[Output, ...] = field(default=())
    conversions: str | None = None

    def pointer(self, *tokens: str | int) -> str:
        """Return the JSON Pointer of a key in the configuration file."""
        shared = self.file.rpartition("/")[2] == SHARED_FILE
        return join("", *(_TABLE if shared else ()), *tokens)


def find_config() -> Path | None:
    """Return the configuration file of the working folder or the nearest above it that has one.

    The path is relative, so that messages name files as a reader of the project knows them.

    Raises:
        UsageError: if a file on the way cannot be read.
    """
    for depth in range(len(Path.cwd().parts)):
        found = has_config(Path(*[".."] * depth))
        if found is not None:
            return found
    return None


def load_config(path: Path, file: str) -> Config:
    """Read a configuration file.

    Args:
        path: the file.
        file: its name in messages.

    Raises:
        UsageError: if it cannot be read, or a key or value does not belong there.
    """
    data = _read(path, file)
    table = _section(data, path.name)
    if table is None:
        raise UsageError(
            "there is no [tool.acp-codegen] table", where=Where(file), remedy="add one"
        )
    base = _TABLE if path.name == SHARED_FILE else ()
    check_format(table, file, base)
    schemas = table.get("schemas", "")
    return Config(
        file=file,
        schemas=path.parent / schemas if schemas else None,
        features=tuple(table.get("features", ())),
        harmless=tuple(table.get("harmless", ())),
        outputs=tuple(
            _output(item, path.parent, Where(file, join("", *base, "outputs", index)))
            for index, item in enumerate(table.get("outputs", ()))
        ),
        conversions=table.get("conversions"),
    )


def has_config(folder: Path) -> Path | None:
    """Return the configuration file of ``folder`` itself, if it has one.

    Raises:
        UsageError: if a file cannot be read.
    """
    own = folder / OWN_FILE
    if own.is_file():
        return own
    shared = folder / SHARED_FILE
    if shared.is_file() and _section(_read(shared, shared.as_posix()), SHARED_FILE) is not None:
        return shared
    return None


def _output(table: Mapping[str, Any], folder: Path, place: Where) -> Output:
    features = tuple(table["features"]) if "features" in table else None
    if table.get("stable"):
        if features:
            raise UsageError(
                "stable and features contradict each other",
                where=Where(place.file, join(place.pointer, "stable")),
                remedy="remove one of them",
            )
        features = ()
    return Output(
        target=table["target"],
        out=folder / table["out"],
        versions=tuple(table.get("versions", ())),
        features=features,
        conversions=table.get("conversions"),
        schemas={version: folder / file for version, file in table.get("schemas", {}).items()},
        options={name: table[name] for name in OPTIONS if name in table},
        templates=folder / table["templates"] if "templates" in table else None,
        place=place,
        choices=read_choices(table, place),
    )


def _read(path: Path, file: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=Where(file), remedy="check the path"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"not TOML: {error}", where=Where(file), remedy="mend the file") from error


def _section(data: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    if name != SHARED_FILE:
        return data
    for key in _TABLE:
        data = data.get(key, {})
        if not isinstance(data, dict) or not data:
            return None
    return data
