"""What the templates see: names, hints and literals, nothing left to decide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...errors import InputError, Where
from ...protocol.ir import (
    ABSENT,
    Alias,
    AnyOf,
    Enum,
    Field,
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
    Variant,
)
from .flat import Hints, all_variants, references
from .literals import json_text, literal
from .names import Names, own_fields


@dataclass(frozen=True)
class FieldView:
    """A field of a class: Python name, hint, default expression (empty if none), wire literal."""

    name: str
    hint: str
    default: str
    wire: str
    doc: str


@dataclass(frozen=True)
class TypeView:
    """A class or alias of the models module."""

    kind: str  # struct, alias, tagged, untagged
    name: str
    doc: str
    base: str = ""
    fields: tuple[FieldView, ...] = ()
    open: bool = True
    catch_all: bool = False
    hint: str = ""
    members: tuple[str, ...] = ()
    arguments: str = ""
    definition: str = ""


def type_views(protocol: Protocol, names: Names, hints: Hints) -> list[TypeView]:
    """Return the types of ``protocol`` in an order in which Python can define them.

    Raises:
        InputError: for unions and aliases that contain each other with no object in between.
    """
    catch_all = {
        type_.fallback.type for type_ in protocol.types.values() if isinstance(type_, TaggedUnion) and type_.fallback
    }
    views = {
        names.types[id_]: _view(protocol, names, hints, type_, id_ in catch_all)
        for id_, type_ in protocol.types.items()
    }
    for name in hints.helpers:
        views[name] = TypeView("alias", name, "", hint=hints.hints[name][0])
    return [views[name] for name in _definable(protocol, names, hints)]


def _definable(protocol: Protocol, names: Names, hints: Hints) -> Iterable[str]:
    """Classes need their bases first, aliases everything that they name."""
    if not hints.recursive:
        return hints.order
    needs = {names.types[id_]: _needs(type_) for id_, type_ in protocol.types.items()}
    needs.update({name: set(found) for name, found in hints.helpers.items()})
    waiting = list(hints.order)
    done: dict[str, None] = {}
    while waiting:
        ready = [name for name in waiting if {names.types[id_] for id_ in needs[name]} <= done.keys()]
        if not ready:
            pointer = min(type_.pointer for id_, type_ in protocol.types.items() if names.types[id_] in waiting)
            raise InputError(
                "unions and aliases contain each other with no object in between",
                where=Where(protocol.file, pointer),
                remedy="put an object with a property into the cycle",
            )
        done[ready[0]] = None
        waiting.remove(ready[0])
    return done


def _needs(type_: Type) -> set[TypeId]:
    if isinstance(type_, Struct):
        return {type_.base} if type_.base else set()
    return set(references(type_))


def _view(protocol: Protocol, names: Names, hints: Hints, type_: Type, catch_all: bool) -> TypeView:
    name = names.types[type_.id]
    found = hints.hints[name]
    if isinstance(type_, Struct):
        own = own_fields(protocol, type_)
        python = names.fields[type_.id]
        fields = tuple(
            FieldView(python[f.wire_name], hint, _default(f), _wire(f), f.doc)
            for f, hint in zip(own, found, strict=False)
        )
        base = names.types[type_.base] if type_.base else ""
        inherited = type_.base is not None and isinstance(protocol.types[type_.base], Struct)
        closed_base = inherited and not _struct(protocol, type_.base).open
        return TypeView("struct", name, type_.doc, base, fields, type_.open or closed_base, catch_all, definition=type_.id[0])
    if isinstance(type_, Alias | Enum):
        return TypeView("alias", name, type_.doc, hint=found[0])
    if isinstance(type_, TaggedUnion):
        return TypeView("tagged", name, type_.doc, members=found, arguments=_tagged(names, type_))
    exclusive = ["exclusive=True"] if type_.exclusive and not _disjoint(protocol, type_) else []
    return TypeView("untagged", name, type_.doc, members=found, arguments=", ".join([*found, *exclusive]))


def _struct(protocol: Protocol, id_: TypeId | None) -> Struct:
    found = protocol.types[id_] if id_ else None
    assert isinstance(found, Struct)
    return found


def _tagged(names: Names, union: TaggedUnion) -> str:
    variants = ", ".join(f"{literal(v.value)}: {names.types[v.type]}" for v in union.variants)
    parts = [literal(union.tag), literal(_tag_name(names, union)), f"{{{variants}}}"]
    if union.fallback:
        parts.append(f"fallback={names.types[union.fallback.type]}")
    if union.untagged:
        parts.append(f"untagged=({', '.join(names.types[v.type] for v in union.untagged)},)")
    return ", ".join(parts)


def _tag_name(names: Names, union: TaggedUnion) -> str:
    for variant in all_variants(union):
        found = names.fields.get(variant.type, {}).get(union.tag)
        if found:
            return found
    return union.tag


def _default(field: Field) -> str:
    if field.tag is not ABSENT:
        return literal(field.tag)
    if field.presence.required:
        return ""
    if field.default is ABSENT or field.default is None:
        return "None"
    if isinstance(field.default, dict | list):
        return f"_default({literal(json_text(field.default))})"
    return literal(field.default)


def _wire(field: Field) -> str:
    parts = [literal(field.wire_name)]
    flags = {
        "required": field.presence.required,
        "nullable": field.presence.nullable,
        "on_error": field.on_error,
        "on_null": field.on_null,
        "skip_items": field.skip_invalid_items,
    }
    parts += [f"{name}=True" for name, on in flags.items() if on]
    if field.default is not ABSENT and field.default is not None:
        parts.append(f"default={literal(json_text(field.default))}")
    if field.salvage is not None:
        parts.append(f"salvage={literal(tuple(json_types(field.salvage)))}")
    if field.tag is not ABSENT:
        parts.append(f"tag={literal(field.tag)}")
    if field.excluded:
        parts.append(f"excluded={literal(field.excluded)}")
    return f"_Wire({', '.join(parts)})"


def json_types(expr: TypeExpr) -> list[str]:
    """Return the JSON types that values of ``expr`` can have; references count as objects."""
    if isinstance(expr, Scalar):
        every = ["null", "string", "boolean", "number", "array", "object"]
        return every if expr.kind == "any" else [expr.kind]
    if isinstance(expr, Literals):
        return sorted({_json_type(value) for value in expr.values})
    if isinstance(expr, Nullable):
        return [*json_types(expr.inner), "null"]
    if isinstance(expr, ListOf):
        return ["array"]
    if isinstance(expr, AnyOf):
        return sorted({name for branch in expr.branches for name in json_types(branch)})
    assert isinstance(expr, MapOf | Ref)
    return ["object"]


def _json_type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "null" if value is None else "string"


def _disjoint(protocol: Protocol, union: Union) -> bool:
    """True if no value can match two branches, because their JSON types differ."""
    seen: set[str] = set()
    for branch in union.branches:
        if isinstance(branch.type, Ref):
            return False
        types = set(json_types(branch.type))
        if "integer" in types or "number" in types:
            types |= {"integer", "number"}
        if types & seen:
            return False
        seen |= types
    return True


__all__ = ["FieldView", "TypeView", "Variant", "json_types", "type_views"]
