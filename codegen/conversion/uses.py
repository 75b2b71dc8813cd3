"""Which types a plan uses, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .model import (
    Alike,
    Check,
    Choice,
    Direction,
    Each,
    Envelope,
    Group,
    Member,
    Node,
    NotNull,
    Object,
    Shape,
    Tagged,
    TypePlan,
    Unwrap,
    Use,
    Value,
    Variant,
    Wrap,
)


def reachable(direction: Direction, key: str) -> set[str]:
    """Return ``key`` and the keys of all types that a value of its type may hold."""
    found, waiting = {key}, [key]
    while waiting:
        for _, inner in uses(direction.plans[waiting.pop()], ""):
            if inner not in found:
                found.add(inner)
                waiting.append(inner)
    return found


def uses(plan: TypePlan, at: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the key of every type that a plan uses."""
    if isinstance(plan, Object):
        yield from _member_uses(plan.members, at)
    elif isinstance(plan, Tagged):
        place = join_names(at, plan.tag)
        variants: list[tuple[Any, Variant | None]] = [
            *plan.variants.items(),
            ("(other)", plan.fallback),
            ("(none)", plan.untagged),
        ]
        for tag, variant in variants:
            if variant is not None and variant.key is not None:
                yield f"{place} {tag}", variant.key
                if variant.fan_out is not None:
                    yield from _node_uses(
                        variant.fan_out.item, f"{place} {tag}.{variant.fan_out.over}[]"
                    )
    elif isinstance(plan, Value):
        yield from _node_uses(plan.node, at)
    elif isinstance(plan, Wrap | Unwrap):
        yield at, plan.key
    elif isinstance(plan, Shape):
        for required, key in plan.branches:
            yield (f"{at} with {', '.join(required)}".strip() if required else at), key
    elif isinstance(plan, Choice):
        yield at, plan.absent[1]
        for tag, case in plan.cases.items():
            yield f"{join_names(at, plan.key, plan.tag)} {tag}", case[1]
    elif isinstance(plan, Envelope):
        for method, (_, params, result) in plan.methods.items():
            payload = result if plan.kind == "response" else params
            if payload is not None:
                yield join_names(at, method), payload


def _member_uses(members: Mapping[str, Member | Group], at: str) -> Iterator[tuple[str, str]]:
    for name, member in members.items():
        place = join_names(at, name)
        if isinstance(member, Group):
            yield from _member_uses(member.members, place)
            if member.then is not None:
                yield from _node_uses(member.then.node, place)
        else:
            yield from _node_uses(member.node, place)


def _node_uses(node: Node, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, Use):
        yield at, node.key
    elif isinstance(node, Each):
        yield from _node_uses(node.node, f"{at}[]")
    elif isinstance(node, Alike):
        yield f"{at}[]", node.key
    elif isinstance(node, Check | NotNull):
        yield from _node_uses(node.node, at)


def join_names(base: str, *names: str) -> str:
    return ".".join([base, *names] if base else names)
