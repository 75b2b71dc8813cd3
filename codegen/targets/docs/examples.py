"""Makes example values: the smallest that say something, and the same ones on every run."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from ...protocol.ir import (
    ABSENT,
    Alias,
    AnyOf,
    Enum,
    Field,
    ListOf,
    Literals,
    MapOf,
    Method,
    Nullable,
    Protocol,
    Ref,
    Scalar,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
)

#: A text of each format that JSON Schema knows. A format that is not here rejects nothing either.
_FORMATS: Mapping[str, str] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "duration": "PT1M",
    "email": "ada@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "regex": "^[a-z]+$",
    "time": "12:00:00Z",
    "uri": "https://example.com/",
    "uri-reference": "/",
    "uuid": "00000000-0000-4000-8000-000000000001",
}
_BASE64 = "AAAA"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class NoExampleError(Exception):
    """No value can be made: a type holds itself without end, or a pattern is beyond the maker."""


class Examples:
    """Makes values of one protocol's types.

    Required fields, the first word of an enum, the first variant of a union, one item in a list.
    Formats and bounds are respected. A variant that needs a capability comes after the others.

    Args:
        protocol: the types.
        given: values to use instead: for the type of a definition, a field of one, or any field
            of a name; by (definition,), (definition, field) and ("", field). A field of a
            definition is there even if it is optional.
        gated: the variants that need a capability, by tag and its value.
    """

    def __init__(
        self,
        protocol: Protocol,
        given: Mapping[tuple[str, ...], Any],
        gated: Collection[tuple[str, Any]] = (),
    ) -> None:
        self._types, self._given, self._gated = protocol.types, given, gated

    def messages(self, method: Method) -> list[dict[str, Any]]:
        """Return a call of ``method`` and, if it is a request, the answer.

        Raises:
            NoExampleError: if there is none.
        """
        call: dict[str, Any] = {"jsonrpc": "2.0"}
        if method.kind == "request":
            call["id"] = 1
        call |= {"method": method.wire_name, "params": self.value(Ref(method.params))}
        if method.result is None:
            return [call]
        return [call, {"jsonrpc": "2.0", "id": 1, "result": self.value(Ref(method.result))}]

    def value(self, expr: TypeExpr) -> Any:
        """Return a value of the type ``expr``.

        Raises:
            NoExampleError: if there is none.
        """
        return self._expr(expr, "value", ())

    def _expr(self, expr: TypeExpr, name: str, inside: tuple[TypeId, ...]) -> Any:
        if isinstance(expr, Ref):
            return self._type(expr.id, name, inside)
        if isinstance(expr, Literals):
            return expr.values[0]
        if isinstance(expr, Nullable):
            return _first([lambda: self._expr(expr.inner, name, inside), lambda: None])
        if isinstance(expr, AnyOf):
            return _first(self._makers(expr.branches, name, inside))
        if isinstance(expr, MapOf):
            return {}
        if isinstance(expr, ListOf):
            return self._list(expr, name, inside)
        return _scalar(expr, name)

    def _makers(
        self, branches: Iterable[TypeExpr], name: str, inside: tuple[TypeId, ...]
    ) -> Iterator[Callable[[], Any]]:
        for branch in branches:
            yield lambda branch=branch: self._expr(branch, name, inside)  # type: ignore[misc]

    def _list(self, expr: ListOf, name: str, inside: tuple[TypeId, ...]) -> list[Any]:
        least = expr.min_items or 0
        if expr.max_items == 0:
            return []
        try:
            return [self._expr(expr.item, name, inside)] * max(least, 1)
        except NoExampleError:
            if least:
                raise
            return []

    def _type(self, id_: TypeId, name: str, inside: tuple[TypeId, ...]) -> Any:
        if len(id_) == 1 and id_ in self._given:
            return self._given[id_]
        if id_ in inside:
            raise NoExampleError
        type_, within = self._types[id_], (*inside, id_, *self._bases(id_))
        if isinstance(type_, Struct):
            return {
                field.wire_name: self._field(type_, field, within)
                for field in type_.fields
                if field.presence.required or self._is_shown(type_, field)
            }
        if isinstance(type_, Enum):
            return type_.values[0].value if type_.values else _scalar(Scalar(type_.kind), name)
        if isinstance(type_, Alias):
            return self._expr(type_.type, _own_name(type_, name), within)
        return _first(self._makers(self._branches(type_), name, within))

    def _branches(self, type_: Type) -> list[TypeExpr]:
        if isinstance(type_, TaggedUnion):
            gated = [v for v in type_.variants if (type_.tag, v.value) in self._gated]
            free = [v for v in type_.variants if v not in gated]
            other = [type_.fallback] if type_.fallback else []
            return [Ref(v.type) for v in (*free, *type_.untagged, *gated, *other)]
        return [branch.type for branch in getattr(type_, "branches", ())]

    def _field(self, owner: Struct, field: Field, inside: tuple[TypeId, ...]) -> Any:
        if field.tag is not ABSENT:
            return field.tag
        for definition in (*self._owners(owner), ("",)):
            if (*definition, field.wire_name) in self._given:
                return self._given[(*definition, field.wire_name)]
        if field.excluded and isinstance(field.type, Scalar):
            return _scalar(field.type, field.wire_name, field.excluded)
        expr = Nullable(field.type) if field.presence.nullable else field.type
        return self._expr(expr, field.wire_name, inside)

    def _is_shown(self, owner: Struct, field: Field) -> bool:
        return any((*name, field.wire_name) in self._given for name in self._owners(owner))

    def _owners(self, type_: Type) -> Iterator[TypeId]:
        """Yield the definitions that declare fields of a type: a variant repeats those it extends."""
        yield type_.id[:1]
        yield from (base[:1] for base in self._bases(type_.id))

    def _bases(self, id_: TypeId) -> Iterator[TypeId]:
        """Yield the types whose fields a type repeats."""
        type_ = self._types[id_]
        while isinstance(type_, Struct) and type_.base is not None:
            yield type_.base
            type_ = self._types[type_.base]


def _first(makers: Iterable[Callable[[], Any]]) -> Any:
    for make in makers:
        try:
            return make()
        except NoExampleError:
            continue
    raise NoExampleError


def _own_name(type_: Type, name: str) -> str:
    """Return what a text of an alias is called after: the definition, if it is one."""
    return type_.id[0] if len(type_.id) == 1 else name


def _scalar(expr: Scalar, name: str, excluded: tuple[Any, ...] = ()) -> Any:
    bounds = dict(expr.constraints)
    if expr.kind == "null":
        return None
    if expr.kind == "any":
        return {}
    if expr.kind == "boolean":
        return True
    if expr.kind == "string":
        return _text(expr, bounds, name, excluded)
    return _number(expr.kind, bounds)


def _text(expr: Scalar, bounds: Mapping[str, Any], name: str, excluded: tuple[Any, ...]) -> str:
    plain = "-".join(word.lower() for word in _WORDS.findall(name)) or "text"
    if expr.encoding == "base64":
        plain = _BASE64
    start = _FORMATS.get(expr.format or "", plain)
    least: int = bounds.get("minLength", 0)
    most: int | None = bounds.get("maxLength")
    pattern = re.compile(bounds["pattern"]) if "pattern" in bounds else None
    for text in (start, f"{plain}-1", "a", "A", "0", "1", "a-1", "/", ""):
        sized = (text if text or not least else "x")[:most]
        sized += sized[-1:] * (least - len(sized))
        if sized not in excluded and (pattern is None or pattern.search(sized)):
            return sized
    raise NoExampleError


def _number(kind: str, bounds: Mapping[str, Any]) -> int | float:
    low = bounds.get("minimum", bounds.get("exclusiveMinimum"))
    high = bounds.get("maximum", bounds.get("exclusiveMaximum"))
    step = bounds.get("multipleOf", 1)
    starts: list[int | float] = [1, 0]
    starts += [] if low is None else [low, math.ceil(low / step) * step, low + step]
    starts += [] if high is None else [high, math.floor(high / step) * step, high - step]
    starts += [(low + high) / 2] if low is not None and high is not None else []
    for number in starts:
        whole = int(number) if float(number).is_integer() else number
        if (isinstance(whole, int) or kind == "number") and _fits(whole, bounds):
            return whole
    raise NoExampleError


def _fits(number: int | float, bounds: Mapping[str, Any]) -> bool:
    return (
        number >= bounds.get("minimum", number)
        and number <= bounds.get("maximum", number)
        and ("exclusiveMinimum" not in bounds or number > bounds["exclusiveMinimum"])
        and ("exclusiveMaximum" not in bounds or number < bounds["exclusiveMaximum"])
        and ("multipleOf" not in bounds or math.isclose(number % bounds["multipleOf"], 0))
    )
