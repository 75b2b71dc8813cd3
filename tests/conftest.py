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
