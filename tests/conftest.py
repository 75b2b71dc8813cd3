"""Options of the whole test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one switch that rewrites the golden files."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the generator makes now into tests/golden/*/expected",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests measured and gave to ``record_property("figure", ...)``.

    Then what was not tested for want of something, if a test skipped itself with "NOT tested".
    """
    figures = [
        value
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == "figure"
    ]
    if figures:
        terminalreporter.section("figures")
        for figure in sorted(figures):
            terminalreporter.write_line(figure)
    untested = {
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple) and "NOT tested" in report.longrepr[2]
    }
    if untested:
        terminalreporter.section("NOT tested", red=True)
        for reason in sorted(untested):
            terminalreporter.write_line(reason)
