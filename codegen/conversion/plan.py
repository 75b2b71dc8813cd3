"""Two protocols and the rules, turned into a plan: what becomes of every part of a definition.

A definition is in the plan if it is the same all the way down in both versions, under one name or
by a rename. What is not in the plan is refused at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..protocol.ir import (
    ABSENT,
    Alias,
    AnyOf,
    Enum,
    Field,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
    Union,
)
from .rules import FieldSets, Rules, check_rules

NullAnswer = Literal["keep", "drop", "refuse"]


@dataclass(frozen=True)
class Copy:
    """The value is the same in both versions and copied as it is."""


@dataclass(frozen=True)
class Use:
    """The value is converted as the type with this id (of the source version)."""

    id: TypeId


@dataclass(frozen=True)
class Each:
    """Every item of a list, or every value of a map, is converted."""

    inner: Node


Node = Copy | Use | Each


@dataclass(frozen=True)
class FieldPlan:
    """What becomes of a field.

    Args:
        name: its key in the target.
        node: what becomes of its value.
        null: what becomes of null: a value of the target, the same as omission, or refused.
        merge: null under a key of the value is refused.
    """

    name: str
    node: Node
    null: NullAnswer
    merge: bool = False


@dataclass(frozen=True)
class ObjectPlan:
    """An object: its fields by source key. ``extra`` says that undeclared keys are the payload."""

    fields: Mapping[str, FieldPlan]
    extra: bool = False


@dataclass(frozen=True)
class TagPlan:
    """A tagged union: the type of each tag, and of every other."""

    tag: str
    variants: tuple[tuple[object, TypeId], ...]
    fallback: TypeId | None
    untagged: tuple[TypeId, ...]


@dataclass(frozen=True)
class ShapePlan:
    """An untagged union of objects: each branch with the keys it requires."""

    branches: tuple[tuple[tuple[str, ...], TypeId], ...]


@dataclass(frozen=True)
class ValuePlan:
    """A definition that is a scalar, a list or a map."""

    node: Node


TypePlan = ObjectPlan | TagPlan | ShapePlan | ValuePlan


@dataclass(frozen=True)
class Direction:
    """Everything convertible in one direction.

    Args:
        name: such as ``v1_to_v2``.
        source: the version converted from.
        target: the version converted to.
        targets: source definition -> target definition, for all that convert.
        types: how each type of the source that can be met is converted.
        refused: the source definitions that do not convert.
    """

    name: str
    source: str
    target: str
    targets: Mapping[str, str]
    types: Mapping[TypeId, TypePlan]
    refused: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """Both directions between two versions."""

    directions: tuple[Direction, Direction]


def make_plan(old: Protocol, new: Protocol, rules: Rules, *, check: bool = True) -> Plan:
    """Return what converts between ``old`` and ``new``.

    Args:
        old: the older version; renames are written from its side.
        new: the newer version.
        rules: what cannot be derived.
        check: refuse rules that match nothing; off for schemas that the rules were not written for.

    Raises:
        InputError: if ``check`` is on and a rule names something that is not there.
    """
    if check:
        check_rules(rules, old, new)
    back = {target: source for source, target in rules.renames.items()}
    return Plan(
        (_Planner(old, new, rules.renames, rules).plan(), _Planner(new, old, back, rules).plan())
    )


class _Planner:
    def __init__(
        self, source: Protocol, target: Protocol, renames: Mapping[str, str], rules: Rules
    ) -> None:
        self._source = source
        self._target = target
        self._renames = renames
        self._rules = rules
        self._same = _Comparison(source, target, renames)

    def plan(self) -> Direction:
        targets: dict[str, str] = {}
        for name in self._source.definitions:
            counterpart = self._renames.get(name, name)
            if (counterpart,) in self._target.types and self._same.types((name,), (counterpart,)):
                targets[name] = counterpart
        types: dict[TypeId, TypePlan] = {}
        pending: list[TypeId] = [(name,) for name in targets]
        while pending:
            id_ = pending.pop()
            if id_ not in types:
                types[id_] = self._type(self._source.types[id_])
                pending += _uses(types[id_])
        return Direction(
            name=f"{self._source.version}_to_{self._target.version}",
            source=self._source.version,
            target=self._target.version,
            targets=targets,
            types={id_: types[id_] for id_ in self._source.types if id_ in types},
            refused=tuple(name for name in self._source.definitions if name not in targets),
        )

    def _type(self, type_: Type) -> TypePlan:
        if isinstance(type_, Struct):
            return ObjectPlan(
                {f.wire_name: self._field(type_.id, f) for f in type_.fields}, _is_payload(type_)
            )
        if isinstance(type_, TaggedUnion):
            return TagPlan(
                type_.tag,
                tuple((variant.value, variant.type) for variant in type_.variants),
                type_.fallback.type if type_.fallback else None,
                tuple(variant.type for variant in type_.untagged),
            )
        if isinstance(type_, Union):
            structs = [
                (b.type.id, self._source.types[b.type.id])
                for b in type_.branches
                if isinstance(b.type, Ref)
            ]
            if (
                structs
                and len(structs) == len(type_.branches)
                and all(isinstance(s, Struct) for _, s in structs)
            ):
                return ShapePlan(tuple((_required(struct), id_) for id_, struct in structs))
            return ValuePlan(Copy())
        return ValuePlan(self._node(type_.type) if isinstance(type_, Alias) else Copy())

    def _field(self, owner: TypeId, field: Field) -> FieldPlan:
        target = (self._renames.get(owner[0], owner[0]), *owner[1:])
        kept = self._in(self._rules.patch, self._source.version, owner, field)
        takes = self._in(self._rules.patch, self._target.version, target, field)
        free = isinstance(field.type, Scalar) and field.type.kind == "any"
        null: NullAnswer = "keep" if free or (kept and takes) or field.presence.required else "drop"
        if kept and not takes:
            null = "refuse"
        merge = self._in(self._rules.merge, self._source.version, owner, field)
        return FieldPlan(field.wire_name, self._node(field.type), null, merge)

    def _in(self, sets: FieldSets, version: str, owner: TypeId, field: Field) -> bool:
        return field.wire_name in sets.get(version, {}).get(owner[0], ()) and len(owner) == 1

    def _node(self, expr: TypeExpr) -> Node:
        if isinstance(expr, Ref):
            return Use(expr.id) if self._holds_objects(expr.id) else Copy()
        if isinstance(expr, Nullable):
            return self._node(expr.inner)
        if isinstance(expr, ListOf | MapOf):
            inner = self._node(expr.item if isinstance(expr, ListOf) else expr.value)
            return Each(inner) if inner != Copy() else Copy()
        return Copy()

    def _holds_objects(self, id_: TypeId) -> bool:
        type_ = self._source.types[id_]
        if isinstance(type_, Alias):
            return self._node(type_.type) != Copy()
        return not isinstance(type_, Enum)


def _uses(plan: TypePlan) -> list[TypeId]:
    if isinstance(plan, ObjectPlan):
        nodes = [field.node for field in plan.fields.values()]
    elif isinstance(plan, TagPlan):
        rest = [plan.fallback] if plan.fallback else []
        return [*(id_ for _, id_ in plan.variants), *rest, *plan.untagged]
    elif isinstance(plan, ShapePlan):
        return [id_ for _, id_ in plan.branches]
    else:
        nodes = [plan.node]
    found = []
    for node in nodes:
        while isinstance(node, Each):
            node = node.inner
        found += [node.id] if isinstance(node, Use) else []
    return found


def _required(struct: Type) -> tuple[str, ...]:
    assert isinstance(struct, Struct)
    return tuple(field.wire_name for field in struct.fields if field.presence.required)


def _is_payload(struct: Struct) -> bool:
    return any(field.excluded for field in struct.fields)


class _Comparison:
    """Whether types of two protocols say the same, all the way down.

    Leniency, formats and texts do not count: they never make a valid message of one version invalid
    in the other.
    """

    def __init__(self, one: Protocol, two: Protocol, renames: Mapping[str, str]) -> None:
        self._one = one
        self._two = two
        self._renames = renames
        self._known: dict[tuple[TypeId, TypeId], bool] = {}

    def types(self, one: TypeId, two: TypeId) -> bool:
        """True if the two types are the same; types under comparison count as the same."""
        if (one, two) not in self._known:
            before = dict(self._known)
            self._known[one, two] = True
            if not self._types(self._one.types[one], self._two.types[two]):
                # What was found true meanwhile may rest on the assumption.
                self._known = before
                self._known[one, two] = False
        return self._known[one, two]

    def _types(self, one: Type, two: Type) -> bool:
        if one.envelope or two.envelope:
            return False  # what an envelope carries depends on the methods, which differ
        if isinstance(one, Struct) and isinstance(two, Struct):
            mine = {field.wire_name: field for field in one.fields}
            theirs = {field.wire_name: field for field in two.fields}
            return (
                mine.keys() == theirs.keys()
                and one.open == two.open
                and all(self._fields(mine[name], theirs[name]) for name in mine)
            )
        if isinstance(one, TaggedUnion) and isinstance(two, TaggedUnion):
            return one.tag == two.tag and self._variants(one, two)
        if isinstance(one, Union) and isinstance(two, Union):
            return (
                one.exclusive == two.exclusive
                and len(one.branches) == len(two.branches)
                and all(
                    self.exprs(a.type, b.type)
                    for a, b in zip(one.branches, two.branches, strict=True)
                )
            )
        if isinstance(one, Enum) and isinstance(two, Enum):
            mine_ = {repr(value.value) for value in one.values}
            return (
                one.kind == two.kind
                and one.open == two.open
                and mine_ == {repr(v.value) for v in two.values}
            )
        if isinstance(one, Alias) and isinstance(two, Alias):
            return self.exprs(one.type, two.type)
        return False

    def _variants(self, one: TaggedUnion, two: TaggedUnion) -> bool:
        mine = {repr(variant.value): variant.type for variant in one.variants}
        theirs = {repr(variant.value): variant.type for variant in two.variants}
        if mine.keys() != theirs.keys() or (one.fallback is None) != (two.fallback is None):
            return False
        pairs = [(mine[value], theirs[value]) for value in mine]
        if one.fallback and two.fallback:
            pairs.append((one.fallback.type, two.fallback.type))
        if len(one.untagged) != len(two.untagged):
            return False
        pairs += [(a.type, b.type) for a, b in zip(one.untagged, two.untagged, strict=True)]
        return all(self.types(a, b) for a, b in pairs)

    def _fields(self, one: Field, two: Field) -> bool:
        return (
            one.presence == two.presence
            and (one.tag is ABSENT) == (two.tag is ABSENT)
            and repr(one.tag) == repr(two.tag)
            and set(map(repr, one.excluded)) == set(map(repr, two.excluded))
            and self.exprs(one.type, two.type)
        )

    def exprs(self, one: TypeExpr, two: TypeExpr) -> bool:
        """True if two type expressions are the same; an alias counts as what it stands for."""
        one, two = _seen_through(self._one, one), _seen_through(self._two, two)
        if isinstance(one, Ref) and isinstance(two, Ref):
            return self._paired(one.id, two.id) and self.types(one.id, two.id)
        if isinstance(one, Scalar) and isinstance(two, Scalar):
            return one.kind == two.kind and sorted(one.constraints) == sorted(two.constraints)
        if isinstance(one, Literals) and isinstance(two, Literals):
            return sorted(map(repr, one.values)) == sorted(map(repr, two.values))
        if isinstance(one, ListOf) and isinstance(two, ListOf):
            bounds = (one.min_items, one.max_items) == (two.min_items, two.max_items)
            return bounds and self.exprs(one.item, two.item)
        if isinstance(one, MapOf) and isinstance(two, MapOf):
            return self.exprs(one.value, two.value)
        if isinstance(one, Nullable) and isinstance(two, Nullable):
            return self.exprs(one.inner, two.inner)
        if isinstance(one, AnyOf) and isinstance(two, AnyOf):
            return (
                one.exclusive == two.exclusive
                and len(one.branches) == len(two.branches)
                and all(self.exprs(a, b) for a, b in zip(one.branches, two.branches, strict=True))
            )
        return False

    def _paired(self, one: TypeId, two: TypeId) -> bool:
        """Named types correspond by name or rename; those inside them by what leads to them."""
        return len(one) > 1 or len(two) > 1 or self._renames.get(one[0], one[0]) == two[0]


def _seen_through(protocol: Protocol, expr: TypeExpr) -> TypeExpr:
    while isinstance(expr, Ref):
        type_ = protocol.types[expr.id]
        if not isinstance(type_, Alias):
            return expr
        expr = type_.type
    return expr
