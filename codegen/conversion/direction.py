"""The plan of one direction, from two protocols and the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..protocol.ir import (
    ABSENT,
    Alias,
    Enum,
    Field,
    ListOf,
    Protocol,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeId,
    Union,
)
from ..protocol.ir import (
    Variant as TypeVariant,
)
from .members import Draft, MemberRules, Path
from .model import (
    Call,
    Check,
    Choice,
    Direction,
    Each,
    Envelope,
    FanOut,
    Group,
    Implied,
    Kinds,
    Member,
    Missing,
    NotNull,
    Object,
    Refuse,
    RefuseAt,
    Shape,
    Snapshot,
    Tagged,
    TypePlan,
    Unanswered,
    Unwrap,
    Use,
    Value,
    Variant,
    Wrap,
)
from .nodes import NodePlanner, seen_through
from .rules import JsonTable, Rules


class Planner:
    """Plans one direction. ``forth`` is from v1 to v2, the way the rules are written."""

    def __init__(self, source: Protocol, target: Protocol, rules: Rules, *, forth: bool) -> None:
        self._source, self._target, self._rules = source, target, rules
        self._from, self._to = ("v1", "v2") if forth else ("v2", "v1")
        self._name = f"{source.version}_to_{target.version}"
        self._rule_name = "v1_to_v2" if forth else "v2_to_v1"
        self._plans: dict[str, TypePlan] = {}
        self._unanswered: list[Unanswered] = []
        self._owner = ""
        self._targets = self._renames()
        self._nodes = NodePlanner(
            source, target, self.pair, self.counterpart, self._words, self._miss, self._ruled
        )

    # ---- which definition becomes which -------------------------------------------------------

    def _renames(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for rule in self._applicable(self._rules.types()):
            if not rule.get("case"):
                found.setdefault(
                    rule[self._from] if self._from in rule else rule["v1"], self._other(rule)
                )
        return found

    def _applicable(self, rules: Iterable[JsonTable]) -> list[JsonTable]:
        return [rule for rule in rules if rule.get("only", self._rule_name) == self._rule_name]

    def _side(self, rule: JsonTable, side: str) -> str:
        return str(rule.get(side, rule["v1"]))

    def _other(self, rule: JsonTable) -> str:
        return self._side(rule, self._to)

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

    # ---- the whole direction --------------------------------------------------------------------

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

    def _miss(self, what: str, id_: TypeId, pointer: str = "") -> None:
        type_ = self._source.types.get(id_)
        self._unanswered.append(
            Unanswered(self._name, self._owner, what, pointer or (type_.pointer if type_ else ""))
        )

    # ---- types ----------------------------------------------------------------------------------

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
            return Call(rule["step"][name], tuple(field.wire_name for field in source.fields))
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

    def _variant_of(self, rule: JsonTable, source: Type, target: Type) -> TypePlan | None:
        """Plan an object as a variant, or the reverse; None if there is no such union here."""
        tag = rule["variant"]
        union = target if self._from == "v1" else source
        chosen = _by_tag(union, tag) if isinstance(union, TaggedUnion) else None
        if chosen is None or not isinstance(union, TaggedUnion):
            return None
        if union is target:
            return Wrap(union.tag, tag, self.pair(source.id, chosen.type))
        return Unwrap(union.tag, tag, self.pair(chosen.type, target.id), rule["why"])

    # ---- objects ----------------------------------------------------------------------------------

    def _object(self, source: Struct, target: Struct) -> Object:
        theirs = {field.wire_name: field for field in target.fields}
        mine = {field.wire_name: field for field in source.fields if not _is_tag(field)}
        draft = Draft()
        rules = self._member_rules(source, target)
        MemberRules(
            self._from,
            self._to,
            self._rule_name,
            lambda path, to: self._moved_node(source, target, path, to),
            lambda path: len(path) == 1 and path[0] in theirs and theirs[path[0]].presence.required,
        ).apply(rules, draft)
        for name, field in mine.items():
            if name not in draft.claimed:
                self._plain(source, target, field, theirs.get(name), draft)
        self._needs(source, target, draft)
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
        if other is None or _is_tag(other):
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
            made = field.wire_name in draft.made or _is_tag(field) or field.excluded
            if field.presence.required and not made:
                self._miss(
                    f"{target.id[0]} of {self._target.version} requires {field.wire_name}",
                    source.id,
                )
                why = f"the other version requires {field.wire_name}"
                draft.missing.append(Missing((field.wire_name,), "refuse", why=why))

    def _moved_node(self, source: Struct, target: Struct, path: Path, to: Path) -> tuple[Any, str]:
        one = self._field_at(self._source, source, path)
        two = self._field_at(self._target, target, to)
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

    def _field_at(self, protocol: Protocol, struct: Struct, path: Path) -> Field | None:
        found = next((field for field in struct.fields if field.wire_name == path[0]), None)
        if found is None or len(path) == 1:
            return found
        return self._field_below(protocol, found, path[1:])

    def _field_below(self, protocol: Protocol, field: Field, path: Path) -> Field | None:
        expr = field.type
        type_ = seen_through(protocol, expr.id) if isinstance(expr, Ref) else None
        options: Sequence[Type] = [type_] if type_ is not None else []
        if isinstance(type_, TaggedUnion):
            options = [protocol.types[variant.type] for variant in type_.variants]
        for option in options:
            if isinstance(option, Struct):
                found = self._field_at(protocol, option, path)
                if found is not None:
                    return found
        return None

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

    # ---- unions -------------------------------------------------------------------------------------

    def _union_rule(self, id_: TypeId) -> JsonTable:
        return next((rule for rule in self._rules.unions() if (rule["name"],) == id_), {})

    def _tagged(self, source: TaggedUnion, target: TaggedUnion) -> Tagged:
        rule = self._union_rule(source.id)
        why = rule.get("why", "the other version has no such variant")
        variants = {v.value: self._variant(source, target, v, rule) for v in source.variants}
        fallback = None
        if source.fallback and target.fallback:
            fallback = Variant(None, self.pair(source.fallback.type, target.fallback.type))
        untagged, accepts = self._untagged(source, target, rule)
        return Tagged(
            source.tag, target.tag, variants, fallback, untagged, accepts,
            bool(rule.get("skip")), rule.get("lossy"), why,
        )  # fmt: skip

    def _variant(
        self, source: TaggedUnion, target: TaggedUnion, variant: TypeVariant, rule: JsonTable
    ) -> Variant:
        for item in self._applicable(rule.get("variants", ())):
            if item.get(self._from) != variant.value:
                continue
            if "refuse" in item:
                return Variant(None, None, item["refuse"])
            if "fan_out" in item and (made := self._fan_out(target, variant, item)):
                return made
            if self._to in item and (chosen := _by_tag(target, item[self._to])):
                return Variant(chosen.value, self.pair(variant.type, chosen.type))
        same = [other for other in target.variants if other.value == variant.value]
        if same:
            return Variant(same[0].value, self.pair(variant.type, same[0].type))
        untagged = rule.get("untagged", {})
        if untagged.get(self._from) == variant.value and target.untagged:
            return Variant(None, self.pair(variant.type, target.untagged[0].type))
        self._miss(
            f"variant {variant.value} of {source.id[0]} is in {self._source.version} only",
            source.id,
            variant.pointer,
        )
        return Variant(None, None, "no rule says what becomes of it")

    def _untagged(
        self, source: TaggedUnion, target: TaggedUnion, rule: JsonTable
    ) -> tuple[Variant | None, tuple[str, ...] | None]:
        if not source.untagged:
            return None, ()
        said = rule.get("untagged", {})
        branch = source.untagged[0]
        if self._to in said and (chosen := _by_tag(target, said[self._to])):
            accepts = tuple(said["accepts"]) if "accepts" in said else None
            return Variant(chosen.value, self.pair(branch.type, chosen.type)), accepts
        if target.untagged:
            return Variant(None, self.pair(branch.type, target.untagged[0].type)), None
        self._miss(
            f"the branch without a tag of {source.id[0]} has no counterpart",
            source.id,
            branch.pointer,
        )
        return Variant(None, None, "no rule says what becomes of it"), None

    def _fan_out(
        self, target: TaggedUnion, variant: TypeVariant, item: JsonTable
    ) -> Variant | None:
        """Plan one object for each item; None if these versions lack what the rule names."""
        said = item["fan_out"]
        chosen = _by_tag(target, said["into"])
        one = self._source.types[variant.type]
        two = self._target.types[chosen.type] if chosen else None
        if chosen is None or not (isinstance(one, Struct) and isinstance(two, Struct)):
            return None
        over = next((field for field in one.fields if field.wire_name == said["over"]), None)
        into = next((field for field in two.fields if field.wire_name == said["key"]), None)
        if over is None or into is None:
            return None
        node = self._nodes.node(over.type, into.type, item=True)
        rest = Struct(
            id=one.id,
            pointer=one.pointer,
            fields=tuple(f for f in one.fields if f is not over),
            base=one.base,
        )
        others = Struct(
            id=two.id,
            pointer=two.pointer,
            fields=tuple(f for f in two.fields if f is not into),
            base=two.base,
        )
        key = f"{'.'.join(one.id)} (each)"
        made = self._object(rest, others)
        # What clears metadata says more than a chunk can.
        members = {
            k: Member(m.to, m.node, "refuse", None, m.merge, m.optional)
            if isinstance(m, Member) and m.null == "drop"
            else m
            for k, m in made.members.items()
        }
        self._plans[key] = Object(members, made.missing, made.emit)
        fan = FanOut(
            said["over"],
            said["into"],
            said["key"],
            None if isinstance(node, str) else node,
            said["seen"],
            said["id"],
            item["why"],
        )
        return Variant(chosen.value, key, item["why"], fan)

    def _lists(self, source: Union, target: Union) -> TypePlan | None:
        """A union of lists of objects: the items tell which list it is."""
        pairs = [(a.type, b.type) for a, b in zip(source.branches, target.branches, strict=False)]
        branches: list[tuple[tuple[str, ...], str]] = []
        least = 0
        for one, two in pairs:
            if not (isinstance(one, ListOf) and isinstance(two, ListOf)):
                return None
            if not (isinstance(one.item, Ref) and isinstance(two.item, Ref)):
                return None
            struct = seen_through(self._source, one.item.id)
            if not isinstance(struct, Struct):
                return None
            branches.append((_required(struct), self.pair(struct.id, two.item.id)))
            if (two.min_items or 0) > (one.min_items or 0):
                least = max(least, two.min_items or 0)
        key = f"{'.'.join(source.id)} (item)"
        self._plans[key] = Shape(tuple(branches))
        each = Each(Use(key))
        return Value(Check({"minItems": least}, each) if least else each)

    def _union(self, source: Union, target: Union) -> TypePlan:
        lists = self._lists(source, target) if source.branches else None
        if lists is not None:
            return lists
        ones = {b.title or str(i): b for i, b in enumerate(source.branches)}
        twos = {b.title or str(i): b for i, b in enumerate(target.branches)}
        branches: list[tuple[tuple[str, ...], str]] = []
        for title, branch in ones.items():
            struct = self._source.types[branch.type.id] if isinstance(branch.type, Ref) else None
            other = twos.get(title)
            if not isinstance(struct, Struct) or other is None or not isinstance(other.type, Ref):
                node = self._nodes.union(source, target)
                if isinstance(node, str):
                    self._miss(node, source.id)
                    return Value(Refuse(node))
                return Value(node)
            branches.append((_required(struct), self.pair(struct.id, other.type.id)))
        return Shape(tuple(branches), target.exclusive)

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

    def _words(self, name: str) -> Mapping[str, Mapping[str, Any]]:
        return self._rules.table("words", self._from, name)

    # ---- envelopes ------------------------------------------------------------------------------------

    def _envelopes(self, keys: Mapping[str, str]) -> None:
        said = self._rules.table("envelopes")
        only = self._rules.table("only", self._from, "methods")
        renames = self._rules.table("methods")
        forth = renames if self._from == "v1" else {new: old for old, new in renames.items()}
        methods: dict[str, tuple[str, str, str | None]] = {}
        back: dict[str, str] = {}
        theirs = {method.wire_name: method for method in self._target.methods}
        for other in self._target.methods:
            back[other.params[0]] = other.wire_name
        for method in self._source.methods:
            wire = method.wire_name
            target = wire if wire in theirs else forth.get(wire)
            if wire in only:
                continue
            if target not in theirs or method.params[0] not in keys:
                self._owner = method.params[0]
                self._miss(f"method {wire} is in {self._source.version} only", method.params)
                continue
            result = method.result[0] if method.result else None
            methods[wire] = (target, keys[method.params[0]], keys.get(result) if result else None)
        chosen = {
            plan.cases[tag][0]
            for plan in self._plans.values()
            if isinstance(plan, Choice)
            for tag in plan.cases
        }
        chosen |= {plan.absent[0] for plan in self._plans.values() if isinstance(plan, Choice)}
        back = {name: wire for name, wire in back.items() if name in chosen}
        for kind in ("requests", "notifications", "responses"):
            for name in said.get(kind, ()):
                if name in keys:
                    null_id = self._null_ids(name)
                    error = keys.get(said.get("error", ""))
                    self._plans[name] = Envelope(
                        kind[:-1], methods, dict(only), back, null_id, error
                    )

    def _null_ids(self, name: str) -> bool:
        """True if the target's messages of this kind may have a null id."""
        types = [type_ for id_, type_ in self._target.types.items() if id_[0] == name]
        fields = [
            field for type_ in types if isinstance(type_, Struct) for field in type_.fields[:1]
        ]
        first = fields[0] if fields else None
        if first is None:
            return True
        return first.presence.nullable or self._nodes.allows_null(first.type)


def _is_tag(field: Field) -> bool:
    return field.tag is not ABSENT or bool(field.excluded)


def _required(struct: Struct) -> tuple[str, ...]:
    needed = (field for field in struct.fields if field.presence.required and not _is_tag(field))
    return tuple(field.wire_name for field in needed)


def _by_tag(union: TaggedUnion, tag: Any) -> TypeVariant | None:
    return next((variant for variant in union.variants if variant.value == tag), None)


def _expr(type_: Alias | Union) -> Any:
    return type_.type if isinstance(type_, Alias) else Ref(type_.id)
