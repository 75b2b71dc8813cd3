"""Where the subschemas of a schema are, so that names and data are not taken for keywords."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..pointer import join

#: Keywords whose value maps names to schemas.
NAMED_SCHEMAS = ("properties", "$defs")
#: Keywords whose value is a list of schemas.
LISTED_SCHEMAS = ("allOf", "anyOf", "oneOf")
#: Keywords whose value is one schema.
SINGLE_SCHEMA = ("items", "not", "additionalProperties", "unevaluatedProperties")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a schema: where (a JSON Pointer), what, and how to mend it."""

    pointer: str
    what: str
    remedy: str


def subschemas(schema: dict[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield each direct subschema of ``schema`` with its JSON Pointer.

    Values of the wrong type are passed over: telling of them is the metaschema's work.
    """
    for keyword, value in schema.items():
        if keyword in NAMED_SCHEMAS and isinstance(value, dict):
            for name, child in value.items():
                yield join(pointer, keyword, name), child
        elif keyword in LISTED_SCHEMAS and isinstance(value, list):
            for index, child in enumerate(value):
                yield join(pointer, keyword, index), child
        elif keyword in SINGLE_SCHEMA:
            yield join(pointer, keyword), value


def iter_schemas(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``schema`` and every subschema under it that is an object, in document order.

    Args:
        schema: a schema; one that is not an object yields nothing.
        pointer: the JSON Pointer of ``schema``.
    """
    if isinstance(schema, dict):
        yield pointer, schema
        for place, child in subschemas(schema, pointer):
            yield from iter_schemas(child, place)


def rebuild(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a copy of ``schema`` in which ``change`` was applied to every object schema.

    Args:
        schema: a schema, left as it is.
        change: gets a new mapping of keywords whose subschemas were rebuilt already, and returns
            the mapping to use.

    Returns:
        The new schema. Data (``const``, ``default``, ...) is shared with the old one.
    """
    if not isinstance(schema, dict):
        return schema
    copy: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in NAMED_SCHEMAS and isinstance(value, dict):
            copy[keyword] = {name: rebuild(child, change) for name, child in value.items()}
        elif keyword in LISTED_SCHEMAS and isinstance(value, list):
            copy[keyword] = [rebuild(child, change) for child in value]
        elif keyword in SINGLE_SCHEMA:
            copy[keyword] = rebuild(value, change)
        else:
            copy[keyword] = value
    return change(copy)
