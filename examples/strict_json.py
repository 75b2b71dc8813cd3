"""JSON as other peers can read it: Python's own module takes and makes more than that."""

from __future__ import annotations

import json
import re
from typing import Any

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def compact(message: Any) -> bytes:
    """Return ``message`` as JSON on one line; ValueError for NaN, infinity, lone surrogates."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8"
    )


def parse(line: bytearray) -> Any:
    """Return the JSON value of a line.

    Raises:
        ValueError: for invalid UTF-8 and JSON, and for what Python's parser lets through although
            no other peer could read it: NaN, infinity and lone surrogates.
    """
    text = line.decode("utf-8")
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        if _SURROGATE.search(text):
            # Half of a pair cannot be encoded; a whole pair is one character by now.
            compact(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is too large")
    return number
