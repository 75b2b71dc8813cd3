"""What lossy conversion puts in the place of what the other version cannot say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .model import (
    Check,
    Direction,
    Each,
    Group,
    Member,
    Node,
    NotNull,
    Object,
    Tagged,
    TypePlan,
    Value,
    Words,
)
from .uses import join_names, uses


@dataclass(frozen=True)
class Loss:
    """Something that lossy conversion does beside leaving optional parts out.

    Args:
        definition: where it happens.
        at: the place in it, as in ``conversion_records``; empty for the value itself.
        what: the word or tag that has no counterpart; None for any.
        becomes: what is put in its place; None if the value is skipped as a whole.
    """

    definition: str
    at: str
    what: Any
    becomes: Any


def lossy_records(direction: Direction) -> list[Loss]:
    """Return what lossy mode replaces and skips in one direction, by definition."""
    owned = set(direction.keys.values())
    found: dict[Loss, None] = {}
    for name, key in sorted(direction.keys.items()):
        found.update(dict.fromkeys(_type(direction, name, key, "", owned, {key})))
    return list(found)


def _type(
    direction: Direction, name: str, key: str, at: str, owned: set[str], seen: set[str]
) -> Iterator[Loss]:
    """Yield what a type does, and the types in it that are no definitions."""
    plan = direction.plans[key]
    yield from _own(plan, name, at)
    for place, inner in uses(plan, at):
        if inner not in owned and inner not in seen:
            yield from _type(direction, name, inner, place, owned, seen | {inner})


def _own(plan: TypePlan, name: str, at: str) -> Iterator[Loss]:
    if isinstance(plan, Tagged):
        place = join_names(at, plan.tag)
        if plan.skip:
            yield Loss(name, place, None, None)
        elif plan.lossy is not None:
            yield Loss(name, place, None, plan.lossy)
    elif isinstance(plan, Value):
        yield from _words(plan.node, name, at)
    elif isinstance(plan, Object):
        yield from _members(plan.members, name, at)


def _members(members: Mapping[str, Member | Group], name: str, at: str) -> Iterator[Loss]:
    for key, member in members.items():
        place = join_names(at, key)
        if isinstance(member, Group):
            yield from _members(member.members, name, place)
            if member.then is not None:
                yield from _words(member.then.node, name, place)
        else:
            yield from _words(member.node, name, place)


def _words(node: Node, name: str, at: str) -> Iterator[Loss]:
    if isinstance(node, Words):
        for word, nearest in node.lossy.items():
            yield Loss(name, at, word, nearest)
    elif isinstance(node, Each):
        yield from _words(node.node, name, f"{at}[]")
    elif isinstance(node, Check | NotNull):
        yield from _words(node.node, name, at)
