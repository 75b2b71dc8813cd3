"""Finds definitions and fields that are called otherwise in the new schema, and are the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..protocol.graph import all_variants, expr_references
from ..protocol.ir import Alias, Field, Protocol, Scalar, Struct, TaggedUnion, Type, TypeId, Union
from .sameness import Sameness, json_text

_ALIKE = 0.6  # of two names; what difflib takes for a close match

Place = tuple[str, ...]


@dataclass(frozen=True)
class _Pair:
    """Two definitions of one meaning, and how far apart their names are."""

    old: str
    new: str
    distance: float | None
    says_little: bool


def renamed_definitions(old: Protocol, new: Protocol, same: Sameness) -> dict[str, str]:
    """Return old name -> new name of every definition that was renamed.

    Two definitions are one if they mean the same and are used in the same place, or have names that
    are alike. The place counts first: a marker looks like any other marker.
    """
    come: dict[int, list[str]] = {}
    for name in new.definitions:
        if (name,) not in old.types:
            come.setdefault(same.number(name, of_new=True), []).append(name)
    pairs = [
        _Pair(one, other, _distance(one, other), _says_little(old, (one,)))
        for one in old.definitions
        if (one,) not in new.types
        for other in come.get(same.number(one, of_new=False), ())
    ]
    before, after, found = _places(old), _places(new), dict[str, str]()
    while pairs:
        scores = [
            (score, pair)
            for pair in pairs
            if (score := _score(pair, before.get(pair.old, ()), after.get(pair.new, ()), found))
        ]
        if not scores:
            break
        # The best pair first, and only it: it tells more about the places of the others.
        best = min(scores, key=lambda item: item[0])[1]
        found[best.old] = best.new
        pairs = [pair for pair in pairs if pair.old != best.old and pair.new != best.new]
    return found


def renamed_fields(one: Struct, other: Struct, same: Sameness) -> list[tuple[Field, Field]]:
    """Return the fields of ``one`` that are called otherwise in ``other``.

    A removed and an added field are one if they mean the same, and no other removed or added field
    of the struct means the same too. Of a marker, which says nothing, the names must be alike.
    """
    mine = {item.wire_name for item in one.fields}
    theirs = {item.wire_name for item in other.fields}
    gone = [item for item in one.fields if item.wire_name not in theirs]
    come = [item for item in other.fields if item.wire_name not in mine]
    matches = {id(item): [new for new in come if same.fields(item, new)] for item in gone}
    found = []
    for item in gone:
        fits = matches[id(item)]
        rivals = sum(1 for others in matches.values() if fits and fits[0] in others)
        if len(fits) != 1 or rivals != 1:
            continue
        names = item.wire_name, fits[0].wire_name
        little = any(_says_little(same.old, id_) for id_ in expr_references(item.type))
        if not little or _distance(*names) is not None:
            found.append((item, fits[0]))
    return found


def _score(
    pair: _Pair, mine: Collection[Place], theirs: Collection[Place], renamed: Mapping[str, str]
) -> tuple[int, float, str, str] | None:
    """Return how well two definitions of one meaning fit, the least first; None if not at all."""
    moved = {(renamed.get(place[0], place[0]), *place[1:]) for place in mine}
    shared, unused = len(moved.intersection(theirs)), not mine and not theirs
    alike = pair.distance is not None
    if not (shared or (alike and unused if pair.says_little else alike or unused)):
        return None
    return -shared, 1.0 if pair.distance is None else pair.distance, pair.old, pair.new


def _distance(one: str, other: str) -> float | None:
    """Return how far apart two names are, from 0; None if they have little in common.

    A last word in common, such as the Request of two params, says nothing.
    """
    mine, theirs = _words(one), _words(other)
    if len(mine) > 1 and len(theirs) > 1 and mine[-1] == theirs[-1]:
        mine, theirs = mine[:-1], theirs[:-1]
    first, second = sorted(("".join(mine), "".join(theirs)))  # the ratio depends on the order
    ratio = SequenceMatcher(None, first, second).ratio()
    return 1 - ratio if set(mine) & set(theirs) or ratio >= _ALIKE else None


def _words(name: str) -> list[str]:
    found = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    return [word.lower() for word in found] or [name.lower()]


def _says_little(protocol: Protocol, id_: TypeId) -> bool:
    """True for a type that looks like many others: a plain scalar, or an object used as a marker."""
    type_ = protocol.types[id_]
    if isinstance(type_, Alias):
        return isinstance(type_.type, Scalar)
    return isinstance(type_, Struct) and len(type_.fields) < 2


def _places(protocol: Protocol) -> dict[str, set[Place]]:
    """Return where each definition is used: the definition that uses it comes first."""
    found: dict[str, set[Place]] = {}
    for method in protocol.methods:
        key = ("", method.side, method.wire_name, method.kind)
        found.setdefault(method.params[0], set()).add((*key, "params"))
        if method.result is not None:
            found.setdefault(method.result[0], set()).add((*key, "result"))
    for id_, type_ in protocol.types.items():
        if protocol.types[id_[:1]].envelope:  # it names every params and result
            continue
        for slot, target in _uses(type_):
            if len(target) == 1:
                found.setdefault(target[0], set()).add((*id_, slot))
    return found


def _uses(type_: Type) -> Iterator[tuple[str, TypeId]]:
    if isinstance(type_, Struct):
        for item in type_.fields:
            yield from ((f"field {item.wire_name}", id_) for id_ in expr_references(item.type))
        if type_.base is not None:
            yield "base", type_.base
    elif isinstance(type_, TaggedUnion):
        for variant in all_variants(type_):
            yield f"variant {json_text(variant.value)}", variant.type
    elif isinstance(type_, Union):
        for branch in type_.branches:
            yield from (("branch", id_) for id_ in expr_references(branch.type))
    elif isinstance(type_, Alias):
        yield from (("alias", id_) for id_ in expr_references(type_.type))
