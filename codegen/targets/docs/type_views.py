"""Types as the templates need them: sections with tables, everything in them Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...protocol.ir import (
    ABSENT,
    Alias,
    Enum,
    Field,
    Gate,
    Method,
    Protocol,
    Struct,
    TaggedUnion,
    Type,
    TypeId,
    Union,
    Variant,
)
from .capabilities import capability_link, paths_text
from .expressions import Expressions, own_fields, presence, unknown_keys
from .markdown import cell, code, json_code, line, prose, wrap
from .places import Places, anchor_tag, type_name
from .users import Users

#: What ``conversion_records`` says, by direction and definition.
Records = Mapping[tuple[str, str], Mapping[str, Any]]


@dataclass(frozen=True)
class Table:
    """A table: its heads and rows, all cells Markdown."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    def filled(self) -> Table:
        """Return the table without the columns that have nothing but a head."""
        kept = [i for i in range(len(self.heads)) if any(row[i] for row in self.rows)]
        rows = [[row[i] for i in kept] for row in self.rows]
        return Table([self.heads[i] for i in kept], rows)


@dataclass(frozen=True)
class TypeView:
    """A type's section.

    Args:
        name: the heading.
        anchor: where links to it lead.
        level: the level of the heading.
        doc: what it is, as paragraphs.
        facts: what kind of type it is and what becomes of unknown parts, as paragraphs.
        table: its fields, words, variants or branches; None if it has none.
        notes: where it is used, and what becomes of it in the other version; paragraphs.
    """

    name: str
    anchor: str
    level: int
    doc: str
    facts: Sequence[str]
    table: Table | None
    notes: Sequence[str]


