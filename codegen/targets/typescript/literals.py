"""Schema text as TypeScript source: literals and comments that nothing in the text can end."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from ..prose import wrapped

_PLAIN = re.compile(r"[$A-Z_a-z][$0-9A-Z_a-z]*\Z")
_SAFE = 2**53 - 1
#: Where lines of doc comments end at the latest.
_WIDTH = 80
_SEPARATORS = "\u2028\u2029\x85"


def literal(value: Any) -> str:
    """Return the TypeScript literal of a JSON scalar, in printable ASCII.

    Raises:
        TypeError: if ``value`` is no JSON scalar.
    """
    if isinstance(value, str):
        return string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) <= _SAFE else f"{value}n"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) <= _SAFE else _fraction(value)
    raise TypeError(f"not a JSON scalar: {value!r}")


def _fraction(value: float) -> str:
    # Prettier writes exponents without a sign or leading zeros.
    mantissa, _, exponent = repr(value).partition("e")
    return mantissa if not exponent else f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def string(text: str) -> str:
    """Return a string literal in ASCII, in the quotes that need fewer escapes."""
    body = json.dumps(text)[1:-1]
    if text.count('"') > text.count("'"):
        inner = body.replace('\\"', '"').replace("'", "\\'")
        return f"'{inner}'"
    return f'"{body}"'


def key(name: str) -> str:
    """Return ``name`` as a property key of a type, in quotes only where it needs them."""
    return name if _PLAIN.match(name) else string(name)


def entry(name: str) -> str:
    """Return ``name`` as a key of an object literal, where ``__proto__`` would be no key."""
    return f"[{string(name)}]" if name == "__proto__" else key(name)


def comment(text: str) -> str:
    """Return ``text`` as what may follow ``//``: one line of printable characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def block(text: str, depth: int) -> str:
    """Return ``text`` as a doc comment and a line end; empty if there is no text.

    Args:
        text: what to say; characters that are not printable are written as escapes.
        depth: how many steps in the comment stands.
    """
    pad = " " * (2 * depth)
    plain = textwrap.dedent(text.replace("\r\n", "\n").expandtabs()).strip()
    fits = "\n" not in plain and len(plain) <= _WIDTH - len(f"{pad}/**  */")
    lines = [plain] if fits else wrapped(plain, _WIDTH - len(f"{pad} * ")).split("\n")
    safe = [_line(line) for line in lines]
    if safe == [""]:
        return ""
    if len(safe) == 1:
        return f"{pad}/** {safe[0]} */\n"
    body = "".join(f"{pad} * {line}".rstrip() + "\n" for line in safe)
    return f"{pad}/**\n{body}{pad} */\n"


def _line(line: str) -> str:
    made = "".join(map(_char, line.rstrip())).replace("*/", "*\\/")
    # At the start of a line it would make a tag, which tools act upon.
    return f"\\{made}" if made.startswith("@") else made


def _char(char: str) -> str:
    if char in _SEPARATORS or not char.isprintable():
        return json.dumps(char)[1:-1]
    return char
