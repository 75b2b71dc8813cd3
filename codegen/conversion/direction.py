"""The plan of one direction, from two protocols and the rules."""

from __future__ import annotations

from typing import Any

from ..protocol.ir import (
    Alias,
    Enum,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeId,
    Union,
)
from .envelopes import EnvelopePlanning
from .lookup import seen_through
from .model import (
    Call,
    Choice,
    Direction,
    Kinds,
    Refuse,
    RefuseAt,
    TypePlan,
    Unwrap,
    Value,
    Wrap,
)
from .planning import by_tag, is_tag
from .rules import JsonTable


class Planner(EnvelopePlanning):
    """Plans every definition of the source."""

    def plan(self) -> Direction:
        """Return the plan of this direction."""
        targets: dict[str, str] = {}
        keys: dict[str, str] = {}
        refused: dict[str, str] = {}
        only = self._only()
        envelopes = self._rules.table("envelopes")
        for name in self._source.definitions:
            self._owner = name
            target = self._target_of(name)
            if name in only:
                refused[name] = only[name]
            elif any(
                name in envelopes.get(kind, ())
                for kind in ("requests", "notifications", "responses")
            ):
                targets[name], keys[name] = name, name
            elif target is None:
                refused[name] = "the other version has no such definition"
                self._miss(f"{name} has no counterpart", (name,))
            else:
                targets[name] = target
                keys[name] = self._choice(name) or self.pair((name,), (target,))
        self._envelopes(keys)
        return Direction(
            name=self._name,
            source=self._source.version,
            target=self._target.version,
            targets=targets,
            keys=keys,
            plans=dict(sorted(self._plans.items())),
            refused=refused,
            unanswered=tuple(dict.fromkeys(self._unanswered)),
        )

    def _target_of(self, name: str) -> str | None:
        for rule in self._applicable(self._rules.types()):
            if self._side(rule, self._from) == name and not rule.get("case"):
                other = self._side(rule, self._to)
                return other if (other,) in self._target.types else None
        return name if (name,) in self._target.types else None

    def pair(self, one: TypeId, two: TypeId) -> str:
        """Plan the conversion of a source type to a target type, once; return its key."""
        key = ".".join(one) if one == two else f"{'.'.join(one)} > {'.'.join(two)}"
        if key not in self._plans:
            self._plans[key] = Value(
                None
            )  # holds the place while a type that contains itself is planned
            owner, self._owner = self._owner, one[0]
            self._plans[key] = self._type(one, two)
            self._owner = owner
        return key

    def _type(self, one: TypeId, two: TypeId) -> TypePlan:
        rule = self._type_rule(one, two)
        name = self._rule_name
        if name in rule.get("refuse", {}):
            return RefuseAt(rule["refuse"][name]["at"], rule["refuse"][name]["why"])
        source, target = seen_through(self._source, one), seen_through(self._target, two)
        if name in rule.get("step", {}) and isinstance(source, Struct):
            return self._step(rule, source)
        if name in rule.get("kinds", {}):
            return Value(Kinds(tuple(rule["kinds"][name])))
        if "variant" in rule:
            chosen = self._variant_of(rule, source, target)
            if chosen is not None:
                return chosen
        if isinstance(source, Struct) and isinstance(target, Struct):
            return self._object(source, target)
        if isinstance(source, TaggedUnion) and isinstance(target, TaggedUnion):
            return self._tagged(source, target)
        if isinstance(source, Union) and isinstance(target, Union):
            return self._union(source, target)
        if isinstance(source, Enum) and isinstance(target, Enum):
            return Value(self._nodes.enum(source, target))
        if isinstance(source, Alias | Union) and isinstance(target, Alias | Union):
            node = self._nodes.node(_expr(source), _expr(target))
            if isinstance(node, str):
                self._miss(node, one)
                return Value(Refuse(node))
            return Value(node)
        self._miss(f"{'.'.join(one)} and {'.'.join(two)} are of different kinds", one)
        return RefuseAt("", "the other version has another kind of value here")

    def _step(self, rule: JsonTable, source: Struct) -> Call:
        """A computed step says which fields it reads; any other has no answer."""
        reads = tuple(rule.get("reads", ()))
        for field in source.fields:
            if field.wire_name not in reads and not is_tag(field):
                what = f"field {field.wire_name} is not read by the step"
                self._miss(what, source.id, field.pointer)
        return Call(rule["step"][self._rule_name], reads)

    def _variant_of(self, rule: JsonTable, source: Type, target: Type) -> TypePlan | None:
        """Plan an object as a variant, or the reverse; None if there is no such union here."""
        tag = rule["variant"]
        union = target if self._from == "v1" else source
        chosen = by_tag(union, tag) if isinstance(union, TaggedUnion) else None
        if chosen is None or not isinstance(union, TaggedUnion):
            return None
        if union is target:
            return Wrap(union.tag, tag, self.pair(source.id, chosen.type))
        return Unwrap(union.tag, tag, self.pair(chosen.type, target.id), rule["why"])

    def _choice(self, name: str) -> str | None:
        for rule in self._rules.choices():
            if rule["direction"] != self._rule_name or rule["name"] != name:
                continue

            def case(target: str) -> tuple[str, str]:
                return target, self.pair((name,), (target,))

            cases = {value: case(target) for value, target in rule["cases"].items()}
            key = f"{name} (choice)"
            self._plans[key] = Choice(
                rule["key"], rule["tag"], case(rule["absent"]), cases, rule["why"]
            )
            return key
        return None


def _expr(type_: Alias | Union) -> Any:
    return type_.type if isinstance(type_, Alias) else Ref(type_.id)
