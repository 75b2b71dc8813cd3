"""Wire names to Python names: one rule for each kind, and one for collisions.

A collision is never settled by order. The wire name that spells the Python name already keeps it;
every other one gets an ending computed from its own wire name, so what is added later to a schema
cannot rename what is there.
"""

from __future__ import annotations

import builtins
import hashlib
import keyword
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from ...protocol.ir import Field, Method, Protocol, Struct, TaggedUnion, TypeId, Union

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
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+|[^\W_A-Za-z0-9]+")


def words(name: str) -> list[str]:
    """Split ``name`` into words at case changes and at everything that no identifier can hold."""
    text = unicodedata.normalize("NFKC", name)
    return _WORDS.findall(text)


def snake(name: str) -> str:
    """Return ``name`` in snake_case, made an identifier but not yet checked for reserved words."""
    return _identifier("_".join(word.lower() for word in words(name)), name, "field")


def pascal(name: str) -> str:
    """Return ``name`` in PascalCase, made an identifier."""
    return _identifier("".join(word[:1].upper() + word[1:] for word in words(name)), name, "Type")


def upper(name: str) -> str:
    """Return ``name`` in UPPER_SNAKE_CASE, made an identifier."""
    return _identifier("_".join(word.upper() for word in words(name)), name, "VALUE")


def _identifier(text: str, name: str, prefix: str) -> str:
    kept = "".join(char for char in text if char == "_" or ("a" + char).isidentifier())
    if not kept.strip("_"):
        return f"{prefix}_{digest(name)}"
    return kept if kept.isidentifier() else f"{prefix}_{kept}"


def digest(name: str) -> str:
    """Return a short ending that depends on ``name`` alone."""
    # Letters only: a name that ends in a digit looks like a count.
    found = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:2]
    return "x" + "".join(chr(ord("a") + half) for byte in found for half in (byte >> 4, byte & 15))


def distinct(
    names: Iterable[str],
    spell: Callable[[str], str],
    *,
    taken: Iterable[str] = (),
    same: Callable[[str], str] = str,
) -> dict[str, str]:
    """Give each wire name a Python name of its own.

    Args:
        names: the wire names.
        spell: the rule for one name.
        taken: Python names that are in use already.
        same: what makes two Python names collide, such as case folding.

    Returns:
        wire name -> Python name, all different; independent of the order of ``names``.
    """
    wires = list(names)
    used = {same(name) for name in taken}
    groups: dict[str, list[str]] = {}
    for wire in wires:
        groups.setdefault(same(spell(wire)), []).append(wire)
    made: dict[str, str] = {}
    for key, group in groups.items():
        for wire in group:
            plain = key not in used and (len(group) == 1 or wire == spell(wire))
            made[wire] = spell(wire) if plain else f"{spell(wire)}_{digest(wire)}"
    return {wire: made[wire] for wire in wires}


def method_name(words_: str) -> str:
    """Return the Python name of a method from the name of its definition; keywords get a trailing _."""
    name = snake(words_)
    return f"{name}_" if keyword.iskeyword(name) else name


def field_name(wire_name: str) -> str:
    """Return the Python name of a property, before collisions are settled.

    A keyword, a builtin that annotations use, and a member of BaseModel get a trailing underscore.
    """
    name = snake(wire_name)
    reserved = keyword.iskeyword(name) or name in MODEL_MEMBERS or name.startswith("model_")
    return f"{name}_" if reserved or name in _ANNOTATION_BUILTINS else name


_ANNOTATION_BUILTINS = frozenset({"bool", "dict", "float", "int", "list", "str"})


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


def name_all(protocol: Protocol, methods: Mapping[Method, str], reserved: Container[str]) -> Names:
    """Name the types and fields of ``protocol``.

    Args:
        protocol: whose names.
        methods: the names of its methods, which are chosen before.
        reserved: public names of the package beside its types.
    """
    types = _type_names(protocol, reserved)
    fields = {
        id_: _field_names(type_, types)
        for id_, type_ in protocol.types.items()
        if isinstance(type_, Struct)
    }
    return Names(types, fields, methods)


def _field_names(struct: Struct, types: Mapping[TypeId, str]) -> Mapping[str, str]:
    """A field must not hide a type that the hints of its class name, so all types are reserved."""
    reserved = set(types.values())

    def spell(wire: str) -> str:
        name = field_name(wire)
        return f"{name}_" if name in reserved else name

    return distinct((field.wire_name for field in struct.fields), spell)


def _type_names(protocol: Protocol, reserved: Container[str]) -> dict[TypeId, str]:
    plain = distinct(protocol.definitions, lambda name: class_name(name, reserved))
    made: dict[TypeId, str] = {(name,): python for name, python in plain.items()}
    # The type nearer to its definition keeps a name; one deeper inside that would spell it too is
    # called a variant of it.
    for depth in sorted({len(id_) for id_ in protocol.types} - {1}):
        inner = {"\0".join(id_): id_ for id_ in protocol.types if len(id_) == depth}
        taken = set(made.values())
        spelled = {text: _inner_name(protocol, id_) for text, id_ in inner.items()}
        spelled = {
            text: f"{name}Variant" if name in taken else name for text, name in spelled.items()
        }
        for text, name in distinct(inner, spelled.__getitem__, taken=taken).items():
            made[inner[text]] = name
    return {id_: made[id_] for id_ in protocol.types}


def _inner_name(protocol: Protocol, id_: TypeId) -> str:
    """A variant is named tag first, union last; an inline type owner first, property last."""
    name = pascal(id_[0])
    for end in range(2, len(id_) + 1):
        outer = protocol.types.get(id_[: end - 1])
        token = pascal(id_[end - 1])
        name = token + name if isinstance(outer, TaggedUnion | Union) else name + token
    return name


def own_fields(protocol: Protocol, struct: Struct) -> list[Field]:
    """Return the fields that a subclass of the struct's base has to declare itself."""
    if struct.base is None:
        return list(struct.fields)
    base = protocol.types[struct.base]
    assert isinstance(base, Struct)
    inherited = {field.wire_name: _meaning(field) for field in base.fields}
    return [field for field in struct.fields if inherited.get(field.wire_name) != _meaning(field)]


def _meaning(field: Field) -> tuple[object, ...]:
    return (
        field.type,
        field.presence,
        repr(field.default),
        field.on_error,
        field.on_null,
        field.skip_invalid_items,
        field.salvage,
        repr(field.tag),
        field.excluded,
    )
