"""What a comparison finds: kinds, levels, and whose messages break."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

Level = Literal["wire", "source", "additive", "documentation"]

#: From the gravest to the least.
LEVELS: Final[tuple[Level, ...]] = ("wire", "source", "additive", "documentation")

#: Every kind of finding -> its level where no message breaks. A kind never changes its name.
KINDS: Final[Mapping[str, Level]] = {
    "definition-removed": "source",
    "definition-added": "additive",
    "definition-renamed": "source",
    "method-removed": "source",
    "method-added": "additive",
    "method-params-changed": "source",
    "method-result-changed": "source",
    "field-removed": "source",
    "field-added": "additive",
    "field-renamed": "source",
    "required-added": "source",
    "required-dropped": "source",
    "null-added": "source",
    "null-dropped": "source",
    "type-narrowed": "source",
    "type-widened": "source",
    "type-changed": "source",
    "type-renamed": "source",
    "constraint-tightened": "source",
    "constraint-loosened": "source",
    "constraint-changed": "source",
    "format-changed": "source",
    "object-closed": "source",
    "object-opened": "source",
    "union-tag-removed": "source",
    "union-tag-added": "additive",
    "union-tag-key-changed": "source",
    "union-branch-removed": "source",
    "union-branch-added": "additive",
    "union-closed": "source",
    "union-opened": "source",
    "enum-word-removed": "source",
    "enum-word-added": "additive",
    "enum-word-retitled": "source",
    "enum-closed": "source",
    "enum-opened": "source",
    "leniency-lost": "source",
    "leniency-gained": "additive",
    "default-added": "source",
    "default-removed": "source",
    "default-changed": "source",
    "title-changed": "documentation",
    "description-changed": "documentation",
}

#: Every kind of key that stops matching. They count as ``source``: a build with NEW needs an edit.
STALE_KINDS: Final = (
    "rule-stale",
    "name-stale",
    "gate-stale",
    "overlay-refused",
    "configuration-stale",
)
STALE_LEVEL: Final[Level] = "source"


@dataclass(frozen=True, slots=True, order=True)
class Break:
    """Messages that no longer get through: what ``sender`` sends, ``reader`` cannot read.

    Both are a peer's name after the schema that it follows, such as ``old-client``.
    """

    sender: str
    reader: str

    def __str__(self) -> str:
        return f"{self.sender} -> {self.reader}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference.

    Args:
        kind: one of ``KINDS``.
        level: one of ``LEVELS``.
        subject: the definition, and the way to the part inside it, for people.
        what: what differs, one sentence without a full stop at its end.
        old: JSON Pointer in the old schema; None if it is in the new one only.
        new: JSON Pointer in the new schema; None if it is in the old one only.
        breaks: whose messages break, sorted; empty unless the level is ``wire``.
    """

    kind: str
    level: Level
    subject: str
    what: str
    old: str | None
    new: str | None
    breaks: tuple[Break, ...] = ()


@dataclass(frozen=True, slots=True)
class Stale:
    """A key of the project that matches the old schema and not the new one.

    Args:
        kind: one of ``STALE_KINDS``.
        file: the file of the key, as messages name it.
        pointer: JSON Pointer of the key.
        what: what no longer matches.
        remedy: what to do about it.
    """

    kind: str
    file: str
    pointer: str
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A schema of the comparison: what the user called it, its file in messages, its digest."""

    name: str
    file: str
    sha256: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All that a comparison found, in the order in which it is shown.

    ``descriptions`` is false if one schema has descriptions and the other, imported without them,
    has none to compare.
    """

    old: Compared
    new: Compared
    findings: tuple[Finding, ...]
    stale: tuple[Stale, ...] = ()
    descriptions: bool = True

    def counts(self) -> dict[Level, int]:
        """Return how many findings there are of each level; keys that stop matching aside."""
        return {level: sum(finding.level == level for finding in self.findings) for level in LEVELS}

    def reaches(self, level: Level) -> bool:
        """True if something of ``level`` or a graver one was found."""
        found = [*(finding.level for finding in self.findings), *[STALE_LEVEL for _ in self.stale]]
        return any(LEVELS.index(item) <= LEVELS.index(level) for item in found)


def merged(findings: Iterable[tuple[int, Finding]]) -> tuple[Finding, ...]:
    """Return ``findings`` in the order of showing, those of one place and kind made one.

    The variants of a union repeat the fields that they inherit, so one change is found many times.

    Args:
        findings: each with its rank; the subject of the lowest one is kept.
    """
    found: dict[tuple[str, str | None, str | None, str], tuple[int, Finding]] = {}
    for rank, finding in findings:
        key = (finding.kind, finding.old, finding.new, finding.what)
        known = found.get(key)
        found[key] = (rank, finding) if known is None else _merge(known, (rank, finding))
    return tuple(sorted((finding for _, finding in found.values()), key=_place))


def _merge(one: tuple[int, Finding], two: tuple[int, Finding]) -> tuple[int, Finding]:
    rank, kept = min(one, two, key=lambda item: (item[0], item[1].subject))
    level = min(one[1].level, two[1].level, key=LEVELS.index)
    breaks = tuple(sorted({*one[1].breaks, *two[1].breaks}))
    return rank, Finding(kept.kind, level, kept.subject, kept.what, kept.old, kept.new, breaks)


def _place(finding: Finding) -> tuple[int, str, str, str, str]:
    place = finding.new if finding.new is not None else finding.old or ""
    return LEVELS.index(finding.level), place, finding.kind, finding.what, finding.old or ""
