"""Whether two types mean the same, whatever they are called: the ground for calling it a rename.

Every type of both schemas gets a number, and types that mean the same get the same number. Numbers
start out equal and are made again from what a type holds, with the numbers of the types that it
refers to, until that tells no more types apart. So types that contain themselves need no care.
"""

from __future__ import annotations

import json
from typing import Any

from ..protocol.ir import (
    ABSENT,
    AnyOf,
    Enum,
    Field,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
    Union,
)

_Numbers = dict[TypeId, int]


class Sameness:
    """Compares types of two schemas. Texts, titles and names do not matter, with one exception:
    definitions that both schemas have under one name are the same, and like no other.
    """

    def __init__(self, old: Protocol, new: Protocol) -> None:
        self.old, self.new = old, new
        fixed: _Numbers = {}
        for name in old.definitions:
            if (name,) in new.types:
                fixed[name,] = -1 - len(fixed)
        self._old: _Numbers = {id_: fixed.get(id_, 0) for id_ in old.types}
        self._new: _Numbers = {id_: fixed.get(id_, 0) for id_ in new.types}
        classes = 0
        while classes < (classes := self._refine(fixed)):
            pass

    def _refine(self, fixed: _Numbers) -> int:
        """Make every number again; return how many there are."""
        known: dict[Any, int] = {}

        def again(protocol: Protocol, numbers: _Numbers) -> _Numbers:
            return {
                id_: fixed[id_]
                if id_ in fixed
                else known.setdefault(_shape(type_, numbers), len(known))
                for id_, type_ in protocol.types.items()
            }

        self._old, self._new = again(self.old, self._old), again(self.new, self._new)
        return len(known)

    def types(self, one: TypeId, other: TypeId) -> bool:
        """Return whether an old and a new type mean the same."""
        return self._old[one] == self._new[other]

    def number(self, name: str, *, of_new: bool) -> int:
        """Return the number of a definition: equal for those that mean the same."""
        return (self._new if of_new else self._old)[name,]

    def fields(self, one: Field, other: Field) -> bool:
        """Return whether an old and a new field mean the same but for their names."""
        return bool(_field(one, self._old) == _field(other, self._new))


def json_text(value: Any) -> str:
    """Return a text that tells JSON values apart: ``true`` is not 1."""
    return "absent" if value is ABSENT else json.dumps(value, sort_keys=True)


def _shape(type_: Type, numbers: _Numbers) -> Any:
    if isinstance(type_, Struct):
        fields = sorted((item.wire_name, _field(item, numbers)) for item in type_.fields)
        return "struct", type_.open, repr(fields)
    if isinstance(type_, TaggedUnion):
        tags = sorted((json_text(v.value), numbers[v.type]) for v in type_.variants)
        fallback = numbers[type_.fallback.type] if type_.fallback else None
        others = tuple(numbers[v.type] for v in type_.untagged)
        return "tagged", type_.tag, tuple(tags), fallback, others
    if isinstance(type_, Union):
        return "union", type_.exclusive, tuple(_expr(b.type, numbers) for b in type_.branches)
    if isinstance(type_, Enum):
        words = sorted(json_text(value.value) for value in type_.values)
        return "enum", type_.kind, type_.open, tuple(words)
    return "alias", _expr(type_.type, numbers)


def _field(item: Field, numbers: _Numbers) -> Any:
    return (
        item.presence.value,
        json_text(item.default),
        (item.on_error, item.on_null, item.skip_invalid_items),
        json_text(item.tag),
        tuple(sorted(json_text(tag) for tag in item.excluded)),
        _expr(item.type, numbers),
    )


def _expr(expr: TypeExpr, numbers: _Numbers) -> Any:
    if isinstance(expr, Ref):
        return "ref", numbers[expr.id]
    if isinstance(expr, ListOf):
        return "list", expr.min_items, expr.max_items, _expr(expr.item, numbers)
    if isinstance(expr, MapOf):
        return "map", _expr(expr.value, numbers)
    if isinstance(expr, Nullable):
        return "null", _expr(expr.inner, numbers)
    if isinstance(expr, AnyOf):
        return "any of", expr.exclusive, tuple(_expr(b, numbers) for b in expr.branches)
    if isinstance(expr, Literals):
        return "words", tuple(sorted(map(json_text, expr.values)))
    assert isinstance(expr, Scalar)
    return "scalar", expr.kind, repr(sorted(expr.constraints)), expr.format, expr.encoding
