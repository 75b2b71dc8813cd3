"""Who sends each type to whom, from the methods that it is reachable from.

The params of a method go from those who call it to the side that serves it, and the result goes
back. A type that no method reaches (a JSON-RPC envelope, an error) may go between any two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import permutations

from ..pointer import split
from ..protocol.graph import all_variants, references
from ..protocol.ir import Method, Protocol, Struct, TaggedUnion, Type, TypeId
from ..schema.dialect import SHARED_SIDES

Channel = tuple[str, str]  # sender, reader

#: What the other peer is called where the schemas name only one.
OTHER = "peer"


def peers_of(protocol: Protocol, other: Protocol, names: Mapping[str, bool]) -> tuple[str, ...]:
    """Return the peers of ``protocol``, sorted: every side that is not shared by all.

    Args:
        protocol: the schema.
        other: the schema that it is compared with, which may name a side that this one leaves out.
        names: the sides of the names file, each with whether it is shared.
    """
    found = {side for side in (*_sides(protocol), *names) if not _is_shared(side, names)}
    if len(found) < 2:
        found |= {side for side in _sides(other) if not _is_shared(side, names)}
    return tuple(sorted(found if len(found) > 1 else found | {OTHER}))


def _sides(protocol: Protocol) -> set[str]:
    return {method.side for method in protocol.methods if method.side}


def method_channels(
    method: Method, peers: Collection[str], names: Mapping[str, bool]
) -> list[Channel]:
    """Return the ways of the params of ``method``: from each caller to each server."""
    if not method.side or _is_shared(method.side, names):
        return list(permutations(peers, 2))
    return [(peer, method.side) for peer in peers if peer != method.side]


def channels_of(
    protocol: Protocol, peers: Collection[str], names: Mapping[str, bool]
) -> dict[TypeId, frozenset[Channel]]:
    """Return the ways that values of each type go. A type that no method reaches is not in it.

    Args:
        protocol: the schema.
        peers: see ``peers_of``. A side of ``protocol`` that is none of them is a peer of its own.
        names: the sides of the names file, each with whether it is shared.
    """
    edges = {id_: tuple(_edges(protocol, type_)) for id_, type_ in protocol.types.items()}
    found: dict[TypeId, set[Channel]] = {}
    for method in protocol.methods:
        forth = method_channels(method, peers, names)
        _mark(found, edges, method.params, forth)
        if method.result is not None:
            _mark(found, edges, method.result, [(reader, sender) for sender, reader in forth])
    _mark_envelopes(found, edges, protocol)
    return {id_: frozenset(channels) for id_, channels in found.items()}


def _mark_envelopes(
    found: dict[TypeId, set[Channel]],
    edges: Mapping[TypeId, tuple[TypeId, ...]],
    protocol: Protocol,
) -> None:
    """A JSON-RPC envelope goes the ways of the params or results that it is for."""
    told = {id_ for method in protocol.methods for id_ in (method.params, method.result)}
    outside = {id_: () if id_ in told else targets for id_, targets in edges.items()}
    held: dict[TypeId, set[Channel]] = {}
    for id_, targets in edges.items():
        if protocol.types[id_[:1]].envelope:
            ways = [found[target] for target in targets if target in told]
            held.setdefault(id_[:1], set()).update(*ways)
    for envelope, channels in held.items():
        if channels and envelope not in found:
            _mark(found, outside, envelope, channels)


def _is_shared(side: str, names: Mapping[str, bool]) -> bool:
    return names.get(side, side in SHARED_SIDES)


def _mark(
    found: dict[TypeId, set[Channel]],
    edges: Mapping[TypeId, tuple[TypeId, ...]],
    start: TypeId,
    channels: Iterable[Channel],
) -> None:
    new, waiting = set(channels), [start]
    while waiting:
        id_ = waiting.pop()
        known = found.setdefault(id_, set())
        if not new <= known:
            known |= new
            waiting += edges.get(id_, ())


def _edges(protocol: Protocol, type_: Type) -> Iterator[TypeId]:
    yield from references(type_)
    # What a type includes from a definition that it does not extend is known by its place only.
    parts: Iterable[str] = ()
    if isinstance(type_, Struct):
        parts = (field.pointer for field in type_.fields)
    elif isinstance(type_, TaggedUnion):
        parts = (variant.pointer for variant in all_variants(type_))
    for pointer in parts:
        owner = (split(pointer)[1],)
        if owner in protocol.types:
            yield owner
