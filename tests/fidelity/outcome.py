"""What a differential run found: counts, and small examples of every kind of fault."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

#: What can be wrong with an instance, in the order of the table:
#: the verdict differs from JSON Schema's, or something is accepted that cannot be salvaged;
#: something that leniency should save is refused or saved otherwise; something is lost on the way;
#: anything but a DecodeError; the list of what was dropped is wrong; an error names no place;
#: the reference itself disagrees with ``jsonschema``.
CATEGORIES = (
    "disagreement", "not salvaged", "lossy", "crash", "unreported", "pointer", "reference",
)  # fmt: skip
_COLUMNS = ("definitions", "instances", "valid", "invalid", "salvaged", *CATEGORIES)

HEADER = f"{'':<22}" + "".join(f"{name:>13}" for name in _COLUMNS)


def seed_of_run() -> int:
    """The seed that the environment names, or a fixed one."""
    return int(os.environ.get("ACP_SEED", "20260101"))


@dataclass(frozen=True)
class Finding:
    """One fault: what kind it is, and what was found. ``phase`` says how it was decoded."""

    category: str
    phase: str
    what: str

    def alike(self, other: Finding) -> bool:
        """True if ``other`` is most likely the same fault."""
        return (self.category, self.phase) == (other.category, other.phase)


@dataclass(frozen=True)
class Example:
    """The smallest instance found that shows a fault."""

    definition: str
    finding: Finding
    instance: Any
    seed: str

    def __str__(self) -> str:
        finding = self.finding
        return (
            f"{finding.category}: {self.definition}: {finding.phase}: {finding.what}\n"
            f"    instance: {json.dumps(self.instance)}\n"
            f"    seed: {self.seed}"
        )


@dataclass
class Report:
    """Counts of one run, and an example of each kind of fault in each definition."""

    label: str
    seed: int
    definitions: int = 0
    instances: int = 0
    meant: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    uncovered: list[str] = field(default_factory=list)
    examples: dict[tuple[str, str, str], Example] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """True if nothing is wrong and no definition was left out."""
        return not self.uncovered and not sum(self.faults.values())

    def row(self) -> str:
        """Return the counts as one line of the table; faults count instances."""
        cells = [self.definitions, self.instances]
        cells += [self.verdicts[name] for name in ("valid", "invalid", "salvaged")]
        cells += [self.faults[name] for name in CATEGORIES]
        return f"{self.label:<22}" + "".join(f"{cell:>13}" for cell in cells)

    def __str__(self) -> str:
        shown = [HEADER, self.row(), f"run again with ACP_SEED={self.seed}"]
        shown += [f"not covered: {what}" for what in self.uncovered]
        return "\n".join([*shown, *map(str, self.examples.values())])
