"""What a target gets and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from typing import Protocol as Interface

from ..conversion.model import Plan
from ..protocol.ir import Protocol
from ..protocol.naming import NameData
from ..style.model import Choices


@dataclass(frozen=True)
class Job:
    """Everything a target may use.

    Args:
        protocols: the versions to render, by name, oldest first.
        plan: what converts between them; None for a single version.
        names: exceptions from the naming rules.
        headers: the text of the file header, without comment signs: for each version, and under
            the empty name for files of all versions.
        templates: the folders of templates; the first that has one gives it.
        options: the output's choices, by name; each option of the target is there.
        say: tells of progress; for people, not part of the output.
        choices: layout, names and style; every key of it matches something.
        examples: for each version, values for example messages; by (definition,), (definition,
            field) and ("", field).
    """

    protocols: Mapping[str, Protocol]
    plan: Plan | None
    names: NameData
    headers: Mapping[str, tuple[str, ...]]
    templates: tuple[Path, ...]
    options: Mapping[str, str]
    say: Callable[[str], None]
    choices: Choices = field(default_factory=Choices)
    examples: Mapping[str, Mapping[tuple[str, ...], Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class OptionRule:
    """A choice that an output may make.

    Args:
        default: the value if the output says nothing.
        choices: the values there are; empty for free text.
        pattern: what free text has to match as a whole.
    """

    default: str
    choices: tuple[str, ...] = ()
    pattern: str = ""


class Target(Interface):
    """A target language. ``render`` is a pure function of the job.

    ``options`` are the choices that an output of this target may make, by name. ``layouts`` has,
    for each layout that the target knows, the key paths of names and style that have an effect on
    it.
    """

    name: str
    options: Mapping[str, OptionRule]
    layouts: Mapping[str, frozenset[tuple[str, ...]]]

    def render(self, job: Job) -> Mapping[str, str]:
        """Return the text of each file by its POSIX path below the output folder."""
        ...
