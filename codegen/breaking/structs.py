"""Compares the fields of objects."""

from __future__ import annotations

from ..protocol.ir import ABSENT, Field, Struct
from .defaults import Defaults
from .expressions import Expressions
from .renames import renamed_fields
from .sameness import Sameness, json_text
from .sink import Place, Sink, quoted
from .texts import compare_texts

_LENIENCY = (
    ("on_error", "a malformed value counts as left out or becomes the default"),
    ("skip_invalid_items", "malformed items are dropped"),
    ("on_null", "null becomes empty"),
)


class Structs:
    """Compares structs of an old and a new schema.

    Args:
        exprs: compares the types of fields.
        same: tells whether fields mean the same.
        sink: gets what is found.
        texts: whether descriptions are compared.
    """

    def __init__(self, exprs: Expressions, same: Sameness, sink: Sink, *, texts: bool) -> None:
        self._exprs, self._same, self._sink, self._texts = exprs, same, sink, texts
        self._defaults = Defaults(same.old, same.new)

    def compare(self, old: Struct, new: Struct) -> None:
        """Report what differs between two structs."""
        whole = Place((old.id, new.id), old.pointer, new.pointer)
        if old.open != new.open:
            kind = "object-closed" if old.open else "object-opened"
            what = "undeclared keys are no longer" if old.open else "undeclared keys are now"
            self._sink.add(kind, whole, f"{what} allowed", narrows=old.open, widens=new.open)
        theirs = {item.wire_name: item for item in new.fields}
        mine = {item.wire_name: item for item in old.fields}
        renamed = renamed_fields(old, new, self._same)
        for one, other in renamed:
            place = Place((old.id, new.id), one.pointer, other.pointer, other.wire_name)
            what = f"the field {quoted(one.wire_name)} is now called {quoted(other.wire_name)}"
            # Neither side finds under its name what the other sends.
            self._sink.add("field-renamed", place, what, narrows=True, widens=True)
        told = {item.wire_name for pair in renamed for item in pair}
        for item in old.fields:
            if item.wire_name in theirs:
                self._field(item, theirs[item.wire_name], old, new)
            elif item.wire_name not in told:
                self._removed(item, old, new)
        for item in new.fields:
            if item.wire_name not in mine and item.wire_name not in told:
                self._added(item, old, new)

    def _removed(self, item: Field, old: Struct, new: Struct) -> None:
        place = Place((old.id, new.id), item.pointer, None, item.wire_name)
        what = f"the {_need(item)} field {quoted(item.wire_name)} is no longer there"
        needed = item.presence.required
        self._sink.add("field-removed", place, what, narrows=not new.open, widens=needed)

    def _added(self, item: Field, old: Struct, new: Struct) -> None:
        place = Place((old.id, new.id), None, item.pointer, item.wire_name)
        what = f"the {_need(item)} field {quoted(item.wire_name)} is new"
        needed = item.presence.required
        self._sink.add("field-added", place, what, narrows=needed, widens=not old.open)

    def _field(self, old: Field, new: Field, before: Struct, after: Struct) -> None:
        place = Place((before.id, after.id), old.pointer, new.pointer, new.wire_name)
        self._presence(old, new, place)
        if old.tag is ABSENT or new.tag is ABSENT:  # tags are compared with their union
            self._exprs.compare(old.type, new.type, place, null_told=True)
        self._leniency(old, new, place)
        self._default(old, new, place)
        if self._texts:
            compare_texts(old.doc, new.doc, place, self._sink)

    def _presence(self, old: Field, new: Field, place: Place) -> None:
        was, now = old.presence, new.presence
        what = f"presence was {was.value} and is {now.value}"
        if was.required != now.required:
            kind = "required-added" if now.required else "required-dropped"
            self._sink.add(kind, place, what, narrows=now.required, widens=was.required)
        before, after = self._exprs.null(old, new)
        if before != after:
            kind = "null-added" if after else "null-dropped"
            self._sink.add(
                kind,
                place,
                what,
                narrows=before and not _overlooks_null(new),
                widens=after and not _overlooks_null(old),
            )

    def _leniency(self, old: Field, new: Field, place: Place) -> None:
        for name, what in _LENIENCY:
            was, now = getattr(old, name), getattr(new, name)
            if was and not now:
                still = name == "on_null" and (new.presence.nullable or _overlooks_null(new))
                self._sink.add(
                    "leniency-lost", place, f"no longer lenient: {what}", narrows=not still
                )
            elif now and not was:
                self._sink.add("leniency-gained", place, f"now lenient: {what}")

    def _default(self, old: Field, new: Field, place: Place) -> None:
        if json_text(old.default) == json_text(new.default):
            return
        if self._defaults.same(old, new):
            return  # one of them spells out what the other leaves to the fields inside
        if old.default is ABSENT:
            what = f"the default {quoted(new.default)} is new"
            return self._sink.add("default-added", place, what)
        if new.default is ABSENT:
            what = f"the default {quoted(old.default)} is no longer there"
            return self._sink.add("default-removed", place, what)
        # What one side leaves out, the other reads as something else.
        apart = not (old.presence.required and new.presence.required)
        what = f"the default was {quoted(old.default)} and is {quoted(new.default)}"
        return self._sink.add("default-changed", place, what, narrows=apart, widens=apart)


def _overlooks_null(item: Field) -> bool:
    """True if a reader takes null although the type has none: nothing is lost with it."""
    return item.on_null or item.on_error


def _need(item: Field) -> str:
    return "required" if item.presence.required else "optional"
