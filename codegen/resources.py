"""Where the files that ship with the tool are: beside the package when installed, else the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def templates_dir() -> Path:
    """Return the folder with a folder of templates for each target."""
    return _find("templates")


def schemas_dir() -> Path:
    """Return the folder of the bundled schemas, overlays and rules."""
    return _find("schemas")


def _find(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def code_dir() -> Path:
    """Return the folder of the tool's own code."""
    return _PACKAGE
