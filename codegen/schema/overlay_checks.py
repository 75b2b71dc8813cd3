"""What can be checked only when all overlays are applied: references and capability gates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from . import address
from .load import raise_faults
from .overlay_model import Gate, Overlay
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


def check_gates(data: dict[str, Any], file: str, overlays: Sequence[Overlay]) -> None:
    """Check that the gates of ``overlays`` name methods, parameters and properties of ``data``.

    Raises:
        InputError: naming the place in the overlay and how far it leads in the schema.
    """
    for overlay in overlays:
        for fault in gate_faults(data, file, overlay):
            raise fault


def gate_faults(data: dict[str, Any], file: str, overlay: Overlay) -> Iterator[InputError]:
    """Yield an error, as ``check_gates`` raises it, for every part of a gate that leads nowhere."""
    for index, gate in enumerate(overlay.gates):
        pointer = join("/gates", index)
        for place, error in _gate_faults(data, gate, pointer):
            yield nowhere(overlay.file, place, file, error)


def _gate_faults(
    data: dict[str, Any], gate: Gate, pointer: str
) -> Iterator[tuple[str, address.NotThereError]]:
    paths = [(join(pointer, "capability"), gate.capability)]
    paths += [(join(pointer, "requires", i), path) for i, path in enumerate(gate.requires)]
    for place, capability in paths:
        try:
            address.property_at(data, capability.definition, capability.path)
        except address.NotThereError as error:
            yield place, error
    served = [
        name
        for name, schema in data["$defs"].items()
        if isinstance(schema, dict)
        and (schema.get("x-side"), schema.get("x-method")) == (gate.side, gate.method)
    ]
    if not served:
        missing = address.NotThereError(
            f"no method {gate.method!r} on side {gate.side!r}", "/$defs"
        )
        yield join(pointer, "method"), missing
    elif gate.parameter is not None and not any(
        _has(data, name, gate.parameter) for name in served
    ):
        missing = address.NotThereError(
            f"{gate.method!r} has no parameter {gate.parameter!r}", join("/$defs", served[0])
        )
        yield join(pointer, "parameter"), missing


def _has(data: dict[str, Any], name: str, parameter: str) -> bool:
    try:
        address.property_at(data, name, (parameter,))
    except address.NotThereError:
        return False
    return True


def nowhere(overlay_file: str, pointer: str, file: str, error: address.NotThereError) -> InputError:
    """Return the error for an address in an overlay that leads nowhere in the schema ``file``."""
    return InputError(
        f"{error.what}, at {file}#{error.pointer}",
        where=Where(overlay_file, pointer),
        remedy="correct the name in the overlay, or use the schema it was written for",
    )
