"""The JSON types that a type expression allows."""

from __future__ import annotations

from typing import Any

from ..protocol.ir import AnyOf, ListOf, Literals, MapOf, Nullable, Ref, Scalar, TypeExpr


def json_types(expr: TypeExpr) -> list[str]:
    """Return the JSON types that values of ``expr`` can have; references count as objects."""
    if isinstance(expr, Scalar):
        every = ["null", "string", "boolean", "number", "array", "object"]
        return every if expr.kind == "any" else [expr.kind]
    if isinstance(expr, Literals):
        return sorted({_json_type(value) for value in expr.values})
    if isinstance(expr, Nullable):
        return [*json_types(expr.inner), "null"]
    if isinstance(expr, ListOf):
        return ["array"]
    if isinstance(expr, AnyOf):
        return sorted({name for branch in expr.branches for name in json_types(branch)})
    assert isinstance(expr, MapOf | Ref)
    return ["object"]


def _json_type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "null" if value is None else "string"
