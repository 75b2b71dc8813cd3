"""The record of what went both ways during a check, bounded and shortened."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from .outcome import printable

_FIRST, _LAST = 20, 40
_LINE, _STRING = 400, 120


class Exchange:
    """Keeps the first and the last lines of an exchange; what lies between is counted."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=_LAST)
        self._count = 0

    def sent(self, agent: int, message: Any) -> None:
        """Record a message to process number ``agent``."""
        self._add(f"{agent} <- {_text(message)}")

    def received(self, agent: int, message: Any) -> None:
        """Record a message of process number ``agent``."""
        self._add(f"{agent} -> {_text(message)}")

    def event(self, agent: int, text: str) -> None:
        """Record something else about process number ``agent``."""
        self._add(f"{agent} -- {printable(text, _LINE)}")

    def lines(self) -> list[str]:
        """Return the record: ``<-`` to the agent, ``->`` from it, ``--`` an event."""
        left_out = self._count - len(self._first) - len(self._last)
        gap = [f"... {left_out} more"] if left_out else []
        return [*self._first, *gap, *self._last]

    def _add(self, line: str) -> None:
        self._count += 1
        if len(self._first) < _FIRST:
            self._first.append(line)
        else:
            self._last.append(line)


def _text(message: Any) -> str:
    return printable(json.dumps(_short(message), ensure_ascii=False), _LINE)


def _short(value: Any, depth: int = 0) -> Any:
    """Cut long strings and lists before anything large is turned into text."""
    if isinstance(value, str):
        return value if len(value) <= _STRING else f"{value[:_STRING]}..."
    if depth > 12:
        return "..."
    if isinstance(value, list):
        rest = [f"... {len(value) - 12} more"] if len(value) > 12 else []
        return [*(_short(item, depth + 1) for item in value[:12]), *rest]
    if isinstance(value, dict):
        shown = list(value.items())[:40]
        return {_short(key): _short(item, depth + 1) for key, item in shown}
    return value
