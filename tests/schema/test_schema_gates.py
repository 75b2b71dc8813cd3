"""Gates files: what they say is checked against the schema, to the last name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError
from acp_codegen.protocol.ir import Protocol
from acp_codegen.sources import Sources

KINDS = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"kind": {"type": "string", "const": word}},
            "required": ["kind"],
        }
        for word in ("a", "b")
    ]
}


def method(wire: str, side: str = "agent", **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "x-side": side, "x-method": wire}


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "Kind": KINDS,
        "Can": {"type": "object", "properties": {"fly": {"type": "boolean"}}},
        "HelloRequest": method("hello"),
        "HelloResponse": method("hello", can={"$ref": "#/$defs/Can"}),
        "FlyRequest": method(
            "fly",
            kinds={"type": "array", "items": {"$ref": "#/$defs/Kind"}},
            maybe={"anyOf": [{"$ref": "#/$defs/Kind"}, {"type": "null"}]},
            name={"type": "string"},
        ),
        "FlyResponse": method("fly"),
        "RingRequest": method("ring", "client"),
        "RingResponse": method("ring", "client"),
    },
}
CAN = 'capability = { definition = "HelloResponse", path = ["can", "fly"] }'
FLY = 'side = "agent", method = "fly"'


def protocol(tmp_path: Path, *gates: str, replaced: bool = False) -> Protocol:
    folder = tmp_path / "schemas"
    (folder / "v1").mkdir(parents=True, exist_ok=True)
    (folder / "gates").mkdir(exist_ok=True)
    path = folder / "v1/schema.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    text = "".join(f"  {{ {gate} }},\n" for gate in gates)
    (folder / "gates/v1.toml").write_text(f"gates = [\n{text}]\n", encoding="utf-8")
    return Sources(folder, replaced={"v1": path} if replaced else {}).protocol("v1", ())


def test_gates_reach_the_method_with_the_tag_of_the_union(tmp_path: Path) -> None:
    found = protocol(
        tmp_path,
        f"{FLY}, {CAN}",
        f'{FLY}, parameter = "kinds", variant = "b", {CAN}',
        f'{FLY}, parameter = "maybe", variant = "a", {CAN}',
    )
    fly = next(method for method in found.methods if method.wire_name == "fly")
    assert [(g.parameter, g.tag, g.value, g.whole) for g in fly.gates] == [
        (None, None, None, True),
        ("kinds", "kind", "b", False),
        ("maybe", "kind", "a", False),
    ]
    assert {gate.capability for gate in fly.gates} == {("can", "fly")}
    assert found.announcements == {"agent": "HelloResponse"}


@pytest.mark.parametrize(
    ("gate", "place", "said"),
    [
        (f'side = "agent", method = "flly", {CAN}', "/gates/0/method", "flly"),
        (f'side = "client", method = "fly", {CAN}', "/gates/0/method", "client"),
        (f'{FLY}, parameter = "kindz", {CAN}', "/gates/0/parameter", "kindz"),
        (f'{FLY}, parameter = "kinds", variant = "c", {CAN}', "/gates/0/variant", "'c'"),
        (f'{FLY}, parameter = "name", variant = "a", {CAN}', "/gates/0/variant", "'a'"),
        (
            f'{FLY}, capability = {{ definition = "HelloResponse", path = ["can", "swim"] }}',
            "/gates/0/capability",
            "swim",
        ),
        (
            f'{FLY}, capability = {{ definition = "Can", path = ["fly"] }}',
            "/gates/0/capability/definition",
            "Can",
        ),
        (f'side = "client", method = "ring", {CAN}', "/gates/0/capability/definition", "client"),
        (f"{FLY}, {CAN}, more = 1", "/gates/0", "more"),
        (FLY, "/gates/0", "capability"),
    ],
)
def test_a_name_that_leads_nowhere_is_an_error(
    tmp_path: Path, gate: str, place: str, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        protocol(tmp_path, gate)
    error = caught.value
    assert error.where is not None and error.remedy
    assert (error.where.file, error.where.pointer) == ("schemas/gates/v1.toml", place)
    assert said in str(error)


def test_a_schema_given_instead_leaves_out_what_it_lacks(tmp_path: Path) -> None:
    wrong = f'side = "agent", method = "flly", {CAN}'
    found = protocol(tmp_path, f"{FLY}, {CAN}", wrong, replaced=True)
    assert sum(len(method.gates) for method in found.methods) == 1
    folder = tmp_path / "schemas"
    sources = Sources(folder, replaced={"v1": folder / "v1/schema.json"})
    assert [str(f.where) for f in sources.unmatched_gates("v1")] == [
        "schemas/gates/v1.toml#/gates/1/method"
    ]
    assert Sources(folder).unmatched_gates("v1") == ()
