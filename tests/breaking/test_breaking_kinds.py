"""Each kind of change is found, at its place, with its level, and with the messages that break."""

from __future__ import annotations

import json

import pytest
from acp_codegen.breaking.model import KINDS
from breaking_cases import CASES, SAME, TEXT, Case, obj

#: What holds the value -> who sends it, and who reads it.
CARRIERS = {
    "DoRequest": ("client", "agent"),
    "DoResponse": ("agent", "client"),
    "AskRequest": ("agent", "client"),
    "AskResponse": ("client", "agent"),
    "DoneNotification": ("agent", "client"),
}


def expected_breaks(case: Case, carriers: tuple[str, ...]) -> set[tuple[str, str]]:
    ways = {CARRIERS[name] for name in carriers}
    found = {(f"old-{s}", f"new-{r}") for s, r in ways if case.narrows}
    return found | {(f"new-{s}", f"old-{r}") for s, r in ways if case.widens}


def said(finding) -> set[tuple[str, str]]:
    return {(item["sender"], item["reader"]) for item in finding["breaks"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_change_of_what_one_side_sends(bench, make, case):
    for carriers in (("DoRequest",), ("DoneNotification",)):
        found = bench.findings(make(case.old, *carriers), make(case.new, *carriers))
        [finding] = [item for item in found if item["kind"] == case.kind]
        breaks = expected_breaks(case, carriers)
        assert said(finding) == breaks
        assert finding["level"] == ("wire" if breaks else case.calm)
        base = "/$defs/Thing"
        assert finding["old"] == (None if case.at_old is None else base + case.at_old)
        assert finding["new"] == (None if case.at_new is None else base + case.at_new)
        graver = [item for item in found if item["level"] == "wire" and item is not finding]
        assert graver == []


@pytest.mark.parametrize("carriers", [(name,) for name in CARRIERS], ids=lambda names: names[0])
def test_who_sends_a_value_decides_who_breaks(bench, make, carriers):
    for case in (item for item in CASES if item.kind in ("required-added", "enum-word-added")):
        if not (case.narrows or case.widens):
            continue
        found = bench.findings(make(case.old, *carriers), make(case.new, *carriers))
        [finding] = [item for item in found if item["kind"] == case.kind]
        assert said(finding) == expected_breaks(case, carriers)


def test_a_value_that_both_sides_send_breaks_both_ways(bench, make):
    carriers = ("DoRequest", "DoResponse")
    found = bench.findings(make(obj(a=TEXT), *carriers), make(obj(("a",), a=TEXT), *carriers))
    [finding] = found
    assert said(finding) == {("old-client", "new-agent"), ("old-agent", "new-client")}


def test_a_value_that_no_method_reaches_may_go_any_way(bench, make):
    [finding] = bench.findings(make(obj(a=TEXT)), make(obj(("a",), a=TEXT)))
    assert finding["level"] == "wire"
    assert said(finding) == {("old-client", "new-agent"), ("old-agent", "new-client")}


def test_a_value_that_one_schema_sends_one_way_breaks_only_where_the_two_meet(bench, make):
    old = make(obj(a=TEXT), "DoRequest")
    new = make(obj(("a",), a=TEXT), "DoRequest", "DoResponse")
    [finding] = [f for f in bench.findings(old, new) if f["kind"] == "required-added"]
    assert said(finding) == {("old-client", "new-agent")}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME)
def test_what_means_the_same_is_not_reported(bench, make, old, new):
    done = bench.compare(make(old, "DoRequest"), make(new, "DoRequest"), "--json")
    report = json.loads(done.stdout)
    assert report["findings"] == []
    assert set(report["counts"].values()) == {0}
    assert done.exit_code == 0


def test_a_change_deep_inside_unnamed_types_is_told_where_it_is(bench, make):
    def nested(last):
        inner = obj(c={"type": "array", "items": obj(d=last)})
        return obj(a={"anyOf": [obj(b=inner), {"type": "null"}]})

    found = bench.findings(
        make(nested(TEXT), "DoRequest"), make(nested({"type": "integer"}), "DoRequest")
    )
    [finding] = found
    assert finding["kind"] == "type-changed"
    assert finding["new"].endswith("/properties/c/items/properties/d")


def test_a_change_of_what_variants_share_is_told_once(bench, make):
    def shared(required):
        both = [{"allOf": [{"$ref": "#/$defs/Base"}], **obj(("t",), t={"const": c})} for c in "xy"]
        return make({"oneOf": both}, "DoRequest", Base=obj(required, a=TEXT))

    [finding] = bench.findings(shared(()), shared(("a",)))
    assert (finding["kind"], finding["new"]) == ("required-added", "/$defs/Base/properties/a")
    assert said(finding) == {("old-client", "new-agent")}


def test_a_type_that_contains_itself(bench, make):
    def tree(leaf):
        return obj(a=leaf, children={"type": "array", "items": {"$ref": "#/$defs/Thing"}})

    number = {"type": "number"}
    found = bench.findings(make(tree(number), "DoRequest"), make(tree(TEXT), "DoRequest"))
    assert [item["kind"] for item in found] == ["type-changed"]
    assert bench.findings(make(tree(TEXT)), make(tree(TEXT))) == []


def test_every_kind_has_a_case():
    """A kind that nothing tests would be a promise without proof."""
    elsewhere = {
        "definition-removed", "definition-added", "definition-renamed", "method-removed",
        "method-added", "method-params-changed", "method-result-changed",
    }  # fmt: skip
    assert {case.kind for case in CASES} | elsewhere == set(KINDS)
