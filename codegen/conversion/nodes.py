"""What becomes of a value, from its two type expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..protocol.ir import (
    Alias,
    AnyOf,
    Enum,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    TypeExpr,
    TypeId,
    Union,
)
from .model import Check, Each, Node, NotNull, Use, Words

_LOWER = ("minimum", "minLength")
_UPPER = ("maximum", "maxLength")
#: Formats that bound an integer; the widest value that each can hold.
_FORMAT_MAXIMUM = {
    "int32": 2**31 - 1,
    "int64": 2**63 - 1,
    "uint16": 2**16 - 1,
    "uint32": 2**32 - 1,
    "uint64": 2**64 - 1,
}


class NodePlanner:
    """Plans values. Its methods return a node, or a text that says why there is none.

    Args:
        source: the version converted from.
        target: the version converted to.
        pair: plans two named types and returns the key.
        counterpart: whether a named type may stand for another.
        words: what the rules say of the words of an enum.
        miss: notes something that has no answer.
        ruled: whether a rule is about just these two types, be they aliases.
    """

    def __init__(
        self,
        source: Protocol,
        target: Protocol,
        pair: Callable[[TypeId, TypeId], str],
        counterpart: Callable[[TypeId, TypeId], bool],
        words: Callable[[str], Mapping[str, Mapping[str, Any]]],
        miss: Callable[[str, TypeId], None],
        ruled: Callable[[TypeId, TypeId], bool],
    ) -> None:
        self._source, self._target = source, target
        self._pair, self._counterpart, self._words, self._miss = pair, counterpart, words, miss
        self._ruled = ruled

    def node(self, one: TypeExpr, two: TypeExpr, *, item: bool = False) -> Node | str:
        """Plan a value of type ``one`` where ``two`` is needed; with ``item`` an item of the list."""
        if isinstance(one, Ref) and isinstance(two, Ref) and self._ruled(one.id, two.id):
            return Use(self._pair(one.id, two.id))
        one, two = self._open(self._source, one), self._open(self._target, two)
        if item and isinstance(one, ListOf):
            return self.node(one.item, two)
        if isinstance(one, Nullable) and isinstance(two, Nullable):
            return self.node(one.inner, two.inner)
        if isinstance(one, Nullable):
            inner = self.node(one.inner, two)
            return inner if isinstance(inner, str) else NotNull(inner)
        if isinstance(two, Nullable):
            return self.node(one, two.inner)
        if isinstance(one, Ref) and isinstance(two, Ref):
            return self._refs(one.id, two.id)
        if isinstance(one, Scalar) and isinstance(two, Scalar):
            return self._scalars(one, two)
        if isinstance(one, Literals) and isinstance(two, Literals):
            return None if set(one.values) <= set(two.values) else Words(two.values)
        if isinstance(one, ListOf) and isinstance(two, ListOf):
            inner = self.node(one.item, two.item)
            if isinstance(inner, str):
                return inner
            least, wanted = one.min_items or 0, two.min_items or 0
            if inner is None:
                return self._bounded({"minItems": wanted} if wanted > least else {}, None)
            # Lossy conversion gives items up: what is left must mean a list to both versions.
            most = max(least, wanted)
            return self._bounded({"minItems": most} if most else {}, Each(inner))
        if isinstance(one, MapOf) and isinstance(two, MapOf):
            inner = self.node(one.value, two.value)
            return inner if isinstance(inner, str) or inner is None else Each(inner)
        if isinstance(one, AnyOf) and isinstance(two, AnyOf):
            return self._any_of(one.branches, two.branches)
        if isinstance(one, Ref) or isinstance(two, Ref):
            return self._mixed(one, two)
        return "its type differs"

    def _open(self, protocol: Protocol, expr: TypeExpr) -> TypeExpr:
        while isinstance(expr, Ref):
            type_ = protocol.types[expr.id]
            if not isinstance(type_, Alias):
                return expr
            expr = type_.type
        return expr

    def _mixed(self, one: TypeExpr, two: TypeExpr) -> Node | str:
        """A named union of scalars beside a nameless one."""
        branches = [self._branches(self._source, one), self._branches(self._target, two)]
        if branches[0] and branches[1]:
            return self._any_of(branches[0], branches[1])
        return "its type differs"

    def _branches(self, protocol: Protocol, expr: TypeExpr) -> tuple[TypeExpr, ...]:
        if isinstance(expr, AnyOf):
            return expr.branches
        type_ = protocol.types[expr.id] if isinstance(expr, Ref) else None
        return tuple(branch.type for branch in type_.branches) if isinstance(type_, Union) else ()

    def _refs(self, one: TypeId, two: TypeId) -> Node | str:
        source, target = self._source.types[one], self._target.types[two]
        if not self._counterpart(one, two):
            return f"{one[0]} is no counterpart of {two[0]}"
        if isinstance(source, Enum) and isinstance(target, Enum):
            return self.enum(source, target)
        return Use(self._pair(one, two))

    def enum(self, one: Enum, two: Enum) -> Node:
        """Plan the words of an enum. A closed target takes its own words only."""
        if two.open:
            return None
        allowed = tuple(value.value for value in two.values)
        mine = [value.value for value in one.values]
        if not one.open and set(mine) <= set(allowed):
            return None
        said = self._words(one.id[0])
        for word in mine:
            if word not in allowed and word not in said:
                self._miss(
                    f"the word {word} of {one.id[0]} is in {self._source.version} only", one.id
                )
        why = {word: entry["why"] for word, entry in said.items()}
        lossy = {word: entry["lossy"] for word, entry in said.items() if "lossy" in entry}
        return Words(allowed, why, lossy)

    def _scalars(self, one: Scalar, two: Scalar) -> Node | str:
        if two.kind == "any" and one.kind != "any":
            return None
        if one.kind != two.kind and not (one.kind == "integer" and two.kind == "number"):
            return "its type differs"
        mine, theirs = dict(one.constraints), dict(two.constraints)
        bounds: dict[str, Any] = {}
        for key in _LOWER:
            if key in theirs and mine.get(key, float("-inf")) < theirs[key]:  # type: ignore[operator]
                bounds[key] = theirs[key]
        for key in _UPPER:
            if key in theirs and mine.get(key, float("inf")) > theirs[key]:  # type: ignore[operator]
                bounds[key] = theirs[key]
        widest = _FORMAT_MAXIMUM.get(two.format or "")
        if (
            one.kind == "integer"
            and widest
            and _FORMAT_MAXIMUM.get(one.format or "", widest) > widest
        ):
            bounds.setdefault("maximum", widest)
        return self._bounded(bounds, None)

    def _bounded(self, bounds: Mapping[str, Any], node: Node) -> Node:
        return Check(bounds, node) if bounds else node

    def _any_of(self, one: tuple[TypeExpr, ...], two: tuple[TypeExpr, ...]) -> Node | str:
        """A union of plain values is copied if the target has every branch."""
        for branch in one:
            if not any(self.node(branch, other) is None for other in two):
                return "a branch of its type is missing in the other version"
        return None

    def union(self, one: Union, two: Union) -> Node | str:
        """Plan a named union that is not one of objects."""
        ones = [branch.type for branch in one.branches]
        twos = [branch.type for branch in two.branches]
        nodes = [self.node(a, b) for a, b in zip(ones, twos, strict=False)]
        if all(node is None for node in nodes) and len(ones) <= len(twos):
            return None
        return self._any_of(tuple(ones), tuple(twos))

    def kind(self, expr: TypeExpr) -> str:
        """Return the kind of JSON that a scalar of the source is; empty for anything else."""
        opened = self._open(self._source, expr)
        kind = opened.kind if isinstance(opened, Scalar) else ""
        return {"integer": "number", "any": ""}.get(kind, kind)

    def allows_null(self, expr: TypeExpr) -> bool:
        """True if null is a value of ``expr`` in the target."""
        return isinstance(self._open(self._target, expr), Nullable)
