"""Fields as Python expressions: their defaults, and how they stand on the wire."""

from __future__ import annotations

from typing import Any

from ...protocol.ir import (
    ABSENT,
    AnyOf,
    Field,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Ref,
    Scalar,
    TypeExpr,
)
from .literals import json_text, literal


def default_expression(field: Field) -> str:
    """Return the Python expression of what omission means; empty if the field must be given."""
    if field.tag is not ABSENT:
        return literal(field.tag)
    if field.presence.required:
        return ""
    if field.default is ABSENT or field.default is None:
        return "None"
    if isinstance(field.default, dict | list):
        return f"_default({literal(json_text(field.default))})"
    return literal(field.default)


def wire_expression(field: Field) -> str:
    """Return the Python expression that tells the runtime how ``field`` stands on the wire."""
    parts = [literal(field.wire_name)]
    flags = {
        "required": field.presence.required,
        "nullable": field.presence.nullable,
        "on_error": field.on_error,
        "on_null": field.on_null,
        "skip_items": field.skip_invalid_items,
    }
    parts += [f"{name}=True" for name, on in flags.items() if on]
    if field.default is not ABSENT and field.default is not None:
        parts.append(f"default={literal(json_text(field.default))}")
    if field.salvage is not None:
        parts.append(f"salvage={literal(tuple(json_types(field.salvage)))}")
    if field.tag is not ABSENT:
        parts.append(f"tag={literal(field.tag)}")
    if field.excluded:
        parts.append(f"excluded={literal(field.excluded)}")
    return f"_Wire({', '.join(parts)})"


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
