"""The report for an update names the keys of the project that the new schema leaves without match."""

from __future__ import annotations

import copy
import json

import pytest

TEXT = {"type": "string"}

CONFIG = """\
schemas = "schemas"
features = ["hiding", "counting"]
harmless = ["x-old", "x-both", "x-never"]
"""

NAMES = """\
[methods]
"thing/do" = "perform"
"thing/ask" = "ask_for"

[sides.agent]
interface = "Agent"
"""

RULES = """\
[methods]
"thing/do" = "thing/do"

[only.v1.definitions]
Extra = "v2 has none"

[patch.v1]
Extra = ["a"]

[words.v1.Colour]
red = { why = "v2 has no red" }
blue = { why = "v2 has no blue" }

[[types]]
v1 = "Thing"
members = [{ v1 = "colour", refuse = "no" }, { v1 = "size", refuse = "no" }]

[[types]]
v1 = "Extra"
v2 = "Thing"
members = [{ v1 = "a", v2 = "colour" }]

[[unions]]
name = "Shape"
why = "shapes differ"
variants = [{ v1 = "disc", v2 = "disc" }, { v1 = "cube", v2 = "cube" }]
"""

#: What each side announces its capabilities in.
ANNOUNCED = {"agent": "DoResponse", "client": "AskResponse"}


def tags(*names):
    return {
        "anyOf": [
            {"type": "object", "properties": {"type": {"const": name}}, "required": ["type"]}
            for name in names
        ]
    }


def overlay(feature, version, method, **more):
    side = "client" if method == "thing/ask" else "agent"
    capability = {"definition": ANNOUNCED[side], "path": ["extra", "a"]}
    return {
        "feature": feature,
        "version": version,
        "description": "x",
        "definitions": {f"{feature.title()}Can": {"type": "object"}},
        "gates": [{"side": side, "method": method, "capability": capability}],
        **more,
    }


@pytest.fixture
def project(bench, make):
    thing = {"type": "object", "properties": {"colour": {"$ref": "#/$defs/Colour"}, "size": TEXT}}
    schema = make(
        thing, "DoRequest",
        Colour={"enum": ["red", "blue"]},
        Extra={"type": "object", "properties": {"a": TEXT}},
        Shape=tags("disc", "cube"),
    )  # fmt: skip
    for name in ANNOUNCED.values():
        schema["$defs"][name]["properties"]["extra"] = {"type": "object", "properties": {"a": TEXT}}
    schema["$defs"]["Id"].update({"x-old": 1, "x-both": 1})
    bench.write("acp-codegen.toml", CONFIG)
    bench.write("schemas/names.toml", NAMES)
    bench.write("schemas/conversion/rules.toml", RULES)
    for version in ("v1", "v2"):
        bench.write(f"schemas/{version}/schema.json", schema)
    bench.write("schemas/overlays/hiding/v1.json", overlay("hiding", "v1", "thing/do"))
    bench.write("schemas/overlays/counting/v1.json", overlay("counting", "v1", "thing/ask"))
    return schema


def stale(bench, new, *options):
    bench.write("new.json", new)
    done = bench.run("breaking", "v1", "new.json", "--json", *options)
    assert done.exit_code in (0, 100), done.output
    return json.loads(done.stdout)["stale"]


def places(found, kind):
    return [(item["file"], item["pointer"]) for item in found if item["kind"] == kind]


def test_nothing_is_stale_when_nothing_changes(bench, project):
    assert stale(bench, project) == []
    new = copy.deepcopy(project)
    new["$defs"]["More"] = TEXT
    assert stale(bench, new) == []


def test_all_rules_that_stop_matching_are_named_and_not_only_the_first(bench, project):
    new = copy.deepcopy(project)
    new["$defs"]["Colour"]["enum"] = ["red", "green"]
    del new["$defs"]["Thing"]["properties"]["size"]
    new["$defs"]["Shape"] = tags("disc", "ball")
    found = stale(bench, new)
    rules = "schemas/conversion/rules.toml"
    assert places(found, "rule-stale") == [
        (rules, "/words/v1/Colour/blue"),
        (rules, "/types/0/members/1/v1"),
        (rules, "/unions/0/variants/1/v1"),
    ]
    assert [item["kind"] for item in found] == ["rule-stale"] * 3
    assert "Colour of v1 has no 'blue'" in found[0]["what"]
    assert all(item["level"] == "source" for item in found)


def test_a_definition_that_is_gone_is_named_once_for_each_rule(bench, project):
    new = copy.deepcopy(project)
    del new["$defs"]["Extra"]
    found = stale(bench, new)
    assert [pointer for _, pointer in places(found, "rule-stale")] == [
        "/only/v1/definitions/Extra",
        "/patch/v1/Extra",
        "/types/1/v1",
    ]


def test_names_that_stop_matching(bench, project):
    new = copy.deepcopy(project)
    for name in ("AskRequest", "AskResponse"):
        new["$defs"][name]["x-method"] = "thing/enquire"
    # A name matches if some version has the method: v2 still has it.
    assert places(stale(bench, new), "name-stale") == []
    bench.write("schemas/v2/schema.json", new)
    found = stale(bench, new)
    assert places(found, "name-stale") == [("schemas/names.toml", "/methods/thing~1ask")]


