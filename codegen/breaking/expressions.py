"""Compares the types of fields, items, map values and branches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..protocol.ir import (
    AnyOf,
    Field,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    TypeExpr,
    TypeId,
)
from .constraints import Change, changes
from .inclusion import Inclusion
from .sink import Place, Sink, quoted, sort_of
from .words import compare_words

Descend = Callable[[TypeId, TypeId], bool]

_KINDS: Mapping[Change, str] = {
    "tightened": "constraint-tightened",
    "loosened": "constraint-loosened",
    "changed": "constraint-changed",
}


@dataclass
class Expressions:
    """Compares type expressions of an old and a new schema.

    Args:
        old: the old schema.
        new: the new schema.
        sink: gets what is found.
        renamed: old name -> new name of renamed definitions.
        descend: compares two types that exist inside others; False if they are of two sorts.
    """

    old: Protocol
    new: Protocol
    sink: Sink
    renamed: Mapping[str, str]
    descend: Descend

    def __post_init__(self) -> None:
        self._forth = Inclusion(self.old, self.new, self.corresponds)
        self._back = Inclusion(self.new, self.old, lambda new, old: self.corresponds(old, new))

    def corresponds(self, old: TypeId, new: TypeId) -> bool:
        """Return whether two types are one definition, under its old and new name."""
        return len(old) == len(new) == 1 and self.renamed.get(old[0], old[0]) == new[0]

    def read_by_new(self, one: TypeExpr, other: TypeExpr) -> bool:
        """Return whether every old ``one`` may be read as the new ``other``."""
        return self._forth.holds(one, other)

    def read_by_old(self, one: TypeExpr, other: TypeExpr) -> bool:
        """Return whether every new ``one`` may be read as the old ``other``."""
        return self._back.holds(one, other)

    def null(self, old: Field, new: Field) -> tuple[bool, bool]:
        """Return whether the old and the new field may be null."""
        return self._back.reads_null(old), self._forth.reads_null(new)

    def inside(self, old: TypeId, new: TypeId) -> tuple[bool, bool]:
        """Return whether the new type reads every value of the old one, and the other way round."""
        return self._forth.holds_inside(old, new), self._back.holds_inside(new, old)

    def compare(
        self, old: TypeExpr, new: TypeExpr, place: Place, *, null_told: bool = False
    ) -> None:
        """Report what differs between two type expressions at ``place``.

        ``null_told`` says that null is compared already, whichever part of the types allows it.
        """
        if isinstance(old, Nullable) and isinstance(new, Nullable):
            return self.compare(old.inner, new.inner, place, null_told=True)
        if isinstance(old, ListOf) and isinstance(new, ListOf):
            self._bounds(_sizes(old), _sizes(new), place)
            return self.compare(old.item, new.item, place)
        if isinstance(old, MapOf) and isinstance(new, MapOf):
            return self.compare(old.value, new.value, place)
        if isinstance(old, Literals) and isinstance(new, Literals):
            return compare_words(
                {quoted(value): place.old for value in old.values},
                {quoted(value): place.new for value in new.values},
                place,
                self.sink,
            )
        if isinstance(old, Scalar) and isinstance(new, Scalar) and old.kind == new.kind:
            self._bounds(dict(old.constraints), dict(new.constraints), place)
            return self._format(old, new, place)
        if isinstance(old, Ref) and isinstance(new, Ref):
            if self.corresponds(old.id, new.id):
                return None
            inside = len(old.id) > 1 and len(new.id) > 1
            if inside and self.descend(old.id, new.id):
                return None
        return self.relate(old, new, place, null_told=null_told)

    def relate(
        self, old: TypeExpr, new: TypeExpr, place: Place, *, null_told: bool = False
    ) -> None:
        """Report how the values of two type expressions of two sorts relate, as a whole."""
        forth = self.read_by_new(old, Nullable(new) if null_told else new)
        back = self.read_by_old(new, Nullable(old) if null_told else old)
        before, after = self.show(old), self.show(new, self.new)
        if forth and back:
            # Types without a name of their own may be built otherwise: the values are the same.
            if before != after and not (_is_nameless(old) and _is_nameless(new)):
                self.sink.add("type-renamed", place, f"the type was {before} and is {after}")
            return
        kind = "type-widened" if forth else "type-narrowed" if back else "type-changed"
        what = f"the type was {before} and is {after}"
        if before == after:
            what = "the type takes other values than before"
        self.sink.add(kind, place, what, narrows=not forth, widens=not back)

    def show(self, expr: TypeExpr, protocol: Protocol | None = None) -> str:
        """Return a type expression of ``protocol`` (the old one if left out) for people."""
        within = protocol or self.old
        if isinstance(expr, Nullable):
            return f"{self.show(expr.inner, within)} or null"
        if isinstance(expr, ListOf):
            return f"list of {self.show(expr.item, within)}"
        if isinstance(expr, MapOf):
            return f"map of {self.show(expr.value, within)}"
        if isinstance(expr, AnyOf):
            return " or ".join(self.show(branch, within) for branch in expr.branches)
        if isinstance(expr, Literals):
            return " or ".join(map(quoted, expr.values))
        if isinstance(expr, Ref):
            # What has no name in the schema is told by its sort.
            return expr.id[0] if len(expr.id) == 1 else sort_of(within.types[expr.id])
        return expr.kind

    def _bounds(
        self,
        old: Mapping[str, int | float | str],
        new: Mapping[str, int | float | str],
        place: Place,
    ) -> None:
        for key, change in changes(old, new).items():
            before = quoted(old[key]) if key in old else "not there"
            after = quoted(new[key]) if key in new else "not there"
            self.sink.add(
                _KINDS[change],
                place,
                f"{key} was {before} and is {after}",
                narrows=change != "loosened",
                widens=change != "tightened",
            )

    def _format(self, old: Scalar, new: Scalar, place: Place) -> None:
        for word, before, after in (
            ("format", old.format, new.format),
            ("encoding", old.encoding, new.encoding),
        ):
            if before != after:
                what = f"the {word} was {before or 'not there'} and is {after or 'not there'}"
                self.sink.add("format-changed", place, what)


def _sizes(expr: ListOf) -> dict[str, int | float | str]:
    said = {"minItems": expr.min_items, "maxItems": expr.max_items}
    return {key: value for key, value in said.items() if value is not None}


def _is_nameless(expr: TypeExpr) -> bool:
    """True for a type that has no name of its own in the schema."""
    if isinstance(expr, Nullable):
        return _is_nameless(expr.inner)
    if isinstance(expr, ListOf):
        return _is_nameless(expr.item)
    if isinstance(expr, MapOf):
        return _is_nameless(expr.value)
    if isinstance(expr, AnyOf):
        return all(map(_is_nameless, expr.branches))
    return not isinstance(expr, Ref) or len(expr.id) > 1
