"""Plans of objects: what becomes of each field, and what the target needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..protocol.graph import expr_references, references
from ..protocol.ir import (
    ABSENT,
    Field,
    Protocol,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeId,
)
from .lookup import field_at, seen_through
from .members import Draft, MemberRules, Path
from .model import (
    Constant,
    Group,
    Implied,
    Member,
    Missing,
    NotNull,
    Object,
    Refuse,
    Snapshot,
)
from .planning import Planning, by_tag, is_tag
from .rules import JsonTable


class ObjectPlanning(Planning):
    """Plans structs, by member rules where there are any and by name elsewhere."""

    def _object(self, source: Struct, target: Struct) -> Object:
        theirs = {field.wire_name: field for field in target.fields}
        mine = {field.wire_name: field for field in source.fields if not is_tag(field)}
        draft = Draft()
        rules = self._member_rules(source, target)
        MemberRules(
            self._from,
            self._to,
            self._rule_name,
            lambda path, to: self._moved_node(source, target, path, to),
            lambda path: len(path) == 1 and path[0] in theirs and theirs[path[0]].presence.required,
            lambda path: self._declared(source, path),
        ).apply(rules, draft)
        for name, field in mine.items():
            if name not in draft.claimed:
                self._plain(source, target, field, theirs.get(name), draft)
        self._needs(source, target, draft)
        self._below(source, draft)
        self._emitted(source, target, draft)
        return Object(
            members=self._nulls(source, target, draft.members),
            missing=tuple(draft.missing),
            emit=tuple(draft.emit),
            derive=tuple(draft.derive),
            fold=tuple(draft.fold),
            implied=self._implied(source, target),
            snapshot=self._snapshot(source, target),
            extra=any(field.excluded for field in source.fields),
        )

    def _declared(self, source: Struct, path: Path) -> tuple[str, ...]:
        """Return the names of the fields at and below a source path."""
        field = field_at(self._source, source, path)
        pending = expr_references(field.type) if field is not None else []
        seen: set[TypeId] = set()
        found: set[str] = set()
        while pending:
            id_ = pending.pop()
            if id_ in seen:
                continue
            seen.add(id_)
            type_ = self._source.types[id_]
            found |= (
                {item.wire_name for item in type_.fields} if isinstance(type_, Struct) else set()
            )
            pending += references(type_)
        return tuple(sorted(found))

    def _member_rules(self, source: Struct, target: Struct) -> list[JsonTable]:
        """Rules of the definition itself, of its payload, and of its variant, in that order."""
        found: list[JsonTable] = []
        ones = dict.fromkeys([source.id[0], *self._bases(self._source, source)])
        twos = dict.fromkeys([target.id[0], *self._bases(self._target, target)])
        case = self._owner_case(source, target)
        for rule in self._applicable(self._rules.types()):
            pair = (self._side(rule, self._from), self._side(rule, self._to))
            if pair[0] in ones and pair[1] in twos and bool(rule.get("case")) == (pair == case):
                found += rule.get("members", ())
        for rule in self._rules.unions():
            for variant in rule.get("variants", ()):
                if source.id == (rule["name"], variant.get(self._from)):
                    found += variant.get("members", ())
        names = {field.wire_name for field in source.fields}
        theirs = {field.wire_name for field in target.fields}
        return [rule for rule in found if self._fits(rule, names, theirs)]

    def _fits(self, rule: JsonTable, mine: set[str], theirs: set[str]) -> bool:
        """A union's rules go to those of its variants that have the field."""
        here = self._from not in rule or rule[self._from].split(".")[0] in mine
        there = self._to not in rule or rule[self._to].split(".")[0] in theirs
        return here and there

    def _owner_case(self, source: Struct, target: Struct) -> tuple[str, str] | None:
        pair = (source.id[0], target.id[0])
        for rule in self._applicable(self._rules.types()):
            if (
                rule.get("case")
                and (self._side(rule, self._from), self._side(rule, self._to)) == pair
            ):
                return pair
        return None

    @staticmethod
    def _bases(protocol: Protocol, struct: Struct) -> list[str]:
        found: list[str] = []
        current: Type = struct
        while isinstance(current, Struct) and current.base is not None:
            current = protocol.types[current.base]
            found.append(current.id[0])
        return found

    def _plain(
        self, source: Struct, target: Struct, field: Field, other: Field | None, draft: Draft
    ) -> None:
        """A field that no rule names goes to the field of its name, or has no answer."""
        name = field.wire_name
        if other is None or is_tag(other):
            self._miss(f"field {name} is in {self._source.version} only", source.id, field.pointer)
            draft.members[name] = Member((), Refuse("no rule says what becomes of it"))
            return
        draft.made.add(name)
        node = self._nodes.node(field.type, other.type)
        if isinstance(node, str):
            self._miss(f"field {name}: {node}", source.id, field.pointer)
            draft.members[name] = Member((), Refuse(node), optional=not other.presence.required)
            return
        if field.presence.nullable and field.presence.required:
            node = node if other.presence.nullable else NotNull(node)
        null = "value" if field.presence.required else "drop"
        draft.members[name] = Member((name,), node, null, optional=not other.presence.required)
        if other.presence.required and not field.presence.required:
            self._miss(
                f"field {name} is optional, and required in {self._target.version}",
                source.id,
                field.pointer,
            )
            draft.missing.append(
                Missing((name,), "refuse", (name,), why="the other version requires it")
            )

    def _needs(self, source: Struct, target: Struct, draft: Draft) -> None:
        """Every field that the target requires has to come from somewhere."""
        for field in target.fields:
            made = field.wire_name in draft.made or is_tag(field) or field.excluded
            if field.presence.required and not made:
                self._miss(
                    f"{target.id[0]} of {self._target.version} requires {field.wire_name}",
                    source.id,
                )
                why = f"the other version requires {field.wire_name}"
                draft.missing.append(Missing((field.wire_name,), "refuse", why=why))

    def _below(self, source: Struct, draft: Draft) -> None:
        """Every field of an object whose members go apart needs an answer too."""
        for name, group in draft.members.items():
            if not isinstance(group, Group) or group.then is not None:
                continue
            for inner in self._fields_below(source, name, group):
                if inner.wire_name not in group.members:
                    what = f"field {name}.{inner.wire_name} is in {self._source.version} only"
                    self._miss(what, source.id, inner.pointer)

    def _fields_below(self, source: Struct, name: str, group: Group) -> list[Field]:
        field = field_at(self._source, source, (name,))
        expr = field.type if field is not None else None
        type_ = seen_through(self._source, expr.id) if isinstance(expr, Ref) else None
        if isinstance(type_, TaggedUnion):
            # A constant in the place of the tag says which variant is meant.
            held = group.members.get(type_.tag)
            constant = held.node if isinstance(held, Member) else None
            tag = constant.value if isinstance(constant, Constant) else None
            variant = by_tag(type_, tag)
            type_ = self._source.types[variant.type] if variant else None
        return list(type_.fields) if isinstance(type_, Struct) else []

    def _emitted(self, source: Struct, target: Struct, draft: Draft) -> None:
        """An object that a rule writes out needs all that the target requires of it."""
        for emit in draft.emit:
            field = field_at(self._target, target, emit.to)
            expr = field.type if field is not None else None
            type_ = seen_through(self._target, expr.id) if isinstance(expr, Ref) else None
            if isinstance(type_, TaggedUnion) and isinstance(emit.value, dict):
                variant = by_tag(type_, emit.value.get(type_.tag))
                type_ = self._target.types[variant.type] if variant else None
            if not (isinstance(type_, Struct) and isinstance(emit.value, dict)):
                continue
            for needed in type_.fields:
                if needed.presence.required and needed.wire_name not in emit.value:
                    name = ".".join((*emit.to, needed.wire_name))
                    self._miss(
                        f"{target.id[0]} of {self._target.version} requires {name}", source.id
                    )

    def _moved_node(self, source: Struct, target: Struct, path: Path, to: Path) -> tuple[Any, str]:
        one = field_at(self._source, source, path)
        two = field_at(self._target, target, to)
        if one is None or two is None:
            where, lost = (
                (self._source.version, path) if one is None else (self._target.version, to)
            )
            self._miss(f"{where} has no {'.'.join(lost)}, which a rule names", source.id)
            return Refuse(f"{where} has no {'.'.join(lost)}"), "drop"
        node = self._nodes.node(one.type, two.type)
        if isinstance(node, str):
            return Refuse(node), "drop"
        return node, "drop"

    def _nulls(
        self, source: Struct, target: Struct, members: Mapping[str, Member | Group]
    ) -> dict[str, Member | Group]:
        """Say what null means for the patch fields."""
        ones = [source.id[0] if len(source.id) == 1 else "", *self._bases(self._source, source)]
        twos = [target.id[0] if len(target.id) == 1 else "", *self._bases(self._target, target)]
        made: dict[str, Member | Group] = {}
        for name, member in members.items():
            clears = any(
                name in self._rules.table("patch", self._from).get(one, ()) for one in ones
            )
            takes = any(name in self._rules.table("patch", self._to).get(two, ()) for two in twos)
            merge = any(name in self._rules.table("merge", self._from).get(one, ()) for one in ones)
            puts = next(
                (
                    t[name]
                    for one in ones
                    if name in (t := self._rules.table("null_as", self._from, one))
                ),
                ABSENT,
            )
            if isinstance(member, Member) and clears:
                null = "put" if puts is not ABSENT else "keep" if takes else "refuse"
                put = None if puts is ABSENT else puts
                member = Member(member.to, member.node, null, put, merge, member.optional)
            made[name] = member
        return made

    def _implied(self, source: Struct, target: Struct) -> tuple[Implied, ...]:
        rule = self._type_rule(source.id, target.id)
        writes = self._to == "v1"
        return tuple(
            Implied(tuple(item["v1"].split(".")), item["by"], item["why"], writes)
            for item in rule.get("implied", ())
        )

    def _snapshot(self, source: Struct, target: Struct) -> Snapshot | None:
        said = self._type_rule(source.id, target.id).get("snapshot")
        return Snapshot(said["context"], said["id"], json.loads(said["values"])) if said else None
