"""What the agent knows about sessions, in no protocol's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class UnknownSessionError(LookupError):
    """There is no such session, or it was deleted."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"no session {session_id!r}")
        self.session_id = session_id


@dataclass(frozen=True)
class Session:
    """What is known about a session, without its history."""

    number: int
    id: str
    cwd: str
    title: str | None
    updated_at: str
    archived: bool
    settings: Mapping[str, str]


@dataclass(frozen=True)
class Block:
    """A piece of a message: one content block, as JSON of protocol version ``protocol``."""

    message: str
    role: str
    protocol: int
    content: Any
    number: int = 0
