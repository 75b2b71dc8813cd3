"""Decode and encode with our models and with the peer's, in one process, in turns.

Runs under the peer's interpreter and prints the ratios as JSON: message -> operation -> rounds.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import acp.schema
from acp_bindings import v1
from messages import MESSAGES, Message
from ratios import in_turns

_dumps = partial(json.dumps, separators=(",", ":"))
_BLOCK = 0.0015  # seconds of one measured block

Action = Callable[[], Any]


def _ours(message: Message, text: str) -> dict[str, Action]:
    type_ = getattr(v1, message.ours)
    model = v1.decode(type_, message.data)
    return {
        "decode from dict": partial(v1.decode, type_, message.data),
        "decode from text": partial(v1.from_json, type_, text),
        "encode to dict": partial(v1.encode, model),
        "encode to text": partial(v1.to_json, model),
        "round trip, dict": lambda: v1.encode(v1.decode(type_, message.data)),
        "round trip, text": lambda: v1.to_json(v1.from_json(type_, text)),
    }


def _peers(message: Message, text: str) -> dict[str, Action]:
    """Return its actions as its own connection does them, and text by pydantic without a dict between."""
    type_ = getattr(acp.schema, message.peer)
    # What its own connection passes for a response, and for anything else.
    omit = {"exclude_unset": True} if message.response else {"exclude_defaults": True}
    options: dict[str, Any] = {"by_alias": True, "exclude_none": True, **omit}
    model = type_.model_validate(message.data)
    decode, dump = type_.model_validate, partial(type_.model_dump, mode="json", **options)
    from_text, to_text = type_.model_validate_json, partial(type_.model_dump_json, **options)
    return {
        "decode from dict": partial(decode, message.data),
        "decode from text": lambda: decode(json.loads(text)),
        "encode to dict": partial(dump, model),
        "encode to text": lambda: _dumps(dump(model)),
        "round trip, dict": lambda: dump(decode(message.data)),
        "round trip, text": lambda: _dumps(dump(decode(json.loads(text)))),
        "decode from text, direct": partial(from_text, text),
        "encode to text, direct": partial(to_text, model),
        "round trip, text, direct": lambda: to_text(from_text(text)),
    }


def _count(action: Action) -> int:
    """Return how many calls make a block."""
    count = 1
    while (taken := _seconds(action, count)) < _BLOCK / 4:
        count *= 2
    return max(1, round(count * _BLOCK / taken))


def _seconds(action: Action, count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        action()
    return time.process_time() - start


def _rates(ours: Action, peer: Action, rounds: int) -> list[float]:
    """Return how many times the peer's rate ours is, by round."""
    counts = _count(ours), _count(peer)
    turns = in_turns(rounds, partial(_seconds, ours, counts[0]), partial(_seconds, peer, counts[1]))
    return [(theirs / counts[1]) / (mine / counts[0]) for mine, theirs in turns]


def measure(message: Message, rounds: int) -> dict[str, list[float]]:
    """Return the ratios of each operation on ``message``."""
    text = json.dumps(message.data, ensure_ascii=False, separators=(",", ":"))
    ours, peers = _ours(message, text), _peers(message, text)
    # The peer adds a few defaults; ours must give back just what came in.
    assert ours["round trip, dict"]() == message.data, message.label
    assert json.loads(ours["round trip, text"]()) == message.data, message.label
    return {
        name: _rates(ours[name.removesuffix(", direct")], peers[name], rounds) for name in peers
    }


if __name__ == "__main__":
    gc.disable()
    print(json.dumps({message.label: measure(message, int(sys.argv[1])) for message in MESSAGES}))
