"""Who uses a type."""

from __future__ import annotations

from ...protocol.graph import all_variants, references
from ...protocol.ir import Protocol, TaggedUnion, TypeId


class Users:
    """Which definitions refer to a type, and which types are variants of a union.

    Attributes:
        variants: the types of all variants of tagged unions.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.variants: set[TypeId] = set()
        self._found: dict[TypeId, set[TypeId]] = {}
        for id_, type_ in protocol.types.items():
            if isinstance(type_, TaggedUnion):
                self.variants |= {variant.type for variant in all_variants(type_)}
            for used in references(type_):
                if used[:1] != id_[:1]:
                    self._found.setdefault(used, set()).add(id_[:1])

    def of(self, id_: TypeId) -> list[TypeId]:
        """Return the definitions, by name, that refer to ``id_``, also from a type inside them."""
        return sorted(self._found.get(id_, ()))
