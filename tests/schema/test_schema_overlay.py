"""Feature overlays on a mini schema: what they add, and everything that they refuse."""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import CodegenError, InputError, UsageError
from acp_codegen.schema.load import Document, check_schema
from acp_codegen.schema.overlay import (
    CapabilityPath,
    Gate,
    Overlay,
    ResolvedSchema,
    apply_overlays,
    load_overlay,
)


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def member(name: str) -> dict[str, Any]:
    return {"title": name, "allOf": [ref(name)]}


BASE: dict[str, Any] = {
    "$defs": {
        "Hello": {
            "type": "object",
            "properties": {
                "can": {"allOf": [ref("Can")]},
                "maybe": {"anyOf": [ref("Can"), {"type": "null"}]},
                "a/b~\"'": {"type": "string"},
            },
            "required": ["can"],
        },
        "Can": {"type": "object", "properties": {"list": {"type": "object"}}},
        "ListRequest": {
            "type": "object",
            "properties": {"cwd": {"type": "string"}, "_meta": {"type": "object"}},
            "x-side": "server",
            "x-method": "thing/list",
        },
        "Call": {
            "type": "object",
            "properties": {
                "params": {
                    "anyOf": [
                        {"anyOf": [member("ListRequest"), {"title": "Other"}]},
                        {"type": "null"},
                    ]
                },
            },
        },
        "Answer": {
            "oneOf": [
                {"title": "Good", "properties": {"result": {"anyOf": [member("Can")]}}},
                {"title": "Bad", "type": "object"},
            ]
        },
        "word/~": {"type": "string"},
    }
}


def base() -> Document:
    return Document(data=copy.deepcopy(BASE), file="base.json", sha256="d1")


def overlay(tmp_path: Path, feature: str = "extra", /, **parts: Any) -> Overlay:
    content = {"feature": feature, "version": "v1", "description": "A test.", **parts}
    path = tmp_path / f"{feature}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return load_overlay(path, f"{feature}.json")


def apply(*overlays: Overlay) -> ResolvedSchema:
    return apply_overlays(base(), "v1", overlays)


def refusal(*overlays: Overlay, kind: type[CodegenError] = InputError) -> CodegenError:
    with pytest.raises(kind) as caught:
        apply(*overlays)
    assert caught.value.where is not None and caught.value.remedy
    return caught.value


def place(error: CodegenError) -> str:
    return str(error.where)


NEW_METHOD: dict[str, Any] = {
    "definitions": {
        "HideRequest": {"type": "object", "x-side": "server", "x-method": "thing/hide"},
        "CanHide": {"type": "object"},
    },
    "properties": {
        "Can": {"hide": {"schema": {"anyOf": [ref("CanHide"), {"type": "null"}]}}},
        "ListRequest": {"hidden": {"schema": {"type": "boolean"}, "before": "_meta"}},
        "Hello": {"must": {"schema": {"type": "string"}, "required": True}},
    },
    "members": [
        {
            "definition": "Call",
            "path": ["params"],
            "schema": member("HideRequest"),
            "before": "Other",
        },
        {"definition": "Answer", "path": ["Good", "result"], "schema": member("CanHide")},
        {"definition": "Answer", "path": [], "schema": {"title": "Ugly", "type": "object"}},
    ],
    "gates": [
        {
            "side": "server",
            "method": "thing/hide",
            "capability": {"definition": "Hello", "path": ["can", "hide"]},
        },
        {
            "side": "server",
            "method": "thing/list",
            "parameter": "hidden",
            "capability": {"definition": "Hello", "path": ["maybe", "hide"]},
            "requires": [{"definition": "Hello", "path": ["can", "list"]}],
        },
    ],
}


def test_without_overlays_the_schema_is_the_base() -> None:
    resolved = apply()
    assert resolved.data == BASE
    assert (resolved.features, resolved.origins, resolved.gates) == ((), {}, ())
    assert (resolved.version, resolved.file, resolved.sha256) == ("v1", "base.json", "d1")


