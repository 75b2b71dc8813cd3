"""JSON values and JSON Lines from one protocol version to the other, one value at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, TextIO

from .conversion.messages import Conversation
from .errors import InputError, Where
from .pointer import join
from .schema import strict_json

_BOM = b"\xef\xbb\xbf"


class Item(NamedTuple):
    """A value of the input: its line, counted from 1, and the value or the fault in it."""

    line: int
    value: Any = None
    fault: InputError | None = None


class Outcome(NamedTuple):
    """What became of an item: the values that it gives, and lines about what was not converted."""

    values: list[Any]
    notes: list[str]
    refused: bool


@dataclass(frozen=True)
class Document:
    """An input: its form and its items. ``spread`` says that its text has several lines."""

    lines: bool
    items: Iterator[Item]
    spread: bool = False


def open_document(stream: BinaryIO, name: str, form: str | None = None) -> Document:
    """Return the input in ``stream``; JSON Lines are read as they are asked for.

    Args:
        stream: UTF-8.
        name: what messages call it.
        form: ``json`` or ``lines``. None to see: JSON Lines if the first line that is not blank is
            a JSON value and another such line follows, else one JSON value.

    Raises:
        InputError: if the input is one JSON value and cannot be read as such.
    """
    numbered = _numbered(stream)
    first, second = next(numbered, None), None
    if first is None and form != "json":
        return Document(True, iter(()))
    if form is None:
        second = next(numbered, None)
        form = "lines" if first and second and _is_json(first[1], name) else "json"
    head = [line for line in (first, second) if line is not None]
    if form == "lines":
        return Document(True, (_item(*line, name) for line in chain(head, numbered)))
    rows = [*head, *numbered]
    start = rows[0][0] if rows else 1
    data, at = bytearray(), 1
    for number, line in rows:  # blank lines too: messages count lines
        data += b"\n" * (number - at) + line
        at = number + line.count(b"\n")
    try:
        value = strict_json.parse(strict_json.decode(bytes(data), name), name)
    except InputError as error:
        remedy = "correct it, or say --lines if it holds one JSON value a line"
        raise InputError(error.what, where=error.where, remedy=remedy) from error
    return Document(False, iter([Item(start, value)]), spread=len(rows) > 1)


def _numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(stream, 1):
        text = line.removeprefix(_BOM) if number == 1 else line
        if text.strip():
            yield number, text


def _is_json(line: bytes, name: str) -> bool:
    try:
        strict_json.parse(strict_json.decode(line, name), name)
    except InputError:
        return False
    return True


def _item(number: int, line: bytes, name: str) -> Item:
    try:
        return Item(number, strict_json.parse(strict_json.decode(line, name), name))
    except InputError as error:
        return Item(number, fault=error)


class Converter:
    """Converts items in one direction.

    Args:
        module: the generated module ``convert``.
        direction: the name of the direction.
        definition: the definition of every item; None for JSON-RPC messages.
        conversation: places messages; needed if there is no definition.
        context: what the values themselves do not say.
        lossy: give up the smallest optional part around a fault.
    """

    def __init__(
        self,
        module: Any,
        direction: str,
        *,
        definition: str | None = None,
        conversation: Conversation | None = None,
        context: Mapping[str, Any] | None = None,
        lossy: bool = False,
    ) -> None:
        self._module, self._direction = module, direction
        self._definition, self._conversation = definition, conversation
        self._context, self._lossy = dict(context or {}), lossy
        self.takes_messages = definition is None

    def convert(self, item: Item) -> Outcome:
        """Return what becomes of ``item``; a batch of messages is converted one by one."""
        if item.fault is not None:
            where = item.fault.where
            fault = (where.pointer if where else "", item.fault.what)
            return Outcome([], [_note(item.line, "refused", "-", [fault])], True)
        batch = self._definition is None and isinstance(item.value, list)
        parts = enumerate(item.value) if batch else [(None, item.value)]
        values, notes, refused = [], [], False
        for index, value in parts:
            made = self._one(item.line, "" if index is None else join("", index), value)
            values += made.values
            notes += made.notes
            refused = refused or made.refused
        return Outcome(values, notes, refused)

    def _one(self, line: int, base: str, value: Any) -> Outcome:
        definition, context = self._definition, self._context
        if definition is None:
            assert self._conversation is not None
            definition, method = self._conversation.place(value)
            if method is not None:
                context = {**context, "method": method}
            elif isinstance(value, dict) and "result" in value and "method" not in context:
                fault = (f"{base}/result", "no open request with this id came before")
                return Outcome([], [_note(line, "refused", definition, [fault])], True)
        report: list[Any] = []
        try:
            values = self._module.convert_json(
                self._direction, definition, value, context, self._lossy, report
            )
        except self._module.ConversionError as error:
            faults = [(base + fault.path, fault.reason) for fault in error.faults]
            return Outcome([], [_note(line, "refused", definition, faults)], True)
        losses = [
            _note(line, loss.action, definition, [(base + loss.path, loss.reason)])
            for loss in report
        ]
        return Outcome(values, losses, False)


def _note(line: int, action: str, definition: str, faults: list[tuple[str, str]]) -> str:
    """Return one line of text, whatever the input holds."""
    text = "; ".join(f"{path or '(the value itself)'}: {reason}" for path, reason in faults)
    text = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return f"line {line}: {action}: {definition}: {text}"


def run(document: Document, converter: Converter, out: TextIO, note: Callable[[str], None]) -> bool:
    """Convert every item of ``document`` as it comes; return whether any was refused.

    JSON Lines give a line for every value. One JSON value gives one: where several values or none
    come of it, an array of them.

    Args:
        document: the input.
        converter: what converts its items.
        out: gets the values.
        note: gets a line for everything refused or given up.
    """
    refused = False
    for item in document.items:
        made = converter.convert(item)
        refused = refused or made.refused
        for line in made.notes:
            note(line)
        if document.lines:
            for value in made.values:
                out.write(_dump(value) + "\n")
            out.flush()
        elif not made.refused or made.values:
            whole = isinstance(item.value, list) and converter.takes_messages
            several = whole or len(made.values) != 1
            value = made.values if several else made.values[0]
            out.write(_dump(value, indent=2 if document.spread else None) + "\n")
    return refused


def _dump(value: Any, indent: int | None = None) -> str:
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def context_from(text: str) -> Mapping[str, Any]:
    """Return the context in an option.

    Raises:
        InputError: if it is not a JSON object.
    """
    found = strict_json.parse(text, "--context")
    if not isinstance(found, dict):
        raise InputError(
            "must be a JSON object", where=Where("--context"), remedy="write '{\"key\": ...}'"
        )
    return found
