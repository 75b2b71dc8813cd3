"""What a target gets and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Interface

from ..conversion.model import Plan
from ..protocol.ir import Protocol
from ..protocol.naming import NameData


@dataclass(frozen=True)
class Job:
    """Everything a target may use.

    Args:
        protocols: the versions to render, by name, oldest first.
        plan: what converts between them; None for a single version.
        names: exceptions from the naming rules.
        headers: the text of the file header, without comment signs: for each version, and under
            the empty name for files of all versions.
        templates: the folder of the target's templates.
        say: tells of progress; for people, not part of the output.
    """

    protocols: Mapping[str, Protocol]
    plan: Plan | None
    names: NameData
    headers: Mapping[str, tuple[str, ...]]
    templates: Path
    say: Callable[[str], None]


class Target(Interface):
    """A target language. ``render`` is a pure function of the job."""

    name: str

    def render(self, job: Job) -> Mapping[str, str]:
        """Return the text of each file by its POSIX path below the output folder."""
        ...
