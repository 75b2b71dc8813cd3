"""One change of each kind: before, after, and what a comparison must say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TEXT = {"type": "string"}
COUNT = {"type": "integer"}
ON_ERROR = "x-deserialize-default-on-error"
ON_NULL = "x-deserialize-default-on-null"
SKIP = "x-deserialize-skip-invalid-items"


@dataclass(frozen=True)
class Case:
    """A change of the definition Thing.

    ``narrows``: an old sender is refused by a new reader. ``widens``: a new sender by an old
    reader. ``calm`` is the level where nobody sends the value. Pointers are below Thing; None where
    the part is in one schema only.
    """

    name: str
    old: Any
    new: Any
    kind: str
    narrows: bool = False
    widens: bool = False
    calm: str = "source"
    at_old: str | None = ""
    at_new: str | None = ""


def obj(required: tuple[str, ...] = (), closed: bool = False, **properties: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = list(required)
    if closed:
        made["additionalProperties"] = False
    return made


def field(before: Any, after: Any, **case: Any) -> dict[str, Any]:
    """A change of the optional field ``a``."""
    place = {"at_old": "/properties/a", "at_new": "/properties/a"}
    return {"old": obj(a=before), "new": obj(a=after), **place, **case}


def tags(*names: str, fallback: bool = False, key: str = "type") -> dict[str, Any]:
    branches: list[dict[str, Any]] = [
        obj((key,), **{key: {"const": name}, name: TEXT}) for name in names
    ]
    if fallback:
        out = [obj((key,), **{key: {"const": name}}) for name in names]
        branches.append({"title": "other", **obj((key,), **{key: TEXT}), "not": {"anyOf": out}})
    return {"anyOf": branches}


def words(*names: str, is_open: bool = False, **titles: str) -> dict[str, Any]:
    made = [
        {"const": name, **({"title": titles[name]} if name in titles else {})} for name in names
    ]
    return {"anyOf": [*made, *([TEXT] if is_open else [])]}


A, B = "/properties/a", "/properties/b"

CASES = [
    Case("optional field gone", obj(a=TEXT, b=COUNT), obj(a=TEXT), "field-removed",
         at_old=B, at_new=None),
    Case("required field gone", obj(("b",), a=TEXT, b=COUNT), obj(a=TEXT), "field-removed",
         widens=True, at_old=B, at_new=None),
    Case("field gone from a closed object", obj(closed=True, a=TEXT, b=COUNT),
         obj(closed=True, a=TEXT), "field-removed", narrows=True, at_old=B, at_new=None),
    Case("optional field new", obj(a=TEXT), obj(a=TEXT, b=COUNT), "field-added",
         calm="additive", at_old=None, at_new=B),
    Case("required field new", obj(a=TEXT), obj(("b",), a=TEXT, b=COUNT), "field-added",
         narrows=True, calm="additive", at_old=None, at_new=B),
    Case("field new in a closed object", obj(closed=True, a=TEXT),
         obj(closed=True, a=TEXT, b=COUNT), "field-added", widens=True, calm="additive",
         at_old=None, at_new=B),
    Case("field called otherwise", obj(a=TEXT, b=COUNT), obj(a=TEXT, c=COUNT), "field-renamed",
         narrows=True, widens=True, at_old=B, at_new="/properties/c"),
    Case("optional becomes required", obj(a=TEXT), obj(("a",), a=TEXT), "required-added",
         narrows=True, at_old=A, at_new=A),
    Case("required becomes optional", obj(("a",), a=TEXT), obj(a=TEXT), "required-dropped",
         widens=True, at_old=A, at_new=A),
    Case("null goes", **field({"type": ["string", "null"]}, TEXT), kind="null-dropped",
         narrows=True),
    Case("null comes", **field(TEXT, {"anyOf": [TEXT, {"type": "null"}]}), kind="null-added",
         widens=True),
    Case("null goes and reads as empty",
         **field({"type": ["array", "null"], "items": TEXT},
                 {"type": "array", "items": TEXT, "default": [], ON_NULL: True}),
         kind="null-dropped"),
    Case("null comes where it read as empty",
         **field({"type": "array", "items": TEXT, ON_NULL: True},
                 {"type": ["array", "null"], "items": TEXT, ON_NULL: True}),
         kind="null-added"),
    Case("number becomes integer", **field({"type": "number"}, COUNT), kind="type-narrowed",
         narrows=True),
    Case("integer becomes number", **field(COUNT, {"type": "number"}), kind="type-widened",
         widens=True),
    Case("text becomes integer", **field(TEXT, COUNT), kind="type-changed",
         narrows=True, widens=True),
    Case("text becomes one of some words", **field(TEXT, {"enum": ["x", "y"]}),
         kind="type-narrowed", narrows=True),
    Case("items of any kind become texts",
         **field({"type": "array"}, {"type": "array", "items": TEXT}),
         kind="type-narrowed", narrows=True),
    Case("items may be null",
         **field({"type": "array", "items": TEXT},
                 {"type": "array", "items": {"type": ["string", "null"]}}),
         kind="type-widened", widens=True),
    Case("map values change",
         **field({"type": "object", "additionalProperties": TEXT},
                 {"type": "object", "additionalProperties": COUNT}),
         kind="type-changed", narrows=True, widens=True),
    Case("text gets a name", **field(TEXT, {"$ref": "#/$defs/Id"}), kind="type-renamed"),
    Case("minimum comes", **field(COUNT, {"type": "integer", "minimum": 0}),
         kind="constraint-tightened", narrows=True),
    Case("minimum is raised",
         **field({"type": "integer", "minimum": 0}, {"type": "integer", "minimum": 1}),
         kind="constraint-tightened", narrows=True),
    Case("maximum is raised",
         **field({"type": "integer", "maximum": 7}, {"type": "integer", "maximum": 9}),
         kind="constraint-loosened", widens=True),
    Case("a list may be empty",
         **field({"type": "array", "items": TEXT, "minItems": 1}, {"type": "array", "items": TEXT}),
         kind="constraint-loosened", widens=True),
    Case("pattern differs",
         **field({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}),
         kind="constraint-changed", narrows=True, widens=True),
    Case("format differs",
         **field({"type": "integer", "format": "uint32"}, {"type": "integer", "format": "uint64"}),
         kind="format-changed"),
    Case("object closes", obj(a=TEXT), obj(closed=True, a=TEXT), "object-closed", narrows=True),
    Case("object opens", obj(closed=True, a=TEXT), obj(a=TEXT), "object-opened", widens=True),
    Case("tag gone", tags("x", "y", "z"), tags("x", "y"), "union-tag-removed", narrows=True,
         at_old="/anyOf/2", at_new=None),
    Case("tag gone and falls back", tags("x", "y", "z", fallback=True),
         tags("x", "y", fallback=True), "union-tag-removed", at_old="/anyOf/2", at_new=None),
    Case("tag new", tags("x", "y"), tags("w", "x", "y"), "union-tag-added", widens=True,
         calm="additive", at_old=None, at_new="/anyOf/0"),
    Case("tag new where others fell back", tags("x", "y", fallback=True),
         tags("x", "y", "z", fallback=True), "union-tag-added", calm="additive",
         at_old=None, at_new="/anyOf/2"),
    Case("tags under another key", tags("x", "y"), tags("x", "y", key="kind"),
         "union-tag-key-changed", narrows=True, widens=True),
    Case("union closes", tags("x", "y", fallback=True), tags("x", "y"), "union-closed",
         narrows=True, at_old="/anyOf/2"),
    Case("union opens", tags("x", "y"), tags("x", "y", fallback=True), "union-opened",
         widens=True, at_new="/anyOf/2"),
    Case("branch gone", {"anyOf": [TEXT, COUNT, {"type": "boolean"}]}, {"anyOf": [TEXT, COUNT]},
         "union-branch-removed", narrows=True, at_old="/anyOf/2", at_new=None),
    Case("branch gone and another takes its values",
         {"anyOf": [TEXT, COUNT, {"type": "number"}]}, {"anyOf": [TEXT, {"type": "number"}]},
         "union-branch-removed", at_old="/anyOf/1", at_new=None),
    Case("branch new", {"anyOf": [TEXT, COUNT]}, {"anyOf": [{"type": "boolean"}, TEXT, COUNT]},
         "union-branch-added", widens=True, calm="additive", at_old=None, at_new="/anyOf/0"),
    Case("exactly one branch must match", {"anyOf": [TEXT, COUNT]}, {"oneOf": [TEXT, COUNT]},
         "type-narrowed", narrows=True),
    Case("word gone", words("x", "y", "z"), words("x", "y"), "enum-word-removed", narrows=True,
         at_new=None),
    Case("word gone from an open enum", words("x", "y", "z", is_open=True),
         words("x", "y", is_open=True), "enum-word-removed", at_new=None),
    Case("word new", words("x", "y"), words("x", "n", "y"), "enum-word-added", widens=True,
         calm="additive", at_old=None),
    Case("word new in an open enum", words("x", "y", is_open=True),
         words("x", "y", "z", is_open=True), "enum-word-added", calm="additive", at_old=None),
    Case("enum closes", words("x", "y", is_open=True), words("x", "y"), "enum-closed",
         narrows=True),
    Case("enum opens", words("x", "y"), words("x", "y", is_open=True), "enum-opened",
         widens=True),
    Case("word in a field gone", **{**field({"enum": ["x", "y"]}, {"enum": ["x"]}), "at_new": None},
         kind="enum-word-removed", narrows=True),
    Case("a constant's name differs", words("x", "y", x="Old"), words("x", "y", x="New"),
         "enum-word-retitled"),
    Case("malformed values are refused", **field({**TEXT, ON_ERROR: True}, TEXT),
         kind="leniency-lost", narrows=True),
    Case("malformed values are overlooked", **field(TEXT, {**TEXT, ON_ERROR: True}),
         kind="leniency-gained", calm="additive"),
    Case("malformed items are refused",
         **field({"type": "array", "items": TEXT, SKIP: True}, {"type": "array", "items": TEXT}),
         kind="leniency-lost", narrows=True),
    Case("null is refused",
         **field({"type": "array", "items": TEXT, ON_NULL: True}, {"type": "array", "items": TEXT}),
         kind="leniency-lost", narrows=True),
    Case("null is no longer read as empty but as null",
         **field({"type": ["array", "null"], "items": TEXT, ON_NULL: True},
                 {"type": ["array", "null"], "items": TEXT}),
         kind="leniency-lost"),
    Case("default comes", **field(TEXT, {**TEXT, "default": "x"}), kind="default-added"),
    Case("default goes", **field({**TEXT, "default": "x"}, TEXT), kind="default-removed"),
    Case("default differs", **field({**TEXT, "default": "x"}, {**TEXT, "default": "y"}),
         kind="default-changed", narrows=True, widens=True),
    Case("true is not 1", **field({"default": 1}, {"default": True}),
         kind="default-changed", narrows=True, widens=True),
    Case("title differs", {**obj(a=TEXT), "title": "x"}, {**obj(a=TEXT), "title": "y"},
         "title-changed", calm="documentation"),
    Case("description differs",
         **field({**TEXT, "description": "x"}, {**TEXT, "description": "y"}),
         kind="description-changed", calm="documentation"),
    Case("an object becomes a text", obj(a=TEXT), TEXT, "type-changed", narrows=True, widens=True),
    Case("a text becomes an open enum", TEXT, words("x", is_open=True), "type-renamed"),
]  # fmt: skip

#: Pairs that mean the same.
SAME = {
    "a reference alone or in allOf": (
        obj(a={"$ref": "#/$defs/Id"}), obj(a={"allOf": [{"$ref": "#/$defs/Id"}]})),
    "null by type or by branch": (
        obj(a={"type": ["string", "null"]}), obj(a={"anyOf": [{"type": "null"}, TEXT]})),
    "words as enum or as constants": ({"enum": ["x", "y"]}, {"oneOf": [{"const": "y"}, {"const": "x"}]}),
    "fields in another order": (obj(("a", "b"), a=TEXT, b=COUNT), obj(("b", "a"), b=COUNT, a=TEXT)),
    "tags in another order": (tags("x", "y"), {"anyOf": tags("x", "y")["anyOf"][::-1]}),
    "branches in another order": ({"anyOf": [TEXT, COUNT]}, {"anyOf": [COUNT, TEXT]}),
    "an inline object, with a title or without": (
        obj(a={"anyOf": [{**obj(x=TEXT), "title": "Inner"}, {"type": "array", "items": TEXT}]}),
        obj(a={"anyOf": [{"type": "array", "items": TEXT}, {**obj(x=TEXT), "title": "Else"}]})),
    "a default that spells out what the fields say": (
        obj(a={**obj(x={**TEXT, "default": "t"}), "default": {}}),
        obj(a={**obj(x={**TEXT, "default": "t"}), "default": {"x": "t"}})),
    "any value, and null beside it": (obj(a=True), obj(a={"anyOf": [True, {"type": "null"}]})),
    "a length of at least 0": (obj(a=TEXT), obj(a={"type": "string", "minLength": 0})),
    "white space in a description": (
        {**obj(a=TEXT), "description": "one two"}, {**obj(a=TEXT), "description": "one\n two "}),
}  # fmt: skip
