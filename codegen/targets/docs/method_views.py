"""Methods as the templates need them: by side, with what each needs and an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...protocol.ir import Enum, Gate, Method, Protocol, Struct, TypeId
from .capabilities import capability_link, paths_text
from .examples import Examples, NoExampleError
from .markdown import cell, code, json_block, json_code, line, prose, wrap
from .places import METHODS, Places, anchor_tag
from .type_views import Table, first_sentence


@dataclass(frozen=True)
class MethodView:
    """A method's section; everything is Markdown.

    Args:
        name: the heading.
        anchor: where links to it lead.
        address: the same as a name.
        doc: what it does, as paragraphs.
        facts: list items: kind, params, result, feature, capability, errors.
        gates: the parameters and variants that need a capability of their own; None without any.
        examples: fenced messages; none if no example can be made.
    """

    name: str
    anchor: str
    address: str
    doc: str
    facts: Sequence[str]
    gates: Table | None
    examples: Sequence[str]


@dataclass(frozen=True)
class SideView:
    """The methods that a side serves."""

    name: str
    anchor: str
    address: str
    shared: bool
    table: Table
    methods: Sequence[MethodView]


class MethodViews:
    """Makes the sections of a version's page of methods.

    Args:
        protocol: the version.
        places: where everything is.
        given: values for the examples; see ``Examples``.
        errors: the definition of the error codes; empty for none.
        shared: the sides that every peer serves.
    """

    def __init__(
        self,
        protocol: Protocol,
        places: Places,
        given: Mapping[tuple[str, ...], Any],
        errors: str,
        shared: Sequence[str],
    ) -> None:
        self._protocol, self._places, self._shared = protocol, places, shared
        self._page = f"{protocol.version}/{METHODS}"
        self._given = given
        self._errors = protocol.types.get((errors,))

    def sides(self) -> list[SideView]:
        """Return the sides in schema order."""
        names = dict.fromkeys(method.side for method in self._protocol.methods)
        return [self._side(name) for name in names]

    def errors(self) -> Table | None:
        """Return the codes of error responses; None if the protocol names none."""
        if not isinstance(self._errors, Enum):
            return None
        rows = [
            [json_code(value.value), line(value.title), cell(value.doc)]
            for value in self._errors.values
        ]
        if self._errors.open:
            rows.append(["any other", "", cell(self._errors.other)])
        return Table(("Code", "Error", "Meaning"), rows)

    def errors_link(self) -> str:
        """Return a link to the definition of the error codes; empty without one."""
        return self._link(self._errors.id) if self._errors is not None else ""

    def _side(self, name: str) -> SideView:
        methods = [method for method in self._protocol.methods if method.side == name]
        anchor = self._places.side_anchor(self._protocol.version, name)
        return SideView(
            name=line(name),
            anchor=anchor_tag(anchor),
            address=anchor,
            shared=name in self._shared,
            table=Table(
                ("Method", "Kind", "What it does", "Capability", "Feature"),
                [self._row(method) for method in methods],
            ).filled(),
            methods=[self._method(method) for method in methods],
        )

    def _row(self, method: Method) -> list[str]:
        link = self._places.method_link(self._page, self._protocol.version, method)
        needs = paths_text(self._needs(method, gate) for gate in method.gates if gate.whole)
        return [link, method.kind, first_sentence(self._doc(method)), needs, self._feature(method)]

    def _method(self, method: Method) -> MethodView:
        address = self._places.method_anchor(self._protocol.version, method)
        return MethodView(
            name=code(method.wire_name),
            anchor=anchor_tag(address),
            address=address,
            doc=prose(self._doc(method)),
            facts=[wrap(fact, first="- ", rest="  ") for fact in self._facts(method)],
            gates=self._gates(method),
            examples=self._messages(method),
        )

    def _doc(self, method: Method) -> str:
        return method.doc or self._protocol.types[method.params].doc

    def _facts(self, method: Method) -> list[str]:
        answered = "" if method.kind == "request" else ", so nothing is answered"
        facts = [f"Kind: {method.kind}{answered}"]
        facts.append(f"Params: {self._link(method.params)}{self._fields(method.params)}")
        if method.result is not None:
            facts.append(f"Result: {self._link(method.result)}{self._fields(method.result)}")
            if isinstance(self._errors, Enum):
                facts.append("Errors: any of the [error codes](#errors)")
        needs = [self._needs(method, gate) for gate in method.gates if gate.whole]
        facts += [f"Needs the capability {needed}" for needed in needs]
        if method.feature is not None:
            facts.append(f"Feature: {self._feature(method)}")
        return facts

    def _fields(self, id_: TypeId) -> str:
        type_ = self._protocol.types[id_]
        if not isinstance(type_, Struct) or not type_.fields:
            return ""
        names = (
            code(field.wire_name) + ("" if field.presence.required else " (optional)")
            for field in type_.fields
        )
        return f" with {', '.join(names)}"

    def _gates(self, method: Method) -> Table | None:
        rows = [
            [
                code(gate.parameter) if gate.parameter is not None else "the params",
                json_code(gate.value) if gate.tag is not None else "any value",
                self._needs(method, gate),
            ]
            for gate in method.gates
            if not gate.whole
        ]
        return Table(("Parameter", "Value", "Needs the capability"), rows) if rows else None

    def _messages(self, method: Method) -> list[str]:
        gated = [(gate.tag, gate.value) for gate in method.gates if gate.tag is not None]
        maker = Examples(self._protocol, self._given, gated)
        try:
            return [json_block(message) for message in maker.messages(method)]
        except NoExampleError:
            return []

    def _needs(self, method: Method, gate: Gate) -> str:
        return paths_text(
            capability_link(self._protocol, self._places, self._page, method.side, path)
            for path in gate.paths
        )

    def _link(self, id_: TypeId) -> str:
        return self._places.type_link(self._page, self._protocol.version, id_)

    def _feature(self, method: Method) -> str:
        if method.feature is None:
            return ""
        return self._places.feature_link(self._page, self._protocol.version, method.feature)
