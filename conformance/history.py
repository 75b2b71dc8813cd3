"""The conversation in a list of session updates, whatever pieces it came in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_SPEAKERS = ("user_message", "agent_message")


@dataclass
class Message:
    """One message: who speaks (``user_message`` or ``agent_message``) and its text."""

    speaker: str
    text: str
    id: Any = None


def read_history(updates: Iterable[Any]) -> list[Message]:
    """Return the messages that ``updates`` make, in the order of their beginnings.

    Chunks of one message are joined: those with the same id, or without ids those in a row. A
    whole message replaces what came of it before.
    """
    found: list[Message] = []
    for update in updates:
        tag = str(update.get("sessionUpdate"))
        speaker = tag.removesuffix("_chunk")
        if speaker not in _SPEAKERS:
            continue
        message = _message(found, speaker, update.get("messageId"))
        if tag == speaker:
            if "content" in update:
                message.text = "".join(_text(block) for block in update["content"] or ())
        else:
            message.text += _text(update.get("content"))
    return found


def same(first: Iterable[Message], second: Iterable[Message]) -> bool:
    """True if two histories say the same; ids may be new."""
    return _said(first) == _said(second)


def _said(history: Iterable[Message]) -> list[tuple[str, str]]:
    return [(message.speaker, message.text) for message in history]


def _message(found: list[Message], speaker: str, id_: Any) -> Message:
    candidates = found if id_ is not None else found[-1:]
    for message in candidates:
        if message.speaker == speaker and message.id == id_:
            return message
    found.append(Message(speaker, "", id_))
    return found[-1]


def _text(block: Any) -> str:
    if isinstance(block, dict) and block.get("type") == "text":
        return str(block.get("text"))
    return json.dumps(block, sort_keys=True)
