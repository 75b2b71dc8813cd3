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
    """Print the figures that tests measured and gave to ``record_property("figure", ...)``."""
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
