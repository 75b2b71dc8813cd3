"""Frames to types: a struct, or a union with a struct for every branch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..pointer import join
from .frames import Frame, Frames, SchemaFactor, TypeFactor
from .ir import (
    ABSENT,
    Alias,
    Branch,
    Literals,
    Presence,
    Ref,
    Struct,
    TaggedUnion,
    TypeId,
    Union,
    Variant,
)
from .shapes import (
    JsonSchema,
    constant,
    describe,
    excluded_tags,
    feature_at,
    ref_name,
    required_constants,
    tag_of,
    tag_token,
    types_of,
)


class Unions(Frames):
    """Multiplies the fields of an object with the branches of its unions."""

    def object(self, id_: TypeId, frame: Frame, names: dict[str, Any]) -> None:
        """Add the struct, or the union with a struct per branch, that ``frame`` describes."""
        if not frame.factors:
            fields = tuple(frame.fields.values())
            return self.add(Struct(fields=fields, base=frame.base, open=frame.open, **names))
        factor, rest = frame.factors[0], frame.factors[1:]
        frame = replace(frame, factors=rest)
        if isinstance(factor, TypeFactor):
            return self._copy_union(id_, frame, factor.union, names)
        return self._branches(id_, frame, factor, names)

    def _branches(
        self, id_: TypeId, frame: Frame, factor: SchemaFactor, names: dict[str, Any]
    ) -> None:
        tag = tag_of(factor.schema, factor.branches)
        variants: list[Variant] = []
        untagged: list[Variant] = []
        fallback: Variant | None = None
        for index, branch in enumerate(factor.branches):
            place = join(factor.pointer, factor.keyword, index)
            if branch is True or branch == {} or not isinstance(branch, dict):
                raise self.fault(
                    place,
                    "an object union has a branch that is not an object",
                    "describe the branch as an object",
                )
            value = required_constants(branch).get(tag, ABSENT) if tag else ABSENT
            if value is not ABSENT:
                variants.append(
                    self._variant(id_, frame, branch, place, tag_token(value), value, tag)
                )
                continue
            if tag and fallback is None and self._is_fallback(branch, tag):
                token = branch.get("title") or "other"
                tags = {tag_token(required_constants(b).get(tag)) for b in factor.branches}
                if token in tags:  # a real tag has the name
                    token = f"{token} fallback"
                fallback = self._variant(id_, frame, branch, place, token, ABSENT, tag)
                continue
            if "not" in branch:
                raise self.fault(
                    join(place, "not"),
                    "only a catch-all branch may have a not, and it must "
                    "forbid the tags of the other branches",
                    "list each tag as a required constant",
                )
            untagged.append(
                self._variant(id_, frame, branch, place, self._token(branch, place), ABSENT, tag)
            )
        if not variants and len(untagged) == 1:
            return self.add(Alias(type=Ref(untagged[0].type), **names))
        if not variants:
            branches = tuple(Branch(v.title, Ref(v.type), v.pointer) for v in untagged)
            return self.add(Union(branches=branches, exclusive=factor.keyword == "oneOf", **names))
        if untagged and factor.keyword == "oneOf":
            raise self.fault(
                factor.pointer, "oneOf mixes branches with and without a tag", "use anyOf"
            )
        self.add(
            TaggedUnion(
                tag=tag or "",
                variants=tuple(variants),
                fallback=fallback,
                untagged=tuple(untagged),
                **names,
            )
        )

    def _is_fallback(self, branch: JsonSchema, tag: str) -> bool:
        child = branch.get("properties", {}).get(tag)
        return (
            isinstance(child, dict)
            and constant(child) is ABSENT
            and types_of(child) == ("string",)
            and tag in branch.get("required", ())
            and excluded_tags(branch, tag) is not None
        )

    def _token(self, branch: JsonSchema, pointer: str) -> str:
        token = branch.get("title") or ref_name(branch)
        if not token:
            parts = [ref_name(part) for part in branch.get("allOf", ())]
            token = parts[0] if len(parts) == 1 else None
        if not token:
            raise self.fault(
                pointer,
                "this branch has no tag, no title and no definition to be named after",
                "give it a title",
            )
        return str(token)

    def _variant(
        self,
        id_: TypeId,
        frame: Frame,
        branch: JsonSchema,
        pointer: str,
        token: str,
        value: Any,
        tag: str | None,
    ) -> Variant:
        made = (*id_, token)
        whole = ref_name(branch)
        if whole is not None and not frame.fields and not frame.factors:
            # The branch adds nothing to the definition it names: that is the type.
            return Variant(value, branch.get("title", ""), self.target(whole).id, pointer)
        if made in self.types:
            raise self.fault(
                pointer, f"two branches are both called {token}", "give one of them another title"
            )
        self.owners.append(made)
        inner = self.frame(
            branch, pointer, replace(frame, fields=dict(frame.fields), base=frame.base)
        )
        self.owners.pop()
        if tag and value is not ABSENT:
            inner.fields[tag] = replace(
                inner.fields[tag],
                tag=value,
                type=Literals((value,)),
                presence=Presence.REQUIRED,
                on_error=False,
                salvage=None,
            )
        elif tag and "not" in branch:
            excluded = excluded_tags(branch, tag)
            if excluded is None:
                raise self.fault(
                    join(pointer, "not"), "this not does not forbid tags", "list constants"
                )
            inner.fields[tag] = replace(
                inner.fields[tag], excluded=excluded, on_error=False, salvage=None
            )
        self.object(made, inner, self.names(made, branch, pointer))
        return Variant(
            value, branch.get("title", ""), made, pointer, feature_at(self.schema.origins, pointer)
        )

    def _copy_union(
        self, id_: TypeId, frame: Frame, union: TaggedUnion | Union, names: dict[str, Any]
    ) -> None:
        """Add a union like ``union`` whose every branch also has the fields of ``frame``."""
        if isinstance(union, Union):
            branches = []
            for branch in union.branches:
                assert isinstance(branch.type, Ref)
                token = branch.title or branch.type.id[-1]
                made = self._extend(id_, frame, branch.type.id, token, branch.pointer)
                branches.append(Branch(branch.title, Ref(made), branch.pointer))
            return self.add(Union(branches=tuple(branches), exclusive=union.exclusive, **names))

        def copy(variant: Variant) -> Variant:
            token = (
                tag_token(variant.value)
                if variant.value is not ABSENT
                else variant.title or variant.type[-1]
            )
            made = self._extend(id_, frame, variant.type, token, variant.pointer)
            return replace(variant, type=made)

        self.add(
            TaggedUnion(
                tag=union.tag,
                variants=tuple(copy(v) for v in union.variants),
                fallback=copy(union.fallback) if union.fallback else None,
                untagged=tuple(copy(v) for v in union.untagged),
                **names,
            )
        )

    def _extend(
        self, id_: TypeId, frame: Frame, target: TypeId, token: str, pointer: str
    ) -> TypeId:
        made = (*id_, token)
        source = self.types.get(target) or self.definition(target[0])
        inner = replace(frame, fields=dict(frame.fields))
        names = self.names(made, {"title": source.title, "description": source.doc}, pointer)
        if isinstance(source, Struct):
            own = dict(inner.fields)
            inner.fields.clear()
            self.inherit(inner.fields, source.fields)
            self.inherit(inner.fields, own.values())
            inner = replace(inner, base=source.id, open=inner.open and source.open)
        elif isinstance(source, TaggedUnion | Union):
            inner = replace(inner, factors=(TypeFactor(source), *inner.factors))
        else:
            raise self.fault(
                pointer, f"{describe(target)} is not an object", "use a property or a union"
            )
        self.object(made, inner, names)
        return made