def test_overlays_that_refuse_are_named_with_every_reason_and_left_out(bench, project):
    new = copy.deepcopy(project)
    for name in ANNOUNCED.values():
        new["$defs"][name]["properties"]["extra"]["properties"] = {"c": TEXT}
    new["$defs"]["DoRequest"]["x-method"] = new["$defs"]["DoResponse"]["x-method"] = "thing/run"
    found = stale(bench, new)
    # Both lose their capability, and one its method: all of it is told, by overlay.
    assert places(found, "overlay-refused") == [
        ("schemas/overlays/counting/v1.json", "/gates/0/capability"),
        ("schemas/overlays/hiding/v1.json", "/gates/0/capability"),
        ("schemas/overlays/hiding/v1.json", "/gates/0/method"),
    ]
    assert places(found, "configuration-stale") == [
        ("acp-codegen.toml", "/features/0"),
        ("acp-codegen.toml", "/features/1"),
    ]
    done = bench.run("breaking", "v1", "new.json", "--json")
    report = json.loads(done.stdout)
    assert report["old"]["features"] == ["counting", "hiding"]
    assert report["new"]["features"] == []
    gone = [item["old"] for item in report["findings"] if item["kind"] == "definition-removed"]
    assert gone == ["/$defs/CountingCan", "/$defs/HidingCan"]


def test_an_overlay_that_still_applies_stays(bench, project):
    new = copy.deepcopy(project)
    for name in ("AskRequest", "AskResponse"):
        new["$defs"][name]["x-method"] = "thing/enquire"
    found = stale(bench, new)
    assert places(found, "overlay-refused") == [
        ("schemas/overlays/counting/v1.json", "/gates/0/method")
    ]
    done = bench.run("breaking", "v1", "new.json", "--json")
    assert json.loads(done.stdout)["new"]["features"] == ["hiding"]
    assert places(stale(bench, new, "--stable"), "overlay-refused") == []


def test_an_overlay_that_the_new_schema_has_in_another_shape(bench, project):
    new = copy.deepcopy(project)
    new["$defs"]["HidingCan"] = {"type": "object", "properties": {"x": TEXT}}
    found = stale(bench, new)
    assert places(found, "overlay-refused") == [
        ("schemas/overlays/hiding/v1.json", "/definitions/HidingCan")
    ]
    # It is then compared with what the schema has of its own.
    done = bench.run("breaking", "v1", "new.json", "--json")
    kinds = {item["kind"] for item in json.loads(done.stdout)["findings"]}
    assert kinds == {"field-added"}


def test_an_overlay_that_refers_to_what_is_gone(bench, project):
    refers = {"NoteCan": {"type": "object", "properties": {"s": {"$ref": "#/$defs/Shape"}}}}
    more = overlay("hiding", "v1", "thing/do")
    bench.write("schemas/overlays/hiding/v1.json", {**more, "definitions": refers})
    new = copy.deepcopy(project)
    del new["$defs"]["Shape"]
    [(file, pointer)] = places(stale(bench, new), "overlay-refused")
    assert file == "schemas/overlays/hiding/v1.json"
    assert pointer == "/definitions/NoteCan/properties/s/$ref"


def test_configured_keywords_that_no_longer_occur(bench, project):
    new = copy.deepcopy(project)
    del new["$defs"]["Id"]["x-old"]
    found = stale(bench, new)
    assert places(found, "configuration-stale") == [("acp-codegen.toml", "/harmless/0")]


def test_keys_in_a_shared_configuration_file_have_its_pointers(bench, project):
    (bench.root / "acp-codegen.toml").unlink()
    bench.write("pyproject.toml", "[tool.acp-codegen]\n" + CONFIG)
    new = copy.deepcopy(project)
    del new["$defs"]["Id"]["x-old"]
    assert places(stale(bench, new), "configuration-stale") == [
        ("pyproject.toml", "/tool/acp-codegen/harmless/0")
    ]


def test_they_are_shown_and_count_as_source(bench, project):
    new = copy.deepcopy(project)
    new["$defs"]["Id"].pop("x-old")
    bench.write("new.json", new)
    done = bench.run("breaking", "v1", "new.json")
    assert done.exit_code == 0
    assert done.stdout == (
        "no longer matching\n"
        "  configuration-stale acp-codegen.toml#/harmless/0: the new schema has no 'x-old'. "
        "Remove the keyword, unless another schema has it\n\n"
        "v1 -> new.json: 0 wire, 0 source, 0 additive, 0 documentation; 1 no longer matching\n"
    )
    assert bench.run("breaking", "v1", "new.json", "--level", "source").exit_code == 100
    annotation = bench.run("breaking", "v1", "new.json", "--format", "github").stdout
    assert annotation.startswith("::warning file=acp-codegen.toml,title=configuration-stale::")


def test_two_files_have_no_keys(bench, project):
    bench.write("new.json", {"$defs": {}})
    bench.write("old.json", project)
    done = bench.run("breaking", "old.json", "new.json", "--json")
    assert json.loads(done.stdout)["stale"] == []


def test_gates_that_stop_matching(bench, project):
    capability = 'capability = { definition = "DoResponse", path = ["extra", "a"] }'
    gates = [
        f'{{ side = "agent", method = "thing/do", {capability} }}',
        f'{{ side = "agent", method = "thing/do", parameter = "thing", {capability} }}',
    ]
    bench.write("schemas/gates/v1.toml", "gates = [\n" + ",\n".join(gates) + "\n]\n")
    assert places(stale(bench, project), "overlay-refused") == []
    new = copy.deepcopy(project)
    del new["$defs"]["DoRequest"]["properties"]["thing"]
    found = places(stale(bench, new), "gate-stale")
    assert found == [("schemas/gates/v1.toml", "/gates/1/parameter")]
