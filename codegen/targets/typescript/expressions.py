"""Type expressions as TypeScript types and as validators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...protocol.ir import (
    Alias,
    AnyOf,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    TypeExpr,
    Union,
)
from .layout import SOFT, SPACE, Doc, Group, IfBroken, array, call, group, indent, joined
from .literals import literal
from .names import Names

UNKNOWN = "unknown"
_WIDE = ("int64", "uint64")
#: Assertions of JSON Schema, as the building blocks of the validators call them.
_BOUNDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
    "multipleOf": "multipleOf",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "pattern": "pattern",
}
_SCALARS = {"string": "string", "number": "number", "boolean": "boolean", "null": "null"}
_BLOCKS = {"string": "text", "number": "real", "boolean": "flag", "null": "nothing"}


@dataclass(frozen=True)
class Expressions:
    """Writes type expressions.

    Args:
        protocol: one protocol version.
        names: its names.
        bigint: 64-bit integers are bigints, not numbers.
        maps: the type of objects with free keys. An alias may contain itself through an interface,
            and not through ``Record``.
    """

    protocol: Protocol
    names: Names
    bigint: bool
    maps: str = "Record<string, "

    def wide(self, expr: Scalar) -> bool:
        """True if the expression is an integer that a number may not hold."""
        return expr.kind == "integer" and expr.format in _WIDE

    # ---- types ------------------------------------------------------------------------------

    def members(self, expr: TypeExpr) -> list[Doc]:
        """Return the members of the union that ``expr`` is, or the one type."""
        if isinstance(expr, Literals):
            return [literal(value) for value in expr.values]
        if isinstance(expr, Nullable):
            return self.all_members([expr.inner, Scalar("null")])
        if isinstance(expr, AnyOf):
            return self.all_members(expr.branches)
        return [self._single(expr)]

    def all_members(self, exprs: Iterable[TypeExpr]) -> list[Doc]:
        """Return the members of the union of ``exprs``. Beside unknown there are no others."""
        found = list(exprs)
        if any(map(self._is_anything, found)):
            return [UNKNOWN]
        null = Scalar("null")
        if any(expr != null and self._takes_null(expr) for expr in found):
            found = [expr for expr in found if expr != null]
        return distinct(member for expr in found for member in self.members(expr))

    def _is_anything(self, expr: TypeExpr) -> bool:
        seen = set()
        while isinstance(expr, Ref) and expr.id not in seen:
            seen.add(expr.id)
            type_ = self.protocol.types[expr.id]
            if isinstance(type_, Union):
                return any(self._is_anything(branch.type) for branch in type_.branches)
            expr = type_.type if isinstance(type_, Alias) else expr
        if isinstance(expr, Nullable):
            return self._is_anything(expr.inner)
        return isinstance(expr, Scalar) and expr.kind == "any"

    def _takes_null(self, expr: TypeExpr) -> bool:
        pending, seen = [expr], set()
        while pending:
            item = pending.pop()
            if isinstance(item, Nullable) or item == Scalar("null"):
                return True
            if isinstance(item, AnyOf):
                pending += item.branches
            elif isinstance(item, Ref) and item.id not in seen:
                seen.add(item.id)
                type_ = self.protocol.types[item.id]
                if isinstance(type_, Alias):
                    pending.append(type_.type)
                elif isinstance(type_, Union):
                    pending += (branch.type for branch in type_.branches)
        return False

    def _single(self, expr: TypeExpr) -> Doc:
        if isinstance(expr, Scalar):
            if expr.kind == "integer":
                return "bigint" if self.bigint and self.wide(expr) else "number"
            return _SCALARS.get(expr.kind, UNKNOWN)
        if isinstance(expr, Ref):
            return self.names.types[expr.id]
        if isinstance(expr, ListOf):
            return _list_type(self.members(expr.item))
        assert isinstance(expr, MapOf)
        return self._map_type(self.members(expr.value))

    def _map_type(self, members: list[Doc]) -> Doc:
        if len(members) == 1:
            return group(self.maps, members[0], ">")
        head, *first = self.maps.split("<")
        before = [word for part in first for word in part.removesuffix(", ").split(", ") if word]
        inner = joined([*before, group(*joined(members, (SPACE, "| ")))], (",", SPACE))
        return group(f"{head}<", indent(SOFT, *inner), SOFT, ">")

    # ---- validators -------------------------------------------------------------------------

    def schema(self, expr: TypeExpr) -> Doc:
        """Return the expression that makes the validator of ``expr``."""
        if isinstance(expr, Scalar):
            return self._scalar(expr)
        if isinstance(expr, Literals):
            return call("oneOf", array(*(literal(value) for value in expr.values)))
        if isinstance(expr, Ref):
            return self.names.schemas[expr.id]
        if isinstance(expr, ListOf):
            limits = {"minItems": expr.min_items, "maxItems": expr.max_items}
            return self.list_of("list", expr, limits)
        if isinstance(expr, MapOf):
            return call("map", self.schema(expr.value))
        if isinstance(expr, Nullable):
            return call("nullable", self.schema(expr.inner))
        assert isinstance(expr, AnyOf)
        return call("first", array(*(self.schema(branch) for branch in expr.branches)))

    def list_of(self, block: str, expr: ListOf, limits: dict[str, int | None]) -> Doc:
        """Return a list made by ``block``, with its limits."""
        said = [(name, literal(limit)) for name, limit in limits.items() if limit is not None]
        options = [_inline(said)] if said else []
        return call(block, self.schema(expr.item), *options)

    def _scalar(self, expr: Scalar) -> Doc:
        if expr.kind == "any":
            return "anything"
        block = _BLOCKS.get(expr.kind) or ("wide" if self.wide(expr) else "integer")
        said: list[tuple[str, Doc]] = [
            (_BOUNDS[name], literal(value)) for name, value in expr.constraints
        ]
        if said:
            return call(f"{block}With", _inline(said))
        return block


def distinct(docs: Iterable[Doc]) -> list[Doc]:
    """Return the members of a union once each; beside unknown there are no others."""
    found = list(dict.fromkeys(docs))
    return [UNKNOWN] if UNKNOWN in found else found


def union(members: Iterable[Doc]) -> Doc:
    """Return a union type as it stands after ``:`` or ``=``, with the space before it."""
    found = list(members)
    if len(found) == 1:
        return group(" ", found[0])
    return group(indent(SPACE, group(IfBroken("| "), *joined(found, (SPACE, "| ")))))


def _list_type(members: list[Doc]) -> Doc:
    if len(members) == 1:
        return group(members[0], "[]")
    inner = joined(members, (SPACE, "| "))
    return group("(", indent(SOFT, IfBroken("| "), *inner), SOFT, ")[]")


def _inline(items: Sequence[tuple[str, Doc]]) -> Group:
    """Return an object that prettier may put on one line: it starts beside its brace."""
    members = [group(f"{name}: ", value) for name, value in items]
    inner = joined(members, (",", SPACE))
    return group("{", indent(SPACE, *inner, IfBroken(",")), SPACE, "}")
