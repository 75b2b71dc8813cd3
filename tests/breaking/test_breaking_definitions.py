"""Definitions and methods that came, went, or are called otherwise."""

from __future__ import annotations

import copy

import pytest

TEXT = {"type": "string"}
POINT = {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}}
MARKER = {"type": "object", "properties": {}}


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


def holder(**fields):
    return {"type": "object", "properties": {key: ref(name) for key, name in fields.items()}}


def kinds(found):
    return [(item["kind"], item["level"], item["old"], item["new"]) for item in found]


def said(finding):
    return [(item["sender"], item["reader"]) for item in finding["breaks"]]


def test_a_definition_that_is_new_or_gone(bench, make):
    old, new = make(TEXT), make(TEXT, Point=POINT)
    assert kinds(bench.findings(old, new)) == [
        ("definition-added", "additive", None, "/$defs/Point")
    ]
    assert kinds(bench.findings(new, old)) == [
        ("definition-removed", "source", "/$defs/Point", None)
    ]


@pytest.mark.parametrize("shape", [POINT, MARKER, TEXT, {"enum": ["x", "y"]}])
def test_a_definition_that_is_called_otherwise_where_it_is_used(bench, make, shape):
    old = make(holder(at="Point"), "DoRequest", Point=shape)
    new = make(holder(at="Spot"), "DoRequest", Spot=shape)
    [finding] = bench.findings(old, new)
    assert kinds([finding]) == [("definition-renamed", "source", "/$defs/Point", "/$defs/Spot")]
    assert finding["breaks"] == []


def test_renames_inside_a_rename(bench, make):
    old = make(holder(at="Line"), Line=holder(a="Point", b="Point"), Point=POINT)
    new = make(holder(at="Edge"), Edge=holder(a="Spot", b="Spot"), Spot=POINT)
    assert [item["kind"] for item in bench.findings(old, new)] == ["definition-renamed"] * 2


def test_types_that_contain_each_other_are_renamed_together(bench, make):
    def pair(one, other):
        link = {"type": "object", "properties": {"n": TEXT, "next": ref(other)}}
        back = {"type": "object", "properties": {"n": TEXT, "prev": ref(one)}}
        return make(holder(at=one), "DoRequest", **{one: link, other: back})

    found = bench.findings(pair("Link", "Back"), pair("Ring", "Turn"))
    assert [(item["kind"], item["old"], item["new"]) for item in found] == [
        ("definition-renamed", "/$defs/Link", "/$defs/Ring"),
        ("definition-renamed", "/$defs/Back", "/$defs/Turn"),
    ]


def test_a_long_chain_of_definitions(bench, make):
    """Deeper than the interpreter's stack: no crash, and the careful answer."""

    def chain(name, last):
        made = {f"{name}{i}": holder(x=f"{name}{i + 1}", y="Id") for i in range(120)}
        return {**made, f"{name}120": last}

    both = {**chain("A", TEXT), **chain("B", TEXT)}
    old = make(holder(at="A0"), "DoRequest", **both)
    new = make(holder(at="B0"), "DoRequest", **both)
    [finding] = bench.findings(old, new)
    assert finding["kind"] == "type-changed"
    renamed = bench.findings(make(TEXT, **chain("A", TEXT)), make(TEXT, **chain("B", TEXT)))
    assert {item["kind"] for item in renamed} == {"definition-renamed"}
    assert len(renamed) == 121


def test_a_rename_that_also_changes_is_a_removal_and_an_addition(bench, make):
    old = make(holder(at="Point"), "DoRequest", Point=POINT)
    other = {**POINT, "required": ["x"]}
    found = bench.findings(old, make(holder(at="Spot"), "DoRequest", Spot=other))
    assert [(item["kind"], item["level"]) for item in found] == [
        ("type-narrowed", "wire"),
        ("definition-removed", "source"),
        ("definition-added", "additive"),
    ]
    assert said(found[0]) == [("old-client", "new-agent")]


def test_a_marker_in_another_place_is_no_rename(bench, make):
    """Markers all look alike: one that goes here and one that comes there are two."""
    old = make(holder(a="FlyCapabilities"), FlyCapabilities=MARKER)
    new = make(holder(b="DiveCapabilities"), DiveCapabilities=MARKER)
    assert sorted(item["kind"] for item in bench.findings(old, new)) == [
        "definition-added", "definition-removed", "field-added", "field-removed",
    ]  # fmt: skip


def test_two_fields_that_could_both_be_the_old_one_are_no_rename(bench, make):
    old = {"type": "object", "properties": {"a": TEXT}}
    new = {"type": "object", "properties": {"b": TEXT, "c": TEXT}}
    found = bench.findings(make(old), make(new))
    assert sorted(item["kind"] for item in found) == ["field-added", "field-added", "field-removed"]


def without(schema, *names):
    made = copy.deepcopy(schema)
    for name in names:
        del made["$defs"][name]
    return made


