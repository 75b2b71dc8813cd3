"""What a protocol knows by wire name: fields, words and tags of a definition, and what lies below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..protocol.ir import (
    Alias,
    Field,
    Nullable,
    Protocol,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
)


def seen_through(protocol: Protocol, id_: TypeId) -> Type:
    """Return the type that ``id_`` stands for, plain aliases of other types resolved."""
    type_ = protocol.types[id_]
    while isinstance(type_, Alias) and isinstance(type_.type, Ref):
        type_ = protocol.types[type_.type.id]
    return type_


def fields_of(protocol: Protocol, name: str) -> set[str]:
    """Return the wire names of the fields of a definition and of the types inside it."""
    return {
        field.wire_name
        for type_ in _family(protocol, name)
        for field in getattr(type_, "fields", ())
    }


def words_of(protocol: Protocol, name: str) -> set[str]:
    """Return the words of an enum."""
    return {str(v.value) for type_ in _family(protocol, name) for v in getattr(type_, "values", ())}


def tags_of(protocol: Protocol, name: str) -> set[str]:
    """Return the tags of a union; none if there is no such union."""
    type_ = protocol.types.get((name,))
    return {str(variant.value) for variant in getattr(type_, "variants", ())}


def payload_of(protocol: Protocol, name: str, tag: str) -> set[str]:
    """Return the wire names of the fields beside the tag in a variant of a union."""
    return {
        field.wire_name
        for variant in getattr(protocol.types[(name,)], "variants", ())
        if str(variant.value) == tag
        for field in getattr(protocol.types[variant.type], "fields", ())
    }


def first_unknown(
    protocol: Protocol, name: str, path: Sequence[str]
) -> tuple[str, set[str]] | None:
    """Return the first name of ``path`` that leads nowhere, and the names that could stand there.

    Args:
        protocol: the version to look in.
        name: the definition whose fields the path starts at.
        path: wire names, outermost first; a tag counts as a field of its union.
    """
    known = fields_of(protocol, name)
    here = [field for type_ in _family(protocol, name) for field in getattr(type_, "fields", ())]
    for token in path:
        if token not in known:
            return token, known
        below = [option for field in here if field.wire_name == token
                 for option in _below(protocol, field.type)]  # fmt: skip
        here = [field for struct in _structs(protocol, below) for field in struct.fields]
        known = {field.wire_name for field in here}
        known |= {option.tag for option in below if isinstance(option, TaggedUnion)}
    return None


def field_at(protocol: Protocol, struct: Struct, path: Sequence[str]) -> Field | None:
    """Return the field at ``path``, in whichever variant has it; None if there is none."""
    found = next((field for field in struct.fields if field.wire_name == path[0]), None)
    if found is None or len(path) == 1:
        return found
    inside = (
        field_at(protocol, option, path[1:])
        for option in _structs(protocol, _below(protocol, found.type))
    )
    return next((field for field in inside if field is not None), None)


def _family(protocol: Protocol, name: str) -> Iterator[Any]:
    return (type_ for id_, type_ in protocol.types.items() if id_[0] == name)


def _below(protocol: Protocol, expr: TypeExpr) -> list[Type]:
    while isinstance(expr, Nullable):
        expr = expr.inner
    return [seen_through(protocol, expr.id)] if isinstance(expr, Ref) else []


def _structs(protocol: Protocol, types: Iterable[Type]) -> Iterator[Struct]:
    for type_ in types:
        options = (
            [protocol.types[variant.type] for variant in type_.variants]
            if isinstance(type_, TaggedUnion)
            else [type_]
        )
        yield from (option for option in options if isinstance(option, Struct))
