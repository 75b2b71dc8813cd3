"""The conversion plan as Python expressions for the converter's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...conversion.plan import (
    Copy,
    Direction,
    Each,
    FieldPlan,
    Node,
    ObjectPlan,
    ShapePlan,
    TagPlan,
    TypePlan,
)
from ...protocol.ir import TypeId
from .literals import literal
from .names import Names


@dataclass(frozen=True)
class DirectionView:
    """One direction; keys are the Python names of the source's types."""

    name: str
    source: str
    target: str
    targets: tuple[tuple[str, str], ...]
    keys: tuple[tuple[str, str], ...]
    plans: tuple[tuple[str, str], ...]


def direction_view(direction: Direction, names: Names) -> DirectionView:
    """Return ``direction`` for the template; ``names`` are those of its source version."""
    keys = names.types
    return DirectionView(
        direction.name,
        direction.source,
        direction.target,
        tuple(direction.targets.items()),
        tuple((name, keys[(name,)]) for name in direction.targets),
        tuple((keys[id_], _plan(plan, keys)) for id_, plan in direction.types.items()),
    )


def _plan(plan: TypePlan, keys: Mapping[TypeId, str]) -> str:
    if isinstance(plan, ObjectPlan):
        members = ", ".join(
            f"{literal(name)}: {_member(field, keys)}" for name, field in plan.fields.items()
        )
        return f"_c.Object({{{members}}}{', extra=True' if plan.extra else ''})"
    if isinstance(plan, TagPlan):
        variants = ", ".join(
            f"{literal(value)}: {literal(keys[id_])}" for value, id_ in plan.variants
        )
        fallback = literal(keys[plan.fallback]) if plan.fallback else "None"
        untagged = literal(tuple(keys[id_] for id_ in plan.untagged))
        return f"_c.Tagged({literal(plan.tag)}, {{{variants}}}, {fallback}, {untagged})"
    if isinstance(plan, ShapePlan):
        return (
            f"_c.Shape({literal(tuple((required, keys[id_]) for required, id_ in plan.branches))})"
        )
    return f"_c.Value({_node(plan.node, keys)})"


def _member(field: FieldPlan, keys: Mapping[TypeId, str]) -> str:
    parts = [literal(field.name), _node(field.node, keys)]
    if field.null != "drop":
        parts.append(f"null={literal(field.null)}")
    if field.merge:
        parts.append("merge=True")
    return f"_c.Member({', '.join(parts)})"


def _node(node: Node, keys: Mapping[TypeId, str]) -> str:
    if isinstance(node, Copy):
        return "None"
    if isinstance(node, Each):
        return f"_c.Each({_node(node.inner, keys)})"
    return f"_c.Use({literal(keys[node.id])})"
