"""Applies feature overlays to a schema, strictly: nothing is guessed, replaced or passed over."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError, UsageError, Where
from ..pointer import join
from .application import AddedMember, Application
from .features import available_features, select_overlays
from .gates import CapabilityPath, Gate, check_gates, gate_faults
from .load import Document
from .overlay_checks import check_references, reference_refusals
from .overlay_model import Overlay, load_overlay

__all__ = [
    "CapabilityPath",
    "Gate",
    "Overlay",
    "ResolvedSchema",
    "apply_overlays",
    "available_features",
    "fitting",
    "load_overlay",
    "select_overlays",
]


@dataclass(frozen=True)
class ResolvedSchema:
    """A schema with the features that are on.

    Attributes:
        version: the protocol version.
        data: the schema. Do not change it.
        file: the name of the base schema in messages.
        sha256: the digest of the base schema, without the overlays.
        features: the features that were applied, sorted.
        origins: JSON Pointer of each definition, property and union member that an overlay added
            -> its feature. What the base schema had already is not in it.
        gates: the capability gates: the schema's own, then those of the features by name.
        feature_docs: what each feature is for, by name.
    """

    version: str
    data: dict[str, Any]
    file: str
    sha256: str
    features: tuple[str, ...]
    origins: Mapping[str, str]
    gates: tuple[Gate, ...]
    feature_docs: Mapping[str, str] = field(default_factory=dict)


def apply_overlays(
    base: Document, version: str, overlays: Sequence[Overlay], gates: Sequence[Gate] = ()
) -> ResolvedSchema:
    """Return ``base`` extended by ``overlays``.

    The order of ``overlays`` makes no difference: each is applied after those it requires, and
    otherwise by name. ``base`` is not changed.

    Args:
        base: a schema that ``check_schema`` accepts.
        version: the protocol version of ``base``.
        overlays: one for each feature that is on.
        gates: the gates of ``base`` itself.

    Raises:
        UsageError: if two features conflict, or one requires another that is not there.
        InputError: if an overlay extends what is not there, adds what is there in another shape,
            refers to nowhere, or has a gate that leads nowhere.
    """
    ordered = _in_order(version, overlays)
    # Only the definitions' tree is changed, but a full copy is cheap and cannot be wrong.
    data = copy.deepcopy(base.data) if ordered else base.data
    origins: dict[str, str] = {}
    members: list[AddedMember] = []
    for overlay in ordered:
        Application(data, base.file, overlay, origins, members).run()
    check_references(data, base.file, ordered)
    by_name = sorted(ordered, key=lambda overlay: overlay.feature)
    every = (*gates, *(gate for overlay in by_name for gate in overlay.gates))
    check_gates(data, base.file, every)
    # Positions are known only now: a later overlay may have put a member before.
    origins.update((member.pointer_in(data), member.feature) for member in members)
    return ResolvedSchema(
        version=version,
        data=data,
        file=base.file,
        sha256=base.sha256,
        features=tuple(overlay.feature for overlay in by_name),
        origins=origins,
        gates=every,
        feature_docs={overlay.feature: overlay.description for overlay in by_name},
    )


def fitting(
    base: Document, version: str, overlays: Sequence[Overlay]
) -> tuple[list[Overlay], list[InputError]]:
    """Return the overlays that apply to ``base``, and why each of the others does not.

    An overlay that requires one of the others is left out with it.

    Raises:
        UsageError: if two features conflict, or one requires another that is not there.
        InputError: if ``base`` has a ring of definitions with them.
    """
    kept, faults = _in_order(version, overlays), list[InputError]()
    while True:
        found: list[InputError] = []
        data, members = copy.deepcopy(base.data), list[AddedMember]()
        for overlay in kept:
            found += Application(data, base.file, overlay, {}, members).faults()
        for overlay in kept if not found else ():
            found += reference_refusals(data, overlay)
            found += gate_faults(data, base.file, overlay.gates)
        if not found:
            check_references(data, base.file, kept)
            return kept, faults
        faults += found
        bad = {fault.where.file for fault in found if fault.where}
        refused = {overlay.feature for overlay in kept if overlay.file in bad}
        kept = _without(kept, refused)


def _without(overlays: Sequence[Overlay], refused: set[str]) -> list[Overlay]:
    out, grown = set(refused), True
    while grown:
        more = {o.feature for o in overlays if not out.isdisjoint(o.requires)} - out
        out, grown = out | more, bool(more)
    return [overlay for overlay in overlays if overlay.feature not in out]


def _in_order(version: str, overlays: Sequence[Overlay]) -> list[Overlay]:
    """Return ``overlays`` sorted by name, each after those it requires."""
    waiting = {overlay.feature: overlay for overlay in sorted(overlays, key=lambda o: o.feature)}
    for overlay in overlays:
        if waiting[overlay.feature] != overlay:
            raise UsageError(
                f"two overlays for the feature {overlay.feature}: "
                f"also {waiting[overlay.feature].file}",
                where=Where(overlay.file, "/feature"),
                remedy="leave one of them out",
            )
        if overlay.version != version:
            raise InputError(
                f"the overlay is for {overlay.version}, not for {version}",
                where=Where(overlay.file, "/version"),
                remedy="use it with the schema of its own version",
            )
        _check_company(overlay, waiting)
    ordered: list[Overlay] = []
    while waiting:
        ready = [o for o in waiting.values() if not any(name in waiting for name in o.requires)]
        if not ready:
            first = next(iter(waiting.values()))
            raise InputError(
                f"features that require one another: {', '.join(waiting)}",
                where=Where(first.file, "/requires"),
                remedy="join them into one feature",
            )
        ordered.append(ready[0])
        del waiting[ready[0].feature]
    return ordered


def _check_company(overlay: Overlay, present: Mapping[str, Overlay]) -> None:
    for index, other in enumerate(overlay.conflicts):
        if other in present:
            raise UsageError(
                f"the features {overlay.feature} and {other} cannot be on together",
                where=Where(overlay.file, join("/conflicts", index)),
                remedy="switch one of them off",
            )
    for index, other in enumerate(overlay.requires):
        if other not in present:
            raise UsageError(
                f"the feature {overlay.feature} requires {other}, which is not on for "
                f"{overlay.version}",
                where=Where(overlay.file, join("/requires", index)),
                remedy=f"switch {other} on as well",
            )
