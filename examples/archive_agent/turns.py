"""What goes on in the sessions that a connection has open."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


class Turn:
    """One prompt being answered."""

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        #: Set when the prompt is in the history as ``message_id``, or never will be.
        self.inserted = asyncio.Event()
        self.message_id: str | None = None
        #: Ends with the stop reason.
        self.task: asyncio.Task[str]

    def stop(self) -> None:
        """Ask the turn to end soon."""
        self.stopping.set()


@dataclass
class Active:
    """A session that this connection has open."""

    #: What the client knows of it.
    archived: bool = False
    turns: list[Turn] = field(default_factory=list)
    order: asyncio.Lock = field(default_factory=asyncio.Lock)
