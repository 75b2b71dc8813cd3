"""The reference itself, on schemas small enough to judge by eye."""

from __future__ import annotations

from typing import Any

import pytest
from reference import ON_ERROR, ON_NULL, SKIP_ITEMS, Reference, Refused, same

TEXT: dict[str, Any] = {"type": "string"}
NOTE = {
    "type": "object",
    "properties": {"id": TEXT, "hint": {"type": ["string", "null"], ON_ERROR: True}},
    "required": ["id"],
}
DOCUMENT: dict[str, Any] = {
    "$defs": {
        "Note": NOTE,
        "Board": {
            "type": "object",
            "properties": {
                "notes": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/Note"},
                    ON_ERROR: True,
                    SKIP_ITEMS: True,
                },
                "tags": {"type": "array", "items": TEXT, SKIP_ITEMS: True},
                "labels": {"type": "object", "additionalProperties": TEXT, ON_NULL: True},
                "size": {"type": "integer", "default": 3, ON_ERROR: True},
            },
            "required": ["notes", "size"],
        },
        "Shape": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "note"}},
                    "required": ["kind"],
                    "allOf": [{"$ref": "#/$defs/Note"}],
                },
                {
                    "type": "object",
                    "properties": {"kind": TEXT},
                    "required": ["kind"],
                    "not": {"properties": {"kind": {"const": "note"}}, "required": ["kind"]},
                },
            ]
        },
        "State": {
            "type": "object",
            "properties": {"why": {"type": ["string", "null"], ON_ERROR: True}},
            "anyOf": [
                {"properties": {"why": {"const": "done"}}, "required": ["why"]},
                {"properties": {"why": {"type": "null"}}},
            ],
        },
        "Scope": {
            "oneOf": [
                {"properties": {"a": TEXT}, "required": ["a"]},
                {"properties": {"b": TEXT, "c": {**TEXT, ON_ERROR: True}}, "required": ["b"]},
            ]
        },
    }
}
REFUSED = object()

CASES = [
    ("Note", {"id": "a", "hint": 1, "other": None}, {"id": "a", "other": None}, [("hint",)]),
    ("Note", {"id": "a", "hint": None}, {"id": "a", "hint": None}, []),
    ("Note", {"id": 1}, REFUSED, []),
    ("Board", {"notes": 5, "size": "x"}, {"notes": [], "size": 3}, [("notes",), ("size",)]),
    ("Board", {"size": 3.0}, REFUSED, []),
    (
        "Board",
        {"notes": [{"id": 1}, {"id": "a", "hint": []}], "size": 1},
        {"notes": [{"id": "a"}], "size": 1},
        [("notes", 0), ("notes", 1, "hint")],
    ),
    ("Board", {"notes": [], "size": 1, "tags": ["a", 1]}, {"notes": [], "size": 1, "tags": ["a"]}, [("tags", 1)]),
    ("Board", {"notes": [], "size": 1, "tags": None}, REFUSED, []),
    ("Board", {"notes": [], "size": 1, "labels": None}, {"notes": [], "size": 1, "labels": {}}, [("labels",)]),
    ("Board", {"notes": [], "size": 1, "labels": []}, REFUSED, []),
    ("Shape", {"kind": "note", "id": "a", "hint": 2}, {"kind": "note", "id": "a"}, [("hint",)]),
    ("Shape", {"kind": "note", "id": 1}, REFUSED, []),
    ("Shape", {"kind": "else", "id": 1, "hint": 2}, {"kind": "else", "id": 1, "hint": 2}, []),
    ("State", {"why": 5}, {}, [("why",)]),
    ("State", {"why": "unheard"}, REFUSED, []),
    ("Scope", {"a": "x", "b": "y"}, REFUSED, []),
    ("Scope", {"a": "x", "b": "y", "c": 1}, {"a": "x", "b": "y", "c": 1}, []),
    ("Scope", {"b": "y", "c": 1}, {"b": "y"}, [("c",)]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "expected", "dropped"), CASES)
def test_lenient_reading(name: str, value: Any, expected: Any, dropped: list[Any]) -> None:
    reference = Reference(DOCUMENT)
    schema = DOCUMENT["$defs"][name]
    log: list[Any] = []
    if expected is REFUSED:
        with pytest.raises(Refused):
            reference.read(schema, value, log)
        return
    assert same(reference.read(schema, value, log), expected)
    assert log == dropped
    assert reference.fits(schema, value) == (not dropped)


def test_equality_is_that_of_json() -> None:
    assert same([1, {"a": 2.0}], [1.0, {"a": 2}])
    assert not same(True, 1)
    assert not same(None, False)
    assert not same({"a": None}, {})


def test_flags_it_cannot_read_are_an_error() -> None:
    with pytest.raises(ValueError, match="items"):
        Reference({"$defs": {"A": {"type": "array", "items": {ON_ERROR: True}}}})
