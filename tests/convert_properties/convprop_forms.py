"""When two values of one version say the same: each has a normal form, and these are equal.

The rules (numbers as in the conversion rules): null outside patch fields is omission (2, 3),
a member at its default is omission (2), some empty lists and groups are omission (2).
With ``trip`` also what a round trip may change, each change with its rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import convprop_schemas as schemas
from convprop_samples import ENVELOPES
from jsonschema import Draft202012Validator

_WHOLE = ("content", "_meta")
#: Members whose null is a statement (3, 43, 46).
CLEARS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "v1": {"SessionInfoUpdate": ("title", "updatedAt"), "CompactionUpdate": ("summary", "error", "_meta")},
    "v2": {
        "ToolCallUpdate": (
            "name", "title", "kind", "status", "content", "locations", "rawInput", "rawOutput", "_meta",
        ),
        "SessionInfoUpdate": ("title", "updatedAt", "_meta"),
        "CompactionUpdate": ("summary", "error", "_meta"),
        "UserMessage": _WHOLE, "AgentMessage": _WHOLE, "AgentThought": _WHOLE,
        "TerminalUpdate": ("command", "cwd", "output", "exitStatus", "size", "capabilities", "_meta"),
    },
}  # fmt: skip
#: Optional members whose empty value is omission (2, 30).
EMPTIES = {
    "v1": {"additionalDirectories", "auth", "session"},
    "v2": {
        "args", "env", "headers", "mcpServers", "authMethods", "configOptions", "availableCommands",
        "additionalDirectories", "prompt", "mcp", "auth", "icons",
    },
}  # fmt: skip
COPIED = ("_meta", "rawInput", "rawOutput")

#: By the id of a branch, which is kept with it: an id is only unique among what lives.
_VALIDATORS: dict[tuple[str, int], tuple[Any, Draft202012Validator]] = {}


def same(one: Any, two: Any) -> bool:
    """Say whether two JSON values are equal; ``1`` is not ``true``, and ``1.0`` is ``1``."""
    return plain(one) == plain(two)


def plain(value: Any) -> str:
    """Return a text that equal values share."""
    return json.dumps(_booleans(value), sort_keys=True)


def _booleans(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_booleans(item) for item in value]
    if isinstance(value, dict):
        return {key: _booleans(item) for key, item in value.items()}
    return value


Hook = Callable[[dict[str, Any]], dict[str, Any]]


class Forms:
    """Normal forms of the values of one version."""

    def __init__(self, version: str, hooks: Mapping[str, Hook] | None = None) -> None:
        self.version = version
        self.hooks = hooks or {}
        self.defs = schemas.document(version)["$defs"]

    def normal(self, name: str, value: Any, answers: str | None = None) -> Any:
        """Return the normal form of a value of the definition ``name``.

        The params of a message are of the type that its method says, its result of the type that
        the method ``answers`` says.
        """
        if name in ENVELOPES and isinstance(value, dict):
            known = schemas.methods(self.version)
            params = known.get(str(value.get("method")), ("", None, ""))[0]
            result = known.get(str(answers), ("", None, ""))[1]
            types = {"params": params, "result": result, "error": "Error"}
            return {
                key: self.normal(types[key] or "", item) if types.get(key) else item
                for key, item in value.items()
            }
        return self._value({"$ref": f"#/$defs/{name}"}, value)

    def _applying(
        self, schema: Any, value: Any, owner: str
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the plain schemas that hold for ``value``, with the definition each stands in."""
        if not isinstance(schema, dict):
            return
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            yield from self._applying(self.defs[name], value, name)
        yield owner, schema
        for part in schema.get("allOf", ()):
            yield from self._applying(part, value, owner)
        for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            if self._fits(branch, value):
                yield from self._applying(branch, value, owner)
                break

    def _fits(self, branch: Any, value: Any) -> bool:
        if isinstance(value, dict) and isinstance(branch, dict):
            for key, inner in branch.get("properties", {}).items():
                if (
                    isinstance(inner, dict)
                    and "const" in inner
                    and value.get(key) != inner["const"]
                ):
                    return False
        key = (self.version, id(branch))
        if key not in _VALIDATORS:
            whole = Draft202012Validator({"allOf": [branch], "$defs": self.defs})
            _VALIDATORS[key] = (branch, whole)
        return _VALIDATORS[key][1].is_valid(value)

    def _value(self, schema: Any, value: Any) -> Any:
        pieces = list(self._applying(schema, value, ""))
        if isinstance(value, list):
            items = next((piece["items"] for _, piece in pieces if "items" in piece), True)
            return [self._value(items, item) for item in value]
        if not isinstance(value, dict):
            return value
        for owner in dict.fromkeys(owner for owner, _ in pieces):
            if owner in self.hooks:
                value = self.hooks[owner](dict(value))
        return self._object(pieces, value)

    def _object(self, pieces: list[tuple[str, Mapping[str, Any]]], value: dict[str, Any]) -> Any:
        needed = {name for _, piece in pieces for name in piece.get("required", ())}
        others = next(
            (p["additionalProperties"] for _, p in pieces if "additionalProperties" in p), True
        )
        owners = {owner for owner, _ in pieces}
        made: dict[str, Any] = {}
        for key, item in value.items():
            known = [
                piece["properties"][key]
                for _, piece in pieces
                if key in piece.get("properties", {})
            ]
            if not known:
                made[key] = self._value(others, item)
                continue
            if item is None and not self._keeps_null(owners, key, needed):
                continue
            form = item if key in COPIED else self._value({"allOf": known}, item)
            if self._says_nothing(known, key, form, needed):
                continue
            made[key] = form
        return made

    def _keeps_null(self, owners: set[str], key: str, needed: set[str]) -> bool:
        said = any(key in CLEARS[self.version].get(owner, ()) for owner in owners)
        return said or key in needed or key in ("id", "requestId")

    def _says_nothing(self, known: list[Any], key: str, form: Any, needed: set[str]) -> bool:
        if key not in needed and key in EMPTIES[self.version] and form in ([], {}):
            return True
        return any(
            isinstance(piece, dict)
            and "default" in piece
            and same(
                form,
                self._value({k: v for k, v in piece.items() if k != "default"}, piece["default"]),
            )
            for piece in known
        )
