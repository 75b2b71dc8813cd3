"""Single changes of a schema, each of a known kind, at a place that a draw chooses."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]
ON_ERROR = "x-deserialize-default-on-error"


@dataclass(frozen=True)
class Mutation:
    """What was done: the new schema, and what a comparison must find (kind, old, new pointer)."""

    schema: Schema
    kind: str
    old: str | None
    new: str | None
    wire: bool | None = None  # None: depends on the place


def _objects(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the definitions that are plain objects with fields."""
    for name, definition in schema["$defs"].items():
        if "properties" in definition and not {"anyOf", "oneOf", "allOf"} & definition.keys():
            yield name, definition


def fields(schema: Schema) -> list[tuple[str, str]]:
    return [(name, key) for name, d in _objects(schema) for key in d["properties"]]


def fields_of_type(schema: Schema, *types: str) -> list[tuple[str, str]]:
    return [
        (name, key)
        for name, key in fields(schema)
        if schema["$defs"][name]["properties"][key].get("type") in types
    ]


def definitions(schema: Schema) -> list[str]:
    return list(schema["$defs"])


def closed_enums(schema: Schema) -> list[str]:
    return [
        name
        for name, d in schema["$defs"].items()
        if len(d.get("oneOf", ())) > 2 and all("const" in branch for branch in d["oneOf"])
    ]


def tag_branches(schema: Schema) -> list[tuple[str, str, int]]:
    found = []
    for name, definition in schema["$defs"].items():
        for keyword in ("anyOf", "oneOf"):
            tagged = [
                (name, keyword, index)
                for index, branch in enumerate(definition.get(keyword, ()))
                if any("const" in child for child in branch.get("properties", {}).values())
            ]
            found += tagged if len(tagged) > 1 else []  # without any tag it is no such union
    return found


def methods(schema: Schema) -> list[tuple[str, str]]:
    return sorted(
        {(d["x-side"], d["x-method"]) for d in schema["$defs"].values() if "x-method" in d}
    )


def _place(name: str, key: str) -> str:
    return f"/$defs/{name}/properties/{key}".replace("~", "~0")


