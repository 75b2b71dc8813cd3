"""JSON instances of a schema's definitions, from a seed.

``Maker.make`` walks a definition and builds a value that should fit it. It notes the places where
the schema chooses or forgives, so that ``mutations`` can aim at them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reference import FLAGS, constants_of, types_of

Path = tuple[str | int, ...]

TEXTS = (
    "", "a", "id-1", "null", "true", "1", "3.0", " padded ", "héllo ☃", "日本語", "\U0001f600",
    "line\u2028break", "a\nb\t\x00", 'quote"\\', "x" * 70, "{{ x }}", "__proto__", "é", "e\u0301",
    "https://example.com/%C3%A9?q=1#f", "not a uri", "2026-01-02T03:04:05.678900+00:00",
    "2026-13-99", "aGVsbG8=", "other", "string", "object", "unstable-word",
)  # fmt: skip
INTEGERS = (0, 1, 2, -1, 7, 65535, 65536, 2**31, -(2**31), 2**53 + 1, 2**63, -(2**63) - 1, 2**70)
NUMBERS = (0, 0.5, -1.25, 1.0, 1e-9, 1e16, 1e300, -0.0, 3.0, 0.1)
#: Unknown keys that clash with Python, pydantic or the generated code if anything does.
KEYS = (
    "extra", "x-vendor", "", "self", "cls", "data", "type_", "meta", "field_meta", "model_extra",
    "model_config", "model_fields", "model_dump", "copy", "json", "schema", "__class__", "__dict__",
    "__proto__", "__acp_wire__", "_private", "été", "a/b~c", "acp", "value", "items", "None",
)  # fmt: skip

MAX_DEPTH = 7


@dataclass(frozen=True)
class Site:
    """A place in an instance: a union that chose a branch, or a property that forgives."""

    path: Path
    schema: Mapping[str, Any]
    required: bool = False


@dataclass
class Sample:
    """An instance and its noteworthy places."""

    value: Any
    unions: list[Site] = field(default_factory=list)
    lenient: list[Site] = field(default_factory=list)


def snake(name: str) -> str:
    """The Python spelling of a wire name; on the wire it is an unknown key."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match[1].lower(), name)


