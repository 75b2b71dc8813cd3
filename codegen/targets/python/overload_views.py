"""Which model class converts to which type: what a type checker is told of the converters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...conversion.model import Direction
from ...protocol.ir import Protocol, Struct, TypeId
from ..conversions import targets_of

Names = Mapping[TypeId, str]


def overload_views(
    direction: Direction, protocol: Protocol, source: Names, target: Names
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return public class name -> public names of the types that it may become.

    A class is left out if it is a subclass of one that is listed, for that says it already, and if
    no value of its definition ever converts.

    Args:
        direction: what converts.
        protocol: the source version.
        source: its public names.
        target: those of the target version.
    """
    found: dict[TypeId, tuple[str, ...]] = {}
    for id_, type_ in protocol.types.items():
        if isinstance(type_, Struct) and id_[0] in direction.keys:
            targets = targets_of(direction, id_[0])
            if not targets:
                continue
            names = (target.get((name,)) for name in targets)
            found[id_] = tuple(name for name in names if name is not None)
    return tuple(
        (source[id_], names)
        for id_, names in found.items()
        if names and not any(base in found for base in _bases(protocol, id_))
    )


def _bases(protocol: Protocol, id_: TypeId) -> Iterator[TypeId]:
    type_ = protocol.types[id_]
    while isinstance(type_, Struct) and type_.base is not None:
        yield type_.base
        type_ = protocol.types[type_.base]
