"""What the template of the validators sees."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from ...protocol.graph import all_variants
from ...protocol.ir import (
    ABSENT,
    Alias,
    AnyOf,
    Enum,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    Union,
)
from ..json_types import json_types
from ..naming import meaning
from .expressions import Expressions
from .layout import Doc, array, call, group, pairs, render
from .literals import entry, literal, string
from .names import Names


@dataclass(frozen=True)
class SchemaView:
    """A validator: the expression that makes it, one step in, and the building blocks it names."""

    name: str
    type: str
    text: str
    blocks: frozenset[str]


def schema_views(protocol: Protocol, names: Names, write: Expressions) -> list[SchemaView]:
    """Return the validators of ``protocol`` in schema order."""
    writer = _Writer(protocol, names, write)
    views = []
    for id_, type_ in protocol.types.items():
        doc = writer.definition(type_)
        blocks = frozenset(_blocks(doc)) - set(names.schemas.values())
        text = render(group(doc, ";"), column=2, depth=1)
        views.append(SchemaView(names.schemas[id_], names.types[id_], text, blocks))
    return views


def _blocks(doc: Doc) -> Iterable[str]:
    """Yield the names of the building blocks in ``doc``: what is called, and bare words."""
    if isinstance(doc, str):
        head = doc.removesuffix("(() => (").removesuffix("(")
        if head.isidentifier() and head not in ("null", "true", "false"):
            yield head
    elif hasattr(doc, "parts"):
        for part in doc.parts:
            yield from _blocks(part)


class _Writer:
    def __init__(self, protocol: Protocol, names: Names, write: Expressions) -> None:
        self._protocol = protocol
        self._names = names
        self._write = write

    def definition(self, type_: Type) -> Doc:
        """Return the expression that makes the validator of ``type_``."""
        if isinstance(type_, Struct):
            made = pairs(*((entry(field.wire_name), self._field(field)) for field in type_.fields))
            return _thunk("struct" if type_.open else "closed", made)
        if isinstance(type_, Alias):
            return _alias(self._write.schema(type_.type))
        if isinstance(type_, Enum):
            return _alias(self._enum(type_))
        if isinstance(type_, TaggedUnion):
            return _thunk("tagged", self._tagged(type_))
        if self._in_order(type_):
            return _alias(call("first", array(*map(self._schema, _types(type_)))))
        return _thunk("choice", self._choice(type_))

    def _schema(self, expr: TypeExpr) -> Doc:
        return self._write.schema(expr)

    def _enum(self, type_: Enum) -> Doc:
        if type_.open and type_.kind != "string":
            # Beside the listed numbers any other one is a choice: it counts where faults are ranked.
            return call("first", array(self._schema(Scalar(type_.kind))))
        if type_.open:
            return self._schema(Scalar(type_.kind))
        return call("oneOf", array(*(literal(value.value) for value in type_.values)))

    # ---- fields -----------------------------------------------------------------------------

    def _field(self, field: Field) -> Doc:
        if field.tag is not ABSENT:
            return call("req", call("oneOf", array(literal(field.tag))))
        inner = self._field_type(field)
        required = field.presence.required
        if field.on_error and field.salvage is not None:
            kinds = array(*(string(kind) for kind in json_types(field.salvage)))
            return call("salvaged", inner, kinds)
        if field.on_error and required:
            text = self._empty(field.type)
            if field.default is not ABSENT and field.default is not None:
                text = json.dumps(field.default, separators=(",", ":"))
            return call("filled", inner, string(text))
        if field.on_error:
            return call("lenient", inner)
        return call("req" if required else "opt", inner)

    def _field_type(self, field: Field) -> Doc:
        type_ = field.type
        while isinstance(type_, Nullable):
            type_ = type_.inner
        listed = self._resolved(type_)
        if field.skip_invalid_items and isinstance(listed, ListOf):
            limits = {"minItems": listed.min_items, "maxItems": listed.max_items}
            inner = self._write.list_of("skipping", listed, limits)
        else:
            inner = self._schema(type_)
        if field.excluded:
            inner = call("except", inner, array(*map(literal, field.excluded)))
        if field.presence.nullable and not _takes_null(type_):
            inner = call("nullable", inner)
        if field.on_null:
            inner = call("orEmpty", inner, string(self._empty(type_)))
        return inner

    def _empty(self, expr: TypeExpr) -> str:
        """Return the JSON text of an empty value of the type."""
        found = self._resolved(expr)
        while isinstance(found, Nullable):
            found = self._resolved(found.inner)
        return "{}" if isinstance(found, MapOf) else "[]"

    # ---- unions -----------------------------------------------------------------------------

    def _tagged(self, type_: TaggedUnion) -> Doc:
        variants = [
            call("variant", literal(variant.value), self._names.schemas[variant.type])
            for variant in type_.variants
        ]
        members: list[tuple[str, Doc]] = [
            ("tag", string(type_.tag)),
            ("variants", array(*variants)),
        ]
        if type_.fallback:
            members.append(("fallback", self._names.schemas[type_.fallback.type]))
        if type_.untagged:
            found = (self._names.schemas[variant.type] for variant in type_.untagged)
            members.append(("untagged", array(*found)))
        return pairs(*members)

    def _choice(self, type_: Union) -> Doc:
        branches = [self._branch(expr) for expr in _types(type_)]
        members: list[tuple[str, Doc]] = [("branches", array(*branches))]
        shared = self._shared(type_)
        if shared:
            members.append(("shared", array(*map(string, shared))))
        if type_.exclusive and not self._disjoint(type_):
            members.append(("exclusive", "true"))
        return pairs(*members)

    def _branch(self, expr: TypeExpr) -> Doc:
        own, near = self._struct(expr), self._nearest(expr)
        schema = self._names.schemas[own.id] if own else self._schema(expr)
        if own is not None or near is None:
            return call("branch", schema)
        return call("branch", schema, self._names.schemas[near.id])

    def _shared(self, type_: Union) -> list[str]:
        """Return the fields that stand alike in every branch, which cannot tell them apart."""
        structs = [self._struct(expr) for expr in _types(type_)]
        found = [struct for struct in structs if struct is not None]
        if len(found) < len(structs):
            return []
        first, *others = ({f.wire_name: meaning(f) for f in s.fields} for s in found)
        return [
            name for name, said in first.items() if all(other.get(name) == said for other in others)
        ]

    def _resolved(self, expr: TypeExpr) -> TypeExpr | Type:
        """Return what the expression refers to, seen through other names."""
        seen: TypeExpr | Type = expr
        while isinstance(seen, Ref | Alias):
            seen = self._protocol.types[seen.id] if isinstance(seen, Ref) else seen.type
        return seen

    def _struct(self, expr: TypeExpr) -> Struct | None:
        found = self._resolved(expr)
        return found if isinstance(found, Struct) else None

    def _nearest(self, expr: TypeExpr) -> Struct | None:
        """Return the struct by whose keys a value is judged: the first inside lists and unions."""
        found = self._resolved(expr)
        if isinstance(found, Struct):
            return found
        if isinstance(found, ListOf):
            return self._nearest(found.item)
        if isinstance(found, Nullable):
            return self._nearest(found.inner)
        if isinstance(found, AnyOf):
            return self._nearest(found.branches[0])
        if isinstance(found, Union):
            return self._nearest(found.branches[0].type)
        if isinstance(found, TaggedUnion):
            return self._nearest(Ref(all_variants(found)[0].type))
        return None

    def _in_order(self, type_: Union) -> bool:
        """True if the branches are only to be tried one after the other."""
        found = map(self._resolved, _types(type_))
        exclusive = type_.exclusive and not self._disjoint(type_)
        return not exclusive and not any(isinstance(f, Struct | ListOf | MapOf) for f in found)

    def _disjoint(self, type_: Union) -> bool:
        """True if no value can match two branches, because their JSON types differ."""
        seen: set[str] = set()
        for expr in _types(type_):
            if isinstance(expr, Ref):
                return False
            types = set(json_types(expr))
            if "integer" in types or "number" in types:
                types |= {"integer", "number"}
            if types & seen:
                return False
            seen |= types
        return True


def _types(type_: Union) -> list[TypeExpr]:
    return [branch.type for branch in type_.branches]


def _takes_null(expr: TypeExpr) -> bool:
    return isinstance(expr, Scalar) and expr.kind in ("any", "null")


def _thunk(block: str, made: Doc) -> Doc:
    return group(f"{block}(() => (", made, "))")


def _alias(made: Doc) -> Doc:
    return _thunk("alias", pairs(("type", made)))
