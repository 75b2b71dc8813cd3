"""References between definitions: what they name, that it is there, and that they end somewhere."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from ..pointer import join, split
from .walk import LISTED_SCHEMAS, Fault, iter_schemas

_NEVER_FETCHED = "references are never fetched: put the definition into this schema's $defs"


def definition_name(ref: str) -> str:
    """Return the name of the definition that ``ref`` (``#/$defs/Name``) points to.

    Percent-encoding and the escapes of JSON Pointer are undone.

    Raises:
        ValueError: if ``ref`` is anything else than a reference to a definition of this document.
    """
    if not ref.startswith("#"):
        raise ValueError(ref)
    tokens = split(unquote(ref[1:], errors="strict"))
    if len(tokens) != 2 or tokens[0] != "$defs":
        raise ValueError(ref)
    return tokens[1]


def reference_faults(schema: Any, names: Container[str], pointer: str = "") -> Iterator[Fault]:
    """Yield a fault for every ``$ref`` under ``schema`` that names no definition of ``names``."""
    for place, node in iter_schemas(schema, pointer):
        ref = node.get("$ref")
        if not isinstance(ref, str):
            continue
        here = join(place, "$ref")
        try:
            name = definition_name(ref)
        except ValueError:
            if ref.startswith("#"):
                remedy = "point to a definition of this schema as #/$defs/Name"
            else:
                remedy = _NEVER_FETCHED
            yield Fault(here, f"unsupported reference {json.dumps(ref)}", remedy)
            continue
        if name not in names:
            yield Fault(
                here,
                f"reference {json.dumps(ref)} to nowhere: $defs has no {json.dumps(name)}",
                "add the definition or correct the name (references are never fetched)",
            )


def alias_cycle_faults(definitions: dict[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each ring of definitions that are made of nothing but one another.

    A ring is only followed through keywords that apply to the same value (``$ref``, ``allOf``,
    ``anyOf``, ``oneOf``, ``not``). Recursion through a property or an item is fine.
    """
    edges = {name: _same_value_targets(schema) for name, schema in definitions.items()}
    done: set[str] = set()
    for start in definitions:
        # Not recursive: a chain of aliases may be longer than Python's stack.
        path: list[str] = []
        on_path: set[str] = set()
        stack = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                on_path.discard(path.pop())
                done.add(name)
            elif name in on_path:
                yield _cycle(path[path.index(name) :])
            elif name not in done and name in edges:
                path.append(name)
                on_path.add(name)
                stack.append((name, True))
                stack.extend((target, False) for target in reversed(edges[name]))


def _same_value_targets(schema: Any) -> list[str]:
    """Return the definitions that ``schema`` refers to without going into an object or array."""
    if not isinstance(schema, dict):
        return []
    found = []
    ref = schema.get("$ref")
    if isinstance(ref, str):
        with suppress(ValueError):  # told of by reference_faults
            found.append(definition_name(ref))
    for keyword in LISTED_SCHEMAS:
        members = schema.get(keyword)
        for member in members if isinstance(members, list) else []:
            found.extend(_same_value_targets(member))
    found.extend(_same_value_targets(schema.get("not")))
    return found


def _cycle(ring: list[str]) -> Fault:
    return Fault(
        join("", "$defs", ring[0]),
        f"definitions that are made of nothing but one another: {' -> '.join([*ring, ring[0]])}",
        "put an object or an array between them",
    )
