"""What can be checked only when all overlays are applied: references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError, Where
from .load import raise_faults
from .overlay_model import Overlay
from .references import alias_cycle_faults, reference_faults
from .walk import Fault


def check_references(data: dict[str, Any], file: str, overlays: Sequence[Overlay]) -> None:
    """Check that what ``overlays`` brought to ``data`` refers to definitions, without a ring.

    Raises:
        InputError: naming the overlay and the reference, or the ring of definitions.
    """
    for overlay in overlays:
        raise_faults(_reference_faults(data, overlay), overlay.file)
    if overlays:
        files = ", ".join(overlay.file for overlay in overlays)
        raise_faults(list(alias_cycle_faults(data["$defs"])), f"{file} with {files}")


def reference_refusals(data: dict[str, Any], overlay: Overlay) -> Iterator[InputError]:
    """Yield an error for everything that ``overlay`` refers to and ``data`` does not define."""
    for fault in _reference_faults(data, overlay):
        yield InputError(fault.what, where=Where(overlay.file, fault.pointer), remedy=fault.remedy)


def _reference_faults(data: dict[str, Any], overlay: Overlay) -> list[Fault]:
    names, brought = data["$defs"], overlay.schemas()
    return [fault for place, s in brought for fault in reference_faults(s, names, place)]
