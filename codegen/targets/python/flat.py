"""The flat schema that datamodel-code-generator gets, and what it says of it.

On a schema where every class is a named definition and no union has siblings, it numbers nothing.
Its template writes no code here but one JSON line a class: the order in which Python can define
them and the type hint of every field. Our own templates render the module from that.

This is the only module that knows datamodel-code-generator; it is pinned exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InputError
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
)
from .names import Names, own_fields

_LINE = "#acp "


@dataclass(frozen=True)
class Hints:
    """What a module defining the types needs to know.

    Args:
        order: the types, each after those it needs.
        hints: the type hint of each field, or of each branch of a union, in order.
        recursive: some type contains itself, so annotations must not be evaluated at once.
    """

    order: tuple[TypeId, ...]
    hints: dict[TypeId, tuple[str, ...]]
    recursive: bool


def type_hints(protocol: Protocol, names: Names) -> Hints:
    """Return order and type hints of the types of ``protocol``.

    Raises:
        InputError: if datamodel-code-generator does not return each type under its own name.
    """
    flat = {names.types[id_]: _flat(protocol, names, type_) for id_, type_ in protocol.types.items()}
    found = _run(flat)
    by_name = {name: id_ for id_, name in names.types.items()}
    lines = [line for line in found if line["class"] in by_name]
    if sorted(line["class"] for line in lines) != sorted(by_name):
        missing = sorted(set(by_name) - {line["class"] for line in lines})
        raise InputError(
            f"datamodel-code-generator renamed {', '.join(missing)}",
            remedy="report this schema: a name the rules let through is reserved there",
        )
    order = tuple(by_name[line["class"]] for line in lines)
    hints = {by_name[line["class"]]: tuple(line["hints"]) for line in lines}
    return Hints(order, hints, _recursive(protocol))


def _run(flat: dict[str, Any]) -> list[dict[str, Any]]:
    from datamodel_code_generator import DataModelType, InputFileType, PythonVersion, generate
    from datamodel_code_generator.enums import LiteralType

    text = generate(
        json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": flat}),
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        custom_template_dir=Path(__file__).parent / "facts",
        target_python_version=PythonVersion.PY_310,
        enum_field_as_literal=LiteralType.All,
        disable_timestamp=True,
        disable_future_imports=True,
        field_constraints=True,
        formatters=[],
        strict_nullable=True,
        use_annotated=True,
        use_standard_collections=True,
        use_typed_nullable_map_values=True,
        use_union_operator=True,
    )
    assert isinstance(text, str)
    return [json.loads(line[len(_LINE) :]) for line in text.splitlines() if line.startswith(_LINE)]


# ---- types as flat definitions ----------------------------------------------------------------


def _flat(protocol: Protocol, names: Names, type_: Type) -> dict[str, Any]:
    if isinstance(type_, Struct):
        python = names.fields[type_.id]
        own = own_fields(protocol, type_)
        # A base has to come first; the reference to it is what says so.
        base = {"allOf": [_ref(names, type_.base)]} if type_.base else {}
        return base | _object({python[field.wire_name]: _field(names, field) for field in own}, _never_none(python, own))
    if isinstance(type_, Alias):
        parts = [_expr(names, type_.type)]
    elif isinstance(type_, Enum):
        words: dict[str, Any] = {"enum": [value.value for value in type_.values]}
        parts = [{"anyOf": [words, {"type": type_.kind}]} if type_.open else words]
    elif isinstance(type_, TaggedUnion):
        variants = [*type_.variants, *([type_.fallback] if type_.fallback else []), *type_.untagged]
        parts = [_ref(names, variant.type) for variant in variants]
    else:
        parts = [_expr(names, branch.type) for branch in type_.branches]
    members = {f"b{index}": part for index, part in enumerate(parts)}
    return _object(members, members)


def _object(properties: dict[str, Any], required: Iterable[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def _never_none(python: Any, fields: list[Field]) -> list[str]:
    """Fields that never read as None; the flat schema calls them required, whatever the wire does."""
    return [python[field.wire_name] for field in fields if field.presence.required or field.default is not ABSENT]


def _field(names: Names, field: Field) -> Any:
    inner = _expr(names, field.type)
    return {"anyOf": [inner, {"type": "null"}]} if field.presence.nullable and inner != {} else inner


def _ref(names: Names, id_: TypeId) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{names.types[id_]}"}


def _expr(names: Names, expr: TypeExpr) -> Any:
    if isinstance(expr, Scalar):
        return {} if expr.kind == "any" else {"type": expr.kind, **dict(expr.constraints)}
    if isinstance(expr, Literals):
        return {"enum": list(expr.values)}
    if isinstance(expr, Ref):
        return _ref(names, expr.id)
    if isinstance(expr, ListOf):
        limits = {"minItems": expr.min_items, "maxItems": expr.max_items}
        kept = {key: value for key, value in limits.items() if value is not None}
        return {"type": "array", "items": _expr(names, expr.item), **kept}
    if isinstance(expr, MapOf):
        value = _expr(names, expr.value)
        return {"type": "object", "additionalProperties": value if value != {} else True}
    if isinstance(expr, Nullable):
        return {"anyOf": [_expr(names, expr.inner), {"type": "null"}]}
    assert isinstance(expr, AnyOf)
    return {"anyOf": [_expr(names, branch) for branch in expr.branches]}


# ---- recursion ----------------------------------------------------------------------------------


def _recursive(protocol: Protocol) -> bool:
    """True if some type can contain itself."""
    edges = {id_: set(references(type_)) for id_, type_ in protocol.types.items()}
    state: dict[TypeId, int] = {}
    for start in edges:
        stack = [(start, iter(edges[start]))]
        if state.get(start):
            continue
        state[start] = 1
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                stack.pop()
            elif state.get(following) == 1:
                return True
            elif not state.get(following):
                state[following] = 1
                stack.append((following, iter(edges[following])))
    return False


def references(type_: Type) -> list[TypeId]:
    """Return the types that ``type_`` names directly."""
    if isinstance(type_, Struct):
        found = [id_ for field in type_.fields for id_ in expr_references(field.type)]
        return [*([type_.base] if type_.base else []), *found]
    if isinstance(type_, TaggedUnion):
        variants = [*type_.variants, *([type_.fallback] if type_.fallback else []), *type_.untagged]
        return [variant.type for variant in variants]
    if isinstance(type_, Alias):
        return expr_references(type_.type)
    if isinstance(type_, Enum):
        return []
    return [id_ for branch in type_.branches for id_ in expr_references(branch.type)]


def expr_references(expr: TypeExpr) -> list[TypeId]:
    """Return the types that ``expr`` names."""
    if isinstance(expr, Ref):
        return [expr.id]
    if isinstance(expr, ListOf):
        return expr_references(expr.item)
    if isinstance(expr, MapOf):
        return expr_references(expr.value)
    if isinstance(expr, Nullable):
        return expr_references(expr.inner)
    if isinstance(expr, AnyOf):
        return [id_ for branch in expr.branches for id_ in expr_references(branch)]
    return []
