"""Finding places in a schema by names: definitions, unions, properties behind references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from .references import definition_name

_UNIONS = ("anyOf", "oneOf")
_NULL = "null"


class NotThereError(LookupError):
    """A step of an address that leads nowhere, or to more than one place.

    Attributes:
        what: what is wrong, for a message.
        pointer: the JSON Pointer of the last place in the schema that was reached.
    """

    def __init__(self, what: str, pointer: str) -> None:
        super().__init__(what)
        self.what = what
        self.pointer = pointer


def nowhere(file: str, pointer: str, schema_file: str, error: NotThereError) -> InputError:
    """Return the error for an address in ``file`` that leads nowhere in the schema."""
    return InputError(
        f"{error.what}, at {schema_file}#{error.pointer}",
        where=Where(file, pointer),
        remedy="correct the name there, or use the schema it was written for",
    )


def definition(data: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    """Return the definition ``name`` of the schema ``data`` and its JSON Pointer.

    Raises:
        NotThereError: if there is none, or it is a boolean.
    """
    found = data["$defs"].get(name)
    if not isinstance(found, dict):
        raise NotThereError(f"the schema has no definition {name!r}", "/$defs")
    return found, join("/$defs", name)


def union(data: dict[str, Any], name: str, path: Sequence[str]) -> tuple[list[Any], str]:
    """Return the list of members of a union, and the list's JSON Pointer.

    Args:
        data: the schema.
        name: the definition to start from.
        path: steps from there, each the name of a property or the title of a branch.

    Raises:
        NotThereError: if a step leads nowhere or is ambiguous, or the end is no union.
    """
    node, pointer = definition(data, name)
    for step in path:
        node, pointer = _step(node, pointer, step)
    return _members(node, pointer)


def property_at(data: dict[str, Any], name: str, path: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Return the property at the end of ``path`` and its JSON Pointer.

    ``path`` names properties, one inside the other, from the definition ``name``. References, ``allOf`` and unions of one schema and null are followed.

    Raises:
        NotThereError: if a step leads nowhere.
    """
    node, pointer = definition(data, name)
    for step in path:
        for candidate, place in _transparent(data, node, pointer):
            properties = candidate.get("properties", {})
            if isinstance(properties.get(step), dict):
                node, pointer = properties[step], join(place, "properties", step)
                break
        else:
            raise NotThereError(f"there is no property {step!r}", pointer)
    return node, pointer


def tags(data: dict[str, Any], name: str, path: Sequence[str]) -> set[str]:
    """Return the string constants that tell apart the variants of what ``path`` leads to.

    Lists are seen through to their items.

    Args:
        data: the schema.
        name: the definition to start from.
        path: property names from there; see ``property_at``.

    Raises:
        NotThereError: if a step leads nowhere.
    """
    node, pointer = property_at(data, name, path)
    found: set[str] = set()
    for candidate, place in _transparent(data, node, pointer):
        if isinstance(candidate.get("items"), dict):
            inner = _transparent(data, candidate["items"], join(place, "items"))
            found |= {tag for schema, at in inner for tag in _constants(data, schema, at)}
        found |= _constants(data, candidate, place)
    return found


def _constants(data: dict[str, Any], node: dict[str, Any], pointer: str) -> set[str]:
    return {
        field["const"]
        for keyword in _UNIONS
        for member in node.get(keyword, ())
        if isinstance(member, dict)
        for branch, _ in _transparent(data, member, pointer)
        for field in branch.get("properties", {}).values()
        if isinstance(field, dict) and isinstance(field.get("const"), str)
    }


def _step(node: dict[str, Any], pointer: str, step: str) -> tuple[dict[str, Any], str]:
    found: list[tuple[dict[str, Any], str]] = []
    child = node.get("properties", {}).get(step)
    if isinstance(child, dict):
        found.append((child, join(pointer, "properties", step)))
    if any(keyword in node for keyword in _UNIONS):
        members, place = _members(node, pointer)
        for index, member in enumerate(members):
            if isinstance(member, dict) and member.get("title") == step:
                found.append((member, join(place, index)))
    if not found:
        raise NotThereError(f"there is no property and no branch {step!r}", pointer)
    if len(found) > 1:
        raise NotThereError(f"{step!r} names more than one property or branch", pointer)
    return found[0]


def _members(node: dict[str, Any], pointer: str) -> tuple[list[Any], str]:
    keywords = [keyword for keyword in _UNIONS if keyword in node]
    if len(keywords) != 1:
        raise NotThereError("this is no union: it needs one anyOf or oneOf", pointer)
    members: list[Any] = node[keywords[0]]
    place = join(pointer, keywords[0])
    inner = _without_null(members)
    if inner is not None and any(keyword in members[inner] for keyword in _UNIONS):
        return _members(members[inner], join(place, inner))
    return members, place


def _without_null(members: list[Any]) -> int | None:
    """Return the position of the other member, if ``members`` are one schema and null."""
    if len(members) != 2:
        return None
    others = [i for i, m in enumerate(members) if isinstance(m, dict) and m.get("type") != _NULL]
    return others[0] if len(others) == 1 else None


def _transparent(
    data: dict[str, Any], node: dict[str, Any], pointer: str
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield ``node`` and what its value must also be: references, allOf, the part beside null."""
    yield node, pointer
    ref = node.get("$ref")
    if isinstance(ref, str):
        target, place = definition(data, definition_name(ref))
        yield from _transparent(data, target, place)
    for index, member in enumerate(node.get("allOf", ())):
        if isinstance(member, dict):
            yield from _transparent(data, member, join(pointer, "allOf", index))
    for keyword in _UNIONS:
        inner = _without_null(node.get(keyword, []))
        if inner is not None:
            place = join(pointer, keyword, inner)
            yield from _transparent(data, node[keyword][inner], place)
