"""Short spellings of the schemas that the cases use."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
REAL: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
NULL: Schema = {"type": "null"}
META: Schema = {
    "type": ["object", "null"],
    "additionalProperties": True,
    "x-deserialize-default-on-error": True,
}
ON_ERROR = {"x-deserialize-default-on-error": True}
ON_NULL = {"x-deserialize-default-on-null": True}
SKIP = {"x-deserialize-skip-invalid-items": True}


def obj(properties: Schema | None = None, *required: str, **more: Any) -> Schema:
    found: Schema = {"type": "object", "properties": properties or {}, **more}
    return {**found, "required": list(required)} if required else found


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def use(name: str, **more: Any) -> Schema:
    return {**more, "allOf": [ref(name)]}


def many(item: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": item, **more}


def keyed(value: Any, **more: Any) -> Schema:
    return {"type": "object", "additionalProperties": value, **more}


def const(value: Any, **more: Any) -> Schema:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return {"type": kinds[type(value)], "const": value, **more}


def branch(tag: str, value: Any, *refs: str, **more: Any) -> Schema:
    found = obj({tag: const(value), **more.pop("properties", {})}, tag, *more.pop("required", ()))
    if refs:
        found["allOf"] = [ref(name) for name in refs]
    return {**found, **more}


def other(tag: str, *words: str, title: str = "other") -> Schema:
    cases = [obj({tag: const(word)}, tag) for word in words]
    return {
        **obj({tag: TEXT}, tag, additionalProperties=True),
        "title": title,
        "not": {"anyOf": cases},
    }


def closed(tag: str, *branches: Schema) -> Schema:
    return {"oneOf": list(branches), "discriminator": {"propertyName": tag}}


def method(side: str, name: str, properties: Schema | None = None, *required: str) -> Schema:
    return {**obj(properties, *required), "x-side": side, "x-method": name}


AGENT_SIDE = """
[sides.agent]
interface = "Agent"
connection = "ClientSideConnection"
"""
SIDES = f"""{AGENT_SIDE}
[sides.client]
interface = "Client"
connection = "AgentSideConnection"
"""
