"""Every key of names and style must match something: in a schema, and in the layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ..errors import UsageError, Where
from ..pointer import join
from ..protocol.ir import Protocol
from .keys import Keys, keys_of
from .model import Choices


@dataclass(frozen=True)
class Miss:
    """A key that matches nothing: where it is, and what is nearest to it."""

    path: tuple[str, ...]
    what: str
    near: str


def check_layout(choices: Choices, allowed: Collection[tuple[str, ...]], target: str) -> None:
    """Refuse what the layout of the target has no use for.

    Args:
        choices: what the configuration says.
        allowed: the key paths that the layout takes.
        target: the name of the target.

    Raises:
        UsageError: naming the key.
    """
    for path in choices.said:
        if path not in allowed:
            raise UsageError(
                f"{path[-1]} has no effect on target {target} in layout {choices.layout!r}",
                where=_where(choices, path),
                remedy="remove it, or choose another layout",
            )


def check_keys(choices: Choices, protocols: Collection[Protocol]) -> None:
    """Refuse keys that match nothing in any of the output's protocols.

    Raises:
        UsageError: naming each such key with the nearest match.
    """
    misses = list(find_misses(choices, keys_of(protocols)))
    if not misses:
        return
    if len(misses) == 1:
        [miss] = misses
        remedy = f"did you mean {miss.near!r}?" if miss.near else "remove it"
        raise UsageError(miss.what, where=_where(choices, miss.path), remedy=remedy)
    said = ", ".join(
        f"{'.'.join(miss.path)} ({miss.what}{f'; {miss.near!r}?' if miss.near else ''})"
        for miss in misses
    )
    raise UsageError(
        f"{len(misses)} keys match nothing: {said}",
        where=_where(choices, ()),
        remedy="change or remove them",
    )


def find_misses(choices: Choices, keys: Keys) -> Iterator[Miss]:
    """Yield each key that matches nothing, in the order of the configuration's format."""
    names, style = choices.names, choices.style
    yield from _absent(("names", "definitions"), names.definitions, keys.named, "definition")
    yield from _absent(("names", "fields"), names.fields, keys.properties | keys.fields, "property")
    yield from _absent(("names", "methods"), names.methods, keys.methods, "method")
    yield from _absent(("names", "unions"), names.unions, keys.unions, "union")
    for union, said in names.unions.items():
        if union in keys.unions:
            inner = ("names", "unions", union, "variants")
            yield from _absent(inner, said.variants, keys.variants[union], f"variant of {union}")
    for alias, parts in names.aliases.items():
        yield from _absent(("names", "aliases", alias), parts, keys.types, "type")
    for table, sides in names.tables.items():
        yield from _absent(("names", "tables", table), sides, keys.sides, "side")
    yield from _absent(("style", "definitions"), style.definitions, keys.definitions, "definition")
    for name, exceptions in style.definitions.items():
        if name in keys.definitions:
            path = ("style", "definitions", name)
            for key, fitting, kind in (
                ("string_enum", keys.string_enums, "string enum"),
                ("extra", keys.structs, "object"),
                ("root_model", keys.others, "union or alias"),
            ):
                if getattr(exceptions, key) is not None and name not in fitting:
                    yield Miss((*path, key), f"{name} is no {kind}", "")
    yield from _absent(("style", "unions"), style.unions, keys.unions, "union")
    for name, exception in style.unions.items():
        if name in keys.unions:
            path = ("style", "unions", name)
            if exception.tags is not None and name not in keys.tagged:
                yield Miss((*path, "tags"), f"{name} has no tag", "")
            if exception.catch_all == "one" and name not in keys.split:
                yield Miss((*path, "catch_all"), f"{name} has no catch-all with branches", "")
    yield from _absent(("style", "fields"), style.malformed, keys.fields, "field")


def _absent(
    path: tuple[str, ...], said: Iterable[str], known: frozenset[str], kind: str
) -> Iterator[Miss]:
    for name in said:
        if name not in known:
            near = get_close_matches(name, sorted(known), 1)
            yield Miss((*path, name), f"no schema has the {kind} {name!r}", (near or [""])[0])


def _where(choices: Choices, path: tuple[str, ...]) -> Where:
    return Where(choices.place.file, join(choices.place.pointer, *path))
