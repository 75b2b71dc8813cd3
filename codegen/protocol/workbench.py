"""What every part of the builder shares: the schema, the types made so far, and faults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..schema.overlay import ResolvedSchema
from .ir import Alias, Ref, Type, TypeId
from .shapes import JsonSchema, feature_at, ref_name, types_of


class Workbench(ABC):
    """Types under construction. ``types`` grows as definitions are asked for.

    Attributes:
        types: every type made so far.
        family: by definition, the types that belong to it, in the order of their making.
        owners: the types that inline types are named after, outermost first.
    """

    def __init__(self, schema: ResolvedSchema) -> None:
        self.schema = schema
        self.defs: dict[str, Any] = schema.data["$defs"]
        self.types: dict[TypeId, Type] = {}
        self.family: dict[str, list[TypeId]] = {name: [] for name in self.defs}
        self.owners: list[TypeId] = []
        self._under_way: list[str] = []

    @abstractmethod
    def named(self, id_: TypeId, schema: Any, pointer: str) -> None:
        """Make the type ``id_`` from ``schema``."""

    def definition(self, name: str) -> Type:
        """Build the definition ``name`` and all that exists inside it, once.

        Raises:
            InputError: if definitions include each other without end.
        """
        id_ = (name,)
        if id_ in self.types:
            return self.types[id_]
        pointer = join("/$defs", name)
        if name in self._under_way:
            cycle = " -> ".join([*self._under_way[self._under_way.index(name) :], name])
            raise self.fault(
                pointer,
                f"definitions include each other without end: {cycle}",
                "break the cycle with a property or a list",
            )
        self._under_way.append(name)
        self.owners.append(id_)
        self.named(id_, self.defs[name], pointer)
        self.owners.pop()
        self._under_way.pop()
        return self.types[id_]

    def target(self, name: str) -> Type:
        """Return the type that the definition ``name`` stands for, seen through plain aliases."""
        target = self.definition(name)
        while isinstance(target, Alias) and isinstance(target.type, Ref):
            target = self.types.get(target.type.id) or self.definition(target.type.id[0])
        return target

    def inline(self, schema: JsonSchema, id_: TypeId, pointer: str) -> Ref:
        """Make the type of a schema that stands inside another, under ``id_``."""
        if id_ not in self.types:
            self.owners.append(id_)
            self.named(
                id_, {k: v for k, v in schema.items() if k != "type" or v == "object"}, pointer
            )
            self.owners.pop()
        return Ref(id_)

    def names(self, id_: TypeId, schema: Any, pointer: str) -> dict[str, Any]:
        """Return what all named types have, from their schema."""
        read = schema if isinstance(schema, dict) else {}
        return {
            "id": id_,
            "pointer": pointer,
            "doc": read.get("description", ""),
            "title": read.get("title", ""),
            "feature": feature_at(self.schema.origins, pointer),
            "envelope": bool(read.get("x-docs-ignore", False)),
        }

    def is_struct(self, schema: JsonSchema) -> bool:
        """An object with declared fields, or a bare object; not a map with typed values."""
        if ref_name(schema) is not None:
            return False
        if "properties" in schema or "allOf" in schema:
            return True
        bare = schema.get("additionalProperties", False) is False
        return types_of(schema) == ("object",) and bare

    def add(self, type_: Type) -> None:
        """Keep a type that is finished."""
        self.types[type_.id] = type_
        self.family[type_.id[0]].append(type_.id)

    def fault(self, pointer: str, what: str, remedy: str) -> InputError:
        """Return the error for the schema's node at ``pointer``."""
        return InputError(what, where=Where(self.schema.file, pointer), remedy=remedy)
