"""Which definition a JSON-RPC message has, and which request a response answers."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..protocol.ir import Protocol, Struct
from .model import Direction, Envelope

#: Requests without an answer that a conversation remembers; the oldest is forgotten first.
MOST_PENDING = 10_000


@dataclass(frozen=True)
class MessageTable:
    """What the source version says about its messages.

    Args:
        definitions: kind and method -> the envelope definition of such a message.
        usual: kind -> the definition of messages of any other method.
        sides: method -> the side that serves it.
        results: method -> the keys that its result requires, and those that it declares; None for
            a result that is no plain object.
    """

    definitions: Mapping[tuple[str, str], str]
    usual: Mapping[str, str]
    sides: Mapping[str, str]
    results: Mapping[str, tuple[frozenset[str], frozenset[str]] | None]


def message_table(
    direction: Direction, protocol: Protocol, definitions: Mapping[str, Any]
) -> MessageTable:
    """Return the table of the source version.

    Args:
        direction: the plan; its envelopes are the kinds of messages that there are.
        protocol: the source version.
        definitions: the definitions of its schema; an envelope names those of its params or results.
    """
    found: dict[tuple[str, str], str] = {}
    usual: dict[str, str] = {}
    for name, key in direction.keys.items():
        plan = direction.plans[key]
        if not isinstance(plan, Envelope):
            continue
        usual.setdefault(plan.kind, name)
        named = set(_references(definitions.get(name)))
        for method in protocol.methods:
            payload = method.result if plan.kind == "response" else method.params
            fits = plan.kind == "response" or plan.kind == method.kind
            if fits and payload is not None and payload[0] in named:
                found.setdefault((plan.kind, method.wire_name), name)
    return MessageTable(
        found,
        usual,
        {method.wire_name: method.side for method in protocol.methods},
        {method.wire_name: _keys(protocol, method.result) for method in protocol.methods},
    )


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield reference.rpartition("/")[2]
        for inner in schema.values():
            yield from _references(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


def _keys(
    protocol: Protocol, id_: tuple[str, ...] | None
) -> tuple[frozenset[str], frozenset[str]] | None:
    type_ = protocol.types.get(id_) if id_ else None
    if not isinstance(type_, Struct):
        return None
    required = frozenset(field.wire_name for field in type_.fields if field.presence.required)
    return required, frozenset(field.wire_name for field in type_.fields)


class Conversation:
    """The messages of one stream, both ways, in order. It remembers open requests only."""

    def __init__(self, table: MessageTable) -> None:
        self._table = table
        self._pending: OrderedDict[tuple[str, str], str] = OrderedDict()

    def place(self, message: Any) -> tuple[str, str | None]:
        """Return the definition of the next message and, for a response, the method it answers.

        The method is None where no request with its id was seen, or where each side has an open
        request with that id and the result fits both.
        """
        if not isinstance(message, dict) or "method" in message:
            method = message.get("method") if isinstance(message, dict) else None
            kind = "request" if not isinstance(message, dict) or "id" in message else "notification"
            if isinstance(method, str) and kind == "request":
                self._remember(message["id"], method)
            return self._definition(kind, method), None
        answered = self._answered(message)
        return self._definition("response", answered), answered

    def _definition(self, kind: str, method: Any) -> str:
        usual = self._table.usual.get(kind, "")
        if not isinstance(method, str):
            return usual
        return self._table.definitions.get((kind, method), usual)

    def _remember(self, id_: Any, method: str) -> None:
        key = (json.dumps(id_), self._table.sides.get(method, ""))
        self._pending[key] = method
        self._pending.move_to_end(key)
        if len(self._pending) > MOST_PENDING:
            self._pending.popitem(last=False)

    def _answered(self, message: Mapping[str, Any]) -> str | None:
        id_ = json.dumps(message.get("id"))
        sides = dict.fromkeys([*self._table.sides.values(), ""])
        open_ = [(id_, side) for side in sides if (id_, side) in self._pending]
        if len(open_) > 1 and "result" in message:
            open_ = [key for key in open_ if self._fits(self._pending[key], message["result"])]
        return self._pending.pop(open_[0]) if len(open_) == 1 else None

    def _fits(self, method: str, result: Any) -> bool:
        keys = self._table.results.get(method)
        if keys is None:
            return True
        if not isinstance(result, dict):
            return result is None and not keys[0]
        return keys[0] <= set(result) <= keys[1]
