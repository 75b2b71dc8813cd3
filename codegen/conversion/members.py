"""Member rules as one direction sees them: steps for a source field, needs of the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .model import (
    Constant,
    Derive,
    Emit,
    Empty,
    Fold,
    FromEntries,
    Group,
    Marker,
    Member,
    Missing,
    Node,
    Refuse,
    SameAs,
    Skip,
    ToEntries,
    Unmarker,
    Vanish,
)

Path = tuple[str, ...]


@dataclass
class Draft:
    """An object plan under construction. ``claimed`` and ``made`` are top-level keys."""

    members: dict[str, Member | Group] = field(default_factory=dict)
    missing: list[Missing] = field(default_factory=list)
    emit: list[Emit] = field(default_factory=list)
    derive: list[Derive] = field(default_factory=list)
    fold: list[Fold] = field(default_factory=list)
    claimed: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)

    def put(self, path: Path, member: Member) -> None:
        """Say what becomes of the source value at ``path``."""
        if len(path) == 1:
            held = self.members.get(path[0])
            if isinstance(held, Group):
                self.members[path[0]] = Group(held.members, member)
            else:
                self.members[path[0]] = member
            return
        held = self.members.get(path[0])
        inner = dict(held.members) if isinstance(held, Group) else {}
        then = held.then if isinstance(held, Group) else held
        draft = Draft(members=inner)
        draft.put(path[1:], member)
        self.members[path[0]] = Group(draft.members, then)


@dataclass(frozen=True)
class MemberRules:
    """Applies member rules in one direction.

    Args:
        source: the side that rules call the source's, ``v1`` or ``v2``.
        target: the other side.
        name: the direction's name.
        node: what becomes of the value at a source path that moves to a target path.
        required: whether the target needs the field at a path.
        declared: the names of all fields that the value at a source path can have, at any depth.
    """

    source: str
    target: str
    name: str
    node: Callable[[Path, Path], tuple[Node, str]]
    required: Callable[[Path], bool]
    declared: Callable[[Path], tuple[str, ...]]

    def apply(self, rules: Sequence[Mapping[str, Any]], draft: Draft) -> None:
        """Add what ``rules`` say to ``draft``."""
        for rule in rules:
            source = tuple(rule[self.source].split(".")) if self.source in rule else ()
            target = tuple(rule[self.target].split(".")) if self.target in rule else ()
            if source:
                draft.claimed.add(source[0])
            if target:
                draft.made.add(target[0])
            self._one(rule, source, target, draft)

    def _one(self, rule: Mapping[str, Any], source: Path, target: Path, draft: Draft) -> None:
        why = rule.get("why", "")
        if "derive" in rule:
            self._derived(rule, source, target, draft)
        elif "constant" in rule:
            value, context = rule["constant"], rule.get("context")
            if target:
                draft.emit.append(Emit(target, value, context))
            else:
                draft.put(source, Member((), Constant(value, why, context), optional=False))
        elif "fold" in rule:
            if source:
                draft.put(source, Member((), Skip()))
                draft.fold.append(Fold(source, (rule["fold"],), why))
        elif "baseline" in rule:
            self._baseline(rule["baseline"], why, source, target, draft)
        elif "absorb" in rule:
            if source:
                draft.put(source, Member((), Vanish(rule["absorb"], why, self.declared(source))))
            elif "emit" in rule:
                draft.emit.append(Emit(target, rule["emit"]))
        elif "refuse" in rule or "empty" in rule:
            if source:
                node = Refuse(rule["refuse"]) if "refuse" in rule else Empty(rule["empty"])
                draft.put(source, Member((), node))
        elif source and target:
            self._moved(rule, source, target, draft)
        self._absent(rule, source, target, draft)

    def _derived(self, rule: Mapping[str, Any], source: Path, target: Path, draft: Draft) -> None:
        if target:
            path = tuple(rule["derive"].split("."))
            draft.derive.append(Derive(target, path, rule.get("context"), rule["why"]))
        else:
            draft.put(source, Member((), SameAs(tuple(rule["same_as"].split(".")), rule["why"])))

    def _baseline(self, value: Any, why: str, source: Path, target: Path, draft: Draft) -> None:
        if target:
            draft.emit.append(Emit(target, value))
        else:
            draft.put(
                source, Member((), Vanish(value, why, self.declared(source)), optional=value == {})
            )
            draft.missing.append(Missing(source, "refuse", why=why))

    def _moved(self, rule: Mapping[str, Any], source: Path, target: Path, draft: Draft) -> None:
        node, null = self.node(source, target)
        how = rule.get("as")
        # Markers and entries are written from the side of v1: boolean, map.
        forth = self.source == "v1"
        if how == "marker":
            node = Marker() if forth else Unmarker(rule["why"], self.declared(source))
        elif how == "entries":
            node = ToEntries() if forth else FromEntries(rule["why"], self.declared(source))
        elif how == "opaque":
            node, null = None, "keep"
        draft.put(source, Member(target, node, null, optional=not self.required(target)))

    def _absent(self, rule: Mapping[str, Any], source: Path, target: Path, draft: Draft) -> None:
        why = rule.get("missing", {}).get(self.name)
        if why is not None:
            missing = Missing(source, "refuse", target, context=rule.get("context"), why=why)
            draft.missing.append(missing)
        if self.name in rule.get("fill", {}):
            draft.missing.append(Missing(source, "put", target, rule["fill"][self.name]))
        if self.name in rule.get("always", ()):
            node, _ = self.node(source, target)
            draft.missing.append(Missing(source, "empty", target, node=node))
