"""Method tables and sides as the templates of the stubs need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...errors import InputError, Where
from ...protocol.ir import Gate, Kind, Method, Protocol
from ...protocol.naming import NameData, SideNames, method_words
from ..naming import pascal, snake, upper
from .names import Names, method_name

#: Methods that the interfaces inherit; one of the protocol must not replace them.
INHERITED_METHODS = frozenset({"ext_method", "ext_notification"})
#: Modules of a version's package that a side's module must not replace.
_MODULES = frozenset({"codec", "errors", "methods", "models"})
_SERVING: Mapping[Kind, str] = {
    "request": "Raise an RpcError to answer with an error. The answer of a handler that is not\n"
    "overridden is -32601, method not found.",
    "notification": "There is no answer; an exception goes to whoever runs the dispatcher.",
}
_CALLING: Mapping[Kind, str] = {
    "request": "Raises:\n"
    "    CapabilityError: if a capability that the call needs was not announced.\n"
    "    RpcError: if the other side answers with an error.\n"
    "    DecodeError: if the result does not fit.",
    "notification": "Raises:\n"
    "    CapabilityError: if a capability that the call needs was not announced.",
}


@dataclass(frozen=True)
class MethodView:
    """A method: names on both sides of the wire, types, and where its record is."""

    name: str
    wire_name: str
    side: str
    kind: str
    params: str
    result: str | None
    params_type: str
    result_type: str
    feature: str | None
    capability: str | None
    gates: tuple[Gate, ...]
    doc: str
    call_doc: str
    table: str
    key: str


@dataclass(frozen=True)
class TableView:
    """The methods that one side serves."""

    side: str
    name: str
    methods: tuple[MethodView, ...]


@dataclass(frozen=True)
class SideView:
    """The module of a side: what it serves and who calls it."""

    side: str
    module: str
    interface: str
    dispatcher: str
    connection: str
    methods: tuple[MethodView, ...]
    types: tuple[str, ...]
    tables: tuple[str, ...]
    announcement: str | None


def name_methods(protocol: Protocol, data: NameData) -> dict[Method, str]:
    """Name the methods of ``protocol``. A notification beside a request of its name says so.

    Raises:
        InputError: if two methods of one side have one name.
    """
    named: dict[Method, str] = {}
    taken: dict[tuple[str, str], Method] = {}
    for method in sorted(protocol.methods, key=lambda method: method.kind == "notification"):
        name = method_words(method, data, method_name)
        other = taken.get((method.side, name))
        if other is not None and other.wire_name == method.wire_name and other.kind != method.kind:
            name = f"notify_{name}"
            other = taken.get((method.side, name))
        name = f"{name}_" if name in INHERITED_METHODS else name
        if other is not None:
            raise InputError(
                f"methods {other.wire_name} and {method.wire_name} would both be called {name}",
                where=Where(protocol.file, method.pointer),
                remedy=f"name one of them in {data.file}",
            )
        taken[method.side, name] = method
        named[method] = name
    return {method: named[method] for method in protocol.methods}


def table_views(protocol: Protocol, names: Names) -> list[TableView]:
    """Return a table for each side, in the order in which the schema first names them."""
    sides = list(dict.fromkeys(method.side for method in protocol.methods))
    return [
        TableView(side, _table(side), tuple(_methods(protocol, names, [side]))) for side in sides
    ]


def side_views(protocol: Protocol, names: Names, data: NameData) -> list[SideView]:
    """Return a module for each side that is not shared by the others."""
    sides = list(dict.fromkeys(method.side for method in protocol.methods))
    shared = [side for side in sides if data.sides.get(side, SideNames()).shared]
    found = []
    for side in sides:
        if side in shared:
            continue
        said = data.sides.get(side, SideNames())
        methods = tuple(_methods(protocol, names, [side, *shared]))
        twice = [
            name for name, count in Counter(method.name for method in methods).items() if count > 1
        ]
        if twice:
            raise InputError(
                f"side {side} and a shared side both have a method called {twice[0]}",
                where=Where(protocol.file),
                remedy=f"name one of them in {data.file}",
            )
        module = snake(side)
        found.append(
            SideView(
                side=side,
                module=f"{module}_side" if module in _MODULES else module,
                interface=said.interface or pascal(side),
                dispatcher=f"{said.interface or pascal(side)}Dispatcher",
                connection=said.connection or f"{pascal(side)}Connection",
                methods=methods,
                types=tuple(sorted(_types(methods))),
                tables=tuple(sorted({f"{method.table} as _{method.table}" for method in methods})),
                announcement=protocol.announcements.get(side),
            )
        )
    return found


def side_names(protocol: Protocol, data: NameData) -> set[str]:
    """Return the public names that the sides of ``protocol`` give rise to."""
    found: set[str] = set()
    for side in {method.side for method in protocol.methods}:
        said = data.sides.get(side, SideNames())
        interface = said.interface or pascal(side)
        connection = said.connection or f"{pascal(side)}Connection"
        found |= {interface, f"{interface}Dispatcher", connection, _table(side)}
    return found


def _types(methods: Iterable[MethodView]) -> set[str]:
    return {name for method in methods for name in (method.params_type, method.result_type)} - {
        "None"
    }


def _table(side: str) -> str:
    return f"{upper(side)}_METHODS"


def _methods(protocol: Protocol, names: Names, sides: list[str]) -> Iterable[MethodView]:
    requests = {
        (method.side, method.wire_name) for method in protocol.methods if method.kind == "request"
    }
    for method in protocol.methods:
        if method.side not in sides:
            continue
        both = method.kind == "notification" and (method.side, method.wire_name) in requests
        yield MethodView(
            name=names.methods[method],
            wire_name=method.wire_name,
            side=method.side,
            kind=method.kind,
            params=method.params[0],
            result=method.result[0] if method.result else None,
            params_type=names.types[method.params],
            result_type=names.types[method.result] if method.result else "None",
            feature=method.feature,
            capability=_capability(method),
            gates=method.gates,
            doc=_doc(method, _SERVING),
            call_doc=_doc(method, _CALLING),
            table=_table(method.side),
            # A request and a notification of one name cannot share a key.
            key=f"{method.wire_name} (notification)" if both else method.wire_name,
        )


def _capability(method: Method) -> str | None:
    return next((".".join(gate.capability) for gate in method.gates if gate.whole), None)


def _doc(method: Method, errors: Mapping[Kind, str]) -> str:
    parts = [f"{method.wire_name}, a {method.kind} that side {method.side} serves."]
    if method.doc:
        parts.append(method.doc)
    if method.feature:
        parts.append(f"Feature: {method.feature}.")
    parts += [f"{_gated(gate)} needs {_capabilities(gate)}." for gate in method.gates]
    parts.append(errors[method.kind])
    return "\n\n".join(parts)


def _gated(gate: Gate) -> str:
    if gate.whole:
        return "The method"
    what = "the params" if gate.parameter is None else f"the parameter {gate.parameter}"
    return (
        f"{what[0].upper()}{what[1:]}" if gate.tag is None else f"{gate.tag} {gate.value} in {what}"
    )


def _capabilities(gate: Gate) -> str:
    paths = [".".join(path) for path in gate.paths]
    return f"the capabilit{'y' if len(paths) == 1 else 'ies'} {' and '.join(paths)}"


def public_sides(sides: Iterable[SideView]) -> Mapping[str, list[str]]:
    """Return the public names of each side's module."""
    return {side.module: [side.interface, side.dispatcher, side.connection] for side in sides}
