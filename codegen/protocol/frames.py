"""Object schemas to frames: the fields that the parts of an object declare together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..pointer import join
from .expressions import Expressions
from .ir import (
    ABSENT,
    ANY,
    Field,
    Nullable,
    Presence,
    Ref,
    Struct,
    TaggedUnion,
    TypeId,
    Union,
)
from .shapes import (
    ON_ERROR,
    ON_NULL,
    SKIP_ITEMS,
    JsonSchema,
    allows_null,
    feature_at,
    ref_name,
    union_of,
)


@dataclass(frozen=True)
class Place:
    """A field as one part of an object declares it."""

    schema: Any
    pointer: str


@dataclass(frozen=True)
class SchemaFactor:
    """An ``anyOf`` or ``oneOf`` of object branches."""

    schema: JsonSchema
    keyword: str
    branches: list[Any]
    pointer: str


@dataclass(frozen=True)
class TypeFactor:
    """A union that comes with a referenced definition."""

    union: TaggedUnion | Union


@dataclass(frozen=True)
class Frame:
    """An object type under construction: its fields so far, and the unions still to multiply."""

    pointer: str
    fields: dict[str, Field] = field(default_factory=dict)
    factors: tuple[SchemaFactor | TypeFactor, ...] = ()
    base: TypeId | None = None
    open: bool = True


class Frames(Expressions):
    """Collects what ``properties``, ``required``, ``allOf`` and references say of an object."""

    def frame(self, schema: JsonSchema, pointer: str, start: Frame | None = None) -> Frame:
        """Return ``start`` (or an empty frame) extended by what ``schema`` declares."""
        frame = start or Frame(pointer)
        frame = replace(frame, pointer=pointer)
        bases: list[TypeId] = []
        for index, part in enumerate(schema.get("allOf", ())):
            frame, base = self.include(frame, part, join(pointer, "allOf", index))
            bases += [base] if base else []
        own = schema.get("properties", {})
        required = schema.get("required", ())
        for name, child in own.items():
            place = Place(child, join(pointer, "properties", name))
            frame.fields[name] = self._field(name, place, name in required, frame)
        for name in required:
            if name not in own:
                frame = self._require(frame, name, pointer)
        name_of_ref = schema.get("$ref")
        if name_of_ref is not None:
            frame, base = self.include(frame, {"$ref": name_of_ref}, pointer)
            bases += [base] if base else []
        union = union_of(schema)
        factors = list(frame.factors)
        if union is not None:
            factors.append(SchemaFactor(schema, *union, pointer))
        closed = schema.get("additionalProperties", True) is False
        extra = schema.get("additionalProperties", True)
        if isinstance(extra, dict) and extra:
            raise self.fault(
                join(pointer, "additionalProperties"),
                "an object with declared properties cannot also type its other values",
                "give the map a property of its own",
            )
        return replace(
            frame,
            factors=tuple(factors),
            base=_one_base([*([start.base] if start and start.base else []), *bases]),
            open=frame.open and not closed,
        )

    def _require(self, frame: Frame, name: str, pointer: str) -> Frame:
        known = frame.fields.get(name)
        if known is None:
            known = Field(name, ANY, Presence.REQUIRED, join(pointer, "required"))
        presence = Presence.of(required=True, nullable=known.presence.nullable)
        frame.fields[name] = replace(known, presence=presence)
        return frame

    def include(self, frame: Frame, part: Any, pointer: str) -> tuple[Frame, TypeId | None]:
        """Merge one ``allOf`` member into ``frame``; return the struct it stands for, if one."""
        name = ref_name(part)
        if name is None:
            if not isinstance(part, dict) or not self.is_struct(part):
                raise self.fault(
                    pointer, "an allOf member is not an object", "use a property or a union"
                )
            inner = self.frame(part, pointer, replace(frame, fields=dict(frame.fields)))
            return inner, None
        target = self.target(name)
        fields = dict(frame.fields)
        if isinstance(target, Struct):
            self.inherit(fields, target.fields)
            return replace(frame, fields=fields, open=frame.open and target.open), target.id
        if isinstance(target, TaggedUnion) or (
            isinstance(target, Union) and self.all_structs(target)
        ):
            return replace(frame, fields=fields, factors=(*frame.factors, TypeFactor(target))), None
        raise self.fault(
            pointer, f"allOf names {name}, which is not an object", "use a property or a union"
        )

    def all_structs(self, union: Union) -> bool:
        return all(
            isinstance(branch.type, Ref)
            and isinstance(self.types.get(branch.type.id), Struct | TaggedUnion | Union)
            for branch in union.branches
        )

    def inherit(self, fields: dict[str, Field], more: Iterable[Field]) -> None:
        for item in more:
            known = fields.get(item.wire_name)
            fields[item.wire_name] = item if known is None else _narrow(known, item)

    def _field(self, name: str, place: Place, required: bool, frame: Frame) -> Field:
        schema, pointer = place.schema, place.pointer
        read = schema if isinstance(schema, dict) else {}
        type_ = self.expr(schema, (*self.owners[-1], name), pointer)
        nullable = isinstance(type_, Nullable) or allows_null(schema, self.defs)
        made = Field(
            wire_name=name,
            type=type_.inner if isinstance(type_, Nullable) else type_,
            presence=Presence.of(required=required, nullable=nullable),
            pointer=pointer,
            default=read.get("default", ABSENT),
            on_error=bool(read.get(ON_ERROR)),
            on_null=bool(read.get(ON_NULL)),
            skip_invalid_items=bool(read.get(SKIP_ITEMS)),
            doc=read.get("description", ""),
            feature=feature_at(self.schema.origins, pointer),
        )
        known = frame.fields.get(name)
        return made if known is None else _narrow(known, made)


def _one_base(bases: list[TypeId]) -> TypeId | None:
    """A struct extends another only if it includes just that one; else it repeats the fields."""
    return bases[0] if len(bases) == 1 else None


def _narrow(outer: Field, inner: Field) -> Field:
    """Return the field that two parts of an object declare together.

    ``inner`` is nearer to the branch, so its type is the narrower. Leniency of the outer part
    judges by the outer type, so that a wrong branch is not taken for a malformed value.
    """
    lenient = outer.on_error and not inner.on_error
    nullable = outer.presence.nullable and inner.presence.nullable
    return replace(
        inner,
        presence=Presence.of(
            required=outer.presence.required or inner.presence.required, nullable=nullable
        ),
        default=outer.default if inner.default is ABSENT else inner.default,
        on_error=outer.on_error or inner.on_error,
        on_null=outer.on_null or inner.on_null,
        skip_invalid_items=outer.skip_invalid_items or inner.skip_invalid_items,
        salvage=(Nullable(outer.type) if outer.presence.nullable else outer.type)
        if lenient
        else inner.salvage,
        doc=inner.doc or outer.doc,
        feature=inner.feature or outer.feature,
    )
