"""Schema to intermediate representation."""

from __future__ import annotations

from typing import Any

from ..pointer import join
from ..schema.overlay import ResolvedSchema
from .capabilities import announcements, gated
from .ir import ANY, Alias, Branch, Protocol, TypeId, Union
from .methods import find_methods
from .shapes import enum_shape, is_null, is_object, ref_name, union_of
from .unions import Unions


def build_protocol(schema: ResolvedSchema, release: str = "unknown") -> Protocol:
    """Return what ``schema`` means. ``release`` is the publisher's name for it.

    Raises:
        InputError: where a definition has a shape that the representation cannot hold, a branch
            cannot be named without counting, the methods are not paired, or a gate does not fit.
    """
    builder = _Builder(schema)
    for name in schema.data["$defs"]:
        builder.definition(name)
    ordered = {
        id_: builder.types[id_] for name in schema.data["$defs"] for id_ in builder.family[name]
    }
    methods = find_methods(schema)
    return Protocol(
        version=schema.version,
        release=release,
        sha256=schema.sha256,
        file=schema.file,
        features=schema.features,
        types=ordered,
        methods=gated(methods, schema.gates, ordered),
        announcements=announcements(methods, schema.gates),
        feature_docs=schema.feature_docs,
    )


class _Builder(Unions):
    """Decides which kind of type a definition is."""

    def named(self, id_: TypeId, schema: Any, pointer: str) -> None:
        names = self.names(id_, schema, pointer)
        if not isinstance(schema, dict):
            if schema is not True:
                raise self.fault(
                    pointer, "the schema false allows nothing", "remove the definition"
                )
            return self.add(Alias(type=ANY, **names))
        shape = enum_shape(schema)
        if shape is not None:
            return self.add(shape.named(**names))
        if self.is_struct(schema):
            return self.object(id_, self.frame(schema, pointer), names)
        union = union_of(schema)
        if union is not None and not any(is_null(branch) for branch in union[1]):
            branches = union[1]
            if all(self._is_object_branch(branch) for branch in branches) and branches:
                return self.object(id_, self.frame(schema, pointer), names)
            return self.add(self._scalar_union(id_, union, pointer, names))
        return self.add(Alias(type=self.expr(schema, id_, pointer), **names))

    def _is_object_branch(self, branch: Any) -> bool:
        name = ref_name(branch)
        if name is not None:
            target = self.defs[name]
            nested = ref_name(target)
            if nested is not None:
                return self._is_object_branch(target)
            union = union_of(target) if isinstance(target, dict) else None
            if union is not None and not self.is_struct(target):
                return all(self._is_object_branch(inner) for inner in union[1])
            return isinstance(target, dict) and self.is_struct(target)
        return is_object(branch) and (self.is_struct(branch) or union_of(branch) is not None)

    def _scalar_union(
        self, id_: TypeId, union: tuple[str, list[Any]], pointer: str, names: dict[str, Any]
    ) -> Union:
        keyword, schemas = union
        branches = []
        for index, schema in enumerate(schemas):
            place = join(pointer, keyword, index)
            read = schema if isinstance(schema, dict) else {}
            title = read.get("title", "")
            type_ = self.expr(schema, (*id_, title) if title else id_, place)
            branches.append(Branch(title, type_, place, read.get("description", "")))
        return Union(branches=tuple(branches), exclusive=keyword == "oneOf", **names)
