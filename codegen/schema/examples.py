"""Values for example messages, where one made from the types alone would say little."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from .toml_file import load_toml

EXAMPLES_FILE = "examples.toml"
FORMAT_FILE = "examples.schema.json"
_DEFINITIONS, _PROPERTIES, _OWNERS = "definitions", "properties", "properties_of"

#: (definition,), (definition, property), or ("", property) for every property of that name.
Key = tuple[str, ...]


@dataclass(frozen=True)
class ExampleData:
    """What the file of examples says.

    Attributes:
        file: its name in messages.
        shared: values for every version.
        versions: values for one version alone, which go before the shared ones.
        pointers: where each value stands, by version (empty for the shared ones) and key.
    """

    file: str
    shared: Mapping[Key, Any] = field(default_factory=dict)
    versions: Mapping[str, Mapping[Key, Any]] = field(default_factory=dict)
    pointers: Mapping[tuple[str, Key], str] = field(default_factory=dict)

    def of(self, version: str) -> Mapping[Key, Any]:
        """Return the values for ``version``."""
        return {**self.shared, **self.versions.get(version, {})}


def load_examples(path: Path, file: str) -> ExampleData:
    """Read a file of examples.

    Raises:
        InputError: if it is not TOML, lacks the format, or has a value that is not JSON.
    """
    data = load_toml(path, file, FORMAT_FILE, f"see {FORMAT_FILE}")
    own = (_DEFINITIONS, _PROPERTIES, _OWNERS)
    tables = {"": {name: table for name, table in data.items() if name in own}}
    tables |= {name: table for name, table in data.items() if name not in own}
    values: dict[str, dict[Key, Any]] = {}
    pointers: dict[tuple[str, Key], str] = {}
    for version, said in tables.items():
        base = join("", version) if version else ""
        values[version] = {}
        for key, pointer, value in _values(said, base):
            try:
                json.dumps(value, allow_nan=False)
            except (TypeError, ValueError) as error:
                raise InputError(
                    "the value is not JSON", where=Where(file, pointer), remedy="write it as a text"
                ) from error
            values[version][key], pointers[version, key] = value, pointer
    shared = values.pop("")
    return ExampleData(file, shared, values, pointers)


def check_examples(data: ExampleData, schemas: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse examples for what no schema has, and values that do not fit.

    Args:
        data: the examples.
        schemas: every version's schema, without features: a feature's parts have no examples.

    Raises:
        InputError: naming the key and the nearest match, or what is wrong with the value.
    """
    for version in data.versions:
        if version not in schemas:
            raise _unknown(data.file, join("", version), version, schemas)
    for (version, key), pointer in data.pointers.items():
        chosen = {version: schemas[version]} if version else schemas
        places = [
            (schema, place) for schema in chosen.values() for place in _places(schema["$defs"], key)
        ]
        if not places:
            raise _unknown(data.file, pointer, key[-1], _known(chosen, key))
        value = data.versions[version][key] if version else data.shared[key]
        for schema, place in places:
            _check_value(data.file, pointer, value, schema, place)


def _values(tables: Mapping[str, Any], base: str) -> Iterator[tuple[Key, str, Any]]:
    for name, value in tables.get(_DEFINITIONS, {}).items():
        yield (name,), join(base, _DEFINITIONS, name), value
    for name, value in tables.get(_PROPERTIES, {}).items():
        yield ("", name), join(base, _PROPERTIES, name), value
    for owner, values in tables.get(_OWNERS, {}).items():
        for name, value in values.items():
            yield (owner, name), join(base, _OWNERS, owner, name), value


def _places(definitions: Mapping[str, Any], key: Key) -> list[str]:
    """Return the JSON Pointers of the schemas that the value of ``key`` has to fit."""
    if len(key) == 1:
        return [join("/$defs", key[0])] if key[0] in definitions else []
    owners = definitions if key[0] == "" else [key[0]]
    return [
        join("/$defs", owner, "properties", key[1])
        for owner in owners
        if isinstance(definitions.get(owner), dict)
        and key[1] in definitions[owner].get("properties", {})
    ]


def _known(schemas: Mapping[str, Mapping[str, Any]], key: Key) -> set[str]:
    definitions = [schema["$defs"] for schema in schemas.values()]
    if len(key) == 1:
        return {name for found in definitions for name in found}
    return {
        name
        for found in definitions
        for owner, said in found.items()
        if isinstance(said, dict) and key[0] in ("", owner)
        for name in said.get("properties", {})
    }


def _unknown(file: str, pointer: str, name: str, known: Any) -> InputError:
    near = get_close_matches(name, list(known), 1)
    return InputError(
        f"no schema has {name!r} here",
        where=Where(file, pointer),
        remedy=f"did you mean {near[0]!r}?" if near else "remove the entry",
    )


def _check_value(
    file: str, pointer: str, value: Any, schema: Mapping[str, Any], place: str
) -> None:
    from jsonschema import Draft202012Validator

    whole = {"$ref": f"#{place}", "$defs": schema["$defs"]}
    error = next(Draft202012Validator(whole).iter_errors(value), None)
    if error is not None:
        raise InputError(
            f"the value does not fit {place}: {error.message[:150]}",
            where=Where(file, pointer),
            remedy="give one that does, or say which definition it is for",
        )
