"""Python names that the configuration chooses: explicit ones, and those that patterns give."""

from __future__ import annotations

import builtins
import keyword
from collections import Counter
from collections.abc import Container, Mapping

from ...errors import UsageError, Where
from ...pointer import join
from ...protocol.ir import Protocol, Struct, TypeId
from ...style.keys import dotted, union_of_variant
from ...style.model import Choices, UnionNames
from ..naming import pascal
from .names import MODEL_MEMBERS, MODULE_NAMES, Names, class_name


def payload_of(protocol: Protocol, struct: Struct) -> TypeId | None:
    """Return the definition that a struct extends; None if there is none.

    What lies between, such as the variant of another union, is passed over.
    """
    id_ = struct.base
    while id_ is not None and len(id_) > 1:
        base = protocol.types[id_]
        assert isinstance(base, Struct)
        id_ = base.base
    return id_


def chosen_types(
    protocol: Protocol, choices: Choices, reserved: Container[str]
) -> dict[TypeId, str]:
    """Return the names that the configuration chooses for types.

    Args:
        protocol: whose types.
        choices: the configuration, whose keys are checked.
        reserved: names that the output needs for itself.

    Raises:
        UsageError: if a name is not free, or a pattern asks for what a variant does not have.
    """
    made: dict[TypeId, str] = {}
    for id_ in protocol.types:
        union = union_of_variant(protocol, id_)
        name = dotted(id_)
        if union is None and name in choices.names.definitions:
            path = ("names", "definitions", name)
            made[id_] = _free(choices.names.definitions[name], choices, path, reserved)
        said = choices.names.unions.get(dotted(union)) if union else None
        if union is None or said is None:
            continue
        key = dotted(id_[len(union) :])
        place = ("names", "unions", dotted(union))
        if key in said.variants:
            made[id_] = _free(said.variants[key], choices, (*place, "variants", key), reserved)
        elif said.pattern:
            found = _by_pattern(protocol, choices, said, union, id_)
            made[id_] = _free(found, choices, (*place, "pattern"), reserved)
    return made


def check_member_names(choices: Choices) -> None:
    """Refuse names that a field of a model, or a method, cannot have.

    Raises:
        UsageError: naming the key.
    """
    for key, name in choices.names.fields.items():
        taken = keyword.iskeyword(name) or name in MODEL_MEMBERS
        if taken or name.startswith(("_", "model_")):
            raise UsageError(
                f"no field can be called {name!r}",
                where=_where(choices, ("names", "fields", key)),
                remedy="choose a name without a leading _ or model_ that pydantic does not use",
            )

    for key, name in choices.names.methods.items():
        if keyword.iskeyword(name):
            raise UsageError(
                f"no method can be called {name!r}",
                where=_where(choices, ("names", "methods", key)),
                remedy="choose a name that is no keyword of Python",
            )


def _by_pattern(
    protocol: Protocol, choices: Choices, said: UnionNames, union: TypeId, id_: TypeId
) -> str:
    type_ = protocol.types[id_]
    payload = payload_of(protocol, type_) if isinstance(type_, Struct) else None
    tokens = id_[len(union) :]
    parts: Mapping[str, str] = {
        "Tag": pascal(tokens[0]),
        "Scope": "".join(pascal(token) for token in tokens[1:]),
        "Title": pascal(type_.title) if type_.title else "",
        "Payload": class_name(payload[0]) if payload else "",
        "Union": class_name(pascal(dotted(union)) if len(union) > 1 else union[0]),
    }
    for name, text in parts.items():
        if not text and name != "Scope" and f"{{{name}}}" in said.pattern:
            key = dotted(tokens)
            raise UsageError(
                f"{name} stands for nothing in variant {key!r} of {dotted(union)}",
                where=_where(choices, ("names", "unions", dotted(union), "pattern")),
                remedy=f"name the variant: variants.{key}",
            )
    return said.pattern.format_map(parts)


def _free(name: str, choices: Choices, path: tuple[str, ...], reserved: Container[str]) -> str:
    """Return ``name`` if a type can have it."""
    taken = keyword.iskeyword(name) or hasattr(builtins, name) or not name.isidentifier()
    if taken or name in MODULE_NAMES or name in reserved:
        raise UsageError(
            f"no type can be called {name!r}",
            where=_where(choices, path),
            remedy="choose a name that neither Python nor the generated module uses itself",
        )
    return name


def _where(choices: Choices, path: tuple[str, ...]) -> Where:
    return Where(choices.place.file, join(choices.place.pointer, *path))


def check_distinct(names: Names, choices: Choices) -> None:
    """Refuse a choice of names that gives two types, or two fields of one type, the same name.

    Raises:
        UsageError: naming all such types, or the type and its fields.
    """
    found: dict[str, list[str]] = {}
    for id_, name in names.types.items():
        found.setdefault(name, []).append(dotted(id_))
    twice = [f"{' and '.join(ids)} ({name})" for name, ids in found.items() if len(ids) > 1]
    if twice:
        raise UsageError(
            f"types would have the same name: {', '.join(twice)}",
            where=_where(choices, ("names",)),
            remedy="give one of them a name in names.definitions or names.unions",
        )
    for id_, fields in names.fields.items():
        for name, count in Counter(fields.values()).items():
            if count > 1:
                raise UsageError(
                    f"two fields of {dotted(id_)} would be called {name}",
                    where=_where(choices, ("names", "fields")),
                    remedy="give one of them another name",
                )
