"""A plain reading of a JSON Schema and its three leniency keywords, to judge the bindings by.

It is written from the meaning of the keywords alone and shares no code with the generator:

- ``x-deserialize-default-on-error``: a malformed value counts as absent, or if the property is
  required becomes the schema's default, or an empty list or object.
- ``x-deserialize-skip-invalid-items``: list items that cannot even be read leniently are dropped.
- ``x-deserialize-default-on-null``: null becomes an empty list or object.

A value that satisfies the schema is left as it is. What a schema says beside a union is read
before the union: a malformed property of the parent is gone when a branch is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

ON_ERROR = "x-deserialize-default-on-error"
ON_NULL = "x-deserialize-default-on-null"
SKIP_ITEMS = "x-deserialize-skip-invalid-items"
FLAGS = (ON_ERROR, ON_NULL, SKIP_ITEMS)

_ABSENT: Any = object()

Place = tuple[str | int, ...]
Log = list[Place]


class Refused(Exception):  # noqa: N818 - a verdict, not a fault
    """The value does not fit, even leniently."""


def same(left: Any, right: Any) -> bool:
    """JSON equality: 1 equals 1.0, true does not equal 1, the order of keys means nothing."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def of_type(value: Any, kind: str) -> bool:
    """True if ``value`` is of the JSON type ``kind``; 3.0 is an integer."""
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, int):
        return kind in ("integer", "number")
    if isinstance(value, float):
        return kind == "number" or (kind == "integer" and value.is_integer())
    found = {type(None): "null", str: "string", list: "array", dict: "object"}[type(value)]
    return kind == found


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """The JSON types that ``schema`` names itself."""
    declared = schema.get("type", [])
    return [declared] if isinstance(declared, str) else list(declared)


