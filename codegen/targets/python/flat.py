"""The flat schema that datamodel-code-generator gets, and what it says of it.

On a schema where every class is a named definition and no union has siblings, it numbers nothing.
Its template writes no code here but one JSON line a class: the order in which Python can define
them and the type hint of every field. Our own templates render the module from that.

This is the only module that knows datamodel-code-generator; it is pinned exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import InputError, Where
from ...protocol.graph import all_variants, expr_references, is_recursive
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
from ..naming import digest, own_fields, pascal
from .names import Names

_LINE = "#acp "


@dataclass(frozen=True)
class Hints:
    """What a module defining the types needs to know.

    Args:
        order: the Python names of types and helpers, each after those it needs.
        hints: by Python name, the type hint of each field, or of each branch of a union, in order.
        recursive: some type contains itself, so annotations must not be evaluated at once.
        helpers: constrained types inside lists, maps and unions -> the types that each names.
    """

    order: tuple[str, ...]
    hints: Mapping[str, tuple[str, ...]]
    recursive: bool
    helpers: Mapping[str, frozenset[TypeId]]


def type_hints(protocol: Protocol, names: Names) -> Hints:
    """Return order and type hints of the types of ``protocol``.

    Raises:
        InputError: if datamodel-code-generator does not return each type under its own name.
    """
    writer = _Writer(protocol, names)
    flat = {names.types[id_]: writer.definition(type_) for id_, type_ in protocol.types.items()}
    lines = {line["class"]: tuple(line["hints"]) for line in _run(flat | writer.helpers)}
    wanted = {*names.types.values(), *writer.helpers}
    lost = sorted(wanted - set(lines))
    if lost:
        raise InputError(
            f"datamodel-code-generator renamed {', '.join(lost)}",
            where=Where(protocol.file),
            remedy="report this schema: a name that the rules let through is reserved there",
        )
    hints = {name: found for name, found in lines.items() if name in wanted}
    return Hints(tuple(hints), hints, is_recursive(protocol), writer.helper_needs)


def _run(flat: dict[str, Any]) -> list[dict[str, Any]]:
    from datamodel_code_generator import LiteralType, generate
    from datamodel_code_generator.enums import DataModelType, InputFileType
    from datamodel_code_generator.format import PythonVersion

    text = generate(
        json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": flat}),
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        custom_template_dir=Path(__file__).parent / "facts",
        target_python_version=PythonVersion.PY_310,
        enum_field_as_literal=LiteralType.All,
        custom_class_name_generator=str,
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


class _Writer:
    """Writes types as flat definitions. Members are numbered: only their hints come back."""

    def __init__(self, protocol: Protocol, names: Names) -> None:
        self._protocol = protocol
        self._names = names
        self.helpers: dict[str, Any] = {}
        self.helper_needs: dict[str, frozenset[TypeId]] = {}

    def definition(self, type_: Type) -> dict[str, Any]:
        """Return the flat definition of ``type_``."""
        if isinstance(type_, Struct):
            own = own_fields(self._protocol, type_)
            members = [self._field(field) for field in own]
            never_none = [
                field.presence.required
                or field.default is not ABSENT
                or self._is_null(field.type)  # its hint is None already
                for field in own
            ]
            # A base has to come first; a last member that nobody reads says so.
            before = [self._ref(type_.base)] if type_.base else []
            return _object(members + before, never_none + [True] * len(before))
        if isinstance(type_, Alias):
            parts = [self._expr(type_.type, top=True)]
        elif isinstance(type_, Enum):
            words: dict[str, Any] = {"enum": [value.value for value in type_.values]}
            parts = [{"anyOf": [words, {"type": type_.kind}]} if type_.open else words]
        elif isinstance(type_, TaggedUnion):
            parts = [self._ref(variant.type) for variant in all_variants(type_)]
        else:
            parts = [self._expr(branch.type) for branch in type_.branches]
        return _object(parts, [True] * len(parts))

    def _field(self, field: Field) -> Any:
        inner = self._expr(field.type, top=True)
        plain = not field.presence.nullable or self._is_null(field.type)
        return inner if plain else _nullable(inner)

    def _is_null(self, expr: TypeExpr) -> bool:
        while isinstance(expr, Ref):
            type_ = self._protocol.types[expr.id]
            if not isinstance(type_, Alias):
                return False
            expr = type_.type
        return isinstance(expr, Scalar) and expr.kind == "null"

    def _ref(self, id_: TypeId) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self._names.types[id_]}"}

    def _expr(self, expr: TypeExpr, *, top: bool = False) -> Any:
        if isinstance(expr, Scalar):
            return self._scalar(expr, top)
        if isinstance(expr, Literals):
            return {"enum": list(expr.values)}
        if isinstance(expr, Ref):
            return self._ref(expr.id)
        if isinstance(expr, ListOf):
            limits = {"minItems": expr.min_items, "maxItems": expr.max_items}
            kept = {key: value for key, value in limits.items() if value is not None}
            made = {"type": "array", "items": self._expr(expr.item), **kept}
            return made if top or not kept else self._helper("List", made, expr)
        if isinstance(expr, MapOf):
            value = self._expr(expr.value)
            return {"type": "object", "additionalProperties": value if value != {} else True}
        if isinstance(expr, Nullable):
            return _nullable(self._expr(expr.inner))
        assert isinstance(expr, AnyOf)
        return {"anyOf": [self._expr(branch) for branch in expr.branches]}

    def _scalar(self, expr: Scalar, top: bool) -> dict[str, Any]:
        if expr.kind == "any":
            return {}
        made = {"type": expr.kind, **dict(expr.constraints)}
        return made if top or not expr.constraints else self._helper(pascal(expr.kind), made, expr)

    def _helper(self, kind: str, schema: dict[str, Any], expr: TypeExpr) -> dict[str, Any]:
        """Name a constrained type that is no field's whole type; there it would become a class."""
        name = f"Bounded{kind}{digest(json.dumps(schema, sort_keys=True)).upper()}"
        self.helpers[name] = _object([schema], [True])
        self.helper_needs[name] = frozenset(expr_references(expr))
        return {"$ref": f"#/$defs/{name}"}


def _object(members: list[Any], required: list[bool]) -> dict[str, Any]:
    names = [f"b{index}" for index in range(len(members))]
    return {
        "type": "object",
        "properties": dict(zip(names, members, strict=True)),
        "required": [name for name, needed in zip(names, required, strict=True) if needed],
    }


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    # A type list keeps constraints in the hint; beside anyOf they would become a class.
    if schema.get("type") == "null":
        return schema
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    branches = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    return {"anyOf": [*branches, {"type": "null"}]} if schema else schema
