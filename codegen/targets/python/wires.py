"""Fields as Python expressions: their defaults, and how they stand on the wire."""

from __future__ import annotations

from ...protocol.ir import ABSENT, Field
from ..json_types import json_types
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