class TypeViews:
    """Makes the sections of one page."""

    def __init__(self, protocol: Protocol, records: Records, places: Places, page: str) -> None:
        self._protocol, self._records, self._places, self._page = protocol, records, places, page
        self._version = protocol.version
        self._write = Expressions(places, protocol.version, page)
        self._users = Users(protocol)

    def definition(self, name: str) -> list[TypeView]:
        """Return the section of a definition, and those of the types inside it that need one."""
        ids = [id_ for id_ in self._protocol.types if id_[0] == name]
        order: dict[TypeId, int] = {}
        for number, id_ in enumerate(ids):
            for size in range(1, len(id_) + 1):
                order.setdefault(id_[:size], number)
        # Each type before those inside it, and otherwise as in the schema.
        ids.sort(key=lambda id_: [order[id_[:size]] for size in range(1, len(id_) + 1)])
        return [
            self._section(self._protocol.types[id_])
            for id_ in ids
            if len(id_) == 1 or not self._is_told(id_)
        ]

    def summary(self, name: str) -> tuple[str, str, str]:
        """Return a link to a definition, its kind and the first sentence on it."""
        type_ = self._protocol.types[(name,)]
        return self._link(type_.id), _KINDS[type(type_)], first_sentence(type_.doc)

    def _section(self, type_: Type) -> TypeView:
        facts, table = self._body(type_)
        if type_.feature is not None:
            facts = [*facts, f"Feature: {self._feature(type_.feature)}."]
        return TypeView(
            name=code(type_name(type_.id)),
            anchor=anchor_tag(self._places.type_anchor(self._version, type_.id)),
            level=min(1 + len(type_.id), 3),
            doc=prose(type_.doc),
            facts=[wrap(fact) for fact in facts],
            table=table,
            notes=[wrap(note) for note in self._notes(type_)],
        )

    # ---- what a type is ---------------------------------------------------------------------------

    def _body(self, type_: Type) -> tuple[list[str], Table | None]:
        if isinstance(type_, Struct):
            return self._struct(type_)
        if isinstance(type_, TaggedUnion):
            return self._tagged(type_)
        if isinstance(type_, Union):
            return self._union(type_)
        if isinstance(type_, Enum):
            return self._enum(type_)
        return [f"The same as: {self._write.expr(type_.type)}."], None

    def _struct(self, type_: Struct) -> tuple[list[str], Table | None]:
        if type_.base is None:
            fields, fact = list(type_.fields), "An object."
        else:
            fields = own_fields(type_, self._protocol.types[type_.base])
            fact = f"An object with all fields of {self._link(type_.base)}"
            fact += ", and these." if fields else "."
        if not type_.fields:
            fact = "An object without fields of its own."
        rows = [self._field(type_, field) for field in fields]
        table = Table(("Field", "Type", "Presence", "Meaning"), rows) if rows else None
        return [f"{fact} {unknown_keys(type_)}"], table

    def _field(self, owner: Struct, field: Field) -> list[str]:
        said = [cell(field.doc)] if field.doc else []
        said += self._write.leniency(field)
        said += self._gates(owner.id, field.wire_name)
        if field.feature is not None and field.feature != owner.feature:
            said.append(f"Feature: {self._feature(field.feature)}.")
        return [code(field.wire_name), self._write.field(field), presence(field), " ".join(said)]

    def _tagged(self, type_: TaggedUnion) -> tuple[list[str], Table]:
        rows = [
            self._variant(type_, variant, json_code(variant.value)) for variant in type_.variants
        ]
        tag = code(type_.tag)
        fact = f"One of these objects, told apart by {tag}."
        if type_.fallback is not None:
            rows.append(self._variant(type_, type_.fallback, "any other"))
            fact += f" An object with any other {tag} is kept as it is."
        rows += [self._variant(type_, variant, "none of these") for variant in type_.untagged]
        if type_.fallback is None and not type_.untagged:
            fact += f" Any other {tag} is an error."
        return [fact], Table((tag, "Object", "Meaning"), rows)

    def _variant(self, union: TaggedUnion, variant: Variant, tag: str) -> list[str]:
        type_ = self._protocol.types[variant.type]
        said = [cell(type_.doc)] if type_.doc else []
        said += self._gates(union.id, None, variant)
        if variant.feature is not None and variant.feature != union.feature:
            said.append(f"Feature: {self._feature(variant.feature)}.")
        target = self._link(variant.type)
        if self._is_told(variant.type) and isinstance(type_, Struct):
            # The row is all that the variant needs, so links to it lead here.
            tag = anchor_tag(self._places.type_anchor(self._version, variant.type)) + tag
            target = self._told(type_)
        return [tag, target, " ".join(said)]

    def _told(self, type_: Struct) -> str:
        base = type_.base
        while base is not None and self._is_told(base):
            base = getattr(self._protocol.types[base], "base", None)
        if base is not None:
            return self._link(base)
        return f"no further fields; {unknown_keys(type_)[0].lower()}{unknown_keys(type_)[1:-1]}"

    def _union(self, type_: Union) -> tuple[list[str], Table]:
        rows = []
        for branch in type_.branches:
            said = branch.doc or next(
                (
                    self._protocol.types[id_].doc
                    for id_ in [getattr(branch.type, "id", None)]
                    if id_
                ),
                "",
            )
            rows.append([line(branch.title), self._write.expr(branch.type), cell(said)])
        fact = "One of these, told apart by their shape."
        if type_.exclusive:
            fact += " A value that fits two of them is an error."
        return [f"{fact} A value that fits none is an error."], Table(
            ("Name", "Type", "Meaning"), rows
        )

    def _enum(self, type_: Enum) -> tuple[list[str], Table]:
        rows = [
            [json_code(value.value), line(value.title), cell(value.doc)] for value in type_.values
        ]
        kind = type_.kind
        if type_.open:
            rows.append([f"any other {kind}", "", cell(type_.other)])
            fact = f"One of these values, or any other {kind}, which is kept as it is."
        else:
            fact = "One of these values. Any other is an error."
        return [fact], Table(("Value", "Name", "Meaning"), rows).filled()

    # ---- what is said of it elsewhere -------------------------------------------------------------

    def _is_told(self, id_: TypeId) -> bool:
        """True if the row of a variant says all of a type: it adds the tag to a definition."""
        type_ = self._protocol.types[id_]
        if len(id_) == 1 or not isinstance(type_, Struct) or id_ not in self._users.variants:
            return False
        base = self._protocol.types[type_.base] if type_.base is not None else None
        return all(field.tag is not ABSENT for field in own_fields(type_, base))

    def _gates(
        self, id_: TypeId, parameter: str | None, variant: Variant | None = None
    ) -> list[str]:
        """Return a sentence for each capability that a field, or a variant of params, needs."""
        said = []
        for method in self._protocol.methods:
            if method.params != id_:
                continue
            for gate in method.gates:
                if gate.whole or gate.parameter != parameter:
                    continue
                if variant is not None and gate.value != variant.value:
                    continue
                said.append(self._gate(method, gate, named=variant is None))
        return list(dict.fromkeys(said))

    def _gate(self, method: Method, gate: Gate, *, named: bool) -> str:
        needs = paths_text(
            capability_link(self._protocol, self._places, self._page, method.side, path)
            for path in gate.paths
        )
        what = f" for {json_code(gate.value)}" if named and gate.tag is not None else ""
        return f"Capability{what}: {needs}."

    def _notes(self, type_: Type) -> Iterable[str]:
        calls = [
            f"{word} {self._places.method_link(self._page, self._version, method)}"
            for method in self._protocol.methods
            for word, id_ in (("Params of", method.params), ("Result of", method.result))
            if id_ == type_.id
        ]
        users = [self._link(id_) for id_ in self._users.of(type_.id)]
        if calls:
            yield f"{', '.join(calls)}."
        if users:
            yield f"Used in: {', '.join(users)}."
        if len(type_.id) == 1:
            yield from self._conversions(type_.id[0])

    def _conversions(self, name: str) -> Iterable[str]:
        for (direction, definition), record in self._records.items():
            if definition != name or record["source"] != self._version:
                continue
            target = record["target"]
            becomes = "" if target in (name, None) else f" becomes {code(target)};"
            label = f"To {line(record['other'])}"
            link = self._places.conversion_link(self._page, direction, name, label)
            yield f"{link}:{becomes} {HOW[record['how']]}."

    def _link(self, id_: TypeId) -> str:
        return self._places.type_link(self._page, self._version, id_)

    def _feature(self, feature: str) -> str:
        return self._places.feature_link(self._page, self._version, feature)


#: What ``how`` of a conversion record means for a value.
HOW = {
    "same": "copied as it is",
    "rule": "converted, with conditions or changes",
    "refuse": "refused",
    "only-here": "refused, for it has no counterpart",
    "unanswered": "refused, for no rule says how",
}

_KINDS: dict[type, str] = {
    Struct: "object",
    TaggedUnion: "tagged union",
    Union: "union",
    Enum: "enum",
    Alias: "alias",
}


def first_sentence(doc: str) -> str:
    """Return the first sentence of a text as one line of Markdown."""
    paragraph = doc.strip().split("\n\n", 1)[0]
    head, stop, _ = " ".join(paragraph.split()).partition(". ")
    return line(head + stop.rstrip())
