"""Schema text as Markdown: prose, cells, code and comments that nothing in the text can end.

What comes out means the same to CommonMark and to GitHub's dialect. Of the text's own markup only
code between backticks and lists with one level of bullets are kept; all else shows as it stands.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

WIDTH = 100

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "@": "&#64;"}
_ESCAPED = frozenset("\\`*_[]{}$~^")
_CODE = re.compile(r"`([^`]+)`")
_LINK_STARTS = re.compile(r"://|\bwww\.|\bmailto:|\bxmpp:", re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_BULLET = re.compile(r"[-*+]\s+(?=\S)")
_BLOCK_START = re.compile(r"[-+=#:]|\d+[.)]")
#: What a code span of Markdown shows as it stands, in a table too.
_PLAIN_CODE = re.compile(r"(?!\s)(?!.*\s\Z)[^`|\\\n]+")
_TEMPLATE = re.compile(r"\{[{%#]|[%#}]\}")
#: Stands for a blank that a line must not be broken at. Text cannot hold it: it is no printable.
_FIXED = "\0"


def visible(text: str) -> str:
    """Return ``text`` on one line, runs of blanks as one, unprintable characters as escapes."""
    return "".join(
        char if char.isprintable() else ascii(char)[1:-1] for char in " ".join(text.split())
    )


def code(value: str) -> str:
    """Return ``value`` as code on one line, wherever text may stand."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in value)
    if _PLAIN_CODE.fullmatch(shown) and not _TEMPLATE.search(shown):
        return f"`{shown}`"
    return f"<code>{''.join(map(_entity, shown))}</code>"


def json_code(value: Any) -> str:
    """Return a JSON value as code, in ASCII."""
    return code(json.dumps(value, separators=(", ", ": ")))


def json_block(value: Any) -> str:
    """Return a JSON value as a fenced block, in ASCII. No line of it can close the fence."""
    return f"```json\n{json.dumps(value, indent=2)}\n```"


def line(text: str) -> str:
    """Return ``text`` as one line of Markdown, for cells of tables and within paragraphs."""
    return _inline(visible(text)).replace(_FIXED, " ")


def cell(text: str) -> str:
    """Return ``text`` for a cell of a table: its paragraphs and list items on lines of their own."""
    parts = (f"• {_inline(part)}" if bullet else _inline(part) for bullet, part in _blocks(text))
    return "<br>".join(parts).replace(_FIXED, " ")


def prose(text: str) -> str:
    """Return ``text`` as paragraphs and lists, wrapped; empty if it is."""
    blocks: list[str] = []
    listed = False
    for bullet, part in _blocks(text):
        made = wrap(_inline(part), first="- " if bullet else "", rest="  " if bullet else "")
        if bullet and listed:
            blocks[-1] += f"\n{made}"
        else:
            blocks.append(made)
        listed = bullet
    return "\n\n".join(blocks)


def wrap(markdown: str, first: str = "", rest: str = "") -> str:
    """Return Markdown on one line as a paragraph of lines that start no block of their own.

    Args:
        markdown: escaped text, links and code.
        first: what comes before the first line.
        rest: what comes before the others.
    """
    lines = textwrap.wrap(
        _fix_code(markdown), WIDTH - len(rest), break_long_words=False, break_on_hyphens=False
    )
    guarded = (_guard(text.replace(_FIXED, " ")) for text in lines)
    return "\n".join((rest if index else first) + text for index, text in enumerate(guarded))


def comment(lines: Iterable[str]) -> str:
    """Return an HTML comment with these lines, none of which can close it."""
    shown = (visible(text).replace("<", "&lt;").replace(">", "&gt;") for text in lines)
    return "\n".join(["<!--", *shown, "-->"])


def _blocks(text: str) -> Iterator[tuple[bool, str]]:
    """Yield each paragraph and each list item on one line; true for an item."""
    for paragraph in _PARAGRAPHS.split(text.replace("\r\n", "\n").strip()):
        parts: list[tuple[bool, list[str]]] = []
        for row in paragraph.split("\n"):
            found = _BULLET.match(row.strip())
            if found is not None:
                parts.append((True, [row.strip()[found.end() :]]))
            elif parts:
                parts[-1][1].append(row)
            else:
                parts.append((False, [row]))
        yield from ((bullet, shown) for bullet, rows in parts if (shown := visible(" ".join(rows))))


def _inline(shown: str) -> str:
    """Return printable text on one line with its code kept and everything else escaped."""
    made, end = [], 0
    for found in _CODE.finditer(shown):
        made += [_escape(shown[end : found.start()]), code(found[1]).replace(" ", _FIXED)]
        end = found.end()
    return "".join([*made, _escape(shown[end:])])


def _escape(text: str) -> str:
    safe = "".join(f"\\{char}" if char in _ESCAPED else _ENTITIES.get(char, char) for char in text)
    # An address does not become a link: it says where it leads, but nobody of ours chose it.
    return _LINK_STARTS.sub(lambda found: _unlinked(found[0]), safe)


def _unlinked(start: str) -> str:
    return start.replace(":", "&#58;").replace(".", "&#46;")


def _entity(char: str) -> str:
    return char if char.isalnum() or not char.isascii() else f"&#{ord(char)};"


def _guard(text: str) -> str:
    """Return a line of a paragraph so that it cannot start a heading, a list or a rule."""
    found = _BLOCK_START.match(text)
    if found is None:
        return text
    return f"{text[: found.end() - 1]}\\{text[found.end() - 1 :]}"


def _fix_code(markdown: str) -> str:
    """Return Markdown whose code spans have no blank to break a line at."""
    return re.sub(r"(?<!\\)`[^`]+`", lambda found: found[0].replace(" ", _FIXED), markdown)
