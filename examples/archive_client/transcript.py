"""Prints a conversation while its pieces arrive."""

from __future__ import annotations

import sys
from typing import TextIO


class Transcript:
    """Puts the pieces of messages together, one message after the other.

    Args:
        out: where it is printed; stdout if it is None.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._message: tuple[str, str | None] | None = None

    def piece(self, who: str, message_id: str | None, text: str) -> None:
        """Print a piece of a message; a new id, or somebody else, begins a new line."""
        if self._message != (who, message_id):
            self.end()
            self._message = (who, message_id)
            self._out.write(f"{who}: ")
        self._out.write(text)
        self._out.flush()

    def end(self) -> None:
        """End the line of the last message."""
        if self._message is not None:
            self._out.write("\n")
        self._message = None
