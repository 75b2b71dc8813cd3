"""Type expressions, constants and presence as Markdown on one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...protocol.ir import (
    ABSENT,
    AnyOf,
    Field,
    ListOf,
    Literals,
    MapOf,
    Nullable,
    Ref,
    Scalar,
    Struct,
    Type,
    TypeExpr,
)
from .markdown import code, json_code, line
from .places import Places

_BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "{} characters or more",
    "maxLength": "{} characters or fewer",
    "pattern": "matches {}",
}


class Expressions:
    """Writes type expressions for one page, with links to what they name."""

    def __init__(self, places: Places, version: str, page: str) -> None:
        self._places, self._version, self._page = places, version, page

    def field(self, field: Field) -> str:
        """Return the type of a field: its constant if it is a tag."""
        if field.tag is not ABSENT:
            return json_code(field.tag)
        shown = self.expr(field.type)
        if field.excluded:
            shown += " that is no tag of another variant"
        return shown

    def expr(self, expr: TypeExpr) -> str:
        """Return a type expression."""
        if isinstance(expr, Scalar):
            return _scalar(expr)
        if isinstance(expr, Literals):
            return _listed(map(json_code, expr.values), "or")
        if isinstance(expr, Ref):
            return self._places.type_link(self._page, self._version, expr.id)
        if isinstance(expr, ListOf):
            return f"list of {self._inner(expr.item)}{_size(expr)}"
        if isinstance(expr, MapOf):
            return f"map of {self._inner(expr.value)}"
        if isinstance(expr, Nullable):
            return f"{self.expr(expr.inner)} or null"
        either = _listed(map(self._inner, expr.branches), "or")
        return f"exactly one of {either}" if expr.exclusive else either

    def leniency(self, field: Field) -> list[str]:
        """Return what becomes of malformed parts of a field, a sentence each; none if they fail."""
        said = []
        if field.on_error:
            what = "A malformed value"
            if field.salvage is not None:
                what = f"What is no {self.expr(field.salvage)}"
            said.append(f"{what} {_malformed(field)}.")
        if field.on_null:
            said.append("Null counts as empty.")
        if field.skip_invalid_items:
            said.append("Malformed items are dropped.")
        return said

    def _inner(self, expr: TypeExpr) -> str:
        shown = self.expr(expr)
        return f"({shown})" if isinstance(expr, Nullable | AnyOf | Literals) else shown


def presence(field: Field) -> str:
    """Return whether a field must be there and may be null, and what omission means."""
    if field.default is ABSENT or field.presence.required:
        return field.presence.value
    return f"{field.presence.value}; default {json_code(field.default)}"


def _malformed(field: Field) -> str:
    if field.default is not ABSENT and field.default is not None:
        return f"becomes {json_code(field.default)}"
    return "becomes an empty list" if field.presence.required else "counts as absent"


def unknown_keys(type_: Struct) -> str:
    """Return what becomes of keys that an object does not declare."""
    return "Other keys are kept." if type_.open else "Other keys are an error."


def own_fields(type_: Struct, base: Type | None) -> list[Field]:
    """Return the fields of an object that its base has not, or not like this."""
    inherited = (
        {field.wire_name: _meaning(field) for field in base.fields}
        if isinstance(base, Struct)
        else {}
    )
    return [field for field in type_.fields if inherited.get(field.wire_name) != _meaning(field)]


def _meaning(field: Field) -> tuple[Any, ...]:
    return (
        field.type, field.presence, repr(field.default), field.on_error, field.on_null,
        field.skip_invalid_items, repr(field.tag), field.excluded, field.doc, field.feature,
    )  # fmt: skip


def _scalar(expr: Scalar) -> str:
    kind = "any JSON" if expr.kind == "any" else expr.kind
    notes = [f"format {code(expr.format)}"] if expr.format else []
    notes += [f"encoded as {code(expr.encoding)}"] if expr.encoding else []
    for keyword, bound in expr.constraints:
        shown = json_code(bound) if keyword == "pattern" else line(str(bound))
        notes.append(_BOUNDS.get(keyword, f"{line(keyword)} {{}}").format(shown))
    return f"{kind} ({', '.join(notes)})" if notes else kind


def _size(expr: ListOf) -> str:
    notes = [f"{expr.min_items} or more"] if expr.min_items else []
    notes += [] if expr.max_items is None else [f"{expr.max_items} or fewer"]
    return f" ({', '.join(notes)})" if notes else ""


def _listed(parts: Iterable[str], word: str) -> str:
    *most, last = parts
    return f"{', '.join(most)} {word} {last}" if most else last
