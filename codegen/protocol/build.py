"""Schema to intermediate representation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..schema.overlay import ResolvedSchema
from .ir import (
    ABSENT,
    ANY,
    Alias,
    AnyOf,
    Branch,
    Field,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Presence,
    Protocol,
    Ref,
    Scalar,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
    Union,
    Variant,
)
from .methods import find_methods
from .shapes import (
    ON_ERROR,
    ON_NULL,
    SKIP_ITEMS,
    JsonSchema,
    constant,
    describe,
    enum_shape,
    excluded_tags,
    feature_at,
    is_null,
    is_object,
    ref_name,
    required_constants,
    says_nothing,
    scalar,
    tag_of,
    tag_token,
    types_of,
    union_of,
)


def build_protocol(schema: ResolvedSchema, release: str = "unknown") -> Protocol:
    """Return what ``schema`` means. ``release`` is the publisher's name for it.

    Raises:
        InputError: where a definition has a shape that the representation cannot hold, a branch
            cannot be named without counting, or the methods are not paired.
    """
    builder = _Builder(schema)
    for name in schema.data["$defs"]:
        builder.definition(name)
    ordered = {
        id_: builder.types[id_] for name in schema.data["$defs"] for id_ in builder.family[name]
    }
    return Protocol(
        version=schema.version,
        release=release,
        sha256=schema.sha256,
        file=schema.file,
        features=schema.features,
        types=ordered,
        methods=find_methods(schema),
        gates=schema.gates,
    )


@dataclass(frozen=True)
class _Place:
    """A field as one part of an object declares it."""

    schema: Any
    pointer: str


@dataclass(frozen=True)
class _SchemaFactor:
    """An ``anyOf`` or ``oneOf`` of object branches."""

    schema: JsonSchema
    keyword: str
    branches: list[Any]
    pointer: str


@dataclass(frozen=True)
class _TypeFactor:
    """A union that comes with a referenced definition."""

    union: TaggedUnion | Union


@dataclass(frozen=True)
class _Frame:
    """An object type under construction: its fields so far, and the unions still to multiply."""

    pointer: str
    fields: dict[str, Field] = field(default_factory=dict)
    factors: tuple[_SchemaFactor | _TypeFactor, ...] = ()
    base: TypeId | None = None
    open: bool = True


class _Builder:
    """Turns definitions into types; ``types`` grows as they are asked for."""

    def __init__(self, schema: ResolvedSchema) -> None:
        self._schema = schema
        self._defs: dict[str, Any] = schema.data["$defs"]
        self.types: dict[TypeId, Type] = {}
        self.family: dict[str, list[TypeId]] = {name: [] for name in self._defs}
        self._open: list[str] = []  # the definitions under construction, outermost first
        self._owners: list[TypeId] = []  # the types that inline types are named after

    # ---- definitions ------------------------------------------------------------------------

    def definition(self, name: str) -> Type:
        """Build the definition ``name`` and all that exists inside it, once."""
        id_ = (name,)
        if id_ in self.types:
            return self.types[id_]
        pointer = join("/$defs", name)
        if name in self._open:
            cycle = " -> ".join([*self._open[self._open.index(name) :], name])
            raise self._fault(
                pointer,
                f"definitions include each other without end: {cycle}",
                "break the cycle with a property or a list",
            )
        self._open.append(name)
        self._owners.append(id_)
        self._named(id_, self._defs[name], pointer)
        self._owners.pop()
        self._open.pop()
        return self.types[id_]

    def _named(self, id_: TypeId, schema: Any, pointer: str) -> None:
        names = self._names(id_, schema, pointer)
        if not isinstance(schema, dict):
            if schema is not True:
                raise self._fault(
                    pointer, "the schema false allows nothing", "remove the definition"
                )
            return self._add(Alias(type=ANY, **names))
        shape = enum_shape(schema)
        if shape is not None:
            return self._add(shape.named(**names))
        if self._is_struct(schema):
            return self._object(id_, self._frame(schema, pointer), names)
        union = union_of(schema)
        if union is not None and not any(is_null(branch) for branch in union[1]):
            branches = union[1]
            if all(self._is_object_branch(branch) for branch in branches) and branches:
                return self._object(id_, self._frame(schema, pointer), names)
            return self._add(self._scalar_union(id_, union, pointer, names))
        return self._add(Alias(type=self._expr(schema, id_, pointer), **names))

    def _names(self, id_: TypeId, schema: Any, pointer: str) -> dict[str, Any]:
        read = schema if isinstance(schema, dict) else {}
        return {
            "id": id_,
            "pointer": pointer,
            "doc": read.get("description", ""),
            "title": read.get("title", ""),
            "feature": feature_at(self._schema.origins, pointer),
            "envelope": bool(read.get("x-docs-ignore", False)),
        }

    def _is_struct(self, schema: JsonSchema) -> bool:
        """An object with declared fields, or a bare object; not a map with typed values."""
        if ref_name(schema) is not None:
            return False
        if "properties" in schema or "allOf" in schema:
            return True
        return types_of(schema) == ("object",) and "additionalProperties" not in schema

    def _is_object_branch(self, branch: Any) -> bool:
        name = ref_name(branch)
        if name is not None:
            target = self._defs[name]
            nested = ref_name(target)
            if nested is not None:
                return self._is_object_branch(target)
            union = union_of(target) if isinstance(target, dict) else None
            if union is not None and not self._is_struct(target):
                return all(self._is_object_branch(inner) for inner in union[1])
            return isinstance(target, dict) and self._is_struct(target)
        return is_object(branch) and (self._is_struct(branch) or union_of(branch) is not None)

    def _scalar_union(
        self, id_: TypeId, union: tuple[str, list[Any]], pointer: str, names: dict[str, Any]
    ) -> Union:
        keyword, schemas = union
        branches = []
        for index, schema in enumerate(schemas):
            place = join(pointer, keyword, index)
            title = schema.get("title", "") if isinstance(schema, dict) else ""
            branches.append(
                Branch(title, self._expr(schema, (*id_, title) if title else id_, place), place)
            )
        return Union(branches=tuple(branches), exclusive=keyword == "oneOf", **names)

    # ---- objects ----------------------------------------------------------------------------

    def _frame(self, schema: JsonSchema, pointer: str, start: _Frame | None = None) -> _Frame:
        """Return ``start`` (or an empty frame) extended by what ``schema`` declares."""
        frame = start or _Frame(pointer)
        frame = replace(frame, pointer=pointer)
        bases: list[TypeId] = []
        for index, part in enumerate(schema.get("allOf", ())):
            frame, base = self._include(frame, part, join(pointer, "allOf", index))
            bases += [base] if base else []
        own = schema.get("properties", {})
        required = schema.get("required", ())
        for name, child in own.items():
            place = _Place(child, join(pointer, "properties", name))
            frame.fields[name] = self._field(name, place, name in required, frame)
        for name in required:
            if name not in own:
                frame = self._require(frame, name, pointer)
        name_of_ref = schema.get("$ref")
        if name_of_ref is not None:
            frame, base = self._include(frame, {"$ref": name_of_ref}, pointer)
            bases += [base] if base else []
        union = union_of(schema)
        factors = list(frame.factors)
        if union is not None:
            factors.append(_SchemaFactor(schema, *union, pointer))
        closed = schema.get("additionalProperties", True) is False
        extra = schema.get("additionalProperties", True)
        if isinstance(extra, dict) and extra:
            raise self._fault(
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

    def _require(self, frame: _Frame, name: str, pointer: str) -> _Frame:
        known = frame.fields.get(name)
        if known is None:
            known = Field(name, ANY, Presence.REQUIRED, join(pointer, "required"))
        presence = Presence.of(required=True, nullable=known.presence.nullable)
        frame.fields[name] = replace(known, presence=presence)
        return frame

    def _include(self, frame: _Frame, part: Any, pointer: str) -> tuple[_Frame, TypeId | None]:
        """Merge one ``allOf`` member into ``frame``; return the struct it stands for, if one."""
        name = ref_name(part)
        if name is None:
            if not isinstance(part, dict) or not self._is_struct(part):
                raise self._fault(
                    pointer, "an allOf member is not an object", "use a property or a union"
                )
            inner = self._frame(part, pointer, replace(frame, fields=dict(frame.fields)))
            return inner, None
        target = self._target(name)
        fields = dict(frame.fields)
        if isinstance(target, Struct):
            self._inherit(fields, target.fields)
            return replace(frame, fields=fields, open=frame.open and target.open), target.id
        if isinstance(target, TaggedUnion) or (
            isinstance(target, Union) and self._all_structs(target)
        ):
            return replace(
                frame, fields=fields, factors=(*frame.factors, _TypeFactor(target))
            ), None
        raise self._fault(
            pointer, f"allOf names {name}, which is not an object", "use a property or a union"
        )

    def _target(self, name: str) -> Type:
        """Return the type that the definition ``name`` stands for, seen through plain aliases."""
        target = self.definition(name)
        while isinstance(target, Alias) and isinstance(target.type, Ref):
            target = self.types.get(target.type.id) or self.definition(target.type.id[0])
        return target

    def _all_structs(self, union: Union) -> bool:
        return all(
            isinstance(branch.type, Ref)
            and isinstance(self.types.get(branch.type.id), Struct | TaggedUnion | Union)
            for branch in union.branches
        )

    def _inherit(self, fields: dict[str, Field], more: Iterable[Field]) -> None:
        for item in more:
            known = fields.get(item.wire_name)
            fields[item.wire_name] = item if known is None else _narrow(known, item)

    def _field(self, name: str, place: _Place, required: bool, frame: _Frame) -> Field:
        schema, pointer = place.schema, place.pointer
        read = schema if isinstance(schema, dict) else {}
        type_ = self._expr(schema, (*self._owners[-1], name), pointer)
        nullable = isinstance(type_, Nullable) or (
            isinstance(type_, Scalar) and type_.kind in ("null", "any")
        )
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
            feature=feature_at(self._schema.origins, pointer),
        )
        known = frame.fields.get(name)
        return made if known is None else _narrow(known, made)

    def _object(self, id_: TypeId, frame: _Frame, names: dict[str, Any]) -> None:
        """Add the struct, or the union with a struct per branch, that ``frame`` describes."""
        if not frame.factors:
            fields = tuple(frame.fields.values())
            return self._add(Struct(fields=fields, base=frame.base, open=frame.open, **names))
        factor, rest = frame.factors[0], frame.factors[1:]
        frame = replace(frame, factors=rest)
        if isinstance(factor, _TypeFactor):
            return self._copy_union(id_, frame, factor.union, names)
        return self._branches(id_, frame, factor, names)

    def _branches(
        self, id_: TypeId, frame: _Frame, factor: _SchemaFactor, names: dict[str, Any]
    ) -> None:
        tag = tag_of(factor.schema, factor.branches)
        variants: list[Variant] = []
        untagged: list[Variant] = []
        fallback: Variant | None = None
        for index, branch in enumerate(factor.branches):
            place = join(factor.pointer, factor.keyword, index)
            if branch is True or branch == {} or not isinstance(branch, dict):
                raise self._fault(
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
                fallback = self._variant(id_, frame, branch, place, token, ABSENT, tag)
                continue
            if "not" in branch:
                raise self._fault(
                    join(place, "not"),
                    "only a catch-all branch may have a not, and it must "
                    "forbid the tags of the other branches",
                    "list each tag as a required constant",
                )
            untagged.append(
                self._variant(id_, frame, branch, place, self._token(branch, place), ABSENT, tag)
            )
        if not variants and len(untagged) == 1:
            return self._add(Alias(type=Ref(untagged[0].type), **names))
        if not variants:
            branches = tuple(Branch(v.title, Ref(v.type), v.pointer) for v in untagged)
            return self._add(Union(branches=branches, exclusive=factor.keyword == "oneOf", **names))
        if untagged and factor.keyword == "oneOf":
            raise self._fault(
                factor.pointer, "oneOf mixes branches with and without a tag", "use anyOf"
            )
        self._add(
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
            raise self._fault(
                pointer,
                "this branch has no tag, no title and no definition to be named after",
                "give it a title",
            )
        return str(token)

    def _variant(
        self,
        id_: TypeId,
        frame: _Frame,
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
            return Variant(value, branch.get("title", ""), self._target(whole).id, pointer)
        if made in self.types:
            raise self._fault(
                pointer, f"two branches are both called {token}", "give one of them another title"
            )
        self._owners.append(made)
        inner = self._frame(
            branch, pointer, replace(frame, fields=dict(frame.fields), base=frame.base)
        )
        self._owners.pop()
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
                raise self._fault(
                    join(pointer, "not"), "this not does not forbid tags", "list constants"
                )
            inner.fields[tag] = replace(
                inner.fields[tag], excluded=excluded, on_error=False, salvage=None
            )
        self._object(made, inner, self._names(made, branch, pointer))
        return Variant(
            value, branch.get("title", ""), made, pointer, feature_at(self._schema.origins, pointer)
        )

    def _copy_union(
        self, id_: TypeId, frame: _Frame, union: TaggedUnion | Union, names: dict[str, Any]
    ) -> None:
        """Add a union like ``union`` whose every branch also has the fields of ``frame``."""
        if isinstance(union, Union):
            branches = []
            for branch in union.branches:
                assert isinstance(branch.type, Ref)
                token = branch.title or branch.type.id[-1]
                made = self._extend(id_, frame, branch.type.id, token, branch.pointer)
                branches.append(Branch(branch.title, Ref(made), branch.pointer))
            return self._add(Union(branches=tuple(branches), exclusive=union.exclusive, **names))

        def copy(variant: Variant) -> Variant:
            token = (
                tag_token(variant.value)
                if variant.value is not ABSENT
                else variant.title or variant.type[-1]
            )
            made = self._extend(id_, frame, variant.type, token, variant.pointer)
            return replace(variant, type=made)

        self._add(
            TaggedUnion(
                tag=union.tag,
                variants=tuple(copy(v) for v in union.variants),
                fallback=copy(union.fallback) if union.fallback else None,
                untagged=tuple(copy(v) for v in union.untagged),
                **names,
            )
        )

    def _extend(
        self, id_: TypeId, frame: _Frame, target: TypeId, token: str, pointer: str
    ) -> TypeId:
        made = (*id_, token)
        source = self.types.get(target) or self.definition(target[0])
        inner = replace(frame, fields=dict(frame.fields))
        names = self._names(made, {"title": source.title, "description": source.doc}, pointer)
        if isinstance(source, Struct):
            own = dict(inner.fields)
            inner.fields.clear()
            self._inherit(inner.fields, source.fields)
            self._inherit(inner.fields, own.values())
            inner = replace(inner, base=source.id, open=inner.open and source.open)
        elif isinstance(source, TaggedUnion | Union):
            inner = replace(inner, factors=(_TypeFactor(source), *inner.factors))
        else:
            raise self._fault(
                pointer, f"{describe(target)} is not an object", "use a property or a union"
            )
        self._object(made, inner, names)
        return made

    # ---- type expressions -------------------------------------------------------------------

    def _expr(self, schema: Any, id_: TypeId, pointer: str) -> TypeExpr:
        if schema is True or schema == {}:
            return ANY
        if not isinstance(schema, dict):
            raise self._fault(pointer, "the schema false allows nothing", "remove the property")
        name = ref_name(schema)
        if name is not None:
            return Ref((name,))
        union = union_of(schema)
        if union is not None and not is_object(
            {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}
        ):
            return self._union_expr(schema, union, id_, pointer)
        if "const" in schema or "enum" in schema:
            return self._literals(schema, pointer)
        kinds = types_of(schema)
        if "allOf" in schema or "properties" in schema:
            if kinds and set(kinds) - {"object", "null"}:
                raise self._fault(
                    pointer, "properties beside a type that is no object", "split the schema"
                )
            inner = self._inline(schema, id_, pointer)
            return Nullable(inner) if "null" in kinds else inner
        if not kinds:
            return ANY
        parts = [self._of_kind(schema, kind, id_, pointer) for kind in kinds if kind != "null"]
        if not parts:
            return Scalar("null")
        one = parts[0] if len(parts) == 1 else AnyOf(tuple(parts))
        return Nullable(one) if "null" in kinds else one

    def _of_kind(self, schema: JsonSchema, kind: str, id_: TypeId, pointer: str) -> TypeExpr:
        if kind == "array":
            if "items" not in schema:
                item: TypeExpr = ANY
            else:
                item = self._expr(schema["items"], (*id_, "item"), join(pointer, "items"))
            return ListOf(item, schema.get("minItems"), schema.get("maxItems"))
        if kind == "object":
            extra = schema.get("additionalProperties", True)
            if extra is False:
                return self._inline(schema, id_, pointer)
            return MapOf(self._expr(extra, (*id_, "value"), join(pointer, "additionalProperties")))
        return scalar(schema, kind)

    def _union_expr(
        self, schema: JsonSchema, union: tuple[str, list[Any]], id_: TypeId, pointer: str
    ) -> TypeExpr:
        keyword, branches = union
        rest = [(index, branch) for index, branch in enumerate(branches) if not is_null(branch)]
        nullable = len(rest) < len(branches)
        shape = enum_shape({keyword: [branch for _, branch in rest]})
        if shape is not None and not shape.open and len(rest) > 1:
            inner: TypeExpr = Literals(tuple(value.value for value in shape.values))
            return Nullable(inner) if nullable else inner
        places = [(branch, join(pointer, keyword, index)) for index, branch in rest]
        if len(places) == 1:
            inner = self._expr(places[0][0], id_, places[0][1])
        elif (
            any(ref_name(branch) is None and is_object(branch) for branch, _ in places)
            and "$ref" not in schema
        ):
            inner = self._inline({keyword: [b for b, _ in places]}, id_, pointer)
        else:
            made = [self._expr(branch, (*id_, _title(branch)), place) for branch, place in places]
            inner = self._any_of(made, exclusive=keyword == "oneOf")
        if nullable and inner != ANY and not isinstance(inner, Nullable):
            return Nullable(inner)
        return inner

    def _any_of(self, made: list[TypeExpr], *, exclusive: bool) -> TypeExpr:
        """A nameless union with a branch for any JSON says no more than that branch."""
        flat: list[TypeExpr] = []
        for item in made:
            flat += item.branches if isinstance(item, AnyOf) and not exclusive else [item]
        if not exclusive and any(self._is_any(item) for item in flat):
            return ANY
        return AnyOf(tuple(flat), exclusive)

    def _is_any(self, expr: TypeExpr) -> bool:
        if isinstance(expr, Ref) and len(expr.id) == 1:
            return says_nothing(self._defs[expr.id[0]])
        return expr == ANY

    def _literals(self, schema: JsonSchema, pointer: str) -> TypeExpr:
        values = list(schema["enum"]) if "enum" in schema else [schema["const"]]
        if not all(
            value is None or isinstance(value, bool | int | float | str) for value in values
        ):
            raise self._fault(
                pointer,
                "a constant is not a scalar",
                "use string, number, boolean or null constants",
            )
        rest = tuple(value for value in values if value is not None)
        if not rest:
            return Scalar("null")
        return Nullable(Literals(rest)) if len(rest) < len(values) else Literals(rest)

    def _inline(self, schema: JsonSchema, id_: TypeId, pointer: str) -> Ref:
        if id_ not in self.types:
            self._owners.append(id_)
            self._named(
                id_, {k: v for k, v in schema.items() if k != "type" or v == "object"}, pointer
            )
            self._owners.pop()
        return Ref(id_)

    def _add(self, type_: Type) -> None:
        self.types[type_.id] = type_
        self.family[type_.id[0]].append(type_.id)

    def _fault(self, pointer: str, what: str, remedy: str) -> InputError:
        return InputError(what, where=Where(self._schema.file, pointer), remedy=remedy)


def _one_base(bases: list[TypeId]) -> TypeId | None:
    """A struct extends another only if it includes just that one; else it repeats the fields."""
    return bases[0] if len(bases) == 1 else None


def _title(branch: Any) -> str:
    return str(branch.get("title") or "") if isinstance(branch, dict) else ""


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
