"""The conformance suite behind its command. The suite is a package of its own, loaded when used."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence

from .errors import EXIT_NONCONFORMING, EXIT_OK, UsageError


def list_checks(as_json: bool, say: Callable[[str], None]) -> int:
    """Tell the names of the checks and what each proves; return the exit code."""
    from acp_conformance.report import check_lines, check_records

    for line in [json.dumps(check_records(), indent=2)] if as_json else check_lines():
        say(line)
    return EXIT_OK


def run_checks(
    command: Sequence[str],
    *,
    protocol: str,
    only: Sequence[str],
    timeout: float,
    jobs: int,
    as_json: bool,
    say: Callable[[str], None],
) -> int:
    """Run the checks against an agent, tell what comes of them and return the exit code.

    Args:
        command: starts the agent.
        protocol: the version to speak.
        only: names of checks; empty for all.
        timeout: seconds for each step.
        jobs: how many checks run at the same time.
        as_json: whether to tell all at the end, as JSON, instead of line by line.
        say: takes the lines.

    Raises:
        UsageError: if there is no command, if it cannot be started, or for an unknown name.
    """
    from acp_conformance import CHECKS, VERSIONS, CannotStartError, Result, Settings, run_suite
    from acp_conformance.report import closing_line, result_lines

    if not command:
        raise UsageError("there is no agent to check", remedy="give its command behind --")
    _known("protocol version", [protocol], VERSIONS)
    _known("check", only, CHECKS)

    def tell(result: Result) -> None:
        for line in result_lines(result):
            say(line)

    settings = Settings(command, protocol, only, limit=timeout, jobs=jobs)
    try:
        report = run_suite(settings, (lambda _: None) if as_json else tell)
    except CannotStartError as error:
        raise UsageError(str(error), remedy="give a command that starts the agent") from error
    say(json.dumps(report.to_json(), indent=2) if as_json else closing_line(report))
    return EXIT_NONCONFORMING if report.failed else EXIT_OK


def _known(kind: str, names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(
                f"there is no {kind} {name!r}", remedy=f"choose from {', '.join(known)}"
            )
