"""Unions with a branch without a tag: what only looks like a variant, and one that becomes several."""

from __future__ import annotations

from typing import Any

import pytest

import mini

ITEMS = {"type": "array", "items": {"type": "string"}}
TEXT = {"type": "string"}
RULES = """
[[unions]]
name = "Thing"
why = "the older version has no such thing"
untagged = { v1 = "note", v2 = "note" }
variants = [
    { v2 = "many", fan_out = { over = "items", into = "one", key = "item", seen = "seen", id = "id" }, why = "nothing to tell" },
    { v1 = "one", refuse = "the newer version has lists only" },
]
"""


def _variant(tag: str | None, **properties: Any) -> dict[str, Any]:
    known = dict(properties)
    if tag is not None:
        known["kind"] = {"type": "string", "const": tag}
    return {"title": tag or "note", "type": "object", "properties": known, "required": [*known]}


@pytest.fixture(scope="module", name="convert")
def _convert(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("unions")
    flag = {"type": "boolean"}
    branches = [_variant("many", items=ITEMS, id=TEXT), _variant("flag", on=flag)]
    new = {"anyOf": [*branches, _variant(None, text=TEXT)]}
    found = [_variant("one", item=TEXT, id=TEXT), _variant("flag", on=flag)]
    old = {
        "oneOf": [*found, _variant("note", text=TEXT)],
        "discriminator": {"propertyName": "kind"},
    }
    schemas = mini.write_schemas(folder, {"v1": {"Thing": old}, "v2": {"Thing": new}}, rules=RULES)
    return mini.load_package(mini.render(schemas), folder).convert


def test_a_variant_becomes_several(convert: Any) -> None:
    value = {"kind": "many", "items": ["a", "b"], "id": "i"}
    assert convert.convert_json("v2_to_v1", "Thing", value) == [
        {"kind": "one", "item": "a", "id": "i"},
        {"kind": "one", "item": "b", "id": "i"},
    ]


def test_the_branch_without_a_tag_gets_one(convert: Any) -> None:
    [made] = convert.convert_json("v2_to_v1", "Thing", {"text": "t"})
    assert made == {"kind": "note", "text": "t"}
    [made] = convert.convert_json("v2_to_v1", "Thing", {"kind": "flag", "on": True})
    assert made == {"kind": "flag", "on": True}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"kind": "flag", "on": 1, "text": "t"}, "/on"),
        ({"kind": "flag", "text": "t"}, "/text"),
    ],
)
def test_what_only_looks_like_a_variant_is_refused(convert: Any, value: Any, path: str) -> None:
    with pytest.raises(convert.ConversionError) as caught:
        convert.convert_json("v2_to_v1", "Thing", value)
    assert caught.value.path == path
    with pytest.raises(convert.ConversionError) as caught:
        convert.convert_json("v2_to_v1", "Thing", value, lossy=True)
    assert caught.value.path == "/on"
