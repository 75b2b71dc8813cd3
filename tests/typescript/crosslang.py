"""The same instances through the Python and the TypeScript bindings, and what differs."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from instances import Maker
from mutations import places, put, stream
from node_tools import Harness
from packages import Subject
from reference import same

_SAFE = 2**53 - 1
_MOST_EXAMPLES = 20


@dataclass
class Outcome:
    """Counts of one run, and examples of what differs."""

    label: str
    instances: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.verdicts.items()))
        total = self.differences.total()
        found = f"{self.label}: {self.instances} instances ({counts}), {total} differences"
        return "\n".join([found, *self.examples])


class CrossLanguage:
    """Compares one version of the bindings in both languages."""

    def __init__(self, subject: Subject, harness: Harness, folder: str = ".") -> None:
        self._subject = subject
        self._module = subject.module
        self._harness = harness
        self._folder = folder

    def run(self, count: int, seed: int) -> Outcome:
        """Compare ``count`` instances of each kind of every definition."""
        outcome = Outcome(self._subject.label)
        for name, schema in self._subject.schema["$defs"].items():
            rng = random.Random(f"{seed}:{self._subject.version}:{name}")
            maker = Maker(self._subject.schema, rng)
            for _, instance in stream(maker, schema, count):
                self.compare(name, instance, outcome)
        return outcome

    def run_recorded(self, calls: Iterable[tuple[str, Any]]) -> Outcome:
        """Compare instances that a test decoded, given with their definitions."""
        outcome = Outcome(self._subject.label)
        for name, instance in calls:
            self.compare(name, instance, outcome)
        return outcome

    def compare(self, name: str, instance: Any, outcome: Outcome) -> None:
        """Compare one instance, strict and lenient."""
        outcome.instances += 1
        answer = self._ask(name, instance)
        spots = self._inexact(instance, answer)
        if spots is not None:
            # What a number cannot hold is refused with its place; the rest has to agree.
            outcome.verdicts["inexact"] += 1
            for path, value in spots:
                instance = put(instance, path, 7 if value > 0 else -7)
            answer = self._ask(name, instance)
            if self._inexact(instance, answer) is not None:
                return
        for mode in ("strict", "lenient"):
            python = self._python(name, instance, mode == "strict")
            outcome.verdicts["accepted" if "value" in python else "refused"] += 1
            what = _difference(python, answer[mode])
            if what:
                outcome.differences[mode] += 1
                if len(outcome.examples) < _MOST_EXAMPLES:
                    outcome.examples.append(f"  {mode} {name}: {what}\n    {json.dumps(instance)}")

    def _ask(self, name: str, instance: Any) -> Any:
        request = {
            "op": "decode",
            "folder": self._folder,
            "version": self._subject.version,
            "type": name,
            "text": json.dumps(instance),
        }
        return self._harness.ask([request])[0]

    def _inexact(self, instance: Any, answer: Any) -> list[tuple[Any, Any]] | None:
        """Return the places that TypeScript refuses because a number cannot hold them."""
        known = {_pointer(path): (path, item) for path, item in places(instance)}
        found = {
            fault["pointer"]
            for mode in ("strict", "lenient")
            for fault in answer[mode].get("faults", ())
            if fault["kind"] == "inexact"
        }
        if not found:
            return None
        for pointer in found:
            value = known[pointer][1]
            assert isinstance(value, int | float) and abs(value) > _SAFE, (instance, answer)
        # Others may follow once these are gone, so all like them are taken at once.
        return [
            (path, item)
            for path, item in known.values()
            if isinstance(item, int | float) and abs(item) > _SAFE
        ]

    def _python(self, name: str, instance: Any, strict: bool) -> dict[str, Any]:
        try:
            value = self._module.decode(name, instance, strict=strict)
        except self._module.DecodeError as error:
            return {"faults": sorted({detail.pointer for detail in error.errors})}
        made: dict[str, Any] = {"value": self._module.encode(value)}
        if not strict:
            salvaged = self._module.decode_reporting(name, instance)[1]
            made["salvaged"] = sorted(entry.pointer for entry in salvaged)
        return made


def _difference(python: dict[str, Any], other: dict[str, Any]) -> str:
    if "crash" in other:
        return f"TypeScript crashed: {other['crash'][:300]}"
    if "faults" in other:
        theirs = sorted({fault["pointer"] for fault in other["faults"]})
        if "faults" not in python:
            return f"only TypeScript refuses: {other['faults']}"
        return "" if theirs == python["faults"] else f"faults {python['faults']} != {theirs}"
    if "faults" in python:
        return f"only Python refuses: {python['faults']}"
    if not same(python["value"], json.loads(other["text"])):
        return f"{json.dumps(python['value'])} != {other['text']}"
    if "salvaged" in python:
        theirs = sorted(entry["pointer"] for entry in other["salvaged"])
        if theirs != python["salvaged"]:
            return f"salvaged {python['salvaged']} != {theirs}"
    return ""


def _pointer(path: Any) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def totals(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the lines that sum up a run."""
    for outcome in outcomes:
        yield str(outcome).splitlines()[0]
    instances = sum(outcome.instances for outcome in outcomes)
    differences = sum(outcome.differences.total() for outcome in outcomes)
    yield f"Python and TypeScript: {instances} instances, {differences} differences"
