"""Names for methods and sides: a rule, and the exceptions that a data file lists."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..schema.load import read_bytes
from .ir import Method, Protocol, Struct, TypeId
from .methods import ending_of


@dataclass(frozen=True)
class SideNames:
    """What a side's interface and the connection that calls it are named; empty for the rule."""

    interface: str = ""
    connection: str = ""
    shared: bool = False


@dataclass(frozen=True)
class CancelNames:
    """The notification that cancels a request, its parameter with the request's id, and the code
    of the answer to a request that was cancelled."""

    method: str
    parameter: str
    code: int


@dataclass(frozen=True)
class NameData:
    """The exceptions of a names file: snake_case method names and side names, by wire name.

    ``errors`` is the definition whose constants are the error codes; empty for none.
    """

    file: str
    methods: Mapping[str, str] = field(default_factory=dict)
    sides: Mapping[str, SideNames] = field(default_factory=dict)
    errors: str = ""
    cancel: CancelNames | None = None


_ERROR_KEYS = {"definition": str}
_CANCEL_KEYS = {"method": str, "parameter": str, "code": int}
_SIDE_KEYS = {"interface": str, "connection": str, "shared": bool}


def load_names(path: Path, file: str) -> NameData:
    """Read a names file.

    Raises:
        InputError: if it is not TOML or has a key or value that does not belong there.
    """
    raw = read_bytes(path, file=file)
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"not TOML: {error}", where=Where(file), remedy="mend the file") from error
    _only(file, "", data, ("methods", "sides", "errors", "cancel"))
    methods = _table(file, "/methods", data.get("methods", {}))
    for wire, name in methods.items():
        if not isinstance(name, str) or not name.isidentifier() or name != name.lower():
            raise InputError(
                f"{name!r} is not a snake_case name",
                where=Where(file, join("/methods", wire)),
                remedy="use lower-case words joined by underscores",
            )
    sides = {}
    for side, entry in _table(file, "/sides", data.get("sides", {})).items():
        pointer = join("/sides", side)
        table = _table(file, pointer, entry)
        _only(file, pointer, table, _SIDE_KEYS)
        for key, value in table.items():
            right = isinstance(value, _SIDE_KEYS[key]) and (
                key == "shared" or str(value).isidentifier()
            )
            if not right:
                raise InputError(
                    f"{value!r} does not fit {key}",
                    where=Where(file, join(pointer, key)),
                    remedy="use an identifier, or true or false for shared",
                )
        sides[side] = SideNames(**table)
    errors = _entry(file, "/errors", data.get("errors"), _ERROR_KEYS)
    cancel = _entry(file, "/cancel", data.get("cancel"), _CANCEL_KEYS)
    return NameData(
        file,
        methods,
        sides,
        errors=errors["definition"] if errors else "",
        cancel=CancelNames(**cancel) if cancel else None,
    )


def _entry(file: str, pointer: str, value: Any, keys: Mapping[str, type]) -> dict[str, Any] | None:
    """Return a table that has all of ``keys`` and no other; None if there is none."""
    if value is None:
        return None
    table = _table(file, pointer, value)
    _only(file, pointer, table, keys)
    for key, kind in keys.items():
        if not isinstance(table.get(key), kind) or isinstance(table.get(key), bool):
            raise InputError(
                f"{key} is missing or of the wrong kind",
                where=Where(file, join(pointer, key) if key in table else pointer),
                remedy=f"give it {'an integer' if kind is int else 'a string'}",
            )
    return table


def _table(file: str, pointer: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(
            "a table is expected here", where=Where(file, pointer), remedy="write it as [name]"
        )
    return value


def _only(file: str, pointer: str, table: Mapping[str, Any], known: Collection[str]) -> None:
    for key in table:
        if key not in known:
            raise InputError(
                f"unknown key {key!r}",
                where=Where(file, join(pointer, key)),
                remedy=f"use one of {', '.join(known)}",
            )


def method_words(method: Method, names: NameData, words: Any) -> str:
    """Return the snake_case name of ``method``.

    Args:
        method: the method.
        names: the exceptions.
        words: turns the name of a definition into snake_case.
    """
    if method.wire_name in names.methods:
        return names.methods[method.wire_name]
    definition = method.params[0]
    return str(words(definition.removesuffix(ending_of(definition) or "")))


def check_names(names: NameData, protocols: Collection[Protocol]) -> None:
    """Refuse exceptions that match nothing in any version.

    Raises:
        InputError: naming the key and the nearest match.
    """
    for fault in name_faults(names, protocols):
        raise fault


def name_faults(names: NameData, protocols: Collection[Protocol]) -> Iterator[InputError]:
    """Yield an error, naming the key and the nearest match, for each that matches nothing."""
    wires = {method.wire_name for protocol in protocols for method in protocol.methods}
    sides = {method.side for protocol in protocols for method in protocol.methods}
    definitions = {name for protocol in protocols for name in protocol.definitions}
    if names.errors:
        yield from _missing(names.file, "/errors/definition", names.errors, definitions)
    if names.cancel is not None:
        yield from _missing(names.file, "/cancel/method", names.cancel.method, wires)
        parameters = {
            parameter
            for protocol in protocols
            for method in protocol.methods
            if method.wire_name == names.cancel.method
            for parameter in _field_names(protocol, method.params)
        }
        yield from _missing(names.file, "/cancel/parameter", names.cancel.parameter, parameters)
    for table, keys, known in (("methods", names.methods, wires), ("sides", names.sides, sides)):
        for key in keys:
            yield from _missing(names.file, join(f"/{table}", key), key, known)


def _field_names(protocol: Protocol, id_: TypeId) -> tuple[str, ...]:
    """Return the wire names of a struct's fields; none for another type."""
    type_ = protocol.types[id_]
    return tuple(field.wire_name for field in type_.fields) if isinstance(type_, Struct) else ()


def _missing(file: str, pointer: str, key: str, known: Collection[str]) -> Iterator[InputError]:
    if key not in known:
        near = get_close_matches(key, known, 1)
        yield InputError(
            f"no schema has {key!r}",
            where=Where(file, pointer),
            remedy=f"did you mean {near[0]!r}?" if near else "remove the entry",
        )
