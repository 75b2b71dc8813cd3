"""What comes of a check, and how a check says so."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class Outcome(enum.StrEnum):
    """How a check ended."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class CannotStartError(Exception):
    """The command of the agent cannot be started at all."""


class Ended(Exception):  # noqa: N818 - a skipped check is no error
    """Ends a check early; the text says why."""

    outcome = Outcome.FAIL


class Failed(Ended):
    """The agent breaks the guarantee, or does not get as far as that."""


class Skipped(Ended):
    """The check cannot judge this agent."""

    outcome = Outcome.SKIP


class Refused(Failed):
    """The agent answered a request with an error.

    Args:
        what: the request, for people.
        code: the error code.
        message: the message of the error.
    """

    def __init__(self, what: str, code: int, message: str) -> None:
        super().__init__(f"{what} was answered with error {code}: {printable(message)}")
        self.code = code


@dataclass(frozen=True)
class Result:
    """What came of one check.

    Args:
        name: the name of the check.
        outcome: how it ended.
        why: the reason; None for a pass.
        exchange: the messages both ways, as lines, if it failed.
    """

    name: str
    outcome: Outcome
    why: str | None = None
    exchange: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON data; only a failure has an exchange."""
        found: dict[str, Any] = {"name": self.name, "outcome": str(self.outcome), "why": self.why}
        return {**found, "exchange": list(self.exchange)} if self.exchange else found


@dataclass(frozen=True)
class Report:
    """What came of a run.

    Args:
        protocol: the version that was spoken, such as ``v1``.
        command: the command of the agent.
        results: one for each check, in the order of the list.
    """

    protocol: str
    command: Sequence[str]
    results: Sequence[Result]

    @property
    def failed(self) -> bool:
        """True if any check failed."""
        return any(result.outcome is Outcome.FAIL for result in self.results)

    def counts(self) -> dict[str, int]:
        """Return how many checks ended how."""
        found = Counter(result.outcome for result in self.results)
        return {str(outcome): found[outcome] for outcome in Outcome}

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "protocol": self.protocol,
            "command": list(self.command),
            "checks": [result.to_json() for result in self.results],
            "counts": self.counts(),
        }


def printable(text: object, limit: int = 300) -> str:
    """Return ``text`` on one line, without control characters, shortened to ``limit``."""
    found = str(text)
    found = found if len(found) <= limit else f"{found[:limit]}... ({len(found)} characters)"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in found
    )
