"""What the template of the types sees."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...protocol.ir import (
    ABSENT,
    Alias,
    Enum,
    Field,
    Nullable,
    Protocol,
    Scalar,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
    Variant,
)
from .expressions import Expressions, distinct, union
from .layout import Doc, Group, Indent, group, render
from .literals import block, key, literal
from .names import Names

#: What an open enum or union holds when the schema does not list it, by the kind of its constants.
OPEN = {"string": "Unknown", "integer": "UnknownNumber", "number": "UnknownNumber"}


@dataclass(frozen=True)
class TypeView:
    """A declaration: its doc comment and its text, ready to be written; helpers that it names."""

    doc: str
    text: str
    uses: frozenset[str]
    constants: tuple[str, ...] = ()


def type_views(protocol: Protocol, names: Names, write: Expressions) -> list[TypeView]:
    """Return the types of ``protocol`` in schema order."""
    fallbacks = _fallback_tags(protocol)
    views = []
    for id_, type_ in protocol.types.items():
        declared = _Declaration(protocol, names, write, fallbacks)
        text = declared.text(type_)
        constants = tuple(
            f"export const {name} = {literal(value)};\n"
            for name, value in names.constants.get(id_, {}).items()
        )
        views.append(TypeView(block(_doc(type_), 0), text, frozenset(declared.uses), constants))
    return views


def _fallback_tags(protocol: Protocol) -> set[tuple[TypeId, str]]:
    """Return the structs that stand for unknown variants, each with the key of its tag."""
    found: set[tuple[TypeId, str]] = set()

    def add(variant: Variant, tag: str) -> None:
        type_ = protocol.types[variant.type]
        if isinstance(type_, Struct):
            found.add((type_.id, tag))

    for type_ in protocol.types.values():
        if isinstance(type_, TaggedUnion) and type_.fallback:
            add(type_.fallback, type_.tag)
    return found


class _Declaration:
    """Writes one declaration and notes the helper types in it."""

    def __init__(
        self,
        protocol: Protocol,
        names: Names,
        write: Expressions,
        fallbacks: set[tuple[TypeId, str]],
    ) -> None:
        self._protocol = protocol
        self._names = names
        self._write = write
        self._aliases = replace(write, maps="Dictionary<")
        self._fallbacks = fallbacks
        self.uses: set[str] = set()

    def text(self, type_: Type) -> str:
        """Return the declaration of ``type_``."""
        name = self._names.types[type_.id]
        if isinstance(type_, Struct):
            return self._struct(name, type_)
        if isinstance(type_, Alias):
            members = self._aliases.members(type_.type)
        elif isinstance(type_, Enum):
            members = [literal(value.value) for value in type_.values]
            if type_.open:
                members.append(self._open(type_.kind))
        elif isinstance(type_, TaggedUnion):
            members = self._tagged(type_)
        else:
            members = self._aliases.all_members(branch.type for branch in type_.branches)
        if any(map(_has_dictionary, members)):
            self.uses.add("Dictionary")
        head = f"export type {name} ="
        return head + render(group(union(distinct(members)), ";"), column=len(head)) + "\n"

    def _open(self, kind: str) -> str:
        helper = OPEN.get(kind, kind)
        self.uses.add(helper)
        return helper

    def _tagged(self, type_: TaggedUnion) -> list[Doc]:
        known = [*type_.variants, *([type_.fallback] if type_.fallback else [])]
        members: list[Doc] = [self._names.types[variant.type] for variant in known]
        for variant in type_.untagged:
            found = self._protocol.types[variant.type]
            name = self._names.types[variant.type]
            fields = found.fields if isinstance(found, Struct) else ()
            if isinstance(found, Struct) and all(f.wire_name != type_.tag for f in fields):
                # The tag may be looked at whatever the variant is, and tells it from the others.
                members.append(f"({name} & {{ {key(type_.tag)}?: {self._open('string')} }})")
            else:
                members.append(name)
        return members

    def _struct(self, name: str, type_: Struct) -> str:
        if not type_.fields:
            return f"export type {name} = Record<string, {'unknown' if type_.open else 'never'}>;\n"
        members = "".join(self._member(type_.id, field) for field in type_.fields)
        return f"export interface {name} {{\n{members}}}\n"

    def _member(self, id_: TypeId, field: Field) -> str:
        optional = "" if field.presence.required else "?"
        head = f"  {key(field.wire_name)}{optional}:"
        types = self._field_type(id_, field)
        text = render(group(union(types), ";"), column=len(head), depth=1)
        return block(_field_doc(field), 1) + head + text + "\n"

    def _field_type(self, id_: TypeId, field: Field) -> list[Doc]:
        if field.tag is not ABSENT:
            return [literal(field.tag)]
        listed = field.excluded or (id_, field.wire_name) in self._fallbacks
        if listed and _is_text(field.type):
            found: list[Doc] = [self._open("string")]
            return [*found, "null"] if field.presence.nullable else found
        whole = Nullable(field.type) if field.presence.nullable else field.type
        return self._write.members(whole)


def _has_dictionary(doc: Doc) -> bool:
    if isinstance(doc, str):
        return doc.startswith("Dictionary<")
    return isinstance(doc, Group | Indent) and any(map(_has_dictionary, doc.parts))


def _is_text(expr: TypeExpr) -> bool:
    return isinstance(expr, Scalar) and expr.kind == "string"


def _doc(type_: Type) -> str:
    parts = [type_.doc]
    if isinstance(type_, Enum):
        listed = [f"- {_shown(value.value)}: {value.doc}" for value in type_.values if value.doc]
        parts.append("\n".join(listed))
    if type_.feature:
        parts.append(f"Feature: {type_.feature}.")
    return "\n\n".join(part for part in parts if part)


def _field_doc(field: Field) -> str:
    parts = [field.doc]
    if field.default is not ABSENT and field.default is not None:
        parts.append(f"Left out, it means {_shown(field.default)}.")
    if field.feature:
        parts.append(f"Feature: {field.feature}.")
    return "\n\n".join(part for part in parts if part)


def _shown(value: object) -> str:
    return f"`{json.dumps(value)}`"


def uses(views: Iterable[TypeView]) -> list[str]:
    """Return the helper types that the views name, sorted."""
    return sorted({name for view in views for name in view.uses})
