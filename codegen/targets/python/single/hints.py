"""Type expressions as annotations of plain pydantic models."""

from __future__ import annotations

from collections.abc import Sequence

from ....protocol.graph import all_variants
from ....protocol.ir import (
    Alias,
    AnyOf,
    Enum,
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
from ....style.keys import dotted
from ....style.model import StringEnum, Style, Tags
from ..literals import literal
from ..names import Names

_SCALARS = {
    "any": "Any",
    "boolean": "bool",
    "integer": "int",
    "null": "None",
    "number": "float",
    "string": "str",
}
_BOUNDS = {
    "exclusiveMaximum": "lt",
    "exclusiveMinimum": "gt",
    "maxLength": "max_length",
    "maximum": "le",
    "minLength": "min_length",
    "minimum": "ge",
    "multipleOf": "multiple_of",
    "pattern": "pattern",
}


class Hints:
    """Writes annotations.

    Args:
        protocol: whose types.
        names: their Python names.
        style: how enums, URIs and tags are written.
    """

    def __init__(self, protocol: Protocol, names: Names, style: Style) -> None:
        self.protocol = protocol
        self.names = names
        self.style = style

    def of(self, expr: TypeExpr, late: frozenset[TypeId] = frozenset(), item: str = "") -> str:
        """Return the annotation of ``expr``.

        Args:
            expr: a type expression.
            late: types that are not defined yet, whose names are quoted.
            item: what marks the items of the list that ``expr`` is; empty for nothing.
        """
        if isinstance(expr, Scalar):
            return self._scalar(expr)
        if isinstance(expr, Literals):
            return f"Literal[{', '.join(literal(value) for value in expr.values)}]"
        if isinstance(expr, Ref):
            return self._ref(expr.id, late, item)
        if isinstance(expr, ListOf):
            inner = self.of(expr.item, late)
            made = f"List[Annotated[{inner}, {item}]]" if item else f"List[{inner}]"
            return _bounded(made, (("minLength", expr.min_items), ("maxLength", expr.max_items)))
        if isinstance(expr, MapOf):
            return f"Dict[str, {self.of(expr.value, late)}]"
        if isinstance(expr, Nullable):
            return optional(self.of(expr.inner, late, item))
        assert isinstance(expr, AnyOf)
        return union_of([self.of(branch, late) for branch in expr.branches])

    def bare(self, type_: Type, late: frozenset[TypeId] = frozenset(), item: str = "") -> str:
        """Return what the name of a type that is no class stands for."""
        if isinstance(type_, Enum):
            return self._enum(type_)
        if isinstance(type_, Alias):
            return self.of(type_.type, late, item)
        if isinstance(type_, TaggedUnion):
            return self._tagged(type_, late)
        assert isinstance(type_, Union)
        return union_of([self.of(branch.type, late) for branch in type_.branches])

    def string_enum(self, enum: Enum) -> StringEnum:
        """Return how a string enum is written."""
        said = self.style.definitions.get(dotted(enum.id))
        own = said.string_enum if said else None
        return own or self.style.string_enums or ("open_literal" if enum.open else "literal")

    def is_enum_class(self, type_: Type) -> bool:
        """True if the type is written as an enum class."""
        return (
            isinstance(type_, Enum) and type_.kind == "string" and self.string_enum(type_) == "enum"
        )

    def root_model(self, type_: Type) -> str:
        """Return whether and how a type that is no object is a root model; empty for not."""
        said = self.style.definitions.get(dotted(type_.id))
        return (said.root_model or "") if said else ""

    def tags(self, union: TypeId) -> Tags:
        """Return whether the tags of a union have defaults."""
        said = self.style.unions.get(dotted(union))
        return (said.tags if said else None) or self.style.tags

    def _scalar(self, expr: Scalar) -> str:
        if expr.kind == "string" and expr.format == "uri" and self.style.uri == "url":
            return "AnyUrl"
        return _bounded(_SCALARS[expr.kind], expr.constraints)

    def _ref(self, id_: TypeId, late: frozenset[TypeId], item: str) -> str:
        type_ = self.protocol.types[id_]
        root = "" if isinstance(type_, Struct) else self.root_model(type_)
        # Marked items need the list itself, not its name.
        if root == "name_only" or (item and not root and not isinstance(type_, Struct)):
            return self.bare(type_, late, item)
        name = self.names.types[id_]
        name = literal(name) if id_ in late else name
        if isinstance(type_, Enum) and type_.open and self.is_enum_class(type_):
            return f"Union[{name}, str]"
        return name

    def _enum(self, enum: Enum) -> str:
        words = f"Literal[{', '.join(literal(value.value) for value in enum.values)}]"
        if enum.kind != "string":
            return f"Union[{words}, {_SCALARS[enum.kind]}]" if enum.open else words
        kind = self.string_enum(enum)
        return {"str": "str", "literal": words}.get(kind, f"Union[{words}, str]")

    def _tagged(self, union: TaggedUnion, late: frozenset[TypeId]) -> str:
        known = [self.of(Ref(variant.type), late) for variant in union.variants]
        others = [
            self.of(Ref(variant.type), late)
            for variant in all_variants(union)
            if variant not in union.variants
        ]
        # With required tags no branch can pass for another, and a plain union is what users can
        # ask isinstance of.
        if others and self.tags(union.id) == "required":
            return union_of([*known, *others])
        made = union_of(known)
        tag = self._discriminator(union)
        if tag:
            made = f"Annotated[{made}, Field(discriminator={literal(tag)})]"
        elif self.tags(union.id) == "default":
            made = f"Annotated[{made}, _needs({literal(union.tag)})]"
        if not others:
            return made
        return f'Annotated[{union_of([made, *others])}, Field(union_mode="left_to_right")]'

    def _discriminator(self, union: TaggedUnion) -> str:
        """Return the field that pydantic can tell the variants apart by; empty if it cannot."""
        plain = all(
            isinstance(self.protocol.types[variant.type], Struct) and isinstance(variant.value, str)
            for variant in union.variants
        )
        if not plain or len(union.variants) < 2:
            return ""
        found = {self.names.fields[variant.type][union.tag] for variant in union.variants}
        return found.pop() if len(found) == 1 else ""


def optional(hint: str) -> str:
    """Return the annotation of ``hint`` or None."""
    plain = hint in ("Any", "None") or hint.startswith("Optional[")
    return hint if plain else f"Optional[{hint}]"


def union_of(hints: Sequence[str]) -> str:
    """Return the annotation of one of ``hints``; what is said twice counts once."""
    distinct = list(dict.fromkeys(hints))
    return distinct[0] if len(distinct) == 1 else f"Union[{', '.join(distinct)}]"


def _bounded(hint: str, bounds: Sequence[tuple[str, object]]) -> str:
    said = [f"{_BOUNDS[key]}={literal(value)}" for key, value in bounds if value is not None]
    return f"Annotated[{hint}, Field({', '.join(said)})]" if said else hint
