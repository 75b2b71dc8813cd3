"""Whether two types mean the same, whatever they are called: the ground for calling it a rename."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..protocol.graph import all_variants
from ..protocol.ir import (
    ABSENT,
    Alias,
    AnyOf,
    Enum,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
    Union,
    Variant,
)


@dataclass
class Sameness:
    """Compares types of two schemas. Texts, titles and names of definitions do not matter.

    Args:
        old: the old schema.
        new: the new schema.
        renamed: definitions that are known to be renamed, old name -> new name. It may grow.
    """

    old: Protocol
    new: Protocol
    renamed: Mapping[str, str]
    _assumed: set[tuple[TypeId, TypeId]] = field(default_factory=set)

    def types(self, one: TypeId, other: TypeId) -> bool:
        """Return whether two types mean the same. Definitions of one name do, by their name."""
        whole = len(one) == len(other) == 1
        if whole and self.renamed.get(one[0], one[0]) == other[0]:
            return True
        if whole and ((one[0],) in self.new.types or (other[0],) in self.old.types):
            return False  # one of them is still there
        return self.shapes(one, other)

    def shapes(self, one: TypeId, other: TypeId) -> bool:
        """Return whether two types mean the same by what they hold."""
        key = (one, other)
        if key in self._assumed:
            return True
        self._assumed.add(key)  # a type that contains itself: assume, and then prove
        if self._shape(self.old.types[one], self.new.types[other]):
            return True
        self._assumed.clear()  # what was proved with its help is in doubt
        return False

    def exprs(self, one: TypeExpr, other: TypeExpr) -> bool:
        """Return whether two type expressions mean the same."""
        if isinstance(one, Ref) and isinstance(other, Ref):
            return self.types(one.id, other.id)
        if isinstance(one, ListOf) and isinstance(other, ListOf):
            bounds = (one.min_items, one.max_items) == (other.min_items, other.max_items)
            return bounds and self.exprs(one.item, other.item)
        if isinstance(one, MapOf) and isinstance(other, MapOf):
            return self.exprs(one.value, other.value)
        if isinstance(one, Nullable) and isinstance(other, Nullable):
            return self.exprs(one.inner, other.inner)
        if isinstance(one, AnyOf) and isinstance(other, AnyOf):
            alike = one.exclusive == other.exclusive and len(one.branches) == len(other.branches)
            return alike and all(map(self.exprs, one.branches, other.branches))
        return type(one) is type(other) and json_text(one) == json_text(other)

    def fields(self, one: Field, other: Field) -> bool:
        """Return whether two fields mean the same but for their names."""
        return _facts(one) == _facts(other) and self.exprs(one.type, other.type)

    def _shape(self, one: Type, other: Type) -> bool:
        if isinstance(one, Struct) and isinstance(other, Struct):
            return one.open == other.open and self._fields(one, other)
        if isinstance(one, TaggedUnion) and isinstance(other, TaggedUnion):
            return one.tag == other.tag and self._variants(one, other)
        if isinstance(one, Union) and isinstance(other, Union):
            alike = one.exclusive == other.exclusive and len(one.branches) == len(other.branches)
            return alike and all(
                self.exprs(mine.type, theirs.type)
                for mine, theirs in zip(one.branches, other.branches, strict=True)
            )
        if isinstance(one, Enum) and isinstance(other, Enum):
            words = [sorted(json_text(v.value) for v in enum.values) for enum in (one, other)]
            return words[0] == words[1] and (one.kind, one.open) == (other.kind, other.open)
        if isinstance(one, Alias) and isinstance(other, Alias):
            return self.exprs(one.type, other.type)
        return False

    def _fields(self, one: Struct, other: Struct) -> bool:
        theirs = {item.wire_name: item for item in other.fields}
        return theirs.keys() == {item.wire_name for item in one.fields} and all(
            self.fields(item, theirs[item.wire_name]) for item in one.fields
        )

    def _variants(self, one: TaggedUnion, other: TaggedUnion) -> bool:
        mine, theirs = _by_tag(one), _by_tag(other)
        return mine.keys() == theirs.keys() and all(
            self.types(mine[tag].type, theirs[tag].type) for tag in mine
        )


def json_text(value: Any) -> str:
    """Return a text that tells JSON values apart: ``true`` is not 1."""
    return "absent" if value is ABSENT else json.dumps(value, sort_keys=True, default=repr)


def _facts(item: Field) -> tuple[Any, ...]:
    return (
        item.presence,
        json_text(item.default),
        item.on_error,
        item.on_null,
        item.skip_invalid_items,
        json_text(item.tag),
        sorted(json_text(tag) for tag in item.excluded),
    )


def _by_tag(union: TaggedUnion) -> dict[str, Variant]:
    """Return the branches by tag, and those without one by their kind and place."""
    found = {f"tag {json_text(variant.value)}": variant for variant in union.variants}
    others = [variant for variant in all_variants(union) if variant not in union.variants]
    for index, variant in enumerate(others):
        kind = "fallback" if variant is union.fallback else "untagged"
        found[f"{kind} {index}"] = variant
    return found
