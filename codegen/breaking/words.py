"""Compares the constants of enums, with a name or without."""

from __future__ import annotations

from collections.abc import Mapping

from ..protocol.ir import Enum
from .sink import Place, Sink, quoted
from .texts import compare_texts


def compare_words(
    old: Mapping[str, str | None],
    new: Mapping[str, str | None],
    place: Place,
    sink: Sink,
    *,
    was_open: bool = False,
    is_open: bool = False,
) -> None:
    """Report the words that came or went.

    Args:
        old: each word as JSON text, with its JSON Pointer in the old schema.
        new: the same for the new schema.
        place: the enum.
        sink: gets what is found.
        was_open: whether the old enum takes any other word too.
        is_open: whether the new enum does.
    """
    for word in old:
        if word not in new:
            at = Place(place.owners, old[word], None, place.part)
            what = f"the word {word} is no longer there"
            sink.add("enum-word-removed", at, what, narrows=not is_open)
    for word in new:
        if word not in old:
            at = Place(place.owners, None, new[word], place.part)
            what = f"the word {word} is new"
            sink.add("enum-word-added", at, what, widens=not was_open)


def compare_enums(old: Enum, new: Enum, place: Place, sink: Sink, *, texts: bool) -> None:
    """Report what differs between two enums of one scalar kind. ``texts``: descriptions too."""
    compare_words(
        {quoted(value.value): place.old for value in old.values},
        {quoted(value.value): place.new for value in new.values},
        place,
        sink,
        was_open=old.open,
        is_open=new.open,
    )
    if old.open != new.open:
        kind = "enum-closed" if old.open else "enum-opened"
        what = "other words are no longer" if old.open else "other words are now"
        sink.add(kind, place, f"{what} allowed", narrows=old.open, widens=new.open)
    before = {quoted(value.value): value for value in old.values}
    for value in new.values:
        word = quoted(value.value)
        if word not in before:
            continue
        if before[word].title != value.title:
            what = f"the word {word} was called {quoted(before[word].title)} and is called {quoted(value.title)}"
            sink.add("enum-word-retitled", place, what)
        if texts:
            compare_texts(before[word].doc, value.doc, place, sink, of=f"the word {word}")
