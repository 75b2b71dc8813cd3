"""Plans of unions: what becomes of each variant."""

from __future__ import annotations

from dataclasses import replace

from ..protocol.ir import (
    ListOf,
    Ref,
    Struct,
    TaggedUnion,
    TypeId,
    Union,
)
from ..protocol.ir import (
    Variant as TypeVariant,
)
from .lookup import seen_through
from .model import (
    Alike,
    Check,
    FanOut,
    Kinds,
    Member,
    Missing,
    Object,
    Refuse,
    Shape,
    Tagged,
    TypePlan,
    Value,
    Variant,
)
from .objects import ObjectPlanning
from .planning import by_tag, is_tag, required_keys
from .rules import JsonTable


class UnionPlanning(ObjectPlanning):
    """Plans unions, by variant rules where there are any and by tag elsewhere."""

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
        if source.untagged:
            for item in source.variants:
                made = variants[item.value]
                # One that becomes several looks after its list itself.
                if made.key is not None and made.fan_out is None:
                    self._guard(source, made.key, item.type)
        return Tagged(
            source.tag, target.tag, variants, fallback, untagged, accepts,
            bool(rule.get("skip")), rule.get("lossy"), why,
        )  # fmt: skip

    def _guard(self, union: TaggedUnion, key: str, id_: TypeId) -> None:
        """Let the plan of a variant refuse what only looks like one.

        Where a union has a branch without a tag, an object with the tag of a variant may be of that
        branch: the tag is an unknown member then. It has no form in the other version.
        """
        plan, struct = self._plans.get(key), self._source.types[id_]
        if not (isinstance(plan, Object) and isinstance(struct, Struct)):
            return
        other = self._source.types[union.untagged[0].type]
        shared = other.fields if isinstance(other, Struct) else ()
        sure = {(field.wire_name, field.type, field.presence) for field in shared}
        members, missing = dict(plan.members), list(plan.missing)
        for field in struct.fields:
            if is_tag(field) or (field.wire_name, field.type, field.presence) in sure:
                continue
            name, kind = field.wire_name, self._nodes.kind(field.type)
            member = members.get(name)
            if isinstance(member, Member) and member.node is None and kind:
                members[name] = replace(member, node=Kinds((kind,)))
            if field.presence.required and (name,) not in [entry.path for entry in missing]:
                why = "without this member it is another kind of object"
                missing.append(Missing((name,), "refuse", why=why))
        self._plans[key] = replace(plan, members=members, missing=tuple(missing))

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
            if self._to in item and (chosen := by_tag(target, item[self._to])):
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
        if self._to in said and (chosen := by_tag(target, said[self._to])):
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
        chosen = by_tag(target, said["into"])
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
            branches.append((required_keys(struct), self.pair(struct.id, two.item.id)))
            if (two.min_items or 0) > (one.min_items or 0):
                least = max(least, two.min_items or 0)
        key = f"{'.'.join(source.id)} (item)"
        self._plans[key] = Shape(tuple(branches))
        alike = Alike(key)
        return Value(Check({"minItems": least}, alike) if least else alike)

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
            branches.append((required_keys(struct), self.pair(struct.id, other.type.id)))
        return Shape(tuple(branches), target.exclusive)
