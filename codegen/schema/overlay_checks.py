"""What can be checked only when all overlays are applied: references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .load import raise_faults
from .overlay_model import Overlay
from .references import alias_cycle_faults, reference_faults


def check_references(data: dict[str, Any], file: str, overlays: Sequence[Overlay]) -> None:
    """Check that what ``overlays`` brought to ``data`` refers to definitions, without a ring.

    Raises:
        InputError: naming the overlay and the reference, or the ring of definitions.
    """
    names = data["$defs"]
    for overlay in overlays:
        brought = overlay.schemas()
        faults = [fault for place, s in brought for fault in reference_faults(s, names, place)]
        raise_faults(faults, overlay.file)
    if overlays:
        files = ", ".join(overlay.file for overlay in overlays)
        raise_faults(list(alias_cycle_faults(names)), f"{file} with {files}")
