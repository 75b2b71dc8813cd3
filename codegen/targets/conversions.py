"""The plan of conversions as every language reads it."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from ..conversion.model import Choice, Direction, RefuseAt


def targets_of(direction: Direction, name: str) -> tuple[str, ...]:
    """Return the target definitions that values of the source definition ``name`` may become.

    Empty if no value of it ever converts.
    """
    plan = direction.plans[direction.keys[name]]
    if isinstance(plan, RefuseAt):
        return ()
    if isinstance(plan, Choice):
        cases = (case[0] for case in plan.cases.values())
        return tuple(dict.fromkeys([plan.absent[0], *cases]))
    return (direction.targets[name],)


def given(step: Any) -> list[tuple[str, Any]]:
    """Return name and value of what a step of a plan says beside its defaults.

    Args:
        step: an instance of one of the plan's classes.
    """
    return [
        (field.name, getattr(step, field.name))
        for field in fields(step)
        if getattr(step, field.name) != _default(field)
    ]


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING
