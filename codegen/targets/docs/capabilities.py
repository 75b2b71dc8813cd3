"""Capabilities as links: the path that is announced, leading to the type that has its last step."""

from __future__ import annotations

from collections.abc import Iterable

from ...protocol.ir import Alias, ListOf, Nullable, Protocol, Ref, Struct, TypeExpr, TypeId
from .markdown import code
from .places import Places, page_link


def capability_link(
    protocol: Protocol, places: Places, page: str, side: str, path: tuple[str, ...]
) -> str:
    """Return a capability of ``side`` as code that links to where it is declared."""
    shown = code(".".join(path))
    root = protocol.announcements.get(side)
    if root is None:
        return shown
    owner: TypeId = (root,)
    for name in path[:-1]:
        inner = _step(protocol, owner, name)
        if inner is None:
            break
        owner = inner
    to = places.type_page(protocol.version, owner)
    return f"[{shown}]({page_link(page, to)}#{places.type_anchor(protocol.version, owner)})"


def paths_text(links: Iterable[str]) -> str:
    """Return all that must be announced in words."""
    return " and ".join(links)


def _step(protocol: Protocol, owner: TypeId, name: str) -> TypeId | None:
    """Return the type of the field ``name`` of ``owner``; None if it has no name."""
    type_ = protocol.types[owner]
    fields = type_.fields if isinstance(type_, Struct) else ()
    return next((_named(protocol, field.type) for field in fields if field.wire_name == name), None)


def _named(protocol: Protocol, expr: TypeExpr) -> TypeId | None:
    while True:
        if isinstance(expr, Nullable):
            expr = expr.inner
        elif isinstance(expr, ListOf):
            expr = expr.item
        elif isinstance(expr, Ref):
            type_ = protocol.types[expr.id]
            if not isinstance(type_, Alias):
                return expr.id
            expr = type_.type
        else:
            return None
