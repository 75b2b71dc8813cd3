"""Methods and sides as the templates of the stubs need them: texts that are ready to be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...errors import InputError, Where
from ...pointer import join
from ...protocol.ir import Gate, Method, Protocol
from ...protocol.naming import NameData, SideNames
from ..naming import pascal, snake, upper
from .layout import SOFT, SPACE, Doc, IfBroken, array, call, group, imported, indent, pairs, render
from .literals import block, entry, literal, string
from .names import Names, camel

_MODULES = frozenset({"definitions", "errors", "index", "methods", "types", "validators"})
#: What the module of a side takes from elsewhere; its own classes must not replace it.
_TAKEN = frozenset({"Connection", "Dispatcher", "Handler", "Peer", "Awaitable"})


@dataclass(frozen=True)
class RecordView:
    """The record of a method: its name in the module, what it says, its entry in the table."""

    name: str
    doc: str
    text: str
    row: str


@dataclass(frozen=True)
class TableView:
    """The methods that one side serves."""

    side: str
    name: str
    records: tuple[RecordView, ...]


@dataclass(frozen=True)
class SideView:
    """The module of a side: what it serves and who calls it."""

    side: str
    module: str
    interface: str
    dispatcher: str
    connection: str
    announcement: str
    imports: str
    records: str
    members: tuple[str, ...]
    calls: tuple[str, ...]


def record_name(method: Method, methods: Mapping[Method, str]) -> str:
    """Return what the record of ``method`` is called: its side and its name."""
    name = methods[method]
    return camel(method.side) + name[:1].upper() + name[1:]


def table_views(protocol: Protocol, names: Names) -> list[TableView]:
    """Return a table for each side, in the order in which the schema first names them."""
    sides = list(dict.fromkeys(method.side for method in protocol.methods))
    views = []
    for side in sides:
        found = [method for method in protocol.methods if method.side == side]
        requests = {method.wire_name for method in found if method.kind == "request"}
        records = tuple(_record(method, names, requests) for method in found)
        views.append(TableView(side, f"{upper(side)}_METHODS", records))
    return views


def _record(method: Method, names: Names, requests: set[str]) -> RecordView:
    members: list[tuple[str, Doc]] = [
        ("name", string(names.methods[method])),
        ("wireName", string(method.wire_name)),
        ("side", string(method.side)),
        ("kind", string(method.kind)),
        ("paramsType", string(method.params[0])),
    ]
    validators: list[tuple[str, str]] = [("params", names.schemas[method.params])]
    if method.result is not None:
        members.append(("resultType", string(method.result[0])))
        validators.append(("result", names.schemas[method.result]))
    whole = next((gate for gate in method.gates if gate.whole), None)
    members += [
        ("feature", literal(method.feature)),
        ("capability", literal(".".join(whole.capability) if whole else None)),
        ("gates", array(*map(_gate, method.gates))),
    ]
    lines = [f"{word}: {render(doc, column=len(word) + 4, depth=1)},\n" for word, doc in members]
    lines += [
        render(group(f"{word}:", indent(SPACE, f"v.{schema}"), ","), column=2, depth=1) + "\n"
        for word, schema in validators
    ]
    name = record_name(method, names.methods)
    both = method.kind == "notification" and method.wire_name in requests
    wire = f"{method.wire_name} (notification)" if both else method.wire_name
    key = entry(wire)
    text = "".join(f"  {line}" for line in lines)
    row = render(group(f"{key}:", indent(SPACE, name), ","), column=2, depth=1)
    return RecordView(name, block(_doc(method), 0), text, row)


def _gate(gate: Gate) -> Doc:
    paths = array(*(string(join("", *path)) for path in gate.paths))
    return pairs(
        ("parameter", literal(gate.parameter)),
        ("tag", literal(gate.tag)),
        ("value", literal(gate.value)),
        ("capabilities", paths),
    )


def side_views(protocol: Protocol, names: Names, data: NameData) -> list[SideView]:
    """Return a module for each side that is not shared by the others.

    Raises:
        InputError: if a side and a shared one have a method of one name.
    """
    sides = list(dict.fromkeys(method.side for method in protocol.methods))
    shared = [side for side in sides if data.sides.get(side, SideNames()).shared]
    found = []
    for side in sides:
        if side in shared:
            continue
        methods = [method for method in protocol.methods if method.side in (side, *shared)]
        counts = Counter(names.methods[method] for method in methods)
        twice = [name for name, count in counts.items() if count > 1]
        if twice:
            raise InputError(
                f"side {side} and a shared side both have a method called {twice[0]}",
                where=Where(protocol.file),
                remedy=f"name one of them in {data.file}",
            )
        records = [record_name(method, names.methods) for method in methods]
        interface, dispatcher, connection = _class_names(side, data)
        module = snake(side)
        found.append(
            SideView(
                side=side,
                module=f"{module}_side" if module in _MODULES else module,
                interface=interface,
                dispatcher=dispatcher,
                connection=connection,
                announcement=literal(protocol.announcements.get(side)),
                imports=imported(sorted(records, key=str.lower), "./methods.js"),
                records=render(group("const METHODS = ", array(*records), ";")),
                members=tuple(_member(method, names) for method in methods),
                calls=tuple(_call(method, names) for method in methods),
            )
        )
    return found


def public_names(protocol: Protocol, names_of: Iterable[str], data: NameData) -> set[str]:
    """Return the public names that the sides and methods of ``protocol`` give rise to.

    Args:
        protocol: one protocol version.
        names_of: the names of the methods' records.
        data: the exceptions from the naming rules.
    """
    found = set(names_of)
    for side in {method.side for method in protocol.methods}:
        found |= {*_class_names(side, data), f"{upper(side)}_METHODS"}
    return found


def _class_names(side: str, data: NameData) -> tuple[str, str, str]:
    said = data.sides.get(side, SideNames())
    interface = said.interface or pascal(side)
    interface = f"{interface}_" if interface in _TAKEN else interface
    return interface, f"{interface}Dispatcher", said.connection or f"{pascal(side)}Connection"


def _member(method: Method, names: Names) -> str:
    result = f"t.{names.types[method.result]}" if method.result else "void"
    name, params = names.methods[method], names.types[method.params]
    text = _signature(f"{name}?", params, f"Awaitable<{result}>;")
    return block(_doc(method), 1) + f"  {render(text, column=2, depth=1)}\n"


def _call(method: Method, names: Names) -> str:
    result = f"t.{names.types[method.result]}" if method.result else "void"
    name, params = names.methods[method], names.types[method.params]
    head = _signature(name, params, f"Promise<{result}> {{")
    verb = "this.request" if method.kind == "request" else "this.notify"
    sent = group("return ", call(verb, record_name(method, names.methods), "params"), ";")
    body = render(sent, column=4, depth=2)
    doc = block(_doc(method), 1)
    return f"{doc}  {render(head, column=2, depth=1)}\n    {body}\n  }}\n"


def _signature(name: str, params: str, ending: str) -> Doc:
    return group(
        f"{name}(", indent(SOFT, f"params: t.{params}", IfBroken(",")), SOFT, f"): {ending}"
    )


def _doc(method: Method) -> str:
    parts = [f"`{method.wire_name}`, a {method.kind} that side {method.side} serves."]
    if method.doc:
        parts.append(method.doc)
    if method.feature:
        parts.append(f"Feature: {method.feature}.")
    parts += [f"{_gated(gate)} needs {_capabilities(gate)}." for gate in method.gates]
    return "\n\n".join(parts)


def _gated(gate: Gate) -> str:
    if gate.whole:
        return "The method"
    what = "the params" if gate.parameter is None else f"the parameter {gate.parameter}"
    if gate.tag is None:
        return f"{what[0].upper()}{what[1:]}"
    return f"{gate.tag} {gate.value} in {what}"


def _capabilities(gate: Gate) -> str:
    paths = [".".join(path) for path in gate.paths]
    return f"the capabilit{'y' if len(paths) == 1 else 'ies'} {' and '.join(paths)}"