def remove_field(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    definition = made["$defs"][name]
    del definition["properties"][key]
    needed = key in definition.get("required", ())
    definition["required"] = [item for item in definition.get("required", ()) if item != key]
    return Mutation(made, "field-removed", _place(name, key), None, wire=needed)


def rename_field(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    definition, other = made["$defs"][name], f"{key}Renamed"
    definition["properties"] = {
        other if item == key else item: child for item, child in definition["properties"].items()
    }
    if key in definition.get("required", ()):
        definition["required"] = [other if i == key else i for i in definition["required"]]
    return Mutation(made, "field-renamed", _place(name, key), _place(name, other), wire=True)


def toggle_required(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    required = list(made["$defs"][name].get("required", ()))
    was = key in required
    made["$defs"][name]["required"] = (
        [item for item in required if item != key] if was else [*required, key]
    )
    kind = "required-dropped" if was else "required-added"
    return Mutation(made, kind, _place(name, key), _place(name, key), wire=True)


def allow_null(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    child = made["$defs"][name]["properties"][key]
    child["type"] = [child["type"], "null"]
    lenient = child.get(ON_ERROR) or child.get("x-deserialize-default-on-null")
    return Mutation(made, "null-added", _place(name, key), _place(name, key), wire=not lenient)


def change_type(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    other = "string" if made["$defs"][name]["properties"][key]["type"] != "string" else "boolean"
    made["$defs"][name]["properties"][key] = {"type": other}
    return Mutation(made, "type-changed", _place(name, key), _place(name, key), wire=True)


def toggle_leniency(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    child = made["$defs"][name]["properties"][key]
    was = bool(child.get(ON_ERROR))
    child[ON_ERROR] = not was
    kind = "leniency-lost" if was else "leniency-gained"
    return Mutation(made, kind, _place(name, key), _place(name, key), wire=was)


def bound(schema: Schema, site: tuple[str, str]) -> Mutation:
    name, key = site
    made = copy.deepcopy(schema)
    child = made["$defs"][name]["properties"][key]
    child["pattern"] = "^[a-z]+$"
    return Mutation(made, "constraint-tightened", _place(name, key), _place(name, key), wire=True)


def add_definition(schema: Schema, site: str) -> Mutation:
    made = copy.deepcopy(schema)
    made["$defs"][f"{site}Twin"] = {"type": "object", "properties": {"only": {"type": "string"}}}
    return Mutation(made, "definition-added", None, f"/$defs/{site}Twin", wire=False)


def rename_definition(schema: Schema, site: str) -> Mutation:
    other = f"Renamed{site}"
    text = json.dumps(schema).replace(f'"#/$defs/{site}"', f'"#/$defs/{other}"')
    made = json.loads(text)
    made["$defs"] = {other if n == site else n: d for n, d in made["$defs"].items()}
    return Mutation(made, "definition-renamed", f"/$defs/{site}", f"/$defs/{other}", wire=False)


def remove_word(schema: Schema, site: str) -> Mutation:
    made = copy.deepcopy(schema)
    made["$defs"][site]["oneOf"].pop()
    return Mutation(made, "enum-word-removed", f"/$defs/{site}", None, wire=True)


def open_enum(schema: Schema, site: str) -> Mutation:
    made = copy.deepcopy(schema)
    branches = made["$defs"][site].pop("oneOf")
    kind = "integer" if isinstance(branches[0]["const"], int) else "string"
    made["$defs"][site]["anyOf"] = [*branches, {"type": kind}]
    return Mutation(made, "enum-opened", f"/$defs/{site}", f"/$defs/{site}", wire=True)


def remove_tag(schema: Schema, site: tuple[str, str, int]) -> Mutation:
    name, keyword, index = site
    made = copy.deepcopy(schema)
    del made["$defs"][name][keyword][index]
    return Mutation(made, "union-tag-removed", f"/$defs/{name}/{keyword}/{index}", None)


def rename_method(schema: Schema, site: tuple[str, str]) -> Mutation:
    made = copy.deepcopy(schema)
    place = None
    for name, definition in made["$defs"].items():
        if (definition.get("x-side"), definition.get("x-method")) == site:
            definition["x-method"] += "_renamed"
            if not name.endswith("Response"):
                place = place or f"/$defs/{name}"
    return Mutation(made, "method-removed", place, None, wire=True)


Sites = Callable[[Schema], list[Any]]
Apply = Callable[[Schema, Any], Mutation]

MUTATIONS: dict[str, tuple[Sites, Apply]] = {
    "remove field": (fields, remove_field),
    "rename field": (fields, rename_field),
    "toggle required": (fields, toggle_required),
    "allow null": (lambda s: fields_of_type(s, "string", "integer", "boolean"), allow_null),
    "change type": (lambda s: fields_of_type(s, "string", "integer", "boolean"), change_type),
    "toggle leniency": (fields, toggle_leniency),
    "bound a text": (lambda s: fields_of_type(s, "string"), bound),
    "add definition": (definitions, add_definition),
    "rename definition": (definitions, rename_definition),
    "remove word": (closed_enums, remove_word),
    "open enum": (closed_enums, open_enum),
    "remove tag": (tag_branches, remove_tag),
    "rename method": (methods, rename_method),
}

#: What a finding becomes when old and new change places.
OPPOSITE = {
    "field-removed": "field-added",
    "field-renamed": "field-renamed",
    "required-added": "required-dropped",
    "required-dropped": "required-added",
    "null-added": "null-dropped",
    "type-changed": "type-changed",
    "leniency-lost": "leniency-gained",
    "leniency-gained": "leniency-lost",
    "constraint-tightened": "constraint-loosened",
    "definition-added": "definition-removed",
    "definition-renamed": "definition-renamed",
    "enum-word-removed": "enum-word-added",
    "enum-opened": "enum-closed",
    "union-tag-removed": "union-tag-added",
    "method-removed": "method-added",
}
