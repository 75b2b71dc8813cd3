"""What a default means: an object stands for itself and for the defaults of its own fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..protocol.ir import ABSENT, Alias, Field, Nullable, Protocol, Ref, Struct, TypeExpr
from .sameness import json_text


@dataclass(frozen=True)
class Defaults:
    """Compares the defaults of an old and a new schema."""

    old: Protocol
    new: Protocol

    def same(self, old: Field, new: Field) -> bool:
        """Return whether one of the two schemas reads both defaults as the same value."""
        if old.default is ABSENT or new.default is ABSENT:
            return False
        return any(
            json_text(_full(schema, expr, old.default))
            == json_text(_full(schema, expr, new.default))
            for schema, expr in ((self.old, old.type), (self.new, new.type))
        )


def _full(protocol: Protocol, expr: TypeExpr, value: Any) -> Any:
    """Return ``value`` with what its type fills in for what it leaves out."""
    struct = _struct(protocol, expr)
    if struct is None or not isinstance(value, dict):
        return value
    filled = dict(value)
    for item in struct.fields:
        said = value.get(item.wire_name, item.default)
        if said is not ABSENT:
            filled[item.wire_name] = _full(protocol, item.type, said)
    return filled


def _struct(protocol: Protocol, expr: TypeExpr) -> Struct | None:
    while not isinstance(expr, Ref) or isinstance(protocol.types[expr.id], Alias):
        if isinstance(expr, Nullable):
            expr = expr.inner
        elif isinstance(expr, Ref):
            target = protocol.types[expr.id]
            assert isinstance(target, Alias)
            expr = target.type
        else:
            return None
    target = protocol.types[expr.id]
    return target if isinstance(target, Struct) else None