def misplaced_flags(node: Any, pointer: str = "", *, field: bool = False) -> Iterator[str]:
    """Yield the places of leniency keywords that do not stand on a property."""
    if isinstance(node, dict):
        if not field and any(isinstance(node.get(flag), bool) for flag in FLAGS):
            yield pointer
        for key, child in node.items():
            if key in ("properties", "$defs"):
                for name, inner in child.items():
                    place = f"{pointer}/{key}/{name}"
                    yield from misplaced_flags(inner, place, field=key == "properties")
            elif key not in ("default", "const", "enum"):
                yield from misplaced_flags(child, f"{pointer}/{key}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from misplaced_flags(child, f"{pointer}/{index}")


class Reference:
    """Reads values by the definitions of one schema document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.definitions: Mapping[str, Any] = document["$defs"]
        stray = list(misplaced_flags(document))
        if stray:
            raise ValueError(f"leniency keywords that the reference cannot read: {stray}")

    def target(self, schema: Mapping[str, Any]) -> Any:
        """The definition that the ``$ref`` of ``schema`` names."""
        return self.definitions[schema["$ref"].removeprefix("#/$defs/")]

    def fits(self, schema: Any, value: Any) -> bool:
        """True if ``value`` satisfies ``schema`` as JSON Schema 2020-12 means it."""
        if isinstance(schema, bool):
            return schema
        return (
            self._asserts(schema, value)
            and ("$ref" not in schema or self.fits(self.target(schema), value))
            and all(self.fits(part, value) for part in schema.get("allOf", ()))
            and self._fits_union(schema, value)
            and not ("not" in schema and self.fits(schema["not"], value))
            and self._fits_members(schema, value)
        )

    def _fits_union(self, schema: Mapping[str, Any], value: Any) -> bool:
        if "anyOf" in schema and not any(self.fits(part, value) for part in schema["anyOf"]):
            return False
        return "oneOf" not in schema or sum(self.fits(p, value) for p in schema["oneOf"]) == 1

    def _fits_members(self, schema: Mapping[str, Any], value: Any) -> bool:
        if isinstance(value, list):
            if len(value) < schema.get("minItems", 0):
                return False
            return "items" not in schema or all(self.fits(schema["items"], v) for v in value)
        if not isinstance(value, dict):
            return True
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        return all(name in value for name in schema.get("required", ())) and all(
            self.fits(known.get(key, others), item) for key, item in value.items()
        )

    def _asserts(self, schema: Mapping[str, Any], value: Any) -> bool:
        """The verdict of the keywords that look at the value alone, and not into it."""
        kinds = types_of(schema)
        if kinds and not any(of_type(value, kind) for kind in kinds):
            return False
        if "const" in schema and not same(value, schema["const"]):
            return False
        if "enum" in schema and not any(same(value, word) for word in schema["enum"]):
            return False
        if isinstance(value, str):
            pattern = schema.get("pattern")
            return len(value) >= schema.get("minLength", 0) and (
                pattern is None or re.search(pattern, value) is not None
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            lowest, highest = schema.get("minimum"), schema.get("maximum")
            return (lowest is None or value >= lowest) and (highest is None or value <= highest)
        return True

    # ---- lenient reading --------------------------------------------------------------------

    def read(self, schema: Any, value: Any, log: Log | None = None, at: Place = ()) -> Any:
        """Return what remains of ``value``, which stands ``at`` a place, when read leniently.

        ``log`` takes the place of everything that is dropped or replaced.

        Raises:
            Refused: if ``value`` does not fit, even so.
        """
        if self.fits(schema, value):
            return value
        if isinstance(schema, bool) or not self._asserts(schema, value):
            raise Refused
        log = [] if log is None else log
        if isinstance(value, dict):
            value = self._read_object(schema, value, log, at)
        elif isinstance(value, list):
            if len(value) < schema.get("minItems", 0):
                raise Refused
            items = schema.get("items", True)
            value = [self.read(items, item, log, (*at, i)) for i, item in enumerate(value)]
        for part in schema.get("allOf", ()):
            value = self.read(part, value, log, at)
        if "$ref" in schema:
            value = self.read(self.target(schema), value, log, at)
        if "anyOf" in schema:
            value = self._choose(schema["anyOf"], value, log, at)
        if "oneOf" in schema:
            value = self._choose_one(schema["oneOf"], value, log, at)
        if "not" in schema and self.fits(schema["not"], value):
            raise Refused
        return value

    def _read_object(
        self, schema: Mapping[str, Any], value: dict[str, Any], log: Log, at: Place
    ) -> dict[str, Any]:
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        required = schema.get("required", ())
        made = {}
        for key, item in value.items():
            if key in known:
                item = self._read_field(known[key], item, key in required, log, (*at, key))
            else:
                item = self.read(others, item, log, (*at, key))
            if item is not _ABSENT:
                made[key] = item
        if not all(name in made for name in required):
            raise Refused
        return made

    def _read_field(self, schema: Any, value: Any, required: bool, log: Log, at: Place) -> Any:
        flags = schema if isinstance(schema, dict) else {}
        if value is None and flags.get(ON_NULL):
            log.append(at)
            return _empty(schema)
        inner: Log = []
        try:
            if isinstance(value, list) and flags.get(SKIP_ITEMS) and not self.fits(schema, value):
                value = self._read_items(schema, value, inner, at)
            else:
                value = self.read(schema, value, inner, at)
        except Refused:
            if not flags.get(ON_ERROR):
                raise
            log.append(at)
            if not required:
                return _ABSENT
            return schema["default"] if "default" in schema else _empty(schema)
        log += inner
        return value

    def _read_items(self, schema: Any, items: list[Any], log: Log, at: Place) -> list[Any]:
        """Return the items that can be read; nothing but ``type`` and ``minItems`` judges a list."""
        made = []
        for index, item in enumerate(items):
            found = self._attempt(schema["items"], item, (*at, index))
            if found is None:
                log.append((*at, index))
            else:
                made.append(found[0])
                log += found[1]
        if not self._asserts(schema, items) or len(made) < schema.get("minItems", 0):
            raise Refused
        return made

    def _choose_one(self, branches: list[Any], value: Any, log: Log, at: Place) -> Any:
        fitting = sum(self.fits(branch, value) for branch in branches)
        readable = fitting or sum(self._attempt(b, value, at) is not None for b in branches)
        if readable != 1:
            raise Refused
        return value if fitting else self._choose(branches, value, log, at)

    def _choose(self, branches: list[Any], value: Any, log: Log, at: Place) -> Any:
        if any(self.fits(branch, value) for branch in branches):
            return value
        tag = tag_of(branches)
        best: tuple[Any, ...] | None = None
        for branch in branches:
            if (found := self._attempt(branch, value, at)) is None:
                continue
            constant = constants_of(branch).get(tag or "", _ABSENT)
            tagged = isinstance(value, dict) and tag in value and same(value[tag], constant)
            rank = (tagged, self.closeness(branch, value))
            if best is None or rank > best[0]:
                best = (rank, *found)
        if best is None:
            raise Refused
        log += best[2]
        return best[1]

    def _attempt(self, schema: Any, value: Any, at: Place) -> tuple[Any, Log] | None:
        log: Log = []
        try:
            return self.read(schema, value, log, at), log
        except Refused:
            return None

    def closeness(self, schema: Any, value: Any) -> int:
        """How many of the keys that ``schema`` declares are in ``value``, or in its items."""
        if not isinstance(schema, dict):
            return 0
        if isinstance(value, list):
            return sum(self.closeness(schema.get("items", True), item) for item in value)
        parts = [*schema.get("allOf", ()), *([self.target(schema)] if "$ref" in schema else ())]
        own = schema.get("properties", {}) if isinstance(value, dict) else {}
        return sum(key in value for key in own) + sum(self.closeness(p, value) for p in parts)


def _empty(schema: Mapping[str, Any]) -> Any:
    if "array" in (kinds := types_of(schema)):
        return []
    if "object" in kinds:
        return {}
    raise Refused


def constants_of(branch: Any) -> dict[str, Any]:
    """The constants of the required properties that ``branch`` itself declares."""
    if not isinstance(branch, dict):
        return {}
    found = {k: p["const"] for k, p in branch.get("properties", {}).items() if "const" in p}
    return {key: value for key, value in found.items() if key in branch.get("required", ())}


def tag_of(branches: list[Any]) -> str | None:
    """The property whose constants tell most branches apart."""
    counts: dict[str, int] = {}
    for branch in branches:
        for key in constants_of(branch):
            counts[key] = counts.get(key, 0) + 1
    return max(counts, key=lambda key: counts[key]) if counts else None
