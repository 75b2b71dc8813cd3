"""What the templates see: names, hints and literals, nothing left to decide."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...protocol.graph import all_variants, references
from ...protocol.ir import (
    Alias,
    Enum,
    Protocol,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeId,
    Union,
)
from ..json_types import json_types
from ..naming import distinct, own_fields, upper
from .docs import alias_doc, class_doc
from .flat import Hints
from .literals import literal
from .names import Names
from .wires import default_expression, wire_expression


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
    positional: str = ""
    parameters: tuple[FieldView, ...] = ()
    constants: tuple[tuple[str, str], ...] = ()


def type_views(protocol: Protocol, names: Names, hints: Hints) -> list[TypeView]:
    """Return the types of ``protocol`` in an order in which Python can define them.

    A type that contains itself with no class between finds its definition later.
    """
    catch_all = catch_alls(protocol)
    views: dict[str, TypeView] = {}
    for id_ in _bases_first(protocol):
        made = _view(protocol, names, hints, protocol.types[id_], id_ in catch_all)
        views[made.name] = _with_parameters(made, views)
    for name in hints.helpers:
        views[name] = TypeView("alias", name, "", hint=hints.hints[name][0])
    return _definable(protocol, names, hints, views)


def enum_constants(name: str, enum: Enum) -> dict[str, str]:
    """Return the constants of an enum whose values speak only by their titles: name -> literal."""
    titled = {value.title: value.value for value in enum.values if value.title}
    if enum.kind == "string":
        return {}
    spelled = distinct(titled, lambda title: f"{upper(name)}_{upper(title)}")
    return {constant: literal(titled[title]) for title, constant in spelled.items()}


class _Unquote(ast.NodeTransformer):
    """Turns names in quotes into names; the words of a Literal stay."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "Literal":
            return node
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(node.value) if isinstance(node.value, str) else node


def _unquoted(view: TypeView) -> TypeView:
    """Return an alias whose hints name what is defined before it, and so need no quotes."""

    def bare(hint: str) -> str:
        return ast.unparse(_Unquote().visit(ast.parse(hint, mode="eval"))) if hint else hint

    if view.kind == "untagged":
        exclusive = ["exclusive=True"] if view.arguments.endswith("exclusive=True") else []
        members = tuple(bare(member) for member in view.members)
        return replace(view, members=members, arguments=", ".join([*members, *exclusive]))
    if view.kind in ("alias", "tagged"):
        return replace(view, hint=bare(view.hint), members=tuple(bare(m) for m in view.members))
    return view


def catch_alls(protocol: Protocol) -> set[TypeId]:
    """Return the structs that hold the payload of unknown variants."""
    found: set[TypeId] = set()
    for type_ in protocol.types.values():
        if isinstance(type_, TaggedUnion) and type_.fallback:
            fallback = protocol.types[type_.fallback.type]
            found.add(fallback.id)
            found.update(references(fallback) if isinstance(fallback, Union) else ())
    return found


def _bases_first(protocol: Protocol) -> Iterable[TypeId]:
    done: dict[TypeId, None] = {}

    def add(id_: TypeId) -> None:
        type_ = protocol.types[id_]
        if isinstance(type_, Struct) and type_.base is not None and type_.base not in done:
            add(type_.base)
        done[id_] = None

    for id_ in protocol.types:
        add(id_)
    return done


def _with_parameters(view: TypeView, views: Mapping[str, TypeView]) -> TypeView:
    """Add what the constructor takes, and the docstring on it. A class with one field to give takes it by position."""
    if view.kind != "struct":
        return view
    known = {field.name: field for field in views[view.base].parameters} if view.base else {}
    known.update({field.name: field for field in view.fields})
    needed = [field for field in known.values() if not field.default]
    positional = needed[0].name if len(needed) == 1 and not view.catch_all else ""
    rest = tuple(field for field in known.values() if field.name != positional)
    given = (known[positional],) if positional else ()
    doc = class_doc(view.name, view.doc, [(field.name, field.doc) for field in known.values()])
    return replace(view, doc=doc, positional=positional, parameters=(*given, *rest))


@dataclass(frozen=True)
class ImportsView:
    """The names that a models module has to import, sorted."""

    typing: tuple[str, ...]
    field: bool
    model: tuple[str, ...]


