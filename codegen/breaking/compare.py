"""Compares two schemas: their definitions, what is inside them, and their methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from ..protocol.ir import Alias, Enum, Method, Protocol, Ref, Struct, TaggedUnion, TypeId, Union
from ..protocol.shapes import describe
from .expressions import Expressions
from .model import Finding
from .reach import channels_of, method_channels, peers_of
from .renames import renamed_definitions
from .sameness import Sameness
from .sink import Place, Sink, quoted, sort_of
from .structs import Structs
from .texts import compare_texts
from .unions import Unions, as_unions
from .words import compare_enums


def compare(
    old: Protocol, new: Protocol, sides: Mapping[str, bool], *, texts: bool
) -> tuple[Finding, ...]:
    """Return what differs between two schemas, in the order of showing.

    Args:
        old: the old schema.
        new: the new schema.
        sides: the sides that are known by name, each with whether all peers share it.
        texts: whether descriptions are compared.
    """
    comparison = _Comparison(old, new, sides, texts=texts)
    comparison.run()
    return comparison.sink.findings()


def has_descriptions(protocol: Protocol) -> bool:
    """True if the schema itself describes some type or field; what a feature adds does not count."""
    return any(
        (type_.doc and type_.feature is None)
        or (isinstance(type_, Struct) and any(f.doc and f.feature is None for f in type_.fields))
        for type_ in protocol.types.values()
    )


class _Comparison:
    def __init__(
        self, old: Protocol, new: Protocol, sides: Mapping[str, bool], *, texts: bool
    ) -> None:
        self.old, self.new, self.sides, self.texts = old, new, sides, texts
        mine, theirs = peers_of(old, new, sides), peers_of(new, old, sides)
        self.peers = mine
        common = [peer for peer in mine if peer in theirs]
        self.sink = Sink(common, channels_of(old, mine, sides), channels_of(new, theirs, sides))
        same = Sameness(old, new)
        self.renamed = renamed_definitions(old, new, same)
        self.exprs = Expressions(old, new, self.sink, self.renamed, self.descend)
        self.structs = Structs(self.exprs, same, self.sink, texts=texts)
        self.unions = Unions(self.exprs, self.sink, (_told(old), _told(new)))
        self.done: set[tuple[TypeId, TypeId]] = set()

    def run(self) -> None:
        self._definitions()
        self._methods()

    def _definitions(self) -> None:
        come = set(self.new.definitions) - set(self.old.definitions)
        for name in self.old.definitions:
            after = self.renamed.get(name, name)
            if after not in self.new.definitions:
                self._alone("definition-removed", (name,), None)
                continue
            one, other = self.old.types[name,], self.new.types[after,]
            place = Place((one.id, other.id), one.pointer, other.pointer)
            if name != after:
                what = f"the definition {quoted(name)} is now called {quoted(after)}"
                self.sink.add("definition-renamed", place, what)
            if not self.descend(one.id, other.id):
                self._restated(one.id, other.id, place)
        for name in self.new.definitions:
            if name in come and name not in self.renamed.values():
                self._alone("definition-added", None, (name,))

    def _alone(self, kind: str, old: TypeId | None, new: TypeId | None) -> None:
        place = Place(
            (old, new),
            self.old.types[old].pointer if old else None,
            self.new.types[new].pointer if new else None,
        )
        word = "is no longer there" if old else "is new"
        self.sink.add(kind, place, f"the definition {quoted((old or new or ('',))[0])} {word}")

    def _restated(self, old: TypeId, new: TypeId, place: Place) -> None:
        """Report a definition that is of another sort: an object that was a union, say."""
        one, other = self.old.types[old], self.new.types[new]
        forth, back = self.exprs.inside(old, new)
        kind, values = {
            (True, True): ("type-renamed", "the same"),
            (True, False): ("type-widened", "more"),
            (False, True): ("type-narrowed", "fewer"),
            (False, False): ("type-changed", "other"),
        }[forth, back]
        what = f"it was {sort_of(one)} and is {sort_of(other)}, with {values} values"
        self.sink.add(kind, place, what, narrows=not forth, widens=not back)
        unions = as_unions(one, other)
        if unions is not None:
            self.unions.tagged(*unions)

    def descend(self, old: TypeId, new: TypeId) -> bool:
        """Compare what is inside two types, once; False if they are of two sorts."""
        one, other = self.old.types[old], self.new.types[new]
        if type(one) is not type(other):
            return False
        if isinstance(one, Enum) and isinstance(other, Enum) and one.kind != other.kind:
            return False
        if (old, new) in self.done:
            return True
        self.done.add((old, new))
        place = Place((old, new), one.pointer, other.pointer)
        if isinstance(one, Struct) and isinstance(other, Struct):
            self.structs.compare(one, other)
        elif isinstance(one, TaggedUnion) and isinstance(other, TaggedUnion):
            self.unions.tagged(one, other)
        elif isinstance(one, Union) and isinstance(other, Union):
            self.unions.untagged(one, other)
        elif isinstance(one, Enum) and isinstance(other, Enum):
            compare_enums(one, other, place, self.sink, texts=self.texts)
        elif isinstance(one, Alias) and isinstance(other, Alias):
            self.exprs.compare(one.type, other.type, place)
        if len(old) == len(new) == 1 and one.title != other.title:
            what = f"the title was {quoted(one.title)} and is {quoted(other.title)}"
            self.sink.add("title-changed", place, what)
        if self.texts:
            compare_texts(one.doc, other.doc, place, self.sink)
        return True

    def _methods(self) -> None:
        mine = {_key(method): method for method in self.old.methods}
        theirs = {_key(method): method for method in self.new.methods}
        for key, method in mine.items():
            ways = method_channels(method, self.peers, self.sides)
            if key not in theirs:
                place = Place((method.params, None), method.pointer, None)
                what = f"the {_label(method)} is no longer there"
                self.sink.add_on("method-removed", place, what, ways, narrows=True)
                continue
            other = theirs[key]
            self._part("params", method, (method.params, other.params), other, ways)
            if method.result is not None and other.result is not None:
                back = [(reader, sender) for sender, reader in ways]
                self._part("result", method, (method.result, other.result), other, back)
        for key, method in theirs.items():
            if key not in mine:
                place = Place((None, method.params), None, method.pointer)
                self.sink.add("method-added", place, f"the {_label(method)} is new")

    def _part(
        self,
        word: str,
        method: Method,
        pair: tuple[TypeId, TypeId],
        other: Method,
        ways: Iterable[tuple[str, str]],
    ) -> None:
        one, two = pair
        if self.exprs.corresponds(one, two):
            return
        forth = self.exprs.read_by_new(Ref(one), Ref(two))
        back = self.exprs.read_by_old(Ref(two), Ref(one))
        place = Place(pair, self.old.types[one].pointer, self.new.types[two].pointer)
        what = (
            f"the {word} of the {_label(other)} were {describe(one)} and are {describe(two)}"
            if word == "params"
            else f"the {word} of the {_label(method)} was {describe(one)} and is {describe(two)}"
        )
        self.sink.add_on(
            f"method-{word}-changed", place, what, ways, narrows=not forth, widens=not back
        )


def _told(protocol: Protocol) -> set[TypeId]:
    parts = ((method.params, method.result) for method in protocol.methods)
    return {id_ for id_ in chain.from_iterable(parts) if id_ is not None}


def _key(method: Method) -> tuple[str, str, str]:
    return method.side, method.wire_name, method.kind


def _label(method: Method) -> str:
    side = f" (side {method.side})" if method.side else ""
    return f"{method.kind} {quoted(method.wire_name)}{side}"
