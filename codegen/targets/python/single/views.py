"""What the templates of the single layout see."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ....protocol.graph import expr_references, references
from ....protocol.ir import ABSENT, Field, ListOf, Protocol, Struct, TaggedUnion, Type, TypeId
from ....style.keys import dotted
from ....style.model import Choices, Extra
from ...json_types import json_types
from ...naming import distinct, own_fields, upper
from ..chosen import payload_of
from ..literals import literal
from ..names import Names
from ..views import catch_alls
from .hints import Hints, optional, union_of
from .order import Order, order_types
from .values import Values

#: What marks list items that may be malformed; the template defines it.
SKIPPED = "_SKIPPED"


@dataclass(frozen=True)
class FieldView:
    """A field of a class: name, annotation, default expression (empty if none)."""

    name: str
    hint: str
    default: str


@dataclass(frozen=True)
class TypeView:
    """A definition of the module: a model, root, enum or alias."""

    kind: str
    name: str
    doc: str
    base: str = ""
    extra: str = ""
    fields: tuple[FieldView, ...] = ()
    hint: str = ""
    members: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ModuleView:
    """All of a module.

    Args:
        types: its types, in order.
        rebuilt: the models to complete at its end.
        used: the names that its expressions use.
    """

    types: tuple[TypeView, ...]
    rebuilt: tuple[str, ...]
    used: frozenset[str]


def module_view(protocol: Protocol, names: Names, choices: Choices) -> ModuleView:
    """Return what the module with the types of ``protocol`` holds.

    Raises:
        InputError: if a type contains itself with no class between, or a default lacks a property.
    """
    return _Viewer(protocol, names, choices).module()


class _Viewer:
    def __init__(self, protocol: Protocol, names: Names, choices: Choices) -> None:
        self._protocol = protocol
        self._names = names
        self._choices = choices
        self._style = choices.style
        self._hints = Hints(protocol, names, choices.style)
        self._catch_alls = catch_alls(protocol)
        self._bases = {
            id_: self._base(type_)
            for id_, type_ in protocol.types.items()
            if isinstance(type_, Struct)
        }
        self._unions = {
            variant: type_.id
            for type_ in protocol.types.values()
            if isinstance(type_, TaggedUnion)
            for variant in self._below(type_.id)
        }
        self._order: Order = order_types(protocol, self._hard, self._soft)
        self._values = Values(self._hints, self._order.open)

    def module(self) -> ModuleView:
        types = [self._view(self._protocol.types[id_]) for id_ in self._order.ids]
        types = [
            *(
                TypeView("enum", name, "", members=tuple(members.items()))
                for name, members in self._choices.names.enums.items()
            ),
            *types,
            *self._aliases(),
        ]
        models = {type_.name for type_ in types if type_.kind in ("model", "root")}
        rebuilt = [self._names.types[id_] for id_ in self._order.ids if id_ in self._order.open]
        return ModuleView(
            tuple(types), tuple(name for name in rebuilt if name in models), _used(types)
        )

    # ---- order ----------------------------------------------------------------------------------

    def _is_class(self, type_: Type) -> bool:
        return isinstance(type_, Struct) or bool(self._hints.root_model(type_))

    def _hard(self, id_: TypeId) -> list[TypeId]:
        type_ = self._protocol.types[id_]
        if isinstance(type_, Struct):
            base = self._bases[id_]
            return [base] if base else []
        return [] if self._is_class(type_) else self._named(references(type_))

    def _soft(self, id_: TypeId) -> list[TypeId]:
        type_ = self._protocol.types[id_]
        if isinstance(type_, Struct):
            found = [i for field in self._own(type_) for i in expr_references(field.type)]
            return self._named(found)
        return self._named(references(type_)) if self._is_class(type_) else []

    def _named(self, ids: Iterable[TypeId]) -> list[TypeId]:
        """Return the types that annotations name: what is written bare names others in turn."""
        found: list[TypeId] = []
        for id_ in ids:
            found.append(id_)
            type_ = self._protocol.types[id_]
            if not isinstance(type_, Struct) and self._hints.root_model(type_) == "name_only":
                found += self._named(references(type_))
        return found

    def _below(self, id_: TypeId) -> list[TypeId]:
        return [other for other in self._protocol.types if other[: len(id_)] == id_ != other]

    # ---- types ----------------------------------------------------------------------------------

    def _base(self, struct: Struct) -> TypeId | None:
        if len(struct.id) > 1 and self._style.variants == "flat":
            return None
        return payload_of(self._protocol, struct)

    def _own(self, struct: Struct) -> list[Field]:
        return own_fields(self._protocol, replace(struct, base=self._bases[struct.id]))

    def _view(self, type_: Type) -> TypeView:
        name = self._names.types[type_.id]
        late = self._order.late[type_.id]
        if isinstance(type_, Struct):
            base = self._bases[type_.id]
            return TypeView(
                "model",
                name,
                type_.doc or name,
                base=self._names.types[base] if base else self._choices.names.base_class,
                extra=self._extra_line(type_, base),
                fields=tuple(self._field(type_, field, late) for field in self._own(type_)),
            )
        if self._hints.is_enum_class(type_):
            return TypeView("enum", name, type_.doc, members=_members(type_))
        hint = self._hints.bare(type_, late)
        if self._hints.root_model(type_):
            said = [f"description={literal(type_.doc)}"] if type_.doc else []
            root = _annotated(hint, [], said)
            # What is defined later cannot be a parameter of the base.
            base_root = f"RootModel[{'Any' if late else hint}]"
            return TypeView("root", name, type_.doc or name, base=base_root, hint=root)
        return TypeView("alias", name, type_.doc, hint=hint)

    def _aliases(self) -> Iterator[TypeView]:
        """Yield the aliases of several types; a root model counts as what it holds."""
        ids = {dotted(id_): id_ for id_ in self._protocol.types}
        for name, parts in self._choices.names.aliases.items():
            hints = []
            for part in parts:
                if part in ids:  # another version of the output may have it
                    type_ = self._protocol.types[ids[part]]
                    root = not isinstance(type_, Struct) and self._hints.root_model(type_)
                    hints.append(self._hints.bare(type_) if root else self._names.types[type_.id])
            if hints:
                yield TypeView("alias", name, "", hint=union_of(hints))

    def _extra(self, struct: Struct) -> Extra:
        if struct.id in self._catch_alls:
            return "allow"
        base = self._bases[struct.id]
        said = self._style.definitions.get(dotted(struct.id))
        if said is not None and said.extra is not None:
            return said.extra
        if not struct.open:
            return "forbid"
        inherited = base is not None and len(struct.id) > 1
        parent = self._protocol.types[base] if inherited and base else None
        return self._extra(parent) if isinstance(parent, Struct) else self._style.extra

    def _extra_line(self, struct: Struct, base: TypeId | None) -> str:
        """Return what the class has to say itself of undeclared keys; empty if nothing."""
        parent = self._protocol.types[base] if base else None
        usual = self._extra(parent) if isinstance(parent, Struct) else self._style.extra
        own = self._extra(struct)
        return own if own != usual else ""

    # ---- fields ---------------------------------------------------------------------------------

    def _field(self, struct: Struct, field: Field, late: frozenset[TypeId]) -> FieldView:
        name = self._names.fields[struct.id][field.wire_name]
        said = [f"alias={literal(field.wire_name)}"] if name != field.wire_name else []
        said += [f"description={literal(field.doc)}"] if field.doc else []
        item = SKIPPED if field.skip_invalid_items else ""
        hint = self._hints.of(field.type, late, item)
        if field.tag is not ABSENT:
            required = self._hints.tags(self._unions.get(struct.id, ())) == "required"
            return FieldView(
                name, _annotated(hint, [], said), "" if required else literal(field.tag)
            )
        if field.presence.nullable or not field.presence.required:
            hint = optional(hint)
        default = self._values.default(field)
        code = default.code if default else ""
        if default and not default.at_once:
            said.append(f"default_factory=lambda: {default.code}")
            code = ""
        elif default and not default.checked:
            said.append("validate_default=True")
        return FieldView(name, _annotated(hint, self._marks(struct, field), said), code)

    def _marks(self, struct: Struct, field: Field) -> list[str]:
        marks = []
        if field.excluded:
            marks.append(f"_other_than({', '.join(literal(tag) for tag in field.excluded)})")
        if field.on_null:
            empty = "[]" if isinstance(self._values.resolved(field.type), ListOf) else "{}"
            marks.append(f"_null_is_empty(lambda: {empty})")
        malformed = self._style.malformed.get(f"{dotted(struct.id)}.{field.wire_name}", ABSENT)
        if malformed is not ABSENT:
            marks.append(f"_or_else(lambda: {literal(malformed)})")
            return marks
        fallback = self._values.fallback(field)
        if fallback is not None and field.salvage is not None:
            kinds = "".join(f", {literal(kind)}" for kind in json_types(field.salvage))
            marks.append(f"_or_else_unless(lambda: {fallback.code}{kinds})")
        elif fallback is not None:
            marks.append(f"_or_else(lambda: {fallback.code})")
        return marks


def _annotated(hint: str, marks: list[str], said: list[str]) -> str:
    parts = [hint, *marks, *([f"Field({', '.join(said)})"] if said else [])]
    return f"Annotated[{', '.join(parts)}]" if len(parts) > 1 else hint


def _members(type_: Type) -> tuple[tuple[str, str], ...]:
    words = [value.value for value in getattr(type_, "values", ())]
    return tuple((python, wire) for wire, python in distinct(words, upper).items())


def _used(types: Iterable[TypeView]) -> frozenset[str]:
    found: set[str] = set()
    for type_ in types:
        if type_.kind == "alias":
            found.add("TypeAlias")
        elif type_.kind == "enum":
            found.add("Enum")
        elif type_.kind == "root":
            found.add("RootModel")
        for code in [type_.hint, *(part for f in type_.fields for part in (f.hint, f.default))]:
            if code:
                found |= _named_in(code)
    return frozenset(found)


def _named_in(code: str) -> set[str]:
    return {
        node.id for node in ast.walk(ast.parse(code, mode="eval")) if isinstance(node, ast.Name)
    }
