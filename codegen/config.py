"""Configuration: ``acp-codegen.toml``, or ``[tool.acp-codegen]`` in ``pyproject.toml``.

Paths in it are relative to the file. A key that does not belong there is an error.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .conversion.plan import MODES
from .errors import UsageError, Where
from .pointer import join

OWN_FILE = "acp-codegen.toml"
SHARED_FILE = "pyproject.toml"
_TABLE = ("tool", "acp-codegen")
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
        options: what the target is told beside that; which there are depends on the target.
    """

    target: str
    out: Path
    versions: tuple[str, ...] = ()
    features: tuple[str, ...] | None = None
    conversions: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


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
        folder = Path(*[".."] * depth)
        own = folder / OWN_FILE
        if own.is_file():
            return own
        shared = folder / SHARED_FILE
        if shared.is_file() and _section(_read(shared, shared.as_posix()), SHARED_FILE) is not None:
            return shared
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
    base = join("", *_TABLE) if path.name == SHARED_FILE else ""
    reader = _Reader(file, path.parent)
    reader.only(base, table, ("schemas", "features", "harmless", "conversions", "outputs"))
    outputs = table.get("outputs", [])
    if not isinstance(outputs, list):
        name = ".".join([*base.split("/")[1:], "outputs"])
        raise reader.fault(join(base, "outputs"), "outputs must be tables", f"write [[{name}]]")
    schemas = reader.text(base, table, "schemas", "")
    return Config(
        file=file,
        schemas=path.parent / schemas if schemas else None,
        features=reader.texts(base, table, "features"),
        harmless=reader.texts(base, table, "harmless"),
        outputs=tuple(
            reader.output(join(base, "outputs", index), item) for index, item in enumerate(outputs)
        ),
        conversions=reader.choice(base, table, "conversions", MODES),
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


@dataclass(frozen=True)
class _Reader:
    file: str
    folder: Path

    def fault(self, pointer: str, what: str, remedy: str) -> UsageError:
        return UsageError(what, where=Where(self.file, pointer), remedy=remedy)

    def only(self, pointer: str, table: Mapping[str, Any], known: Collection[str]) -> None:
        for key in table:
            if key not in known:
                near = get_close_matches(key, known, 1)
                remedy = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(known)}"
                raise self.fault(join(pointer, key), f"unknown key {key!r}", remedy)

    def text(
        self, pointer: str, table: Mapping[str, Any], key: str, default: str | None = None
    ) -> str:
        value = table.get(key, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self.fault(join(pointer, key), f"{key} must be a text", f'write {key} = "..."')
        return value

    def texts(self, pointer: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(
                join(pointer, key), f"{key} must be a list of texts", f'write {key} = ["..."]'
            )
        return tuple(value)

    def choice(
        self, pointer: str, table: Mapping[str, Any], key: str, known: Collection[str]
    ) -> str | None:
        if key not in table:
            return None
        value = table[key]
        if not isinstance(value, str) or value not in known:
            near = get_close_matches(str(value), known, 1)
            remedy = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(known)}"
            raise self.fault(
                join(pointer, key), f"{key} cannot be {json.dumps(value, default=str)}", remedy
            )
        return value

    def output(self, pointer: str, table: Any) -> Output:
        if not isinstance(table, dict):
            raise self.fault(pointer, "an output must be a table", "write it as [[outputs]]")
        known = ("target", "out", "versions", "features", "conversions", *OPTIONS)
        self.only(pointer, table, known)
        features = self.texts(pointer, table, "features") if "features" in table else None
        return Output(
            target=self.text(pointer, table, "target"),
            out=self.folder / self.text(pointer, table, "out"),
            versions=self.texts(pointer, table, "versions"),
            features=features,
            conversions=self.choice(pointer, table, "conversions", MODES),
            options={
                name: self.text(pointer, table, name, "") for name in OPTIONS if name in table
            },
        )
