"""Whether schemas say the same, however they are worded."""

from __future__ import annotations

from typing import Any

from .dialect import ANNOTATIONS
from .walk import rebuild

_UNORDERED = ("required", "type", "enum")


def same_shape(one: Any, other: Any) -> bool:
    """Return whether two schemas accept, default and repair the same values.

    Annotations do not matter, except the titles of inner branches, which name variants; nor does
    the order of ``required``, ``type`` and ``enum``, nor an ``allOf`` of one reference around it.
    """
    return bool(_typed(_shape(one)) == _typed(_shape(other)))


def is_reference(schema: Any) -> bool:
    """Return whether ``schema`` says nothing but which definition to use."""
    shape = _shape(schema)
    return isinstance(shape, dict) and set(shape) == {"$ref"}


def _shape(schema: Any) -> Any:
    shape = rebuild(schema, _plain)
    # The title of the schema itself belongs to the place where it is used.
    return {k: v for k, v in shape.items() if k != "title"} if isinstance(shape, dict) else shape


def _plain(node: dict[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in node.items() if k == "title" or k not in ANNOTATIONS}
    for keyword in _UNORDERED:
        if isinstance(kept.get(keyword), list):
            kept[keyword] = sorted(kept[keyword], key=repr)
    match kept.get("allOf"):
        case [{"$ref": ref, **others}] if not others and "$ref" not in kept:
            del kept["allOf"]
            kept["$ref"] = ref
    return kept


def _typed(value: Any) -> Any:
    """Return ``value`` with booleans told from numbers, which Python takes for equal."""
    if isinstance(value, dict):
        return {key: _typed(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_typed(child) for child in value]
    return (isinstance(value, bool), value)
