"""Texts for people in comments of any language."""

from __future__ import annotations

import textwrap


def wrapped(text: str, width: int, hang: int = 0) -> str:
    """Return ``text`` with its long lines broken at blanks, each below its own indentation.

    ``hang`` is by how much further the continued lines are indented.

    Lines between fences of Markdown stay as they are.
    """
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.lstrip(' "').startswith("```")
        if len(line) <= width or fenced:
            lines.append(line)
            continue
        margin = line[: len(line) - len(line.lstrip(" "))] + " " * hang
        lines += textwrap.wrap(
            line,
            width,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)
