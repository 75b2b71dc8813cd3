"""Defaults, and what malformed values read as, as Python expressions."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ....errors import InputError, Where
from ....protocol.ir import (
    ABSENT,
    Alias,
    Enum,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Ref,
    Scalar,
    Struct,
    Type,
    TypeExpr,
    TypeId,
)
from ..literals import literal
from .hints import Hints


@dataclass(frozen=True)
class Value:
    """A Python expression.

    Args:
        code: the expression.
        checked: it is of the field's type already; else the field has to validate it.
        at_once: it can be evaluated where the class is defined.
    """

    code: str
    checked: bool = True
    at_once: bool = True


class Values:
    """Writes values of fields.

    Args:
        hints: how their types are written.
        open_types: classes that are complete only at the end of the module.
    """

    def __init__(self, hints: Hints, open_types: Collection[TypeId]) -> None:
        self._hints = hints
        self._open = open_types

    def default(self, field: Field) -> Value | None:
        """Return what omission of ``field`` means; None if it must be given."""
        if field.presence.required:
            return None
        if field.default is ABSENT or field.default is None:
            return Value("None")
        return self._value(field, field.default)

    def fallback(self, field: Field) -> Value | None:
        """Return what a malformed value of ``field`` reads as; None if it is an error."""
        if not field.on_error:
            return None
        if field.default is not ABSENT or not field.presence.required:
            return self.default(field) or self._value(field, field.default)
        if field.presence.nullable:
            return Value("None")
        target = self.resolved(field.type)
        if isinstance(target, ListOf | MapOf):
            return Value("[]" if isinstance(target, ListOf) else "{}")
        return None

    def resolved(self, expr: TypeExpr) -> TypeExpr | Type:
        """Return what ``expr`` is, behind names and null."""
        while isinstance(expr, Ref | Nullable):
            if isinstance(expr, Nullable):
                expr = expr.inner
                continue
            type_ = self._hints.protocol.types[expr.id]
            if not isinstance(type_, Alias) or self._hints.root_model(type_) == "everywhere":
                return type_
            expr = type_.type
        return expr

    def _value(self, field: Field, value: Any) -> Value:
        target = self.resolved(field.type)
        if isinstance(value, dict) and isinstance(target, Struct):
            return self._instance(field, target, value)
        if isinstance(target, Scalar):
            url = self._hints.of(target) == "AnyUrl"
            return Value(f"AnyUrl({literal(value)})" if url else literal(value))
        if isinstance(target, Enum):
            member = self._hints.is_enum_class(target) and value in _words(target)
            name = self._hints.names.types[target.id]
            return Value(f"{name}({literal(value)})" if member else literal(value))
        empty = value in ([], {}) and isinstance(target, ListOf | MapOf)
        return Value(literal(value), checked=empty or not isinstance(value, list | dict))

    def _instance(self, field: Field, struct: Struct, value: dict[str, Any]) -> Value:
        if self._hints.style.object_defaults == "none":
            return Value("None")
        lacking = [
            inner.wire_name
            for inner in struct.fields
            if inner.presence.required and inner.wire_name not in value
        ]
        if lacking:
            raise InputError(
                f"the default lacks the required property {lacking[0]!r}",
                where=Where(self._hints.protocol.file, field.pointer),
                remedy="give it in the default",
            )
        name = self._hints.names.types[struct.id]
        made = f"{name}()" if _says_nothing(struct, value) else _validated(name, value)
        return Value(made, at_once=struct.id not in self._open)


def _words(enum: Enum) -> list[Any]:
    return [value.value for value in enum.values]


def _says_nothing(struct: Struct, value: dict[str, Any]) -> bool:
    """True if an object is what omitting all its properties means."""
    meant = {
        field.wire_name: None if field.default is ABSENT else field.default
        for field in struct.fields
    }
    return all(key in meant and _same(meant[key], item) for key, item in value.items())


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _validated(name: str, value: dict[str, Any]) -> str:
    return f"{name}.model_validate({literal(value)})"