def import_view(types: Iterable[TypeView]) -> ImportsView:
    """Return what the module defining ``types`` needs."""
    used: set[str] = set()
    helpers = {"Model as _Model"}
    for type_ in types:
        hints = [*(field.hint for field in type_.parameters), *type_.members]
        hints += [] if type_.kind == "later" else [type_.hint]
        if type_.positional:
            used.add("TYPE_CHECKING")
        used |= {name for hint in hints if hint for name in _names_in(hint)}
        if type_.kind != "struct":
            used.add("TypeAlias")
        if type_.constants:
            used.add("Final")
        if type_.kind == "later":
            used |= {"Annotated", "Any"}
            helpers.add("later as _later")
            continue
        if type_.kind in ("tagged", "untagged"):
            used |= {"Annotated", "Union"}
            helpers.add(f"{type_.kind} as _{type_.kind}")
        if any(field.default.startswith("_default(") for field in type_.fields):
            helpers.add("default as _default")
    typing = sorted(
        used
        & {
            "Final",
            "TYPE_CHECKING",
            "Annotated",
            "Any",
            "Literal",
            "Optional",
            "TypeAlias",
            "Union",
        }
    )
    return ImportsView(tuple(typing), "Field" in used, tuple(sorted(helpers)))


def _names_in(hint: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(hint, mode="eval")):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.isidentifier()
        ):
            found.add(node.value)
    return found


def _definable(
    protocol: Protocol, names: Names, hints: Hints, views: Mapping[str, TypeView]
) -> list[TypeView]:
    """Classes need their bases first, aliases everything that they name.

    Where aliases contain each other with no class between, one is made to find its type later.
    """
    if not hints.recursive:
        return [views[name] for name in hints.order]
    needs = {names.types[id_]: _needs(type_) for id_, type_ in protocol.types.items()}
    needs.update({name: set(found) for name, found in hints.helpers.items()})
    waiting = list(hints.order)
    done: set[str] = set()
    made: list[TypeView] = []
    while waiting:
        ready = [name for name in waiting if {names.types[i] for i in needs[name]} <= done]
        if ready:
            name = ready[0]
            waiting.remove(name)
            made.append(_unquoted(views[name]))
        else:
            name = min(set(waiting) - done)
            later = f"_{name}"
            made.append(TypeView("later", name, views[name].doc, hint=later))
            waiting.remove(name)
            # Its own type is defined under a private name once all that it needs is there.
            views = {**views, later: replace(views[name], name=later, doc="")}
            needs[later] = needs[name]
            waiting.append(later)
        done.add(name)
    return made


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
            FieldView(python[f.wire_name], hint, default_expression(f), wire_expression(f), f.doc)
            for f, hint in zip(own, found, strict=False)
        )
        base = names.types[type_.base] if type_.base else ""
        inherited = type_.base is not None and isinstance(protocol.types[type_.base], Struct)
        closed_base = inherited and not _struct(protocol, type_.base).open
        return TypeView(
            "struct",
            name,
            type_.doc,
            base,
            fields,
            type_.open or closed_base,
            catch_all,
            definition=type_.id[0],
        )
    doc = alias_doc(protocol, type_)
    if isinstance(type_, Enum):
        constants = tuple(enum_constants(name, type_).items())
        return TypeView("alias", name, doc, hint=found[0], constants=constants)
    if isinstance(type_, Alias):
        return TypeView("alias", name, doc, hint=found[0])
    if isinstance(type_, TaggedUnion):
        return TypeView("tagged", name, doc, members=found, arguments=_tagged(names, type_))
    exclusive = ["exclusive=True"] if type_.exclusive and not _disjoint(protocol, type_) else []
    return TypeView("untagged", name, doc, members=found, arguments=", ".join([*found, *exclusive]))


def _struct(protocol: Protocol, id_: TypeId | None) -> Struct:
    found = protocol.types[id_] if id_ else None
    assert isinstance(found, Struct)
    return found


def _tagged(names: Names, union: TaggedUnion) -> str:
    variants = "".join(f"({literal(v.value)}, {names.types[v.type]}), " for v in union.variants)
    parts = [literal(union.tag), literal(_tag_name(names, union)), f"({variants})"]
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