def test_everything_is_added_in_its_place(tmp_path: Path) -> None:
    document = base()
    resolved = apply_overlays(document, "v1", [overlay(tmp_path, **NEW_METHOD)])
    assert document.data == BASE, "the base must stay as it is"
    definitions = resolved.data["$defs"]
    assert list(definitions)[-2:] == ["HideRequest", "CanHide"]
    assert list(definitions["ListRequest"]["properties"]) == ["cwd", "hidden", "_meta"]
    assert list(definitions["Can"]["properties"]) == ["list", "hide"]
    assert definitions["Hello"]["required"] == ["can", "must"]
    inner = definitions["Call"]["properties"]["params"]["anyOf"][0]["anyOf"]
    assert [item["title"] for item in inner] == ["ListRequest", "HideRequest", "Other"]
    result = definitions["Answer"]["oneOf"][0]["properties"]["result"]["anyOf"]
    assert [item["title"] for item in result] == ["Can", "CanHide"]
    assert [item["title"] for item in definitions["Answer"]["oneOf"]] == ["Good", "Bad", "Ugly"]
    assert resolved.features == ("extra",)
    assert resolved.origins == dict.fromkeys(
        [
            "/$defs/HideRequest",
            "/$defs/CanHide",
            "/$defs/Can/properties/hide",
            "/$defs/ListRequest/properties/hidden",
            "/$defs/Hello/properties/must",
            "/$defs/Call/properties/params/anyOf/0/anyOf/1",
            "/$defs/Answer/oneOf/0/properties/result/anyOf/1",
            "/$defs/Answer/oneOf/2",
        ],
        "extra",
    )
    hide = CapabilityPath("Hello", ("can", "hide"))
    needed = CapabilityPath("Hello", ("can", "list"))
    behind_null = CapabilityPath("Hello", ("maybe", "hide"))
    assert resolved.gates == (
        Gate("server", "thing/hide", None, None, hide, (), "extra", "extra.json", "/gates/0"),
        Gate(
            "server",
            "thing/list",
            "hidden",
            None,
            behind_null,
            (needed,),
            "extra",
            "extra.json",
            "/gates/1",
        ),
    )
    check_schema(Document(resolved.data, "resolved", ""))


def test_what_is_there_in_the_same_shape_adds_nothing(tmp_path: Path) -> None:
    first = overlay(tmp_path, **NEW_METHOD)
    extended = Document(apply(first).data, "extended.json", "")
    again = apply_overlays(extended, "v1", [first])
    assert again.data == extended.data
    assert again.origins == {}
    assert len(again.gates) == 2


def test_wording_does_not_make_another_shape(tmp_path: Path) -> None:
    same = overlay(
        tmp_path,
        definitions={
            "Can": {
                "description": "Other words.",
                "title": "Can",
                "type": "object",
                "properties": {"list": {"description": "Words.", "type": "object"}},
            }
        },
        properties={"Hello": {"can": {"schema": ref("Can"), "required": True}}},
        members=[
            {
                "definition": "Answer",
                "path": ["Good", "result"],
                "schema": {"title": "Can", "description": "Words.", **ref("Can")},
            }
        ],
    )
    assert apply(same).data == BASE


@pytest.mark.parametrize(
    ("parts", "pointer", "there"),
    [
        (
            {"definitions": {"Can": {"type": "string"}}},
            "/definitions/Can",
            "/$defs/Can",
        ),
        (
            {"definitions": {"word/~": {"type": "integer"}}},
            "/definitions/word~1~0",
            "/$defs/word~1~0",
        ),
        (
            {"properties": {"Hello": {"a/b~\"'": {"schema": {"type": "integer"}}}}},
            "/properties/Hello/a~1b~0\"'",
            "/$defs/Hello/properties/a~1b~0\"'",
        ),
        (
            {"properties": {"Hello": {"can": {"schema": ref("Can")}}}},  # not required: differs
            "/properties/Hello/can",
            "/$defs/Hello/properties/can",
        ),
        (
            {
                "members": [
                    {"definition": "Call", "path": ["params"], "schema": {"title": "ListRequest"}}
                ]
            },
            "/members/0",
            "/$defs/Call/properties/params/anyOf/0/anyOf/0",
        ),
    ],
)
def test_what_is_there_in_another_shape_is_refused_with_both_places(
    tmp_path: Path, parts: dict[str, Any], pointer: str, there: str
) -> None:
    error = refusal(overlay(tmp_path, **parts))
    assert place(error) == f"extra.json#{pointer}"
    assert f"base.json#{there}" in error.what


def test_titles_tell_members_apart_but_not_references_to_one_definition(tmp_path: Path) -> None:
    item = {"definition": "Answer", "path": ["Good", "result"]}
    renamed = overlay(tmp_path, members=[{**item, "schema": {"title": "Other", **ref("Can")}}])
    assert apply(renamed).data == BASE
    item = {"definition": "Answer", "path": []}
    twin = overlay(tmp_path, members=[{**item, "schema": {"title": "Twin", "type": "object"}}])
    assert apply(twin).origins == {"/$defs/Answer/oneOf/2": "extra"}


