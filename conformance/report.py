"""Results as text."""

from __future__ import annotations

from collections.abc import Iterator

from .outcome import Outcome, Report, Result
from .registry import CHECKS

_WORDS = {Outcome.PASS: "pass", Outcome.FAIL: "FAIL", Outcome.SKIP: "skip"}


def result_lines(result: Result) -> Iterator[str]:
    """Yield one line for a result and, below a failure, its exchange."""
    reason = f": {result.why}" if result.why else ""
    yield f"{_WORDS[result.outcome]} {result.name}{reason}"
    for line in result.exchange:
        yield f"    {line}"


def closing_line(report: Report) -> str:
    """Return the line with the counts."""
    counts = report.counts()
    return (
        f"{len(report.results)} checks over {report.protocol}: {counts['pass']} passed,"
        f" {counts['fail']} failed, {counts['skip']} skipped"
    )


def check_lines() -> Iterator[str]:
    """Yield a line for each check: its name and what it proves."""
    width = max(map(len, CHECKS))
    for check in CHECKS.values():
        yield f"{check.name:<{width}}  {check.about}"


def check_records() -> list[dict[str, str]]:
    """Return the checks as JSON data."""
    return [
        {"name": check.name, "about": check.about, "guarantee": check.guarantee}
        for check in CHECKS.values()
    ]
