"""Schema text as Python source: literals and comments that nothing in the text can end."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from ..prose import wrapped
from .formatting import LINE_LENGTH


def literal(value: Any) -> str:
    """Return the Python literal of a JSON value, in ASCII.

    Raises:
        TypeError: if ``value`` is not JSON.
    """
    if isinstance(value, str):
        return ascii(value)
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        items = ", ".join(literal(item) for item in value)
        return (
            f"[{items}]"
            if isinstance(value, list)
            else f"({items}{',' if len(value) == 1 else ''})"
        )
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
        )
    raise TypeError(f"not JSON: {value!r}")


def json_text(value: Any) -> str:
    """Return ``value`` as compact JSON text in ASCII."""
    return json.dumps(value, separators=(",", ":"))


def docstring(text: str, indent: int = 8) -> str:
    """Return ``text`` as a docstring literal.

    Runs of blank space at line ends are dropped and the text is dedented, as ``inspect.getdoc``
    does; long lines are wrapped, everything else is kept. Characters that are not printable are
    written as escapes. More than one line is closed on a line of its own.

    Args:
        text: the text.
        indent: the column that the literal starts at, and its further lines as well.
    """
    lines = textwrap.dedent(text.replace("\r\n", "\n").expandtabs()).strip().split("\n")
    safe = "\n".join("".join(_char(char) for char in line.rstrip()) for line in lines)
    quotes, margin = '"""', " " * indent
    if len(safe) <= LINE_LENGTH - indent - 2 * len(quotes) and len(lines) == 1:
        return f"{quotes}{safe}{quotes}"
    first, *rest = wrapped(quotes + safe, LINE_LENGTH - indent).split("\n")
    body = "".join(f"\n{margin}{line}" if line else "\n" for line in rest)
    return f"{first}{body}\n{margin}{quotes}"


def _char(char: str) -> str:
    if char == "\\":
        return "\\\\"
    if char == '"':
        return '\\"'
    return char if char.isprintable() else ascii(char)[1:-1]


def comment(text: str) -> str:
    """Return ``text`` as what may follow ``#``: one line of printable characters."""
    return "".join(char if char.isprintable() else " " for char in text)