def test_true_and_one_are_different_shapes(tmp_path: Path) -> None:
    one = overlay(tmp_path, definitions={"N": {"const": 1}})
    with_one = Document(apply(one).data, "base.json", "")
    true = overlay(tmp_path, definitions={"N": {"const": True}})
    with pytest.raises(InputError, match="another revision"):
        apply_overlays(with_one, "v1", [true])


def test_another_revision_of_a_feature_is_told_with_every_place(tmp_path: Path) -> None:
    parts = copy.deepcopy(NEW_METHOD)
    extended = Document(apply(overlay(tmp_path, **parts)).data, "extended.json", "")
    parts["properties"]["ListRequest"]["hidden"]["schema"] = {"type": "string"}
    parts["properties"]["Hello"]["must"]["required"] = False
    with pytest.raises(InputError) as caught:
        apply_overlays(extended, "v1", [overlay(tmp_path, **parts)])
    assert "already has another revision of the feature extra" in caught.value.what
    assert "extended.json#/$defs/ListRequest/properties/hidden" in caught.value.what
    assert "extended.json#/$defs/Hello/properties/must" in caught.value.what


def addition(**changes: Any) -> dict[str, Any]:
    item = {"definition": "Call", "path": ["params"], "schema": {"title": "New"}, **changes}
    return {"members": [item]}


def gate(**changes: Any) -> dict[str, Any]:
    capability = {"definition": "Hello", "path": ["can", "list"]}
    item = {"side": "server", "method": "thing/list", "capability": capability, **changes}
    return {"gates": [item]}


@pytest.mark.parametrize(
    ("parts", "pointer", "what"),
    [
        ({"properties": {"No/pe": {"x": {"schema": {}}}}}, "/properties/No~1pe/x", "'No/pe'"),
        ({"properties": {"word/~": {"x": {"schema": {}}}}}, "/properties/word~1~0/x", "no object"),
        (
            {"properties": {"Can": {"x": {"schema": {}, "before": "y"}}}},
            "/properties/Can/x",
            "no property 'y'",
        ),
        (addition(definition="Nope"), "/members/0", "no definition 'Nope'"),
        (addition(path=["nope"]), "/members/0", "no property and no branch 'nope'"),
        (addition(path=[]), "/members/0", "no union"),
        (addition(path=["params", "ListRequest"]), "/members/0", "no union"),
        (addition(before="Nope"), "/members/0", "titled 'Nope'"),
        (gate(method="nope"), "/gates/0/method", "no method 'nope'"),
        (gate(side="client"), "/gates/0/method", "on side 'client'"),
        (gate(parameter="nope"), "/gates/0/parameter", "no parameter 'nope'"),
        (
            gate(capability={"definition": "Hello", "path": ["can", "nope"]}),
            "/gates/0/capability",
            "no property 'nope', at base.json#/$defs/Hello/properties/can",
        ),
        (
            gate(requires=[{"definition": "Nope", "path": ["x"]}]),
            "/gates/0/requires/0",
            "no definition 'Nope'",
        ),
        (
            {"definitions": {"A": {"properties": {"x": ref("Nope")}}}},
            "/definitions/A/properties/x/$ref",
            "to nowhere",
        ),
        (
            {"definitions": {"A": {"items": {"$ref": "http://127.0.0.1:9/x"}}}},
            "/definitions/A/items/$ref",
            "unsupported reference",
        ),
    ],
)
def test_what_is_not_there_is_refused(
    tmp_path: Path, parts: dict[str, Any], pointer: str, what: str
) -> None:
    error = refusal(overlay(tmp_path, **parts))
    assert place(error) == f"extra.json#{pointer}"
    assert what in error.what


def test_a_step_that_names_two_places_is_refused(tmp_path: Path) -> None:
    document = base()
    document.data["$defs"]["Answer"]["properties"] = {"Good": {"anyOf": [{}]}}
    item = addition(definition="Answer", path=["Good"])
    with pytest.raises(InputError, match="more than one"):
        apply_overlays(document, "v1", [overlay(tmp_path, **item)])


def test_a_ring_of_new_definitions_is_refused(tmp_path: Path) -> None:
    error = refusal(overlay(tmp_path, definitions={"A": ref("B"), "B": ref("A")}))
    assert "A -> B -> A" in error.what


def test_order_of_overlays_makes_no_difference(tmp_path: Path) -> None:
    overlays = [
        overlay(
            tmp_path,
            name,
            definitions={name.upper(): {"type": "object"}, "Shared": {"type": "string"}},
            properties={"ListRequest": {name: {"schema": ref("Shared"), "before": "_meta"}}},
            members=addition(schema=member(name.upper()), before="Other")["members"],
        )
        for name in ("cee", "bee", "dee")
    ]
    results = [apply(*order) for order in itertools.permutations(overlays)]
    assert len({json.dumps(result.data) for result in results}) == 1
    assert all(result == results[0] for result in results)
    first = results[0]
    assert first.features == ("bee", "cee", "dee")
    assert first.origins["/$defs/Shared"] == "bee"
    assert first.origins["/$defs/Call/properties/params/anyOf/0/anyOf/2"] == "cee"
    assert list(first.data["$defs"]["ListRequest"]["properties"]) == [
        "cwd",
        "bee",
        "cee",
        "dee",
        "_meta",
    ]


