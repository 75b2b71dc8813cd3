"""Whether every value of one type may be read as another, of the same or the other schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from ..protocol.graph import all_variants
from ..protocol.ir import (
    Alias,
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
    TypeExpr,
    TypeId,
    Union,
)
from ..protocol.shapes import kind_of
from .constraints import implies

#: Types inside types that are looked at; what is deeper counts as not shown.
MAX_DEPTH: Final = 40

Corresponds = Callable[[TypeId, TypeId], bool]
_Form = TypeExpr | Struct


@dataclass
class Inclusion:
    """Answers for one direction. It is careful: what cannot be shown to be included is not.

    Args:
        sent: the schema of the values.
        read: the schema that reads them.
        corresponds: whether two definitions are one and the same for this question. What differs
            inside them is told where they are compared.
    """

    sent: Protocol
    read: Protocol
    corresponds: Corresponds
    _known: dict[tuple[TypeExpr, TypeExpr], bool] = field(default_factory=dict)
    _depth: int = 0

    def holds(self, one: TypeExpr, other: TypeExpr) -> bool:
        """Return whether every value of ``one`` may be read as ``other``."""
        if isinstance(one, Ref) and isinstance(other, Ref) and self.corresponds(one.id, other.id):
            return True
        return self._compare(one, other) if isinstance(one, Literals) else self._ask(one, other)

    def holds_inside(self, one: TypeId, other: TypeId) -> bool:
        """Return the same of what is inside two types, even if they correspond."""
        return self._compare(Ref(one), Ref(other))

    def reads_null(self, item: Field) -> bool:
        """Return whether a field of the reader may be null: it says so, or its type does."""
        return item.presence.nullable or self.holds(Scalar("null"), item.type)

    def _ask(self, one: TypeExpr, other: TypeExpr) -> bool:
        key = (one, other)
        if key in self._known:
            return self._known[key]
        if self._depth >= MAX_DEPTH:
            return False
        before = len(self._known)
        self._known[key] = True  # a type that contains itself: assume, and then prove
        self._depth += 1
        shown = self._compare(one, other)
        self._depth -= 1
        if not shown:
            for doubtful in list(self._known)[before:]:
                if self._known[doubtful]:  # perhaps shown with the help of the assumption
                    del self._known[doubtful]
            self._known[key] = False
        return shown

    def _compare(self, one: TypeExpr, other: TypeExpr) -> bool:
        target = self._options(self.read, other)
        if any(isinstance(form, Scalar) and form.kind == "any" for form in target):
            return True
        return all(
            any(self._fits(form, option) for option in target)
            or (isinstance(form, Literals) and self._each(form, target))
            for form in self._options(self.sent, one)
        )

    def _each(self, words: Literals, target: list[_Form]) -> bool:
        """A list of words may be split over several branches."""
        return all(
            any(self._fits(Literals((word,)), option) for option in target) for word in words.values
        )

    def _fits(self, one: _Form, other: _Form) -> bool:
        if isinstance(one, Literals):
            return all(_accepts(other, word) for word in one.values)
        if isinstance(other, Literals):
            return False
        if isinstance(one, Scalar):
            return isinstance(other, Scalar) and _scalar(one, other)
        if isinstance(one, ListOf):
            return (
                isinstance(other, ListOf)
                and implies(_bounds(one), _bounds(other))
                and self.holds(one.item, other.item)
            )
        if isinstance(one, MapOf):
            if isinstance(other, MapOf):
                return self.holds(one.value, other.value)
            return isinstance(other, Struct) and self._map_as_struct(one, other)
        if not isinstance(one, Struct):
            return False
        if isinstance(other, MapOf):
            return self._struct_as_map(one, other)
        return isinstance(other, Struct) and self._struct(one, other)

    def _struct(self, one: Struct, other: Struct) -> bool:
        sent = {item.wire_name: item for item in one.fields}
        if not other.open and (one.open or sent.keys() - {f.wire_name for f in other.fields}):
            return False
        return all(
            self._field(sent[item.wire_name], item)
            if item.wire_name in sent
            else not item.presence.required
            for item in other.fields
        )

    def _field(self, one: Field, other: Field) -> bool:
        if other.presence.required and not one.presence.required:
            return False
        if one.presence.nullable and not (other.on_null or self.reads_null(other)):
            return False
        for tag in other.excluded:
            if not any(_same(tag, out) for out in one.excluded) and self.holds(
                Literals((tag,)), one.type
            ):
                return False
        # Null was looked at above, whichever part of the type allows it.
        return self.holds(one.type, other.type) or self.holds(one.type, Nullable(other.type))

    def _struct_as_map(self, one: Struct, other: MapOf) -> bool:
        if other.value == Scalar("any"):
            return True
        return not one.open and all(self.holds(item.type, other.value) for item in one.fields)

    def _map_as_struct(self, one: MapOf, other: Struct) -> bool:
        return other.open and all(
            not item.presence.required and self.holds(one.value, item.type) for item in other.fields
        )

    def _options(self, protocol: Protocol, expr: TypeExpr) -> list[_Form]:
        """Return the plain types that ``expr`` is one of: references and unions are seen through."""
        found: list[_Form] = []
        waiting, seen = [expr], set[TypeId]()
        while waiting:
            item = waiting.pop(0)
            if isinstance(item, Nullable):
                waiting[:0] = [item.inner, Scalar("null")]
            elif isinstance(item, AnyOf):
                waiting[:0] = item.branches
            elif not isinstance(item, Ref):
                found.append(item)
            elif item.id not in seen:
                seen.add(item.id)
                type_ = protocol.types[item.id]
                if isinstance(type_, Struct):
                    found.append(type_)
                elif isinstance(type_, Enum):
                    found.append(Scalar(type_.kind) if type_.open else _words(type_))
                else:
                    waiting[:0] = _parts(type_)
        return found


def _parts(type_: Alias | Union | TaggedUnion) -> Iterable[TypeExpr]:
    if isinstance(type_, Alias):
        return [type_.type]
    if isinstance(type_, Union):
        return [branch.type for branch in type_.branches]
    return [Ref(variant.type) for variant in all_variants(type_)]


def _words(enum: Enum) -> Literals:
    return Literals(tuple(value.value for value in enum.values))


def _bounds(expr: ListOf) -> dict[str, int | float | str]:
    said = {"minItems": expr.min_items, "maxItems": expr.max_items}
    return {key: value for key, value in said.items() if value is not None}


def _scalar(one: Scalar, other: Scalar) -> bool:
    if other.kind == "any":
        return True
    kinds = one.kind == other.kind or (one.kind, other.kind) == ("integer", "number")
    return kinds and implies(dict(one.constraints), dict(other.constraints))


def _accepts(form: _Form, word: Any) -> bool:
    if isinstance(form, Literals):
        return any(_same(word, value) for value in form.values)
    if not isinstance(form, Scalar):
        return False
    bounds: dict[str, int | float | str] = {}
    kind = kind_of(word)
    if kind in ("integer", "number"):
        bounds = {"minimum": word, "maximum": word}
    elif kind == "string":
        bounds = {"minLength": len(word), "maxLength": len(word)}
    return _scalar(Scalar(kind, tuple(bounds.items())), form)


def _same(one: Any, other: Any) -> bool:
    """True for the same JSON scalar: ``true`` is not 1."""
    return json.dumps(one) == json.dumps(other)
