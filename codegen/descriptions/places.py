"""The places of a schema that can carry a description, and the names that lead to each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..pointer import join
from ..protocol.ir import ABSENT
from ..protocol.methods import ending_of
from ..protocol.shapes import is_null, required_constants, tag_of, tag_token, union_of

#: Names from the top to a place, each after the table that it stands in:
#: ``("definitions", "Thing", "properties", "size")``.
Path = tuple[str, ...]

DEFINITIONS = "definitions"
PROPERTIES = "properties"
WORDS = "words"
VARIANTS = "variants"
MEMBERS = "members"


@dataclass(frozen=True)
class Place:
    """A schema object that can carry a description.

    Attributes:
        path: the names that lead to it.
        pointer: its JSON Pointer.
        own: the description that the schema has there already, or empty.
        needed: whether it needs one. A branch that only names a definition does not: the
            definition's says it.
        method: the method that a definition of parameters stands for, or empty.
    """

    path: Path
    pointer: str
    own: str
    needed: bool = True
    method: str = ""

    def candidates(self) -> Iterator[Path]:
        """Yield where its text may be written, the most specific first.

        A property of a variant may be described once for all variants of its union, and any
        property once for all definitions.
        """
        path = self.path
        yield path
        if len(path) < 2 or path[-2] != PROPERTIES:
            return
        owner, last = path[:-2], path[-2:]
        while owner[-2:-1] == (VARIANTS,):
            owner = owner[:-2]
            yield owner + last
        yield (MEMBERS, path[-1])


def places_of(data: Any) -> Iterator[Place]:
    """Yield the places of a schema in document order. What is no schema is passed over."""
    definitions = data.get("$defs") if isinstance(data, dict) else None
    for name, schema in definitions.items() if isinstance(definitions, dict) else ():
        path, pointer = (DEFINITIONS, name), join("/$defs", name)
        if schema is True:
            yield Place(path, pointer, "")
        elif isinstance(schema, dict):
            method = schema.get("x-method", "") if ending_of(name) else ""
            yield Place(path, pointer, _own(schema), method=method)
            yield from _inside(schema, pointer, path)


def label(place: Place) -> str:
    """Return what messages call a place."""
    kinds = {PROPERTIES: "property", WORDS: "word", VARIANTS: "variant", DEFINITIONS: "definition"}
    if place.method:
        return f"method {place.method} (definition {place.path[1]})"
    return f"{kinds[place.path[-2]]} {'.'.join(place.path[1::2])}"


def _inside(schema: dict[str, Any], pointer: str, path: Path) -> Iterator[Place]:
    properties = schema.get("properties")
    for name, child in properties.items() if isinstance(properties, dict) else ():
        place, inner = join(pointer, "properties", name), (*path, PROPERTIES, name)
        if child is True:
            yield Place(inner, place, "")
        elif isinstance(child, dict):
            yield Place(inner, place, _own(child))
            yield from _inside(child, place, inner)
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from _inside(schema[keyword], join(pointer, keyword), path)
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            yield from _branches(schema, keyword, pointer, path)


def _branches(schema: dict[str, Any], keyword: str, pointer: str, path: Path) -> Iterator[Place]:
    sound = [branch for branch in schema[keyword] if _is_sound(branch)]
    tag = tag_of(schema, sound) if keyword != "allOf" else None
    for index, branch in enumerate(schema[keyword]):
        if not _is_sound(branch):
            continue
        place = join(pointer, keyword, index)
        step = _step(branch, tag) if keyword != "allOf" else None
        if step is None:
            yield from _inside(branch, place, path)
            continue
        inner = (*path, *step)
        yield Place(inner, place, _own(branch), needed=not _is_reference(branch))
        yield from _inside(branch, place, inner)


def _step(branch: dict[str, Any], tag: str | None) -> Path | None:
    """Return the table and the name of a branch, or None if it has no name of its own."""
    if "const" in branch and not is_null(branch):
        word = branch["const"]
        return (WORDS, word if isinstance(word, str) else json.dumps(word))
    value = required_constants(branch).get(tag, ABSENT) if tag else ABSENT
    if value is not ABSENT:
        return (VARIANTS, tag_token(value))
    title = branch.get("title")
    return (VARIANTS, title) if isinstance(title, str) and title else None


def _is_reference(branch: dict[str, Any]) -> bool:
    parts = branch.get("allOf", ())
    single = "$ref" in branch or (
        isinstance(parts, list)
        and len(parts) == 1
        and isinstance(parts[0], dict)
        and "$ref" in parts[0]
    )
    return single and "properties" not in branch and union_of(branch) is None


def _is_sound(branch: Any) -> bool:
    """True if the helpers that read branches can read this one; the schema may be unchecked."""
    return (
        isinstance(branch, dict)
        and isinstance(branch.get("properties", {}), dict)
        and isinstance(branch.get("required", []), list)
        and isinstance(branch.get("type", ""), str | list)
    )


def _own(schema: dict[str, Any]) -> str:
    text = schema.get("description", "")
    return text if isinstance(text, str) else ""