def test_a_request_that_is_gone_breaks_those_who_call_it(bench, make):
    old = make(TEXT)
    new = without(old, "AskRequest", "AskResponse")
    found = bench.findings(old, new)
    [gone] = [item for item in found if item["kind"] == "method-removed"]
    assert (gone["level"], gone["old"], gone["new"]) == ("wire", "/$defs/AskRequest", None)
    assert said(gone) == [("old-agent", "new-client")]
    assert '"thing/ask"' in gone["what"] and "client" in gone["what"]
    [come] = [item for item in bench.findings(new, old) if item["kind"] == "method-added"]
    assert (come["level"], come["old"], come["new"]) == ("additive", None, "/$defs/AskRequest")
    assert come["breaks"] == []


def test_a_method_of_another_side_or_name_or_kind_is_another_method(bench, make):
    old = make(TEXT)
    for change in ({"x-side": "agent"}, {"x-method": "thing/other"}):
        new = copy.deepcopy(old)
        new["$defs"]["DoneNotification"].update(change)
        found = bench.findings(old, new)
        assert [item["kind"] for item in found] == ["method-removed", "method-added"]
    new = without(old, "DoneNotification")
    new["$defs"]["DoneRequest"] = old["$defs"]["DoneNotification"]
    new["$defs"]["DoneResponse"] = old["$defs"]["DoneNotification"]
    found = {item["kind"]: item for item in bench.findings(old, new)}
    assert "notification" in found["method-removed"]["what"]
    assert "request" in found["method-added"]["what"]


@pytest.mark.parametrize(
    ("part", "other", "breaks"),
    [
        ("DoRequest", "PutRequest", ("old-client", "new-agent")),
        ("DoResponse", "PutResponse", ("old-agent", "new-client")),
    ],
)
def test_other_params_or_another_result_of_a_method(bench, make, part, other, breaks):
    old = make(TEXT)
    new = without(old, part)
    new["$defs"][other] = {**old["$defs"][part], "properties": {"n": TEXT}, "required": ["n"]}
    kind = "method-params-changed" if part.endswith("Request") else "method-result-changed"
    [finding] = [item for item in bench.findings(old, new) if item["kind"] == kind]
    assert finding["level"] == "wire"
    assert said(finding) == [breaks]
    assert (finding["old"], finding["new"]) == (f"/$defs/{part}", f"/$defs/{other}")


def test_params_that_are_only_called_otherwise(bench, make):
    old = make(TEXT, "DoRequest")
    new = without(old, "DoRequest")
    new["$defs"]["PutRequest"] = old["$defs"]["DoRequest"]
    assert [(item["kind"], item["level"]) for item in bench.findings(old, new)] == [
        ("definition-renamed", "source")
    ]


def test_a_method_that_all_peers_serve_is_sent_by_all(bench, make):
    def shared(side, required):
        schema = make(TEXT)
        schema["$defs"]["StopNotification"] = {
            "type": "object", "properties": {"why": TEXT}, "x-side": side, "x-method": "stop",
            **({"required": ["why"]} if required else {}),
        }  # fmt: skip
        return schema

    for side in ("protocol", "both"):
        [finding] = bench.findings(shared(side, False), shared(side, True))
        assert said(finding) == [("old-agent", "new-client"), ("old-client", "new-agent")]


def test_a_third_peer_calls_and_is_called(bench, make):
    def third(required):
        schema = make(TEXT)
        schema["$defs"]["WrapNotification"] = {
            "type": "object", "properties": {"x": TEXT}, "x-side": "proxy", "x-method": "wrap",
            **({"required": ["x"]} if required else {}),
        }  # fmt: skip
        return schema

    [finding] = bench.findings(third(False), third(True))
    assert said(finding) == [("old-agent", "new-proxy"), ("old-client", "new-proxy")]


def test_an_envelope_goes_the_way_of_what_it_is_for_and_repeats_no_method(bench, make):
    def wrapped(*params, id_required):
        schema = make(TEXT)
        branches = [{"title": name, "allOf": [ref(name)]} for name in params]
        schema["$defs"]["AgentRequest"] = {
            "type": "object", "x-docs-ignore": True,
            "properties": {"id": TEXT, "params": {"anyOf": branches}},
            **({"required": ["id"]} if id_required else {}),
        }  # fmt: skip
        if "TellRequest" in params:
            for name in ("TellRequest", "TellResponse"):
                schema["$defs"][name] = {
                    **POINT, "x-side": "client", "x-method": "thing/tell",
                }  # fmt: skip
        return schema

    old = wrapped("AskRequest", "DoneNotification", id_required=False)
    new = wrapped("AskRequest", "DoneNotification", "TellRequest", id_required=True)
    found = bench.findings(old, new)
    assert sorted(item["kind"] for item in found) == [
        "definition-added", "definition-added", "method-added", "required-added",
    ]  # fmt: skip
    [finding] = [item for item in found if item["kind"] == "required-added"]
    assert said(finding) == [("old-agent", "new-client")]
