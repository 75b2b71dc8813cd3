"""A schema update cannot lose data silently: what a version gains without a rule fails the build."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import convprop_mutants as mutating
import convprop_schemas as schemas
import pytest
from acp_codegen.conversion.plan import make_plan
from acp_codegen.errors import InputError
from acp_codegen.protocol.ir import (
    ANY,
    Enum,
    EnumValue,
    Field,
    Presence,
    Protocol,
    Struct,
    TaggedUnion,
    TypeId,
)

NEW = "plantedHere"
#: Structs whose new field is not noticed, and why that is right.
UNNOTICED = {
    "v1": {("PromptResponse",): "always refused (29)"},
    "v2": {("PromptResponse",): "always refused (29)", ("Diff",): "always refused (39)"},
}
#: Definitions of v2 only whose members the rules move or make.
INSIDE = ["ToolCallPermissionSubject", "PlanItems"]


def structs(version: str) -> list[TypeId]:
    """Return the definitions that are objects with a counterpart, but for envelopes."""
    protocol = schemas.protocol(version)
    only = mutating.rules().table("only", version, "definitions")
    return [
        id_
        for id_, type_ in protocol.types.items()
        if isinstance(type_, Struct) and len(id_) == 1 and id_[0] not in only and not type_.envelope
    ]


def planted(protocol: Protocol, id_: TypeId, presence: Presence = Presence.OPTIONAL) -> Protocol:
    """Return ``protocol`` with one more field in ``id_`` and all that are based on it."""
    types: dict[TypeId, Any] = dict(protocol.types)
    extra = Field(NEW, ANY, presence, "/planted")
    for other, type_ in protocol.types.items():
        current: Any = type_
        while isinstance(current, Struct) and current.id != id_ and current.base is not None:
            current = protocol.types[current.base]
        if isinstance(current, Struct) and current.id == id_ and isinstance(type_, Struct):
            types[other] = replace(type_, fields=(*type_.fields, extra))
    return replace(protocol, types=types)


def noticed(version: str, changed: Protocol, what: str) -> bool:
    """Say whether a complete plan is refused for the new thing."""
    pair = {"v1": schemas.protocol("v1"), "v2": schemas.protocol("v2"), version: changed}
    try:
        make_plan(pair["v1"], pair["v2"], mutating.rules(), complete=True)
    except InputError as error:
        return what in str(error)
    return False


def unnoticed(version: str, chosen: list[TypeId]) -> set[TypeId]:
    """Return the structs in which a new field is not noticed."""
    base = schemas.protocol(version)
    return {id_ for id_ in chosen if not noticed(version, planted(base, id_), NEW)}


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_convprop_planted_fields_quick(version: str) -> None:
    chosen = schemas.rng("planted", version).sample(structs(version), 25)
    assert unnoticed(version, chosen) <= set(UNNOTICED[version])


@pytest.mark.slow
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_convprop_planted_fields(version: str) -> None:
    found = unnoticed(version, structs(version))
    assert found == set(UNNOTICED[version])


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_convprop_planted_words(version: str) -> None:
    """A new word of an enum that the other version has closed."""
    base = schemas.protocol(version)
    other = schemas.protocol("v2" if version == "v1" else "v1")
    closed = [
        id_
        for id_, type_ in base.types.items()
        if isinstance(type_, Enum)
        and isinstance(theirs := other.types.get(id_), Enum)
        and not theirs.open
        and theirs.kind == "string"
    ]
    assert closed or version == "v1"
    for id_ in closed:
        enum: Any = base.types[id_]
        words = replace(enum, values=(*enum.values, EnumValue(NEW)))
        assert noticed(version, replace(base, types={**base.types, id_: words}), NEW), id_


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_convprop_planted_variants(version: str) -> None:
    base = schemas.protocol(version)
    other = schemas.protocol("v2" if version == "v1" else "v1")
    for id_, union in base.types.items():
        theirs = other.types.get(id_)
        if not isinstance(union, TaggedUnion) or not isinstance(theirs, TaggedUnion):
            continue
        first = union.variants[0]
        more = replace(union, variants=(*union.variants, replace(first, value=NEW)))
        assert noticed(version, replace(base, types={**base.types, id_: more}), NEW), id_


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_convprop_planted_methods_and_definitions(version: str) -> None:
    base = schemas.protocol(version)
    method = replace(base.methods[0], wire_name=f"planted/{NEW}")
    assert noticed(version, replace(base, methods=(*base.methods, method)), NEW)
    name = (NEW,)
    types = {**base.types, name: replace(base.types[("Implementation",)], id=name)}
    assert noticed(version, replace(base, types=types), NEW)


def test_convprop_new_members_of_a_step() -> None:
    changed = planted(schemas.protocol("v1"), ("Diff",))
    try:
        plan = make_plan(changed, schemas.protocol("v2"), mutating.rules(), complete=True)
    except InputError:
        return
    value = {"path": "/p", "oldText": "a", "newText": "b", NEW: 5}
    found = mutating.subject(plan).run("v1_to_v2", "Diff", value)
    assert found.values is None, "the member is gone and nothing says so"


@pytest.mark.parametrize(
    ("name", "presence"),
    [
        *(
            (name, presence)
            for name in INSIDE
            for presence in (Presence.OPTIONAL, Presence.REQUIRED)
        ),
        # An optional one inside an absorbed object has its answer: the rule refuses it.
        ("ReplayFromStart", Presence.REQUIRED),
    ],
)
def test_convprop_new_members_below_a_moved_path(name: str, presence: Presence) -> None:
    assert noticed("v2", planted(schemas.protocol("v2"), (name,), presence), NEW)
