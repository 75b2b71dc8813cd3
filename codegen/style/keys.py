"""What the keys of names and style can be: the names that a protocol has, by kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..protocol.ir import Enum, Protocol, Struct, TaggedUnion, TypeId, Union


def dotted(id_: TypeId) -> str:
    """Return a type id as configuration keys spell it."""
    return ".".join(id_)


def is_union(protocol: Protocol, id_: TypeId) -> bool:
    """True if the type is a union, tagged or not."""
    return isinstance(protocol.types.get(id_), TaggedUnion | Union)


def union_of_variant(protocol: Protocol, id_: TypeId) -> TypeId | None:
    """Return the outermost union that the type is a variant of; None if it is none.

    A variant of a variant belongs to the outer union: its key there is tag, dot, title.
    """
    found = None
    for end in range(len(id_) - 1, 0, -1):
        if not is_union(protocol, id_[:end]):
            break
        found = id_[:end]
    return found


@dataclass(frozen=True)
class Keys:
    """The keys that match something in one of the protocols.

    Args:
        definitions: names of definitions.
        string_enums: those that are string enums.
        structs: those that are objects with declared fields.
        others: those that are neither classes nor string enums: unions and aliases.
        types: every type, dotted.
        named: those that are no variants.
        unions: unions, dotted.
        tagged: unions with a tag.
        split: unions whose catch-all has branches.
        variants: union -> its variants, dotted, and theirs.
        properties: wire names of properties.
        fields: Type.property.
        methods: wire names of methods.
        sides: the sides that serve methods.
    """

    definitions: frozenset[str]
    string_enums: frozenset[str]
    structs: frozenset[str]
    others: frozenset[str]
    types: frozenset[str]
    named: frozenset[str]
    unions: frozenset[str]
    tagged: frozenset[str]
    split: frozenset[str]
    variants: dict[str, frozenset[str]]
    properties: frozenset[str]
    fields: frozenset[str]
    methods: frozenset[str]
    sides: frozenset[str]


def keys_of(protocols: Iterable[Protocol]) -> Keys:
    """Return the keys that match something in at least one of ``protocols``."""
    sets: dict[str, set[str]] = {name: set() for name in Keys.__annotations__}
    variants: dict[str, set[str]] = {}
    for protocol in protocols:
        for id_, type_ in protocol.types.items():
            name = dotted(id_)
            sets["types"].add(name)
            if len(id_) == 1:
                sets["definitions"].add(name)
                if isinstance(type_, Struct):
                    sets["structs"].add(name)
                elif isinstance(type_, Enum) and type_.kind == "string":
                    sets["string_enums"].add(name)
                else:
                    sets["others"].add(name)
            if isinstance(type_, Struct):
                wires = [field.wire_name for field in type_.fields]
                sets["properties"].update(wires)
                sets["fields"].update(f"{name}.{wire}" for wire in wires)
            union = union_of_variant(protocol, id_)
            if union is not None:
                variants.setdefault(dotted(union), set()).add(dotted(id_[len(union) :]))
                continue
            sets["named"].add(name)
            if is_union(protocol, id_):
                variants.setdefault(name, set())
                sets["unions"].add(name)
                if isinstance(type_, TaggedUnion):
                    sets["tagged"].add(name)
                    if type_.fallback and is_union(protocol, type_.fallback.type):
                        sets["split"].add(name)
        sets["methods"].update(method.wire_name for method in protocol.methods)
        sets["sides"].update(method.side for method in protocol.methods)
    del sets["variants"]
    return Keys(
        variants={name: frozenset(found) for name, found in variants.items()},
        **{name: frozenset(found) for name, found in sets.items()},
    )
