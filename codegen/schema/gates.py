"""Capability gates: what may be used only where the other side has announced a capability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    for fault in gate_faults(data, schema_file, gates):
        raise fault


def gate_faults(
    data: dict[str, Any], schema_file: str, gates: Sequence[Gate]
) -> Iterator[InputError]:
    """Yield an error, as ``check_gates`` raises it, for every part of a gate that leads nowhere."""
    for gate in gates:
        paths = [(join(gate.pointer, "capability"), gate.capability)]
        paths += [(join(gate.pointer, "requires", i), path) for i, path in enumerate(gate.requires)]
        for place, capability in paths:
            try:
                address.property_at(data, capability.definition, capability.path)
            except address.NotThereError as error:
                yield address.nowhere(gate.file, place, schema_file, error)
        missing = _unserved(data, gate)
        if missing is not None:
            word, fault = missing
            yield address.nowhere(gate.file, join(gate.pointer, word), schema_file, fault)


def _unserved(data: dict[str, Any], gate: Gate) -> tuple[str, address.NotThereError] | None:
    """Return which word of ``gate`` names what the method does not have, and how far it leads."""
    served = [
        name
        for name, schema in data["$defs"].items()
        if isinstance(schema, dict)
        and (schema.get("x-side"), schema.get("x-method")) == (gate.side, gate.method)
    ]
    if not served:
        what = f"no method {gate.method!r} on side {gate.side!r}"
        return "method", address.NotThereError(what, "/$defs")
    place = join("/$defs", served[0])
    path = () if gate.parameter is None else (gate.parameter,)
    having = [name for name in served if _has(data, name, *path)]
    if not having:
        what = f"{gate.method!r} has no parameter {gate.parameter!r}"
        return "parameter", address.NotThereError(what, place)
    tags = {tag for name in having for tag in address.tags(data, name, path)}
    if gate.variant is not None and gate.variant not in tags:
        what = f"there is no variant {gate.variant!r}"
        return "variant", address.NotThereError(what, place)
    return None


def _has(data: dict[str, Any], name: str, *path: str) -> bool:
    try:
        address.property_at(data, name, path)
    except address.NotThereError:
        return False
    return True


def _capability(item: dict[str, Any]) -> CapabilityPath:
    return CapabilityPath(item["definition"], tuple(item["path"]))
