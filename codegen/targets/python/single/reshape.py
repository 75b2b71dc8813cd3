"""Catch-alls with branches as one struct each, where the configuration asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....protocol.ir import Field, Protocol, Ref, Struct, TaggedUnion, Type, TypeId, Union
from ....style.keys import dotted
from ....style.model import Style


def reshape(protocol: Protocol, style: Style) -> Protocol:
    """Return ``protocol`` with the catch-alls that ``style`` asks for as one struct each.

    It has the fields that all branches declare alike; other keys are undeclared ones.
    """
    types: dict[TypeId, Type] = dict(protocol.types)
    for type_ in protocol.types.values():
        said = style.unions.get(dotted(type_.id))
        if said is None or said.catch_all != "one" or not isinstance(type_, TaggedUnion):
            continue
        fallback = type_.fallback and protocol.types[type_.fallback.type]
        if isinstance(fallback, Union):
            types[fallback.id] = _merged(fallback, protocol.types)
            inner = [id_ for id_ in types if id_[: len(fallback.id)] == fallback.id]
            for id_ in inner:
                if id_ != fallback.id and not _is_property(protocol, id_):
                    del types[id_]
    return replace(protocol, types=types)


def _is_property(protocol: Protocol, id_: TypeId) -> bool:
    """True if the type is that of a property, which the merged struct may still name."""
    return not isinstance(protocol.types.get(id_[:-1]), Union)


def _merged(union: Union, types: Mapping[TypeId, Type]) -> Struct:
    branches = [types[branch.type.id] for branch in union.branches if isinstance(branch.type, Ref)]
    structs = [branch for branch in branches if isinstance(branch, Struct)]
    common: dict[str, Field] = {field.wire_name: field for field in structs[0].fields}
    for struct in structs[1:]:
        there = {field.wire_name: field for field in struct.fields}
        common = {name: field for name, field in common.items() if there.get(name) == field}
    return Struct(
        id=union.id,
        pointer=union.pointer,
        doc=union.doc,
        title=union.title,
        feature=union.feature,
        envelope=union.envelope,
        fields=tuple(common.values()),
    )
