"""JSON as strict as the standard: what Python's parser forgives is an error with its place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from ..errors import InputError, Where
from ..pointer import join

MAX_DEPTH = 100

_UTF8_BOM = b"\xef\xbb\xbf"
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def decode(raw: bytes, file: str) -> str:
    """Return ``raw`` as text: UTF-8, with or without a byte order mark.

    Raises:
        InputError: naming ``file``, if it is in another encoding.
    """
    body = raw.removeprefix(_UTF8_BOM)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(f"byte {error.start} cannot be decoded", file) from error
    if "\0" in text:
        raise _not_utf8("it holds NUL bytes, as UTF-16 and UTF-32 do", file)
    return text


def _not_utf8(reason: str, file: str) -> InputError:
    return InputError(
        f"the file is not UTF-8: {reason}", where=Where(file), remedy="save it as UTF-8"
    )


class _Flaw(str):
    """Stands in parsed data where something is not allowed, until its pointer is known."""


class _Repeated(dict[str, Any]):
    """A JSON object that has ``key`` twice."""

    key: str


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) == len(pairs):
        return data
    seen: set[str] = set()
    flawed = _Repeated(data)
    for key, _ in pairs:
        if key in seen:
            flawed.key = key
            break
        seen.add(key)
    return flawed


def _float(text: str) -> float | _Flaw:
    number = float(text)
    return _Flaw(f"the number {text} is out of range") if math.isinf(number) else number


def parse(text: str, file: str) -> Any:
    """Return the JSON value in ``text``.

    Raises:
        InputError: naming ``file`` and the JSON Pointer, for text that is not JSON, duplicate keys,
            NaN, numbers out of range, lone surrogates and nesting deeper than ``MAX_DEPTH``.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_float=_float,
            parse_constant=lambda name: _Flaw(f"{name} is not a JSON value"),
        )
    except RecursionError as error:
        raise _too_deep(Where(file)) from error
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg.lower()} at line {error.lineno} column {error.colno}",
            where=Where(file),
            remedy="correct the file",
        ) from error
    except ValueError as error:  # an integer with more digits than Python converts
        raise InputError(
            "a number has too many digits", where=Where(file), remedy="correct the file"
        ) from error
    check_text = _SURROGATE_ESCAPE.search(text) is not None
    for where, fault in _flaws(data, file, check_text=check_text):
        raise InputError(fault, where=where, remedy="correct the file")
    return data


def _flaws(data: Any, file: str, *, check_text: bool) -> Iterator[tuple[Where, str]]:
    """Yield what parsing let through, outermost first; not recursive, so depth is no danger."""
    stack: list[tuple[Any, str, int]] = [(data, "", 1)]
    while stack:
        value, pointer, depth = stack.pop()
        if isinstance(value, (dict, list)) and depth > MAX_DEPTH:
            raise _too_deep(Where(file, pointer))
        if isinstance(value, _Flaw):
            yield Where(file, pointer), str(value)
        elif isinstance(value, str):
            if check_text and _has_surrogate(value):
                yield Where(file, pointer), "the string has a lone surrogate, which is no character"
        elif isinstance(value, dict):
            if isinstance(value, _Repeated):
                key = value.key
                yield Where(file, join(pointer, key)), f"duplicate key {json.dumps(key)}"
            if check_text and any(map(_has_surrogate, value)):
                yield Where(file, pointer), "a key has a lone surrogate, which is no character"
            children = [(child, join(pointer, key), depth + 1) for key, child in value.items()]
            stack.extend(reversed(children))
        elif isinstance(value, list):
            listed = [(child, join(pointer, index), depth + 1) for index, child in enumerate(value)]
            stack.extend(reversed(listed))


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _too_deep(where: Where) -> InputError:
    return InputError(
        f"nested deeper than {MAX_DEPTH} levels",
        where=where,
        remedy="give a schema that is less deeply nested",
    )
