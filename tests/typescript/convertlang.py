"""The same values through the converters of both languages, and what differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import convprop_schemas as schemas
from acp_bindings import v1, v2
from acp_bindings.convert import ConversionError, Loss, convert_json, v1_to_v2, v2_to_v1
from convprop_samples import Samples
from instances import Sample, any_json
from mutations import Mutator, places, put
from node_tools import Harness
from reference import same

_SAFE = 2**53 - 1
_MOST_EXAMPLES = 12
_MODELS: Mapping[str, Any] = {"v1": v1, "v2": v2}
_TYPED: Mapping[str, Any] = {"v1_to_v2": v1_to_v2, "v2_to_v1": v2_to_v1}


@dataclass
class Outcome:
    """Counts of one run, and examples of what differs."""

    label: str
    instances: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.verdicts.items()))
        found = f"{self.label}: {self.instances} instances ({counts}), "
        return f"{found}{len(self.differences)} differences"


def inputs(version: str, name: str, count: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield right, wrong and garbage inputs for a definition, with contexts."""
    rng = schemas.rng("both languages", version, name, count)
    samples = Samples(version, rng)
    mutator = Mutator(samples.maker)
    for index in range(count):
        found = samples.make(name)
        value, context = found or (None, {})
        if index % 8 == 7:
            yield any_json(rng), context
        elif found is None or index % 4 == 1:
            made = samples.maker.make({"$ref": f"#/$defs/{name}"})
            yield mutator.mutate(made), context
        elif index % 4 == 3:
            yield mutator.mutate(Sample(value)), context
        else:
            yield value, context


class Converters:
    """Compares the converters of one run.

    Args:
        harness: Node with the compiled output.
        exact: whether it reads every integer, as bigint.
    """

    def __init__(self, harness: Harness, *, exact: bool) -> None:
        self._harness = harness
        self._exact = exact

    def run(self, direction: str, count: int) -> Outcome:
        """Compare ``count`` inputs of each definition, strict and lossy."""
        outcome = Outcome(direction)
        source = schemas.DIRECTIONS[direction][0]
        for name in schemas.definitions(source):
            for value, context in inputs(source, name, count):
                outcome.instances += 1
                for lossy in (False, True):
                    self.compare(outcome, direction, name, value, context, lossy=lossy)
        return outcome

    def compare(
        self,
        outcome: Outcome,
        direction: str,
        name: str,
        value: Any,
        context: Mapping[str, Any],
        *,
        lossy: bool,
    ) -> None:
        """Compare one conversion."""
        value = value if self._exact else _held(value)
        python = _python(direction, name, value, context, lossy=lossy)
        # Fields of numbers that are no integers are refused there if they hold a large one.
        typed = "typed" in python and same(value, _held(value))
        other = self.ask(direction, name, value, context, lossy=lossy, typed=typed)
        outcome.verdicts["converted" if "values" in python else "refused"] += 1
        what = _difference(python, other)
        if what and len(outcome.differences) < _MOST_EXAMPLES:
            outcome.differences.append(
                f"{direction} {name} {lossy=}: {what}\n    {json.dumps(value)[:1500]}\n    {context}"
            )

    def ask(
        self,
        direction: str,
        name: str,
        value: Any,
        context: Mapping[str, Any],
        *,
        lossy: bool,
        typed: bool = False,
    ) -> Any:
        """Return what the TypeScript converter makes of a value."""
        request = {
            "op": "convert",
            "direction": direction,
            "type": name,
            "text": json.dumps(value),
            "context": context,
            "lossy": lossy,
            "typed": typed,
        }
        return self._harness.ask([request])[0]


def _held(value: Any) -> Any:
    """Return ``value`` without integers that a number cannot hold."""
    for path, item in list(places(value)):
        if isinstance(item, int | float) and abs(item) > _SAFE:
            value = put(value, path, 7 if item > 0 else -7)
    return value


def _python(
    direction: str, name: str, value: Any, context: Mapping[str, Any], *, lossy: bool
) -> dict[str, Any]:
    losses: list[Loss] = []
    try:
        values = convert_json(direction, name, value, context, lossy, losses)
    except ConversionError as error:
        return {
            "definition": error.definition,
            "direction": error.direction,
            "faults": [fault._asdict() for fault in error.faults],
            "message": str(error),
            "error": error.to_json(),
        }
    made: dict[str, Any] = {"values": values, "losses": [loss._asdict() for loss in losses]}
    source, target = schemas.DIRECTIONS[direction]
    if schemas.valid(source, name, value):
        model = _MODELS[source].decode(name, value)
        # A model of a union's variant may be of a definition of its own, which it then converts as.
        if getattr(model, "__acp_definition__", None) == name:
            found = _TYPED[direction](model, context=context, lossy=lossy)
            made["typed"] = [_MODELS[target].encode(item) for item in found]
    return made


def _difference(python: dict[str, Any], other: dict[str, Any]) -> str:
    if "crash" in other:
        return f"TypeScript crashed: {other['crash'][:600]}"
    if "faults" in python:
        if "faults" not in other:
            return f"only Python refuses: {python['message']}"
        # Keys that look like numbers come first in JavaScript, so the order may differ.
        one, two = _sorted(python["faults"]), _sorted(other["faults"])
        if one != two:
            return f"faults {one} != {two}"
        for key in ("definition", "direction"):
            if python[key] != other[key]:
                return f"{key} {python[key]} != {other[key]}"
        same_order = python["faults"] == other["faults"]
        if same_order and (python["message"], python["error"]) != (
            other["message"],
            other["error"],
        ):
            return f"{python['message']} != {other['message']}"
        return ""
    if "faults" in other:
        return f"only TypeScript refuses: {other['message']}"
    if not other["same"]:
        return "the input was changed"
    for key, text in (("values", "text"), ("typed", "typed")):
        if text in other and not same(python[key], json.loads(other[text])):
            return f"{key} {json.dumps(python[key])} != {other[text]}"
    if _sorted(python["losses"]) != _sorted(other["losses"]):
        return f"losses {python['losses']} != {other['losses']}"
    return ""


def _sorted(found: list[dict[str, str]]) -> list[tuple[str, ...]]:
    return sorted(tuple(entry[key] for key in sorted(entry)) for entry in found)
