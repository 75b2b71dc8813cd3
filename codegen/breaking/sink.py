"""Where the parts of a comparison put what they find: level and broken messages are decided here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from ..pointer import split
from ..protocol.ir import Alias, Enum, Struct, TaggedUnion, Type, TypeId, Union
from ..protocol.shapes import describe
from .model import KINDS, Break, Finding, merged
from .reach import Channel

OLD, NEW = "old", "new"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a difference is.

    Args:
        owners: the old and the new type that hold it; None where there is none.
        old: its JSON Pointer in the old schema, or None.
        new: its JSON Pointer in the new schema, or None.
        part: the part inside the type, such as the name of a field; empty for the type itself.
    """

    owners: tuple[TypeId | None, TypeId | None]
    old: str | None
    new: str | None
    part: str = ""

    @property
    def subject(self) -> str:
        """The place for people."""
        owner = describe(self.owners[1] or self.owners[0] or ())
        return f"{owner}.{self.part}" if self.part else owner

    @property
    def borrowed(self) -> int:
        """1 if the type only repeats what another definition declares, else 0."""
        here = 1 if self.new is not None else 0
        pointer, owner = (self.old, self.new)[here], self.owners[here]
        if pointer is None or owner is None:
            return 0
        return int(split(pointer)[1] != owner[0])


@dataclass
class Sink:
    """Collects findings.

    Args:
        peers: the peers that both schemas know.
        old: by type, the ways that its values go in the old schema; see ``reach``.
        new: the same for the new schema.
    """

    peers: Sequence[str]
    old: Mapping[TypeId, frozenset[Channel]]
    new: Mapping[TypeId, frozenset[Channel]]
    _found: list[tuple[int, Finding]] = field(default_factory=list)

    def add(
        self, kind: str, place: Place, what: str, *, narrows: bool = False, widens: bool = False
    ) -> None:
        """Add a difference.

        Args:
            kind: one of ``KINDS``.
            place: where it is.
            what: what differs.
            narrows: what a peer of the old schema sends may be refused by one of the new.
            widens: what a peer of the new schema sends may be refused by one of the old.
        """
        channels = self._channels(*place.owners) if narrows or widens else ()
        self.add_on(kind, place, what, channels, narrows=narrows, widens=widens)

    def add_on(
        self,
        kind: str,
        place: Place,
        what: str,
        channels: Iterable[Channel],
        *,
        narrows: bool = False,
        widens: bool = False,
    ) -> None:
        """Add a difference in what goes the ways ``channels``; see ``add``."""
        breaks: set[Break] = set()
        for sender, reader in channels:
            if narrows:
                breaks.add(Break(f"{OLD}-{sender}", f"{NEW}-{reader}"))
            if widens:
                breaks.add(Break(f"{NEW}-{sender}", f"{OLD}-{reader}"))
        level = "wire" if breaks else KINDS[kind]
        finding = Finding(
            kind, level, place.subject, what, place.old, place.new, tuple(sorted(breaks))
        )
        self._found.append((place.borrowed, finding))

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found, in the order of showing."""
        return merged(self._found)

    def _channels(self, old: TypeId | None, new: TypeId | None) -> Iterable[Channel]:
        """Return the ways that the type goes in both schemas: elsewhere the two never meet."""
        ways = [
            table[id_] for table, id_ in ((self.old, old), (self.new, new)) if id_ in table and id_
        ]
        return frozenset.intersection(*ways) if ways else permutations(self.peers, 2)


def quoted(value: Any) -> str:
    """Return a JSON value as text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


_SORTS: Mapping[type, str] = {
    Struct: "an object",
    TaggedUnion: "a union with a tag",
    Union: "a union without a tag",
    Enum: "an enum",
    Alias: "a plain type",
}


def sort_of(type_: Type) -> str:
    """Return which sort of type it is, for people."""
    return _SORTS[type(type_)]
