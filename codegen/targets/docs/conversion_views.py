"""What becomes of each version's values in the other, as the templates need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...conversion.lossy import Loss, lossy_records
from ...conversion.model import Direction, Envelope, Plan
from ...conversion.report import HOW, conversion_records, totals
from ...protocol.ir import Method, Protocol
from .markdown import code, json_code, line, wrap
from .places import CONVERSIONS, INDEX, Places, anchor_tag, page_link
from .type_views import Records, Table

_SELF = "the value itself"


@dataclass(frozen=True)
class DefinitionView:
    """A definition that is converted with conditions or changes; all Markdown."""

    name: str
    anchor: str
    facts: Sequence[str]
    table: Table | None


@dataclass(frozen=True)
class DirectionView:
    """One direction; all Markdown.

    Args:
        title: the heading.
        source: the version converted from.
        target: the version converted to.
        path: its page.
        link: the address of its page, as seen from the index.
        source_link: the address of the source's page, as seen from there.
        target_link: that of the target's.
        converted: the definitions with conditions or changes.
        same: the definitions that are copied as they are.
        refused: the definitions that are refused whole, and why.
        methods: what becomes of each method.
        losses: what lossy mode replaces or skips.
    """

    title: str
    source: str
    target: str
    path: str
    link: str
    source_link: str
    target_link: str
    converted: Sequence[DefinitionView]
    same: Sequence[str]
    refused: Table
    methods: Table
    losses: Table | None


def records_of(plan: Plan | None) -> Records:
    """Return what becomes of every definition, by direction and name; nothing without a plan."""
    if plan is None:
        return {}
    versions = {d.name: {"source": d.source, "other": d.target} for d in plan.directions}
    return {
        (record["direction"], record["definition"]): {**record, **versions[record["direction"]]}
        for record in conversion_records(plan)
    }


def totals_table(records: Records) -> Table:
    """Return how many definitions of each direction are copied, converted and refused."""
    counted = totals([dict(record) for record in records.values()])
    rows = [
        [code(direction), *(str(found[how]) for how in HOW)] for direction, found in counted.items()
    ]
    return Table(("Direction", *HOW), rows)


def direction_view(
    direction: Direction, protocols: Mapping[str, Protocol], records: Records, places: Places
) -> DirectionView:
    """Return one direction's page."""
    return _Direction(direction, protocols, records, places).view()


class _Direction:
    def __init__(
        self,
        direction: Direction,
        protocols: Mapping[str, Protocol],
        records: Records,
        places: Places,
    ) -> None:
        self._direction, self._protocols, self._places = direction, protocols, places
        self._page = f"{direction.name}.md"
        self._records = [record for (name, _), record in records.items() if name == direction.name]

    def view(self) -> DirectionView:
        by_how: dict[str, list[Mapping[str, Any]]] = {}
        for record in self._records:
            by_how.setdefault(record["how"], []).append(record)
        refused = [r for how in ("refuse", "only-here", "unanswered") for r in by_how.get(how, ())]
        refused.sort(key=lambda record: str(record["definition"]))
        losses = [self._loss(loss) for loss in lossy_records(self._direction)]
        return DirectionView(
            title=f"From {line(self._direction.source)} to {line(self._direction.target)}",
            source=line(self._direction.source),
            target=line(self._direction.target),
            path=self._page,
            link=page_link(CONVERSIONS, self._page),
            source_link=page_link(self._page, f"{self._direction.source}/{INDEX}"),
            target_link=page_link(self._page, f"{self._direction.target}/{INDEX}"),
            converted=[self._definition(record) for record in by_how.get("rule", ())],
            same=[self._named(record) for record in by_how.get("same", ())],
            refused=Table(
                ("Definition", "Why"), [[self._named(r), line(r["why"])] for r in refused]
            ),
            methods=Table(("Method", "Side", "Becomes"), self._methods()),
            losses=Table(("Definition", "At", "Value", "Becomes"), losses) if losses else None,
        )

    def _named(self, record: Mapping[str, Any]) -> str:
        name = record["definition"]
        anchor = self._places.conversion_anchor(self._direction.name, name)
        return anchor_tag(anchor) + self._source(name)

    def _definition(self, record: Mapping[str, Any]) -> DefinitionView:
        name, target = record["definition"], record["target"]
        source, other = line(self._direction.source), line(self._direction.target)
        facts = [f"{self._source(name)} of {source} becomes {self._target(target)} of {other}."]
        rows = []
        for part in record["parts"]:
            said = self._same_page(part["why"]) if part["what"] == "as" else line(part["why"])
            rows.append([code(part["at"]) if part["at"] else _SELF, part["what"], said])
        return DefinitionView(
            name=code(name),
            anchor=anchor_tag(self._places.conversion_anchor(self._direction.name, name)),
            facts=[wrap(fact) for fact in facts],
            table=Table(("Part", "Is", "How"), rows) if rows else None,
        )

    def _methods(self) -> list[list[str]]:
        """Return a row for each method of the source."""
        becomes: dict[str, str] = {}
        refused: dict[str, str] = {}
        for plan in self._direction.plans.values():
            if isinstance(plan, Envelope):
                becomes |= {wire: target for wire, (target, _, _) in plan.methods.items()}
                refused |= plan.only
        source = self._protocols[self._direction.source]
        return [
            [
                self._places.method_link(self._page, source.version, method),
                line(method.side),
                self._method(method, becomes, refused),
            ]
            for method in source.methods
            if method.wire_name in becomes or method.wire_name in refused
        ]

    def _method(
        self, method: Method, becomes: Mapping[str, str], refused: Mapping[str, str]
    ) -> str:
        if method.wire_name not in becomes:
            return f"refused: {line(refused[method.wire_name])}"
        wire = becomes[method.wire_name]
        target = self._protocols[self._direction.target]
        found = [m for m in target.methods if m.wire_name == wire]
        # The same method may be there for two sides, or as a request and a notification.
        found.sort(key=lambda m: (m.side != method.side, m.kind != method.kind))
        if not found:
            return code(wire)
        return self._places.method_link(self._page, target.version, found[0])

    def _loss(self, loss: Loss) -> list[str]:
        return [
            self._source(loss.definition),
            code(loss.at) if loss.at else _SELF,
            "any that is refused" if loss.what is None else json_code(loss.what),
            "nothing: it is skipped whole" if loss.becomes is None else json_code(loss.becomes),
        ]

    def _same_page(self, name: str) -> str:
        return self._places.conversion_link(self._page, self._direction.name, name, code(name))

    def _source(self, name: str) -> str:
        return self._places.type_link(self._page, self._direction.source, (name,))

    def _target(self, name: str) -> str:
        return self._places.type_link(self._page, self._direction.target, (name,))
