"""What ``Sessions`` needs of a protocol version, and the settings that both versions show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .model import Block, Session


@dataclass(frozen=True)
class Setting:
    """Something that the user can choose for a session: value -> what people call it."""

    name: str
    category: str
    choices: Mapping[str, str]
    default: str


SETTINGS: Mapping[str, Setting] = {
    "mode": Setting("Mode", "mode", {"echo": "Echo", "shout": "Shout"}, "echo"),
    "opening": Setting("Opening", "_opening", {"echo": "Echo:", "none": "Nothing"}, "echo"),
}


class View(Protocol):
    """What a protocol version has its own words for. An exception of these is to be raised."""

    protocol: int

    def unknown(self, session_id: str) -> Exception:
        """The error for a session that is not there, or not active."""

    def invalid(self, why: str) -> Exception:
        """The error for params that cannot be served."""

    def text(self, text: str) -> Any:
        """A content block with ``text``, as JSON."""

    async def show_block(self, session_id: str, block: Block) -> None:
        """Show a piece of a message, live or in a replay."""

    async def show_prompt(self, session_id: str, blocks: Sequence[Block]) -> None:
        """Show that the user's message has become part of the conversation."""

    async def show_running(self, session_id: str) -> None:
        """Show that a turn has begun."""

    async def show_idle(self, session_id: str, stop_reason: str, error: Exception | None) -> None:
        """Show that a turn has ended, and why; ``error`` if it failed."""

    async def show_title(self, session: Session) -> None:
        """Show the title and the time of the last activity."""

    async def show_archived(self, session_id: str, archived: bool) -> None:
        """Show a change of the archive state."""
