"""Compares the branches of unions."""

from __future__ import annotations

from collections.abc import Collection

from ..protocol.ir import (
    ABSENT,
    Alias,
    Branch,
    Ref,
    TaggedUnion,
    Type,
    TypeId,
    Union,
    Variant,
)
from .expressions import Expressions
from .sameness import json_text
from .sink import Place, Sink, quoted


class Unions:
    """Compares unions of an old and a new schema.

    Args:
        exprs: compares the types of branches.
        sink: gets what is found.
        told: types whose coming and going is told otherwise: params and results in the envelopes.
    """

    def __init__(
        self, exprs: Expressions, sink: Sink, told: tuple[Collection[TypeId], Collection[TypeId]]
    ) -> None:
        self._exprs, self._sink, self._told = exprs, sink, told

    def tagged(self, old: TaggedUnion, new: TaggedUnion) -> None:
        """Report what differs between two unions with tags."""
        owners = (old.id, new.id)
        whole = Place(owners, old.pointer, new.pointer)
        if old.tag != new.tag:
            what = f"the tag was under {quoted(old.tag)} and is under {quoted(new.tag)}"
            self._sink.add("union-tag-key-changed", whole, what, narrows=True, widens=True)
            return
        mine = {json_text(variant.value): variant for variant in old.variants}
        theirs = {json_text(variant.value): variant for variant in new.variants}
        for key, variant in mine.items():
            if key in theirs:
                self._variant(variant, theirs[key], old, new)
                continue
            what = f"the tag {quoted(variant.value)} is no longer there"
            lost = not self._exprs.read_by_new(Ref(variant.type), Ref(new.id))
            place = Place(owners, variant.pointer, None, quoted(variant.value))
            self._sink.add("union-tag-removed", place, what, narrows=lost)
        for key, variant in theirs.items():
            if key not in mine:
                what = f"the tag {quoted(variant.value)} is new"
                lost = not self._exprs.read_by_old(Ref(variant.type), Ref(old.id))
                place = Place(owners, None, variant.pointer, quoted(variant.value))
                self._sink.add("union-tag-added", place, what, widens=lost)
        self._fallback(old, new, whole)
        branches = [
            [Branch(v.title, Ref(v.type), v.pointer) for v in union.untagged]
            for union in (old, new)
        ]
        self._branches(branches[0], branches[1], old, new)

    def untagged(self, old: Union, new: Union) -> None:
        """Report what differs between two unions without tags."""
        if old.exclusive != new.exclusive:
            place = Place((old.id, new.id), old.pointer, new.pointer)
            kind = "type-narrowed" if new.exclusive else "type-widened"
            what = f"exactly one branch {'must' if new.exclusive else 'need not'} match"
            self._sink.add(kind, place, what, narrows=new.exclusive, widens=old.exclusive)
        self._branches(old.branches, new.branches, old, new)

    def _fallback(self, old: TaggedUnion, new: TaggedUnion, whole: Place) -> None:
        if old.fallback is not None and new.fallback is not None:
            return self._variant(old.fallback, new.fallback, old, new)
        if old.fallback is not None:
            place = Place(whole.owners, old.fallback.pointer, whole.new)
            self._sink.add("union-closed", place, "other tags are no longer allowed", narrows=True)
        if new.fallback is not None:
            place = Place(whole.owners, whole.old, new.fallback.pointer)
            self._sink.add("union-opened", place, "other tags are now allowed", widens=True)
        return None

    def _variant(self, one: Variant, other: Variant, old: TaggedUnion, new: TaggedUnion) -> None:
        place = Place((old.id, new.id), one.pointer, other.pointer, quoted_tag(other))
        if not self._exprs.corresponds(one.type, other.type) and not self._exprs.descend(
            one.type, other.type
        ):
            self._exprs.relate(Ref(one.type), Ref(other.type), place)
        if one.title != other.title:
            what = f"the title was {quoted(one.title)} and is {quoted(other.title)}"
            self._sink.add("title-changed", place, what)

    def _branches(
        self,
        old: Collection[Branch],
        new: Collection[Branch],
        before: TaggedUnion | Union,
        after: TaggedUnion | Union,
    ) -> None:
        owners = (before.id, after.id)
        gone, come = list(old), list(new)
        for one, other in self._pairs(gone, come):
            gone.remove(one)
            come.remove(other)
            place = Place(owners, one.pointer, other.pointer, self._label(other, after=True))
            self._exprs.compare(one.type, other.type, place)
        for one in gone:
            if one.type in [Ref(id_) for id_ in self._told[0]]:
                continue
            lost = not self._exprs.read_by_new(one.type, Ref(after.id))
            place = Place(owners, one.pointer, None, self._label(one))
            what = f"the branch {self._label(one)} is no longer there"
            self._sink.add("union-branch-removed", place, what, narrows=lost)
        for other in come:
            if other.type in [Ref(id_) for id_ in self._told[1]]:
                continue
            lost = not self._exprs.read_by_old(other.type, Ref(before.id))
            label = self._label(other, after=True)
            place = Place(owners, None, other.pointer, label)
            what = f"the branch {label} is new"
            self._sink.add("union-branch-added", place, what, widens=lost)

    def _pairs(self, gone: list[Branch], come: list[Branch]) -> list[tuple[Branch, Branch]]:
        """Return the branches that are one: of one type or name, else of the same values."""
        found: list[tuple[Branch, Branch]] = []
        for fits in (self._is_one_type, _is_one_name, self._is_one_set):
            for one in gone:
                for other in come:
                    free = not any(one is a or other is b for a, b in found)
                    if free and fits(one, other):
                        found.append((one, other))
        return found

    def _is_one_type(self, one: Branch, other: Branch) -> bool:
        if isinstance(one.type, Ref) and isinstance(other.type, Ref):
            return self._exprs.corresponds(one.type.id, other.type.id)
        return one.type == other.type

    def _is_one_set(self, one: Branch, other: Branch) -> bool:
        forth = self._exprs.read_by_new(one.type, other.type)
        return forth and self._exprs.read_by_old(other.type, one.type)

    def _label(self, branch: Branch, *, after: bool = False) -> str:
        schema = self._exprs.new if after else self._exprs.old
        return branch.title or self._exprs.show(branch.type, schema)


