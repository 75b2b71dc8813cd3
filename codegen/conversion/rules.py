"""The rules file of the converters: what cannot be derived from the two schemas."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..protocol.ir import Protocol, Struct
from ..schema.load import read_bytes

FieldSets = Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Rules:
    """The rules as the file states them.

    Args:
        file: the name of the file, for messages.
        renames: definition of the older version -> its counterpart in the newer one.
        patch: version -> definition -> fields where null is a value of its own.
        merge: version -> definition -> patch fields whose keys are patched one by one.
    """

    file: str
    renames: Mapping[str, str] = field(default_factory=dict)
    patch: FieldSets = field(default_factory=dict)
    merge: FieldSets = field(default_factory=dict)
    sha256: str = ""


def load_rules(path: Path, file: str) -> Rules:
    """Read a rules file.

    Raises:
        InputError: if it is not TOML, or a key or value does not belong there.
    """
    raw = read_bytes(path, file=file)
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"not TOML: {error}", where=Where(file), remedy="mend the file") from error
    known = ("renames", "patch", "merge")
    for key in data:
        if key not in known:
            raise _fault(
                file, join("", key), f"unknown table {key!r}", f"use one of {', '.join(known)}"
            )
    renames = _texts(file, "/renames", data.get("renames", {}))
    return Rules(file, renames, _sets(file, "patch", data), _sets(file, "merge", data))


def _texts(file: str, pointer: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise _fault(
            file, pointer, "a table of names is expected here", 'write entries as Old = "New"'
        )
    return value


def _sets(file: str, table: str, data: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for version, entries in _dict(file, f"/{table}", data.get(table, {})).items():
        pointer = join(f"/{table}", version)
        found[version] = {}
        for name, fields in _dict(file, pointer, entries).items():
            if not isinstance(fields, list) or not all(isinstance(item, str) for item in fields):
                raise _fault(
                    file,
                    join(pointer, name),
                    "a list of fields is expected here",
                    "list wire names",
                )
            found[version][name] = tuple(fields)
    return found


def _dict(file: str, pointer: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _fault(file, pointer, "a table is expected here", "write it as [name]")
    return value


def check_rules(rules: Rules, old: Protocol, new: Protocol) -> None:
    """Refuse rules that name something that the schemas lack.

    Raises:
        InputError: naming the rule and the nearest match.
    """
    for source, target in rules.renames.items():
        pointer = join("/renames", source)
        _known(rules.file, pointer, source, old.definitions, old.version)
        _known(rules.file, pointer, target, new.definitions, new.version)
    for table, sets in (("patch", rules.patch), ("merge", rules.merge)):
        for version, entries in sets.items():
            pointer = join(f"/{table}", version)
            protocol = next((p for p in (old, new) if p.version == version), None)
            if protocol is None:
                raise _fault(
                    rules.file, pointer, f"there is no version {version!r}", "use v1 or v2"
                )
            for name, fields in entries.items():
                _known(rules.file, join(pointer, name), name, protocol.definitions, version)
                struct = protocol.types[(name,)]
                declared = (
                    [f.wire_name for f in struct.fields] if isinstance(struct, Struct) else []
                )
                for item in fields:
                    _known(rules.file, join(pointer, name), item, declared, f"{name} of {version}")


def _known(file: str, pointer: str, name: str, known: Any, owner: str) -> None:
    if name not in known:
        near = get_close_matches(name, known, 1)
        raise _fault(
            file,
            pointer,
            f"{owner} has no {name!r}",
            f"did you mean {near[0]!r}?" if near else "remove the rule",
        )


def _fault(file: str, pointer: str, what: str, remedy: str) -> InputError:
    return InputError(what, where=Where(file, pointer), remedy=remedy)
