"""The conversion plan as TypeScript: object literals whose types mirror the plan's classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, get_args

from ...conversion.bridge_model import Bridge
from ...conversion.model import Direction, Node, Tagged, TypePlan
from ..conversions import given, targets_of
from ..naming import pascal, upper
from .layout import SPACE, Doc, IfBroken, array, group, indent, joined, prop, record, render
from .literals import entry, literal, string
from .names import camel

#: Classes that stand where several may: the literal says which one it is.
_STEPS = (*get_args(Node), *get_args(TypePlan))
#: Mappings whose keys are any JSON scalars: they become lists of pairs.
_PAIRED = ((Tagged, "variants"),)


@dataclass(frozen=True)
class DirectionView:
    """One direction for the template.

    Args:
        name: such as ``v1_to_v2``.
        source: the version converted from.
        target: the version converted to.
        constant: what the module calls its data.
        function: the function that converts typed values.
        types: the interface that says what each definition becomes.
        targets: its members.
        tables: the rest of the data, member by member.
    """

    name: str
    source: str
    target: str
    constant: str
    function: str
    types: str
    targets: tuple[str, ...]
    tables: tuple[tuple[str, tuple[str, ...]], ...]


def direction_view(direction: Direction) -> DirectionView:
    """Return ``direction`` for the template."""
    tables = (
        ("targets", direction.targets),
        ("keys", direction.keys),
        ("plans", direction.plans),
        ("refused", direction.refused),
    )
    return DirectionView(
        direction.name,
        direction.source,
        direction.target,
        upper(direction.name),
        camel(direction.name),
        pascal(direction.name),
        tuple(
            _type_member(name, found)
            for name in direction.keys
            if (found := targets_of(direction, name))
        ),
        tuple(
            (name, tuple(_row(key, item) for key, item in table.items())) for name, table in tables
        ),
    )


@dataclass(frozen=True)
class BridgeView:
    """What a bridge must know, for the template: its words, and the type of a version."""

    words: str
    versions: str


def bridge_view(bridge: Bridge | None) -> BridgeView | None:
    """Return ``bridge`` for the template; None if there is none."""
    if bridge is None:
        return None
    words = render(group("const BRIDGE: Words = ", _value(bridge), ";"))
    return BridgeView(words, f"{string(bridge.old)} | {string(bridge.new)}")


def _type_member(name: str, targets: tuple[str, ...]) -> str:
    if len(targets) == 1:
        return f"{entry(name)}: {string(targets[0])};"
    choices = joined(map(string, targets), (SPACE, "| "))
    body = indent(SPACE, IfBroken("| "), *choices)
    return render(group(f"{entry(name)}:", body, ";"), column=2, depth=1)


def _row(key: str, item: Any) -> str:
    return render(group(prop(entry(key), _value(item)), ","), column=4, depth=2)


def _value(value: Any) -> Doc:
    """Return a step, what a step holds, or a JSON value."""
    if is_dataclass(value) and not isinstance(value, type):
        members: list[tuple[str, Doc]] = []
        if isinstance(value, _STEPS):
            members.append(("do", string(camel(type(value).__name__))))
        members += [(camel(name), _held(value, name, held)) for name, held in given(value)]
        return record(*members)
    if isinstance(value, Mapping):
        return record(*((entry(key), _value(item)) for key, item in value.items()))
    if isinstance(value, tuple | list):
        return _list(value)
    return literal(value)


def _held(step: Any, name: str, held: Any) -> Doc:
    paired = any(isinstance(step, type_) and name == field for type_, field in _PAIRED)
    return _list(list(held.items())) if paired else _value(held)


def _list(items: tuple[Any, ...] | list[Any]) -> Doc:
    # Lists of lists, and of objects, stand one below the other, unless they are all but empty.
    docs = [_value(item) for item in items]
    kinds = {_kind(item) for item in items}
    return array(*docs, broken=len(items) > 1 and kinds in ({"object"}, {"list"}))


def _kind(item: Any) -> str:
    if isinstance(item, tuple | list):
        return "list" if len(item) > 1 else ""
    if is_dataclass(item) and not isinstance(item, type):
        return "object" if len(given(item)) + isinstance(item, _STEPS) > 1 else ""
    return "object" if isinstance(item, Mapping) and len(item) > 1 else ""