def any_json(rng: random.Random, depth: int = 0) -> Any:
    """A JSON value of any shape."""
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return None
    if kind == 1:
        return rng.random() < 0.5
    if kind == 2:
        return rng.choice(INTEGERS)
    if kind == 3:
        return rng.choice(NUMBERS)
    if kind in (4, 5):
        return rng.choice(TEXTS)
    if kind == 6:
        return [any_json(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice(KEYS): any_json(rng, depth + 1) for _ in range(rng.randrange(3))}


class Maker:
    """Makes instances of the definitions of one schema document."""

    def __init__(self, document: Mapping[str, Any], rng: random.Random) -> None:
        self.definitions: Mapping[str, Any] = document["$defs"]
        self.rng = rng

    def make(self, schema: Any) -> Sample:
        """Return a new instance of ``schema``. It is meant to fit; JSON Schema has the last word."""
        sample = Sample(None)
        sample.value = self._value([schema], (), sample)
        return sample

    def _flat(self, schemas: list[Any], path: Path, sample: Sample) -> list[Mapping[str, Any]]:
        """Return the plain schemas that hold together, one branch chosen at each union."""
        found: list[Mapping[str, Any]] = []
        for schema in schemas:
            if not isinstance(schema, dict):
                continue
            found.append(schema)
            if "$ref" in schema:
                name = schema["$ref"].removeprefix("#/$defs/")
                target = self.definitions[name.replace("~1", "/").replace("~0", "~")]
                found += self._flat([target], path, sample)
            found += self._flat(schema.get("allOf", []), path, sample)
            for keyword in ("anyOf", "oneOf"):
                if keyword in schema:
                    sample.unions.append(Site(path, schema))
                    found += self._flat([self._pick(schema[keyword], path)], path, sample)
        return found

    def _pick(self, branches: list[Any], path: Path) -> Any:
        rare = [b for b in branches if not constants_of(b)]
        if rare and len(rare) < len(branches) and self.rng.random() < 0.3:
            return self.rng.choice(rare)
        if len(path) > MAX_DEPTH:
            return min(branches, key=lambda branch: len(str(branch)))
        return self.rng.choice(branches)

    def _value(self, schemas: list[Any], path: Path, sample: Sample) -> Any:
        nodes = self._flat(schemas, path, sample)
        for node in nodes:
            if "const" in node:
                return node["const"]
        words = [word for node in nodes for word in node.get("enum", ())]
        if words:
            return self.rng.choice(words)
        kinds = _common_types(nodes)
        if not kinds:
            return any_json(self.rng, 1)
        kind = self.rng.choice(kinds)
        if kind == "null":
            return None
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind == "string":
            shortest = max(node.get("minLength", 0) for node in nodes)
            return self.rng.choice([text for text in TEXTS if len(text) >= shortest])
        if kind in ("integer", "number"):
            return self._number(nodes, kind)
        if kind == "array":
            return self._array(nodes, path, sample)
        return self._object(nodes, path, sample)

    def _number(self, nodes: list[Mapping[str, Any]], kind: str) -> int | float:
        lowest = max((n["minimum"] for n in nodes if "minimum" in n), default=None)
        highest = min((n["maximum"] for n in nodes if "maximum" in n), default=None)
        pool: list[int | float] = [*INTEGERS, *(NUMBERS if kind == "number" else ())]
        pool += [bound for bound in (lowest, highest) if bound is not None]
        fit = [
            number
            for number in pool
            if (lowest is None or number >= lowest) and (highest is None or number <= highest)
        ]
        chosen = self.rng.choice(fit)
        return float(chosen) if self.rng.random() < 0.1 and abs(chosen) < 2**53 else chosen

    def _array(self, nodes: list[Mapping[str, Any]], path: Path, sample: Sample) -> list[Any]:
        shortest = max(node.get("minItems", 0) for node in nodes)
        length = shortest if len(path) > MAX_DEPTH else shortest + self.rng.randrange(3)
        items = [node["items"] for node in nodes if "items" in node]
        return [self._value(items, (*path, index), sample) for index in range(length)]

    def _object(self, nodes: list[Mapping[str, Any]], path: Path, sample: Sample) -> dict[str, Any]:
        declared: dict[str, list[Any]] = {}
        required = {name for node in nodes for name in node.get("required", ())}
        for node in nodes:
            for name, schema in node.get("properties", {}).items():
                declared.setdefault(name, []).append(schema)
                if isinstance(schema, dict) and any(schema.get(flag) for flag in FLAGS):
                    needed = name in node.get("required", ())
                    sample.lenient.append(Site((*path, name), schema, needed))
        odds = self.rng.choice((0.1, 0.5, 0.95)) if len(path) < 3 else 0.2
        if len(path) > MAX_DEPTH:
            odds = 0.0
        made: dict[str, Any] = {}
        for name, schemas in declared.items():
            if name in required or self.rng.random() < odds:
                made[name] = self._value(schemas, (*path, name), sample)
        self._others(nodes, path, sample, declared, made)
        keys = list(made)
        self.rng.shuffle(keys)
        return {key: made[key] for key in keys}

    def _others(
        self,
        nodes: list[Mapping[str, Any]],
        path: Path,
        sample: Sample,
        declared: Mapping[str, Any],
        made: dict[str, Any],
    ) -> None:
        """Add keys that the schema does not name."""
        others = [node["additionalProperties"] for node in nodes if "additionalProperties" in node]
        if False in others or self.rng.random() < 0.4:
            return
        twins = [snake(name) for name in declared if snake(name) not in declared]
        for _ in range(self.rng.randrange(1, 3)):
            key = self.rng.choice([*twins, *KEYS] if twins else KEYS)
            if key not in declared:
                typed = [schema for schema in others if schema is not True]
                made[key] = (
                    self._value(typed, (*path, key), sample) if typed else any_json(self.rng, 1)
                )


def _common_types(nodes: list[Mapping[str, Any]]) -> list[str]:
    """The JSON types that all of ``nodes`` allow; empty if none says a type."""
    allowed: list[str] | None = None
    for node in nodes:
        kinds = types_of(node)
        if not kinds and "properties" in node:
            kinds = ["object"]
        if kinds:
            allowed = kinds if allowed is None else [kind for kind in allowed if kind in kinds]
    return allowed or []
