"""What all planning of one direction shares: the protocols, the rules, and what was missed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from ..protocol.ir import (
    ABSENT,
    Field,
    Protocol,
    Struct,
    TaggedUnion,
    TypeId,
)
from ..protocol.ir import (
    Variant as TypeVariant,
)
from .model import (
    TypePlan,
    Unanswered,
)
from .nodes import NodePlanner
from .rules import JsonTable, Rules


class Planning(ABC):
    """Plans under construction. ``forth`` is from v1 to v2, the way the rules are written."""

    def __init__(self, source: Protocol, target: Protocol, rules: Rules, *, forth: bool) -> None:
        self._source, self._target, self._rules = source, target, rules
        self._from, self._to = ("v1", "v2") if forth else ("v2", "v1")
        self._name = f"{source.version}_to_{target.version}"
        self._rule_name = "v1_to_v2" if forth else "v2_to_v1"
        self._plans: dict[str, TypePlan] = {}
        self._unanswered: list[Unanswered] = []
        self._owner = ""
        self._nodes = NodePlanner(
            source, target, self.pair, self.counterpart, self._words, self._miss, self._ruled
        )

    @abstractmethod
    def pair(self, one: TypeId, two: TypeId) -> str:
        """Plan the conversion of a source type to a target type, once; return its key."""

    def _applicable(self, rules: Iterable[JsonTable]) -> list[JsonTable]:
        return [rule for rule in rules if rule.get("only", self._rule_name) == self._rule_name]

    def _side(self, rule: JsonTable, side: str) -> str:
        return str(rule.get(side, rule["v1"]))

    def counterpart(self, one: TypeId, two: TypeId) -> bool:
        """True if a type of the source may stand where a type of the target stands."""
        if len(one) > 1 or len(two) > 1:
            return True
        return any(
            (self._side(rule, self._from), self._side(rule, self._to)) == (one[0], two[0])
            for rule in self._applicable(self._rules.types())
        ) or (one == two and one[0] not in self._only())

    def _ruled(self, one: TypeId, two: TypeId) -> bool:
        return len(one) == len(two) == 1 and "variant" in self._type_rule(one, two)

    def _only(self) -> JsonTable:
        return self._rules.table("only", self._from, "definitions")

    def _miss(self, what: str, id_: TypeId, pointer: str = "") -> None:
        type_ = self._source.types.get(id_)
        self._unanswered.append(
            Unanswered(self._name, self._owner, what, pointer or (type_.pointer if type_ else ""))
        )

    def _type_rule(self, one: TypeId, two: TypeId) -> JsonTable:
        if len(one) > 1 or len(two) > 1:
            one, two = self._payload(self._source, one), self._payload(self._target, two)
        if one and two:
            for rule in self._applicable(self._rules.types()):
                if (self._side(rule, self._from), self._side(rule, self._to)) == (one[0], two[0]):
                    return rule
        return {}

    @staticmethod
    def _payload(protocol: Protocol, id_: TypeId) -> TypeId:
        type_ = protocol.types[id_]
        while len(id_) > 1 and isinstance(type_, Struct) and type_.base is not None:
            id_ = type_.base
            type_ = protocol.types[id_]
        return id_ if len(id_) == 1 else ()

    def _words(self, name: str) -> Mapping[str, Mapping[str, Any]]:
        return self._rules.table("words", self._from, name)


def is_tag(field: Field) -> bool:
    """True if the field tells variants apart."""
    return field.tag is not ABSENT or bool(field.excluded)


def required_keys(struct: Struct) -> tuple[str, ...]:
    """Return the keys that an object must have, its tag aside."""
    needed = (field for field in struct.fields if field.presence.required and not is_tag(field))
    return tuple(field.wire_name for field in needed)


def by_tag(union: TaggedUnion, tag: Any) -> TypeVariant | None:
    """Return the variant with this tag, if there is one."""
    return next((variant for variant in union.variants if variant.value == tag), None)
