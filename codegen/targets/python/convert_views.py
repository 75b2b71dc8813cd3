"""The conversion plan as Python expressions. The converter's classes mirror the plan's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from ...conversion.bridge_model import Bridge
from ...conversion.model import Direction
from ..conversions import given
from .literals import literal

#: Class of the source -> types of the target that it may become, by public names.
Overloads = tuple[tuple[str, tuple[str, ...]], ...]


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
    overloads: Overloads


def direction_view(direction: Direction, overloads: Overloads = ()) -> DirectionView:
    """Return ``direction`` for the template."""
    return DirectionView(
        direction.name,
        direction.source,
        direction.target,
        tuple(direction.targets.items()),
        tuple(direction.keys.items()),
        tuple(direction.refused.items()),
        tuple((key, expression(plan)) for key, plan in direction.plans.items()),
        overloads,
    )


@dataclass(frozen=True)
class BridgeView:
    """What a bridge must know, for the template: Python expressions."""

    words: str
    versions: str


def bridge_view(bridge: Bridge | None) -> BridgeView | None:
    """Return ``bridge`` for the template; None if there is none."""
    if bridge is None:
        return None
    versions = f"{literal(bridge.old)}, {literal(bridge.new)}"
    return BridgeView(expression(bridge, "_b"), versions)


def expression(value: Any, module: str = "_c") -> str:
    """Return the Python expression of a step, or of what a step holds; ``module`` has its class."""
    if is_dataclass(value) and not isinstance(value, type):
        members = [f"{name}={expression(held, module)}" for name, held in given(value)]
        return f"{module}.{type(value).__name__}({', '.join(members)})"
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(
                f"{literal(key)}: {expression(item, module)}" for key, item in value.items()
            )
            + "}"
        )
    if isinstance(value, tuple):
        items = ", ".join(expression(item, module) for item in value)
        return f"({items}{',' if len(value) == 1 else ''})"
    return literal(value)
