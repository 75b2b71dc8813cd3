"""What a definition converts to, as far as its type tells: what the languages share."""

from __future__ import annotations

from ..conversion.model import Choice, Direction, RefuseAt


def targets_of(direction: Direction, name: str) -> tuple[str, ...]:
    """Return the target definitions that values of the source definition ``name`` may become.

    None if no value of it ever converts.
    """
    plan = direction.plans[direction.keys[name]]
    if isinstance(plan, RefuseAt):
        return ()
    if isinstance(plan, Choice):
        cases = (case[0] for case in plan.cases.values())
        return tuple(dict.fromkeys([plan.absent[0], *cases]))
    return (direction.targets[name],)
