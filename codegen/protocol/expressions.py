"""Property schemas to type expressions."""

from __future__ import annotations

from typing import Any

from ..pointer import join
from .ir import (
    ANY,
    AnyOf,
    Branch,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Ref,
    Scalar,
    TypeExpr,
    TypeId,
    Union,
)
from .shapes import (
    JsonSchema,
    bounded_ref,
    enum_shape,
    is_null,
    is_object,
    ref_name,
    says_nothing,
    scalar,
    types_of,
    union_of,
)
from .workbench import Workbench


class Expressions(Workbench):
    """Reads the schema of a value. What needs a name of its own becomes a type."""

    def expr(self, schema: Any, id_: TypeId, pointer: str) -> TypeExpr:
        """Return the type that ``schema`` describes; an inline object becomes the type ``id_``."""
        if schema is True or schema == {}:
            return ANY
        if not isinstance(schema, dict):
            raise self.fault(pointer, "the schema false allows nothing", "remove the property")
        name = ref_name(schema)
        if name is not None:
            return Ref((name,))
        bounded = bounded_ref(schema)
        if bounded is not None:
            return self._bounded(*bounded, pointer)
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
                raise self.fault(
                    pointer, "properties beside a type that is no object", "split the schema"
                )
            inner = self.inline(schema, id_, pointer)
            return Nullable(inner) if "null" in kinds else inner
        if not kinds:
            return ANY
        parts = [self._of_kind(schema, kind, id_, pointer) for kind in kinds if kind != "null"]
        if not parts:
            return Scalar("null")
        one = parts[0] if len(parts) == 1 else AnyOf(tuple(parts))
        return Nullable(one) if "null" in kinds else one

    def _bounded(self, name: str, bounds: JsonSchema, pointer: str) -> TypeExpr:
        """A reference that is bounded further stands for the scalar with both bounds."""
        target = self.defs[name]
        inner = ref_name(target)
        while inner is not None:
            target = self.defs[inner]
            inner = ref_name(target)
        both = [key for key in bounds if isinstance(target, dict) and key in target]
        kinds = types_of(target) if isinstance(target, dict) else ()
        if len(kinds) != 1 or kinds[0] in ("object", "array") or both:
            raise self.fault(
                pointer,
                f"bounds beside a reference to {name} cannot be joined with it",
                "write the bounds in the definition",
            )
        return scalar({**target, **bounds}, kinds[0])

    def _of_kind(self, schema: JsonSchema, kind: str, id_: TypeId, pointer: str) -> TypeExpr:
        if kind == "array":
            if "items" not in schema:
                item: TypeExpr = ANY
            else:
                item = self.expr(schema["items"], (*id_, "item"), join(pointer, "items"))
            return ListOf(item, schema.get("minItems"), schema.get("maxItems"))
        if kind == "object":
            extra = schema.get("additionalProperties", True)
            if extra is False:
                return self.inline(schema, id_, pointer)
            return MapOf(self.expr(extra, (*id_, "value"), join(pointer, "additionalProperties")))
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
            inner = self.expr(places[0][0], id_, places[0][1])
        elif any(_declares(branch) for branch, _ in places) and "$ref" not in schema:
            # A definition is its union and null; the union alone needs a name of its own.
            own = (*id_, "value") if len(id_) == 1 else id_
            inner = self.inline({keyword: [b for b, _ in places]}, own, pointer)
        else:
            made = [self.expr(branch, (*id_, _title(branch)), place) for branch, place in places]
            inner = self._any_of(made, exclusive=keyword == "oneOf")
            if isinstance(inner, AnyOf) and not all(map(_is_plain, inner.branches)):
                inner = self._union_of(id_, made, places, keyword == "oneOf", pointer)
        if nullable and inner != ANY and not isinstance(inner, Nullable):
            return Nullable(inner)
        return inner

    def _union_of(
        self,
        id_: TypeId,
        made: list[TypeExpr],
        places: list[tuple[Any, str]],
        exclusive: bool,
        pointer: str,
    ) -> Ref:
        """Name a union of objects or lists: which branch a value is takes more than its JSON type."""
        own = (*id_, "value") if len(id_) == 1 else id_
        if own not in self.types:
            branches = tuple(
                Branch(_title(branch), type_, place)
                for (branch, place), type_ in zip(places, made, strict=True)
            )
            names = self.names(own, {}, pointer)
            self.add(Union(branches=branches, exclusive=exclusive, **names))
        return Ref(own)

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
            return says_nothing(self.defs[expr.id[0]])
        return expr == ANY

    def _literals(self, schema: JsonSchema, pointer: str) -> TypeExpr:
        values = list(schema["enum"]) if "enum" in schema else [schema["const"]]
        if not all(
            value is None or isinstance(value, bool | int | float | str) for value in values
        ):
            raise self.fault(
                pointer,
                "a constant is not a scalar",
                "use string, number, boolean or null constants",
            )
        if any(isinstance(value, float) and not value.is_integer() for value in values):
            raise self.fault(
                pointer, "a constant with a fraction", "use bounds, or a string constant"
            )
        rest = tuple(value for value in values if value is not None)
        if not rest:
            return Scalar("null")
        return Nullable(Literals(rest)) if len(rest) < len(values) else Literals(rest)


def _is_plain(expr: TypeExpr) -> bool:
    return isinstance(expr, Scalar | Literals)


def _declares(branch: Any) -> bool:
    """True for an inline object with declared fields, which needs a type of its own."""
    inline = isinstance(branch, dict) and ref_name(branch) is None
    return inline and ("properties" in branch or "allOf" in branch)


def _title(branch: Any) -> str:
    return str(branch.get("title") or "") if isinstance(branch, dict) else ""
