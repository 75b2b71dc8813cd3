"""Puts descriptions into a schema, finds those that fit nowhere and those that are missing."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from ..errors import InputError, Where
from ..pointer import join, resolve, split
from .places import MEMBERS, Path, label, places_of
from .texts import Text, Texts


def describe(data: dict[str, Any], version: str, texts: Texts) -> dict[str, Any]:
    """Return a copy of a schema with the ``texts`` of ``version`` in it.

    A description that the schema has itself stays.
    """
    described: dict[str, Any] = copy.deepcopy(data)
    for place in places_of(data):
        found = texts.find(version, place.candidates()) if not place.own else None
        if found is not None:
            parent, _, last = place.pointer.rpartition("/")
            holder = resolve(described, parent)
            key = int(last) if isinstance(holder, list) else split(f"/{last}")[0]
            # The schema true says the same as an empty one, which has room for a text.
            node = {} if holder[key] is True else holder[key]
            holder[key] = {**node, "description": found.text}
    return described


def check_keys(
    texts: Texts, version: str, data: Any, others: Callable[[], Mapping[str, Any]]
) -> None:
    """Refuse texts that describe nothing.

    Args:
        texts: the texts.
        version: the version of ``data``.
        data: its schema.
        others: gives the schemas of the folder's other versions; called only where one is needed.

    Raises:
        InputError: naming the key and the nearest match.
    """
    known = {version: _known(data)}
    if any(path not in known[version] for path in texts.shared) or set(texts.versions) - {version}:
        known.update((name, _known(schema)) for name, schema in others().items())
    everything = set().union(*known.values())
    _check(texts.shared, everything, "no version has {}")
    for name, found in texts.versions.items():
        if name not in known:
            first = next(iter(found.values()))
            raise InputError(
                f"there is no version {name!r}",
                where=Where(first.where.file, join("", name)),
                remedy=f"use one of {', '.join(sorted(known))}",
            )
        _check(found, known[name], f"{name} has no {{}}")


def missing(data: Any) -> list[str]:
    """Return what messages call each place of a schema that needs a description and has none."""
    return [label(place) for place in places_of(data) if place.needed and not place.own.strip()]


def require_descriptions(schemas: Mapping[str, Any], remedy: str) -> None:
    """Refuse schemas, by version, with a place that is not described.

    Raises:
        InputError: listing every such place.
    """
    gaps = [f"{version} {gap}" for version, data in schemas.items() for gap in missing(data)]
    if gaps:
        listed = "\n  ".join(gaps)
        raise InputError(f"no description for:\n  {listed}\n{len(gaps)} in all", remedy=remedy)


def _known(data: Any) -> set[Path]:
    """Return every path that a text for ``data`` may have."""
    return {path for place in places_of(data) for path in place.candidates()}


def _check(texts: Mapping[Path, Text], known: Collection[Path], what: str) -> None:
    for path, text in texts.items():
        if path in known:
            continue
        fits = _prefixes(known)
        sizes = (size for size in range(2, len(path), 2) if path[:size] not in fits)
        size = next(sizes, len(path))
        siblings = {fit[-1] for fit in fits if len(fit) == size and fit[:-1] == path[: size - 1]}
        kind = {"definitions": "definition", MEMBERS: "property", "properties": "property"}
        name = ".".join(path[1:size:2])
        thing = f"{kind.get(path[size - 2], path[size - 2].removesuffix('s'))} {name!r}"
        raise InputError(
            what.format(thing), where=text.where, remedy=_near(path[size - 1], siblings)
        )


def _prefixes(paths: Iterable[Path]) -> set[Path]:
    return {path[:size] for path in paths for size in range(2, len(path) + 1, 2)}


def _near(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, sorted(known), 1)
    return f"did you mean {near[0]!r}?" if near else "remove the entry"
