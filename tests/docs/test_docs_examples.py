"""Example messages: the bindings take them strictly, and so does the schema."""

from __future__ import annotations

import importlib
import textwrap

import jsonschema
import pytest
from acp_codegen.errors import InputError
from docs_pages import Page, methods, page, render, render_page, schema, versions
from mini import write_schemas


def _check(version: str, bindings, name: str, value) -> None:
    decoded = bindings.decode(name, value, strict=True)
    assert bindings.encode(decoded) == value
    data = {"$ref": f"#/$defs/{name}", "$defs": schema(version)["$defs"]}
    validator = jsonschema.Draft202012Validator
    validator(data, format_checker=validator.FORMAT_CHECKER).validate(value)


def test_every_example_is_accepted_by_the_bindings_and_the_schema(record_property):
    counted = 0
    for version in versions():
        bindings = importlib.import_module(f"acp_bindings.{version}")
        sections = {}
        for section in page(f"{version}/methods.md").sections:
            if section.level == 3:
                sections.setdefault(section.title, []).append(section)
        for _, wire, params, result in methods(version):
            [section] = sections[wire]
            assert len(section.json) == (2 if result else 1), wire
            call, *answers = section.json
            assert call["jsonrpc"] == "2.0"
            assert call["method"] == wire
            assert ("id" in call) == bool(result)
            # The messages as a whole fit what the schema says of them.
            for sender in ("Agent", "Client"):
                kind = "Request" if result else "Notification"
                _check(version, bindings, f"{sender}{kind}", _unframed(call))
                for answer in answers:
                    _check(version, bindings, f"{sender}Response", _unframed(answer))
            _check(version, bindings, params, call["params"])
            for answer in answers:
                assert answer["id"] == call["id"]
                _check(version, bindings, result, answer["result"])
            counted += len(section.json)
    assert counted > 80
    record_property("figure", f"reference docs: {counted} example messages accepted")


def _unframed(message):
    return {key: value for key, value in message.items() if key != "jsonrpc"}


def test_an_example_needs_no_capability_where_it_can_do_without():
    [call, _] = page("v1/methods.md").section("session/new").json
    [server] = call["params"]["mcpServers"]
    assert "type" not in server


# ---- the maker, on types that are hard to please -------------------------------------------------

HARD = {
    "Tree": {
        "type": "object",
        "required": ["leaf", "more"],
        "properties": {
            "leaf": {"type": "number", "minimum": 2.5},
            "more": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    },
    "Word": {"type": "string", "enum": ["second-best", "first"]},
    "Chosen": {
        "oneOf": [
            {
                "type": "object",
                "properties": {"kind": {"type": "string", "const": "b"}},
                "required": ["kind"],
                "allOf": [{"$ref": "#/$defs/Tree"}],
            },
            {
                "type": "object",
                "properties": {"kind": {"type": "string", "const": "a"}},
                "required": ["kind"],
            },
        ],
        "discriminator": {"propertyName": "kind"},
    },
    "GoRequest": {
        "type": "object",
        "x-side": "agent",
        "x-method": "go",
        "required": ["tree", "word", "chosen", "few", "link", "code", "long", "half", "no"],
        "properties": {
            "tree": {"$ref": "#/$defs/Tree"},
            "word": {"$ref": "#/$defs/Word"},
            "chosen": {"$ref": "#/$defs/Chosen"},
            "few": {"type": "array", "items": {"type": "integer", "minimum": 7}, "minItems": 2},
            "link": {"type": "string", "format": "uri"},
            "code": {"type": "string", "pattern": "^[A-Z]$"},
            "long": {"type": "string", "minLength": 12},
            "half": {"type": "number", "minimum": 0.25, "maximum": 0.75},
            "no": {"type": ["string", "null"], "pattern": "^(x{40}|y{41})$"},
            "left": {"type": "boolean"},
        },
    },
    "GoResponse": {"type": "object", "properties": {}, "x-side": "agent", "x-method": "go"},
}


def _methods_page(folder, defs, **more) -> Page:
    schemas = write_schemas(folder / "schemas", {"v1": defs}, **more)
    return Page(render_page(render(schemas)["v1/methods.md"]))


def test_bounds_formats_patterns_and_rings_are_respected(tmp_path):
    [call, answer] = _methods_page(tmp_path, HARD).section("go").json
    assert call["params"] == {
        "tree": {"leaf": 2.5, "more": []},
        "word": "second-best",
        "chosen": {"kind": "b", "leaf": 2.5, "more": []},
        "few": [7, 7],
        "link": "https://example.com/",
        "code": "A",
        "long": "longgggggggg",
        "half": 0.25,
        "no": None,
    }
    assert answer == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_where_no_example_can_be_made_the_page_says_so(tmp_path):
    defs = {**HARD, "GoRequest": {**HARD["GoRequest"], "required": ["code"]}}
    defs["GoRequest"]["properties"] = {"code": {"type": "string", "pattern": "^(x{40}|y{41})$"}}
    section = _methods_page(tmp_path, defs).section("go")
    assert section.json == []
    assert "There is no example: none could be made from the schema alone." in section.text


def test_given_values_stand_in_for_made_ones_and_show_optional_fields(tmp_path):
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "examples.toml").write_text(
        textwrap.dedent("""
            [definitions]
            Word = "first"

            [properties]
            long = "long enough here"

            [v1.properties_of.GoRequest]
            left = false
        """)
    )
    [call, _] = _methods_page(tmp_path, HARD).section("go").json
    assert call["params"]["word"] == "first"
    assert call["params"]["long"] == "long enough here"
    assert call["params"]["left"] is False


@pytest.mark.parametrize(
    ("text", "pointer", "said"),
    [
        ('[definitions]\nWrd = "first"', "/definitions/Wrd", "Did you mean 'Word'?"),
        ('[definitions]\nWord = "third"', "/definitions/Word", "does not fit /$defs/Word"),
        ('[properties]\nlng = "x"', "/properties/lng", "Did you mean 'long'?"),
        ('[properties]\nlong = "x"', "/properties/long", "does not fit"),
        ("[properties_of.Go]\nlong = 1", "/properties_of/Go/long", "no schema has 'long' here"),
        ("[v3.properties]\nlong = 1", "/v3", "no schema has 'v3' here"),
        ("[v1.properties]\nlong = 2026-01-01", "/v1/properties/long", "is not JSON"),
        ("definitions = 1", "/definitions", "is not of type 'object'"),
    ],
)
def test_a_given_value_for_nothing_or_that_does_not_fit_is_an_error(tmp_path, text, pointer, said):
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "examples.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        _methods_page(tmp_path, HARD)
    assert caught.value.where.file == "schemas/examples.toml"
    assert caught.value.where.pointer == pointer
    assert said in str(caught.value)
