"""Bounds of scalars and lists: which of two is the tighter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Bounds = Mapping[str, int | float | str]
Change = Literal["tightened", "loosened", "changed"]

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")
_LENGTHS = ("minLength", "minItems")


def implies(one: Bounds, other: Bounds) -> bool:
    """Return whether all that keeps to the bounds ``one`` keeps to ``other`` too."""
    return all(_kept(one, key, bound) for key, bound in other.items())


def changes(old: Bounds, new: Bounds) -> dict[str, Change]:
    """Return, for every keyword that differs, whether the new bound is tighter or looser."""
    found: dict[str, Change] = {}
    for key in sorted({*old, *new}):
        if old.get(key) == new.get(key):
            continue
        forth = key not in new or _kept(old, key, new[key])
        back = key not in old or _kept(new, key, old[key])
        if not (forth and back):
            found[key] = "loosened" if forth else "tightened" if back else "changed"
    return found


def _kept(bounds: Bounds, key: str, bound: int | float | str) -> bool:
    """Return whether ``bounds`` imply the one bound under ``key``."""
    own = bounds.get(key)
    if key in _LENGTHS and bound == 0:
        return True
    if own is None or isinstance(own, str) or isinstance(bound, str):
        return own == bound  # patterns: only the same is surely within
    if key in _LOWER:
        return own >= bound
    if key in _UPPER:
        return own <= bound
    return own == bound or (bound != 0 and own % bound == 0)