def test_a_required_feature_is_applied_first(tmp_path: Path) -> None:
    later = overlay(
        tmp_path,
        "aaa",
        requires=["zzz"],
        properties={"New": {"more": {"schema": {"type": "string"}}}},
        members=addition(definition="NewUnion", path=[])["members"],
    )
    first = overlay(
        tmp_path,
        "zzz",
        definitions={"New": {"type": "object"}, "NewUnion": {"anyOf": [{"title": "One"}]}},
    )
    assert apply(later, first) == apply(first, later)
    resolved = apply(later, first)
    assert resolved.origins["/$defs/New/properties/more"] == "aaa"
    assert first.definitions["NewUnion"] == {"anyOf": [{"title": "One"}]}, "must stay as it is"


def test_features_that_exclude_or_need_one_another(tmp_path: Path) -> None:
    one = overlay(tmp_path, "one", conflicts=["two"])
    two = overlay(tmp_path, "two")
    needy = overlay(tmp_path, "needy", requires=["two"])
    assert "cannot be on together" in refusal(two, one, kind=UsageError).what
    assert "requires two" in refusal(needy, kind=UsageError).what
    assert apply(needy, two).features == ("needy", "two")
    assert apply(one).features == ("one",)
    ring = [overlay(tmp_path, "x", requires=["y"]), overlay(tmp_path, "y", requires=["x"])]
    assert "require one another" in refusal(*ring).what


def test_features_that_add_the_same_in_different_shapes_name_each_other(tmp_path: Path) -> None:
    item = {"definition": "Answer", "path": []}
    one = overlay(tmp_path, "one", members=[{**item, "schema": {"title": "N", "type": "object"}}])
    two = overlay(tmp_path, "two", members=[{**item, "schema": {"title": "N", "type": "string"}}])
    error = refusal(two, one)
    assert "the feature one adds this in another shape than two" in error.what


def test_two_files_for_one_feature_and_the_wrong_version_are_refused(tmp_path: Path) -> None:
    one = overlay(tmp_path, definitions={"X": {}})
    other = overlay(tmp_path, definitions={"Y": {}})
    assert "two overlays for the feature" in refusal(one, other, kind=UsageError).what
    assert apply(one, one).features == ("extra",)
    assert "is for v9, not for v1" in refusal(overlay(tmp_path, version="v9")).what


@pytest.mark.parametrize(
    ("parts", "pointer"),
    [
        ({"surprise": 1}, ""),
        ({"feature": "no spaces"}, "/feature"),
        ({"description": ""}, "/description"),
        ({"conflicts": ["a", "a"]}, "/conflicts"),
        ({"definitions": {"A": {"type": "objekt"}}}, "/definitions/A/type"),
        ({"definitions": {"A": True}}, "/definitions/A"),
        ({"definitions": {"A/~": {"items": {"if": {}}}}}, "/definitions/A~1~0/items/if"),
        ({"definitions": {"A": {"x-new": 1}}}, "/definitions/A/x-new"),
        ({"properties": {"A": {"b": {"type": "string"}}}}, "/properties/A/b"),
        ({"properties": {"A": {"b": {"schema": {}, "first": 1}}}}, "/properties/A/b"),
        ({"members": [{"definition": "A", "path": [], "schema": {}}]}, "/members/0/schema"),
        ({"members": [{"definition": "A", "path": [0], "schema": {}}]}, "/members/0/path/0"),
        (gate(capability={"definition": "A", "path": []}), "/gates/0/capability/path"),
        (gate(extra=1), "/gates/0"),
    ],
)
def test_a_file_that_is_no_overlay_is_refused_with_its_place(
    tmp_path: Path, parts: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(InputError) as caught:
        overlay(tmp_path, **parts)
    assert caught.value.where is not None
    assert caught.value.where.pointer == pointer
    assert caught.value.remedy


def test_harmless_extensions_may_stand_in_overlays(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    content = {"feature": "f", "version": "v1", "description": "d"}
    path.write_text(json.dumps({**content, "definitions": {"A": {"x-new": 1}}}))
    assert load_overlay(path, "o.json", harmless=["x-new"]).feature == "f"