def as_unions(old: Type, new: Type) -> tuple[TaggedUnion, TaggedUnion] | None:
    """Return two types of two sorts as unions with one tag, if one of them is and both can be."""
    if isinstance(old, TaggedUnion) and not isinstance(new, TaggedUnion):
        made = _with_tag(new, old.tag)
        return (old, made) if made else None
    if isinstance(new, TaggedUnion) and not isinstance(old, TaggedUnion):
        made = _with_tag(old, new.tag)
        return (made, new) if made else None
    return None


def _with_tag(type_: Type, tag: str) -> TaggedUnion | None:
    """Return a union without a tag, or a name for one object, as a union with no tagged branch."""
    branches: tuple[Branch, ...] = ()
    if isinstance(type_, Union):
        branches = type_.branches
    elif isinstance(type_, Alias):
        branches = (Branch("", type_.type, type_.pointer),)
    untagged = [
        Variant(ABSENT, branch.title, branch.type.id, branch.pointer)
        for branch in branches
        if isinstance(branch.type, Ref)
    ]
    if not branches or len(untagged) < len(branches):
        return None
    return TaggedUnion(type_.id, type_.pointer, tag=tag, untagged=tuple(untagged))


def _is_one_name(one: Branch, other: Branch) -> bool:
    return bool(one.title) and one.title == other.title and type(one.type) is type(other.type)


def quoted_tag(variant: Variant) -> str:
    """Return the tag of a branch for people; of a fallback, its title."""
    return quoted(variant.value) if isinstance(variant.value, str | int) else variant.title
