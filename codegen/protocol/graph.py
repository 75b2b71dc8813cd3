"""How types refer to each other."""

from __future__ import annotations

from .ir import (
    Alias,
    AnyOf,
    Enum,
    ListOf,
    MapOf,
    Nullable,
    Protocol,
    Ref,
    Struct,
    TaggedUnion,
    Type,
    TypeExpr,
    TypeId,
    Variant,
)


def all_variants(union: TaggedUnion) -> list[Variant]:
    """Return the branches of ``union``: variants, fallback, untagged."""
    return [*union.variants, *([union.fallback] if union.fallback else []), *union.untagged]


def is_recursive(protocol: Protocol) -> bool:
    """True if some type can contain itself."""
    edges = {id_: set(references(type_)) for id_, type_ in protocol.types.items()}
    state: dict[TypeId, int] = {}
    for start in edges:
        stack = [(start, iter(edges[start]))]
        if state.get(start):
            continue
        state[start] = 1
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                stack.pop()
            elif state.get(following) == 1:
                return True
            elif not state.get(following):
                state[following] = 1
                stack.append((following, iter(edges[following])))
    return False


def references(type_: Type) -> list[TypeId]:
    """Return the types that ``type_`` names directly."""
    if isinstance(type_, Struct):
        found = [id_ for field in type_.fields for id_ in expr_references(field.type)]
        return [*([type_.base] if type_.base else []), *found]
    if isinstance(type_, TaggedUnion):
        return [variant.type for variant in all_variants(type_)]
    if isinstance(type_, Alias):
        return expr_references(type_.type)
    if isinstance(type_, Enum):
        return []
    return [id_ for branch in type_.branches for id_ in expr_references(branch.type)]


def expr_references(expr: TypeExpr) -> list[TypeId]:
    """Return the types that ``expr`` names."""
    if isinstance(expr, Ref):
        return [expr.id]
    if isinstance(expr, ListOf):
        return expr_references(expr.item)
    if isinstance(expr, MapOf):
        return expr_references(expr.value)
    if isinstance(expr, Nullable):
        return expr_references(expr.inner)
    if isinstance(expr, AnyOf):
        return [id_ for branch in expr.branches for id_ in expr_references(branch)]
    return []
