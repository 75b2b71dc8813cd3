"""A plan as records: what becomes of every definition, and of its parts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .model import (
    Alike,
    Call,
    Check,
    Choice,
    Constant,
    Direction,
    Each,
    Empty,
    Envelope,
    FromEntries,
    Group,
    Kinds,
    Marker,
    Member,
    Missing,
    Node,
    NotNull,
    Object,
    Plan,
    Refuse,
    RefuseAt,
    SameAs,
    Shape,
    Skip,
    Tagged,
    ToEntries,
    TypePlan,
    Unmarker,
    Unwrap,
    Use,
    Value,
    Vanish,
    Variant,
    Wrap,
)
from .uses import join_names, reachable, uses

#: What may be said of a definition.
HOW = ("same", "rule", "refuse", "only-here", "unanswered")


@dataclass(frozen=True)
class Part:
    """Something about a part of a definition: where it is, what is done, and why or how."""

    at: str
    what: str
    why: str


def conversion_records(plan: Plan, only: Direction | None = None) -> list[dict[str, Any]]:
    """Return a record for every definition of each direction's source version."""
    found = []
    for direction in plan.directions:
        if only is None or only.name == direction.name:
            found += _Reader(direction).records()
    return found


def totals(records: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Return for each direction how many definitions there are of each kind."""
    found: dict[str, Counter[str]] = {}
    for record in records:
        found.setdefault(record["direction"], Counter())[record["how"]] += 1
    return found


class _Reader:
    """Reads one direction."""

    def __init__(self, direction: Direction) -> None:
        self._direction = direction
        self._owners = {key: name for name, key in direction.keys.items()}
        self._plain: dict[str, bool] = {}

    def records(self) -> list[dict[str, Any]]:
        names = [*self._direction.targets, *self._direction.refused]
        return [self._record(name) for name in sorted(names)]

    def _record(self, name: str) -> dict[str, Any]:
        direction = self._direction
        key = direction.keys.get(name)
        parts = [] if key is None else list(dict.fromkeys(self._type(key, "", {key})))
        missing = [item.what for item in direction.unanswered if item.definition == name]
        plan = direction.plans.get(key or "")
        why = direction.refused.get(name, "")
        if missing:
            how, why = "unanswered", "; ".join(missing)
        elif key is None:
            how = "only-here"
        elif isinstance(plan, RefuseAt):
            how, why = "refuse", plan.why
        else:
            how = "same" if self._is_same(key) and direction.targets[name] == name else "rule"
        return {
            "direction": direction.name,
            "definition": name,
            "how": how,
            "target": direction.targets.get(name),
            "why": why,
            "parts": [{"at": part.at, "what": part.what, "why": part.why} for part in parts],
        }

    # ---- the same all the way down --------------------------------------------------------------

    def _is_same(self, key: str) -> bool:
        """True if values are copied as they are."""
        if key not in self._plain:
            plans = self._direction.plans
            said = (self._own(plans[inner]) for inner in reachable(self._direction, key))
            self._plain[key] = not any(next(parts, None) for parts in said)
        return self._plain[key]

    # ---- parts ------------------------------------------------------------------------------------

    def _type(self, key: str, at: str, seen: set[str]) -> Iterator[Part]:
        """Yield the parts of a type, and of the types in it that have no record of their own."""
        plan = self._direction.plans[key]
        yield from self._own(plan, at)
        if isinstance(plan, Envelope):
            return
        for place, inner in uses(plan, at):
            owner = self._owners.get(inner)
            if owner is not None and not self._is_same(inner):
                yield Part(place, "as", owner)
            elif owner is None and inner not in seen:
                yield from self._type(inner, place, seen | {inner})

    def _own(self, plan: TypePlan, at: str = "") -> Iterator[Part]:
        if isinstance(plan, Object):
            yield from _object(plan, at)
        elif isinstance(plan, Tagged):
            yield from _tagged(plan, at)
        elif isinstance(plan, Value):
            yield from _value(plan.node, at)
        elif isinstance(plan, Shape):
            if plan.exclusive:
                yield Part(at, "checked", "a value that fits two of its branches is refused")
        elif isinstance(plan, Wrap):
            yield Part(at, "changed", f"becomes {plan.tag} {plan.value}")
        elif isinstance(plan, Unwrap):
            yield Part(join_names(at, plan.tag), "checked", f"only {plan.value}: {plan.why}")
        elif isinstance(plan, Choice):
            cases = ", ".join(f"{tag} -> {case[0]}" for tag, case in plan.cases.items())
            yield Part(
                join_names(at, plan.key),
                "changed",
                f"{cases}, absent -> {plan.absent[0]}: {plan.why}",
            )
        elif isinstance(plan, Call):
            yield Part(at, "changed", f"computed by {plan.step}")
        elif isinstance(plan, RefuseAt):
            yield Part(join_names(at, plan.at) if plan.at else at, "refused", plan.why)
        elif isinstance(plan, Envelope):
            yield from _envelope(plan, at)


def _envelope(plan: Envelope, at: str) -> Iterator[Part]:
    where = join_names(at, "result" if plan.kind == "response" else "method")
    for method, why in sorted(plan.only.items()):
        yield Part(f"{where} {method}", "refused", why)
    for method, (target, _, _) in sorted(plan.methods.items()):
        if target != method:
            yield Part(f"{where} {method}", "changed", f"becomes {target}")
    if plan.kind != "notification" and not plan.null_id:
        yield Part(join_names(at, "id"), "checked", "null is refused")


def _object(plan: Object, at: str) -> Iterator[Part]:
    yield from _members(plan.members, at)
    for missing in plan.missing:
        yield from _missing(missing, at)
    for emit in plan.emit:
        yield Part(at or "(target)", "written", f"{'.'.join(emit.to)} is {_json(emit.value)}")
    for derive in plan.derive:
        source = join_names(at, *derive.path)
        yield Part(source, "written", f"{'.'.join(derive.to)} is taken from it: {derive.why}")
    for fold in plan.fold:
        yield Part(join_names(at, *fold.path), "changed", f"joins {'.'.join(fold.to)}: {fold.why}")
    for implied in plan.implied:
        marker = join_names(at, *implied.marker)
        if implied.writes:
            yield Part(
                join_names(at, implied.by), "written", f"{'.'.join(implied.marker)}: {implied.why}"
            )
        else:
            yield Part(marker, "checked", f"there exactly if {implied.by} is: {implied.why}")
    if plan.snapshot is not None:
        yield Part(
            at or "(target)",
            "written",
            f"{', '.join(plan.snapshot.values)} if the context has {plan.snapshot.context}",
        )


def _members(members: Mapping[str, Member | Group], at: str) -> Iterator[Part]:
    for name, member in members.items():
        place = join_names(at, name)
        if isinstance(member, Group):
            yield from _members(member.members, place)
            if member.then is not None:
                yield from _member(member.then, name, place)
        else:
            yield from _member(member, name, place)


def _member(member: Member, name: str, place: str) -> Iterator[Part]:
    if member.to and member.to != (name,):
        yield Part(place, "changed", f"becomes {'.'.join(member.to)}")
    yield from _value(member.node, place)
    if member.null == "refuse":
        yield Part(place, "checked", "null is refused: it would clear the value")
    elif member.null == "put":
        yield Part(place, "changed", f"null becomes {_json(member.put)}")
    if member.merge:
        yield Part(place, "checked", "null under a key is refused: it would delete the key")


def _missing(missing: Missing, at: str) -> Iterator[Part]:
    place = join_names(at, *missing.path)
    if missing.how == "refuse":
        hint = f" (or the context has {missing.context})" if missing.context else ""
        yield Part(place, "checked", f"must be there{hint}: {missing.why}")
    elif missing.how == "put":
        yield Part(place, "written", f"{_json(missing.value)} if absent")
    else:
        yield Part(place, "written", "from an empty one if absent")


def _tagged(plan: Tagged, at: str) -> Iterator[Part]:
    place = join_names(at, plan.tag)
    for tag, variant in plan.variants.items():
        yield from _variant(variant, tag, place)
    if plan.untagged is not None and plan.untagged.tag is not None:
        yield Part(place, "changed", f"without one: becomes {plan.untagged.tag}")
    if plan.fallback is None and (plan.untagged is None or plan.accepts is not None):
        yield Part(place, "checked", f"others are refused: {plan.why}")


def _variant(variant: Variant, tag: Any, place: str) -> Iterator[Part]:
    name = f"{place} {tag}"
    if variant.key is None:
        yield Part(name, "refused", variant.why)
    elif variant.fan_out is not None:
        fan = variant.fan_out
        yield Part(name, "changed", f"one {fan.into} for each of {fan.over}, else: {fan.why}")
    elif variant.tag is None:
        yield Part(name, "changed", f"loses its {place.rpartition('.')[2]}")
    elif variant.tag != tag:
        yield Part(name, "changed", f"becomes {variant.tag}")


def _value(node: Node, at: str) -> Iterator[Part]:
    """Yield what a step says; a type that is used says it itself."""
    if isinstance(node, Each):
        yield from _value(node.node, f"{at}[]" if at else "[]")
    elif isinstance(node, Check):
        bounds = ", ".join(f"{key} {value}" for key, value in node.bounds.items())
        yield Part(at, "checked", bounds)
        yield from _value(node.node, at)
    elif isinstance(node, NotNull):
        yield Part(at, "checked", "null is refused")
        yield from _value(node.node, at)
    elif not (node is None or isinstance(node, Use | Alike | Skip)):
        yield Part(at, *_said(node))


def _said(node: Node) -> tuple[str, str]:
    """Return what one step without a step inside does, and why."""
    name = type(node).__name__
    if isinstance(node, Refuse):
        return "refused", node.why
    if isinstance(node, Vanish):
        return "checked", f"only {_json(node.shape)}, which vanishes: {node.why}"
    if isinstance(node, Empty):
        return "checked", f"only an empty one, which vanishes: {node.why}"
    if isinstance(node, Constant):
        key = f" or {node.context} of the context" if node.context else ""
        return "checked", f"only {_json(node.value)}{key}: {node.why}"
    if isinstance(node, SameAs):
        return "checked", f"only what {'.'.join(node.path)} holds: {node.why}"
    if isinstance(node, Kinds):
        return "checked", f"only {', '.join(node.allowed)}"
    if isinstance(node, Marker):
        return "changed", "true becomes {}, false nothing"
    if isinstance(node, Unmarker):
        return "changed", f"becomes true; what it holds is refused: {node.why}"
    if isinstance(node, ToEntries):
        return "changed", "a map becomes a list of name and value"
    if isinstance(node, FromEntries):
        return "changed", f"a list of name and value becomes a map: {node.why}"
    allowed = ", ".join(map(str, getattr(node, "allowed", ())))
    why = "".join(f"; {word}: {said}" for word, said in getattr(node, "why", {}).items())
    return ("checked", f"only {allowed}{why}") if allowed else ("changed", name)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
