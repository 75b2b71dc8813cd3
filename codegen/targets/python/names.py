"""Wire names to Python names: one rule for each kind."""

from __future__ import annotations

import builtins
import keyword
import unicodedata
from collections.abc import Container, Mapping
from dataclasses import dataclass

from ...protocol.ir import Method, Protocol, Struct, TypeId
from ..naming import distinct, name_types, pascal, snake

#: Names that the generated modules need for themselves; a definition must not replace them.
MODULE_NAMES = frozenset(
    {
        "Annotated",
        "Any",
        "BaseModel",
        "Field",
        "Final",
        "Literal",
        "Model",
        "Optional",
        "RootModel",
        "TYPE_CHECKING",
        "TypeAlias",
        "Union",
    }
)
#: Attributes of pydantic's BaseModel and its metaclass, and self; a field must not hide them.
MODEL_MEMBERS = frozenset(
    [
        "construct",
        "copy",
        "dict",
        "fields",
        "fields_set",
        "from_orm",
        "json",
        "mro",
        "parse_file",
        "parse_obj",
        "parse_raw",
        "register",
        "schema",
        "schema_json",
        "self",
        "update_forward_refs",
        "validate",
    ]
)


def method_name(words_: str) -> str:
    """Return the Python name of a method from the name of its definition; keywords get a trailing _."""
    name = snake(words_)
    return f"{name}_" if keyword.iskeyword(name) else name


_ANNOTATION_BUILTINS = frozenset({"bool", "dict", "float", "int", "list", "str"})


def field_name(wire_name: str, hidden: frozenset[str] = _ANNOTATION_BUILTINS) -> str:
    """Return the Python name of a property, before collisions are settled.

    A keyword, a builtin that annotations use, and a member of BaseModel get a trailing underscore.
    """
    name = snake(wire_name)
    reserved = keyword.iskeyword(name) or name in MODEL_MEMBERS or name.startswith("model_")
    return f"{name}_" if reserved or name in hidden else name


def class_name(name: str, reserved: Container[str] = ()) -> str:
    """Return the Python name of a definition: the name itself wherever Python allows it.

    A keyword, a builtin, a name that the generated modules need and one in ``reserved`` get a
    trailing underscore.
    """
    plain = name.isidentifier() and unicodedata.normalize("NFKC", name) == name
    made = name if plain and not name.startswith("_") else pascal(name)
    taken = keyword.iskeyword(made) or hasattr(builtins, made) or made in MODULE_NAMES
    return f"{made}_" if taken or made in reserved else made


@dataclass(frozen=True)
class Names:
    """All Python names of one protocol version."""

    types: Mapping[TypeId, str]
    fields: Mapping[TypeId, Mapping[str, str]]
    methods: Mapping[Method, str]


_NONE: Mapping[str, str] = {}


def name_all(
    protocol: Protocol,
    methods: Mapping[Method, str],
    reserved: Container[str],
    *,
    chosen: Mapping[TypeId, str] | None = None,
    chosen_fields: Mapping[str, str] = _NONE,
    hidden: frozenset[str] = _ANNOTATION_BUILTINS,
) -> Names:
    """Name the types and fields of ``protocol``.

    Args:
        protocol: whose names.
        methods: the names of its methods, which are chosen before.
        reserved: public names of the package beside its types.
        chosen: names of types that are no matter of rules; two types may still get one name.
        chosen_fields: wire name, or type and wire name joined by a dot, to the field's name.
        hidden: builtins that a field must not hide, because annotations use them.
    """
    types = name_types(protocol, lambda name: class_name(name, reserved), chosen)
    fields = {
        id_: _field_names(type_, types, chosen_fields, hidden)
        for id_, type_ in protocol.types.items()
        if isinstance(type_, Struct)
    }
    return Names(types, fields, methods)


def _field_names(
    struct: Struct,
    types: Mapping[TypeId, str],
    chosen: Mapping[str, str],
    hidden: frozenset[str],
) -> Mapping[str, str]:
    """A field must not hide a type that the hints of its class name, so all types are reserved."""
    reserved = set(types.values())
    wires = [field.wire_name for field in struct.fields]
    dotted = ".".join(struct.id)
    given = {
        wire: chosen.get(f"{dotted}.{wire}") or chosen[wire]
        for wire in wires
        if f"{dotted}.{wire}" in chosen or wire in chosen
    }

    def spell(wire: str) -> str:
        name = field_name(wire, hidden)
        return f"{name}_" if name in reserved else name

    rest = distinct((wire for wire in wires if wire not in given), spell, taken=given.values())
    return {wire: given.get(wire) or rest[wire] for wire in wires}
