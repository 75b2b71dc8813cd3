"""Capability gates: what may be used only where the other side has announced a capability."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..pointer import join
from . import address
from .toml_file import load_toml

GATES_DIR = "gates"
FORMAT_FILE = "gates.schema.json"


@dataclass(frozen=True)
class CapabilityPath:
    """A property that announces a capability: the steps to it from a definition.

    Attributes:
        definition: where the path starts.
        path: property names, outermost first.
    """

    definition: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join((self.definition, *self.path))


@dataclass(frozen=True)
class Gate:
    """A method, a parameter or a variant that may be used only where a capability is announced.

    Attributes:
        side: the side that serves the method, as in ``x-side``.
        method: the wire name of the method, as in ``x-method``.
        parameter: the gated property of its parameters; None for the parameters as a whole.
        variant: the tag of the gated variant of what ``parameter`` says; None for any value.
        capability: the capability that must be announced.
        requires: further capabilities that whoever announces this one must announce as well.
        feature: the feature that adds the gate; None if it belongs to the schema itself.
        file: the file that states it, as named in messages.
        pointer: the JSON Pointer of the gate in that file.
    """

    side: str
    method: str
    parameter: str | None
    variant: str | None
    capability: CapabilityPath
    requires: tuple[CapabilityPath, ...]
    feature: str | None
    file: str
    pointer: str


def read_gates(items: Iterable[Any], feature: str | None, file: str) -> tuple[Gate, ...]:
    """Return the gates that the list at ``/gates`` of ``file`` states; its format was checked."""
    return tuple(
        Gate(
            side=item["side"],
            method=item["method"],
            parameter=item.get("parameter"),
            variant=item.get("variant"),
            capability=_capability(item["capability"]),
            requires=tuple(_capability(entry) for entry in item.get("requires", ())),
            feature=feature,
            file=file,
            pointer=join("/gates", index),
        )
        for index, item in enumerate(items)
    )


def gates_file(version: str) -> str:
    """Return where the gates of a version's own schema are, below the schemas folder."""
    return f"{GATES_DIR}/{version}.toml"


def load_gates(path: Path, file: str) -> tuple[Gate, ...]:
    """Read a gates file.

    Raises:
        InputError: if it is not TOML, or does not have the format of ``gates.schema.json``.
    """
    remedy = f"the format is described by schemas/{FORMAT_FILE}"
    return read_gates(load_toml(path, file, FORMAT_FILE, remedy)["gates"], None, file)


def check_gates(data: dict[str, Any], schema_file: str, gates: Sequence[Gate]) -> None:
    """Check that ``gates`` name methods, parameters and properties of the schema ``data``.

    Raises:
        InputError: naming the place of the gate and how far it leads in the schema.
    """
    for gate in gates:
        fault = gate_fault(data, schema_file, gate)
        if fault is not None:
            raise fault


def gate_fault(data: dict[str, Any], schema_file: str, gate: Gate) -> InputError | None:
    """Return what keeps ``gate`` from fitting the schema ``data``; None if it fits."""
    paths = [(join(gate.pointer, "capability"), gate.capability)]
    paths += [(join(gate.pointer, "requires", i), path) for i, path in enumerate(gate.requires)]
    for place, capability in paths:
        try:
            address.property_at(data, capability.definition, capability.path)
        except address.NotThereError as error:
            return address.nowhere(gate.file, place, schema_file, error)
    served = [
        name
        for name, schema in data["$defs"].items()
        if isinstance(schema, dict)
        and (schema.get("x-side"), schema.get("x-method")) == (gate.side, gate.method)
    ]
    if not served:
        what = f"no method {gate.method!r} on side {gate.side!r}"
        return _missing(gate, "method", schema_file, what, "/$defs")
    if gate.parameter is not None and not any(_has(data, name, gate.parameter) for name in served):
        what = f"{gate.method!r} has no parameter {gate.parameter!r}"
        return _missing(gate, "parameter", schema_file, what, join("/$defs", served[0]))
    path = () if gate.parameter is None else (gate.parameter,)
    if gate.variant is not None and not any(
        gate.variant in address.tags(data, name, path) for name in served if _has(data, name, *path)
    ):
        what = f"there is no variant {gate.variant!r}"
        return _missing(gate, "variant", schema_file, what, join("/$defs", served[0]))
    return None


def _missing(gate: Gate, word: str, schema_file: str, what: str, pointer: str) -> InputError:
    error = address.NotThereError(what, pointer)
    return address.nowhere(gate.file, join(gate.pointer, word), schema_file, error)


def _has(data: dict[str, Any], name: str, *path: str) -> bool:
    try:
        address.property_at(data, name, path)
    except address.NotThereError:
        return False
    return True


def _capability(item: dict[str, Any]) -> CapabilityPath:
    return CapabilityPath(item["definition"], tuple(item["path"]))
