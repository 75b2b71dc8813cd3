"""Reading single schema objects: which kind of thing each one is. No state, no names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..pointer import join
from ..schema.references import definition_name
from .ir import ABSENT, Enum, EnumValue, Scalar, ScalarKind, TypeId

JsonSchema = dict[str, Any]

SCALAR_KINDS = ("string", "integer", "number", "boolean", "null")
ASSERTIONS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
)
ON_ERROR = "x-deserialize-default-on-error"
ON_NULL = "x-deserialize-default-on-null"
SKIP_ITEMS = "x-deserialize-skip-invalid-items"


def union_of(schema: JsonSchema) -> tuple[str, list[Any]] | None:
    """Return the keyword and branches of the schema's ``anyOf`` or ``oneOf``, if it has one."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return keyword, schema[keyword]
    return None


def types_of(schema: JsonSchema) -> tuple[str, ...]:
    """Return the schema's ``type`` as a tuple; empty when it has none."""
    declared = schema.get("type", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)


def is_null(schema: Any) -> bool:
    """True if the schema allows null and nothing else."""
    return isinstance(schema, dict) and (
        types_of(schema) == ("null",) or ("const" in schema and schema["const"] is None)
    )


def ref_name(schema: Any) -> str | None:
    """Return the definition that ``schema`` is another name for, if it is nothing more than that.

    A ``$ref`` and an ``allOf`` with one ``$ref`` say the same; what stands beside them (text, a
    default, leniency) belongs to the place of use.
    """
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        return None if asserts(schema) else definition_name(cast(str, schema["$ref"]))
    parts = schema.get("allOf")
    if (
        isinstance(parts, list)
        and len(parts) == 1
        and not has_structure(schema)
        and not asserts(schema)
    ):
        return ref_name(parts[0])
    return None


def asserts(schema: JsonSchema) -> bool:
    """True if the schema bounds a scalar of its own."""
    return any(key in schema for key in ASSERTIONS)


def bounded_ref(schema: JsonSchema) -> tuple[str, JsonSchema] | None:
    """Return the definition that the schema refers to and bounds further, with the bounds."""
    if not asserts(schema) or has_structure(schema):
        return None
    bare = {key: value for key, value in schema.items() if key not in ASSERTIONS}
    name = ref_name(bare)
    return (
        None if name is None else (name, {key: schema[key] for key in ASSERTIONS if key in schema})
    )


def allows_null(schema: Any, definitions: JsonSchema, seen: frozenset[str] = frozenset()) -> bool:
    """True if null satisfies the schema, seen through references."""
    if schema is True or says_nothing(schema):
        return True
    if not isinstance(schema, dict):
        return False
    name = ref_name(schema)
    if name is not None:
        return name not in seen and allows_null(definitions[name], definitions, seen | {name})
    if is_null(schema) or "null" in types_of(schema):
        return True
    words = schema.get("enum")
    if isinstance(words, list) and None in words:
        return True
    union = union_of(schema)
    return (
        union is not None
        and not types_of(schema)
        and "properties" not in schema
        and any(allows_null(branch, definitions, seen) for branch in union[1])
    )


def has_structure(schema: JsonSchema) -> bool:
    """True if the schema asserts something of its own beside references."""
    return any(
        key in schema
        for key in ("properties", "required", "anyOf", "oneOf", "not", "const", "enum")
    )


def says_nothing(schema: Any) -> bool:
    """True if the schema allows any JSON value."""
    return schema is True or (
        isinstance(schema, dict) and set(schema) <= {"title", "description", "x-docs-ignore"}
    )


def is_object(schema: Any) -> bool:
    """True if the schema describes objects with declared fields or object branches."""
    if not isinstance(schema, dict):
        return False
    if "properties" in schema or types_of(schema) == ("object",):
        return True
    union = union_of(schema)
    return "allOf" in schema or (
        union is not None and any(is_object(branch) for branch in union[1])
    )


def scalar(schema: JsonSchema, kind: str) -> Scalar:
    """Return the scalar of ``kind`` with the schema's assertions and annotations."""
    return Scalar(
        cast(ScalarKind, kind),
        tuple((key, schema[key]) for key in ASSERTIONS if key in schema),
        schema.get("format"),
        schema.get("contentEncoding"),
    )


def kind_of(value: Any) -> ScalarKind:
    """Return the JSON kind of a scalar constant."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "string"


def is_scalar_value(value: Any) -> bool:
    """True for a JSON string, number, boolean or null."""
    return value is None or isinstance(value, bool | int | float | str)


@dataclass(frozen=True, slots=True)
class EnumShape:
    """The values of an enum and whether others are allowed."""

    kind: ScalarKind
    values: tuple[EnumValue, ...]
    open: bool
    other: str = ""

    def named(self, **names: Any) -> Enum:
        """Return this shape as a named type."""
        return Enum(kind=self.kind, values=self.values, open=self.open, other=self.other, **names)


def enum_shape(schema: JsonSchema) -> EnumShape | None:
    """Return the enum that the schema is: an ``enum``, a ``const``, or a union of constants.

    A union of constants may end in one branch with a type alone; it makes the enum open.
    """
    if "enum" in schema or "const" in schema:
        if "properties" in schema or "allOf" in schema:
            return None
        raw = schema["enum"] if "enum" in schema else [schema["const"]]
        return _closed([EnumValue(value) for value in raw])
    union = union_of(schema)
    if union is None or "properties" in schema or "allOf" in schema:
        return None
    values: list[EnumValue] = []
    others: list[JsonSchema] = []
    for branch in union[1]:
        if not isinstance(branch, dict) or not set(branch) <= _ENUM_BRANCH_KEYS:
            return None
        if "const" in branch:
            values.append(
                EnumValue(branch["const"], branch.get("title", ""), branch.get("description", ""))
            )
        elif "enum" in branch:
            values.extend(EnumValue(value) for value in branch["enum"])
        else:
            others.append(branch)
    shape = _closed(values) if values else None
    if shape is None or len(others) > 1:
        return None
    if others:
        if types_of(others[0]) != (shape.kind,) or union[0] == "oneOf":
            return None
        other = others[0].get("description", "")
        return EnumShape(shape.kind, shape.values, open=True, other=other)
    return shape


_ENUM_BRANCH_KEYS = {"const", "enum", "type", "format", "title", "description"}


def _closed(values: Sequence[EnumValue]) -> EnumShape | None:
    kinds = {kind_of(value.value) for value in values if is_scalar_value(value.value)}
    if len(kinds) != 1 or not all(is_scalar_value(value.value) for value in values):
        return None
    return EnumShape(kinds.pop(), tuple(values), open=False)


def constant(schema: Any) -> Any:
    """Return the one constant a property schema allows, or ABSENT."""
    if not isinstance(schema, dict):
        return ABSENT
    if "const" in schema:
        return schema["const"]
    words = schema.get("enum")
    return words[0] if isinstance(words, list) and len(words) == 1 else ABSENT


def tag_token(value: Any) -> str:
    """Return the id token of a tag: the string itself, or ``=`` and the JSON text."""
    return value if isinstance(value, str) else f"={json.dumps(value)}"


def tag_of(schema: JsonSchema, branches: Sequence[Any]) -> str | None:
    """Return the property whose constants tell the branches apart.

    It is the schema's own ``discriminator`` where there is one; else the required property with a
    constant in the most branches, the first such when equal. Repeated constants disqualify.
    """
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict):
        return cast("str | None", discriminator.get("propertyName"))
    seen: dict[str, list[str]] = {}
    for branch in branches:
        for name, value in required_constants(branch).items():
            seen.setdefault(name, []).append(tag_token(value))
    fit = {name: len(values) for name, values in seen.items() if len(set(values)) == len(values)}
    return max(fit, key=lambda name: fit[name]) if fit else None


def required_constants(branch: Any) -> dict[str, Any]:
    """Return the constants of the branch's own required properties, by name."""
    if not isinstance(branch, dict):
        return {}
    required = branch.get("required", ())
    found = {name: constant(child) for name, child in branch.get("properties", {}).items()}
    return {
        name: value
        for name, value in found.items()
        if value is not ABSENT and is_scalar_value(value) and name in required
    }


def excluded_tags(branch: JsonSchema, tag: str) -> tuple[Any, ...] | None:
    """Return the constants that the branch's ``not`` forbids under ``tag``.

    None means that the ``not`` says something else, which the representation cannot hold.
    """
    if "not" not in branch:
        return ()
    inner = branch["not"]
    union = union_of(inner) if isinstance(inner, dict) else None
    cases = union[1] if union else [inner]
    found = [required_constants(case) for case in cases]
    if all(
        set(case) == {tag} and set(schema.get("properties", {})) == {tag}
        for case, schema in zip(found, cases, strict=True)
    ):
        return tuple(case[tag] for case in found)
    return None


def describe(id_: TypeId) -> str:
    """Return a type id for people: its tokens joined by dots."""
    return ".".join(id_)


def feature_at(origins: Any, pointer: str) -> str | None:
    """Return the feature that added the node at ``pointer`` or one that contains it."""
    while pointer:
        if pointer in origins:
            return cast(str, origins[pointer])
        pointer = pointer.rpartition("/")[0]
    return None


def child(pointer: str, *tokens: str | int) -> str:
    """Return the pointer of a node below ``pointer``."""
    return join(pointer, *tokens)
