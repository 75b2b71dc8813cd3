"""The conversion plan as Python expressions. The converter's classes mirror the plan's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any

from ...conversion.model import Direction
from .literals import literal


@dataclass(frozen=True)
class DirectionView:
    """One direction for the template; every value is a Python expression but for the names."""

    name: str
    source: str
    target: str
    targets: tuple[tuple[str, str], ...]
    keys: tuple[tuple[str, str], ...]
    refused: tuple[tuple[str, str], ...]
    plans: tuple[tuple[str, str], ...]


def direction_view(direction: Direction) -> DirectionView:
    """Return ``direction`` for the template."""
    return DirectionView(
        direction.name,
        direction.source,
        direction.target,
        tuple(direction.targets.items()),
        tuple(direction.keys.items()),
        tuple(direction.refused.items()),
        tuple((key, expression(plan)) for key, plan in direction.plans.items()),
    )


def expression(value: Any) -> str:
    """Return the Python expression of a step, or of what a step holds."""
    if is_dataclass(value) and not isinstance(value, type):
        given = [
            f"{field.name}={expression(getattr(value, field.name))}"
            for field in fields(value)
            if getattr(value, field.name) != _default(field)
        ]
        return f"_c.{type(value).__name__}({', '.join(given)})"
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{literal(key)}: {expression(item)}" for key, item in value.items())
            + "}"
        )
    if isinstance(value, tuple):
        return f"({', '.join(expression(item) for item in value)}{',' if len(value) == 1 else ''})"
    return literal(value)


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING
