"""Compares a generated package with its schema: verdicts, leniency and round trips."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from instances import Maker
from jsonschema import Draft202012Validator
from mutations import REMOVE, places, put, stream
from packages import Subject
from reference import Reference, Refused, misplaced_flags, same

#: What can be wrong, in the order of the table.
CATEGORIES = ("disagreement", "not salvaged", "lossy", "crash", "pointer", "reference")

_REFUSED: Any = object()


@dataclass(frozen=True)
class Finding:
    """One fault: what kind it is, and what was found."""

    category: str
    what: str


@dataclass(frozen=True)
class Example:
    """The smallest instance found that shows a fault."""

    definition: str
    finding: Finding
    instance: Any
    seed: str

    def __str__(self) -> str:
        text = json.dumps(self.instance, ensure_ascii=True)
        return (
            f"{self.finding.category}: {self.definition}: {self.finding.what}\n"
            f"    instance: {text}\n    seed: {self.seed}"
        )


@dataclass
class Report:
    """Counts of one run, and an example of each kind of fault in each definition."""

    label: str
    seed: int
    definitions: int = 0
    instances: int = 0
    meant: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    uncovered: list[str] = field(default_factory=list)
    examples: dict[tuple[str, str, str], Example] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """True if nothing is wrong and no definition was left out."""
        return not self.uncovered and not sum(self.faults.values())

    def row(self) -> str:
        """Return the counts as one line of the table."""
        cells = [self.definitions, self.instances, self.verdicts["valid"]]
        cells += [self.verdicts["invalid"], self.verdicts["salvaged"]]
        cells += [self.faults[name] for name in CATEGORIES]
        return f"{self.label:<28}" + "".join(f"{cell:>13}" for cell in cells)

    def __str__(self) -> str:
        shown = [HEADER, self.row(), f"ACP_SEED={self.seed}"]
        shown += [f"not covered: {what}" for what in self.uncovered]
        return "\n".join([*shown, *map(str, self.examples.values())])


HEADER = f"{'':<28}" + "".join(
    f"{name:>13}"
    for name in ("definitions", "instances", "valid", "invalid", "salvaged", *CATEGORIES)
)


def seed_of_run() -> int:
    """The seed that the environment names, or a fixed one."""
    return int(os.environ.get("ACP_SEED", "20260101"))


class Differential:
    """Judges one version of a package, instance by instance."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.module = subject.module
        self.reference = Reference(subject.schema)
        self.definitions: dict[str, Any] = subject.schema["$defs"]
        self._validators: dict[str, Any] = {}

    def run(self, count: int, seed: int, names: list[str] | None = None) -> Report:
        """Judge ``count`` instances of each kind for every definition."""
        report = Report(self.subject.label, seed)
        for name in names or self.definitions:
            self._definition(name, count, f"{seed}:{self.subject.version}:{name}", report)
        return report

    def _definition(self, name: str, count: int, seed: str, report: Report) -> None:
        maker = Maker(self.subject.schema, random.Random(seed))
        verdicts: Counter[str] = Counter()
        meant: Counter[str] = Counter()
        for kind, instance in stream(maker, self.definitions[name], count):
            meant[kind] += 1
            report.instances += 1
            verdicts[self._verdict(name, instance)] += 1
            for finding in self.findings(name, instance):
                report.faults[finding.category] += 1
                key = (name, finding.category, finding.what.partition(":")[0])
                if key not in report.examples:
                    small = self.shrink(name, instance, finding)
                    report.examples[key] = Example(name, self._again(name, small, finding), small, seed)
        report.definitions += 1
        report.meant += meant
        report.verdicts += verdicts
        if not verdicts["valid"]:
            report.uncovered.append(f"{name} got no valid instance")
        if verdicts["valid"] == sum(verdicts.values()) and not self._takes_anything(name):
            report.uncovered.append(f"{name} got no invalid instance")
        if not meant["lenient"] and list(misplaced_flags(self._fields(name))):
            report.uncovered.append(f"{name} got no lenient instance")

    def _fields(self, name: str) -> Any:
        """The properties that a definition itself declares, as bare schemas."""
        schema = self.definitions[name]
        return list(schema.get("properties", {}).values()) if isinstance(schema, dict) else []

    def _takes_anything(self, name: str) -> bool:
        probes: list[Any] = [None, True, 1, 1.5, "x", [None], {"": None}]
        return all(self.valid(name, probe) for probe in probes)

    def valid(self, name: str, instance: Any) -> bool:
        """The verdict of ``jsonschema``."""
        found = self._validators.get(name)
        if found is None:
            schema = {"$ref": f"#/$defs/{name}", "$defs": self.definitions}
            found = self._validators[name] = Draft202012Validator(schema)
        return bool(found.is_valid(instance))

    def salvaged(self, name: str, instance: Any) -> Any:
        """What the reference makes of ``instance``, or the mark for refused."""
        try:
            return self.reference.read(self.definitions[name], instance)
        except Refused:
            return _REFUSED

    def _verdict(self, name: str, instance: Any) -> str:
        if self.valid(name, instance):
            return "valid"
        return "invalid" if self.salvaged(name, instance) is _REFUSED else "salvaged"

    # ---- one instance -------------------------------------------------------------------------

    def findings(self, name: str, instance: Any) -> list[Finding]:
        """Return all that is wrong with the package's treatment of ``instance``."""
        valid = self.valid(name, instance)
        found: list[Finding] = []
        if valid != self.reference.fits(self.definitions[name], instance):
            found.append(Finding("reference", f"jsonschema says {valid}, the reference not"))
        before = copy.deepcopy(instance)
        found += self._strict(name, instance, valid)
        found += self._lenient(name, instance, valid)
        if not same(before, instance):
            found.append(Finding("lossy", "decoding changed its input"))
        return found

    def _decode(self, name: str, instance: Any, *, strict: bool) -> tuple[Any, list[Finding]]:
        try:
            return self.module.decode(name, instance, strict=strict), []
        except self.module.DecodeError as error:
            return _REFUSED, list(_bad_pointers(error, instance))
        except Exception as error:
            return _REFUSED, [_crash(f"decode(strict={strict})", error)]

    def _strict(self, name: str, instance: Any, valid: bool) -> Iterator[Finding]:
        value, found = self._decode(name, instance, strict=True)
        yield from found
        if (value is not _REFUSED) != valid and not any(f.category == "crash" for f in found):
            what = "strict refuses a valid instance" if valid else "strict accepts an invalid one"
            yield Finding("disagreement", what)
        elif valid and value is not _REFUSED:
            for way, written in self._ways_out(name, value, instance):
                yield from _compare(f"strict, {way}", written, instance)

    def _lenient(self, name: str, instance: Any, valid: bool) -> Iterator[Finding]:
        value, found = self._decode(name, instance, strict=False)
        yield from found
        if any(finding.category == "crash" for finding in found):
            return
        expected = self.salvaged(name, instance)
        if expected is _REFUSED:
            if value is not _REFUSED:
                yield Finding("disagreement", f"lenient accepts what it should not: {self._written(value)}")
            return
        if value is _REFUSED:
            if valid:
                yield Finding("disagreement", "lenient refuses a valid instance")
            else:
                yield Finding("not salvaged", f"refused: expected {json.dumps(expected)}")
            return
        if valid:
            for way, written in self._ways_out(name, value, instance):
                yield from _compare(f"lenient, {way}", written, instance)
            return
        for way, write in (("encode", self.module.encode), ("to_json", self._text)):
            try:
                written = write(value)
            except Exception as error:
                yield _crash(way, error)
                continue
            if not same(written, expected):
                lost = _loses(written, expected)
                what = f"{way} after salvage: got {json.dumps(written)}, expected {json.dumps(expected)}"
                yield Finding("lossy" if lost else "not salvaged", what)

    def _text(self, value: Any) -> Any:
        return json.loads(self.module.to_json(value))

    def _written(self, value: Any) -> str:
        try:
            return json.dumps(self.module.encode(value))
        except Exception as error:
            return repr(error)

    def _ways_out(self, name: str, value: Any, instance: Any) -> Iterator[tuple[str, Any]]:
        """Yield what comes out by every way: a JSON value, or a finding."""
        module = self.module
        ways: dict[str, Callable[[], Any]] = {
            "encode": lambda: module.encode(value),
            "to_json": lambda: self._text(value),
            "from_json": lambda: module.encode(module.from_json(name, json.dumps(instance))),
            "deepcopy": lambda: module.encode(copy.deepcopy(value)),
            "pickle": lambda: module.encode(pickle.loads(pickle.dumps(value))),
        }
        if hasattr(value, "model_dump_json"):
            ways["model_dump_json"] = lambda: json.loads(value.model_dump_json())
            ways["model_dump"] = lambda: value.model_dump(mode="json")
        for way, write in ways.items():
            try:
                yield way, write()
            except Exception as error:
                yield way, _crash(way, error)

    # ---- small examples -----------------------------------------------------------------------

    def _again(self, name: str, instance: Any, finding: Finding) -> Finding:
        return next(
            (again for again in self.findings(name, instance) if _alike(again, finding)), finding
        )

    def shrink(self, name: str, instance: Any, finding: Finding, budget: int = 400) -> Any:
        """Return a small instance with the same fault."""

        def still(candidate: Any) -> bool:
            return any(_alike(again, finding) for again in self.findings(name, candidate))

        found = instance
        while budget > 0:
            for path, old in sorted(places(found), key=lambda place: -len(str(place[1]))):
                smaller = [REMOVE] if path else []
                smaller += [new for new in ({}, [], "", 0) if type(new) is type(old) and new != old]
                made = [put(found, path, new) for new in smaller]
                budget -= len(made)
                better = next((candidate for candidate in made if still(candidate)), REMOVE)
                if better is not REMOVE:
                    found = better
                    break
            else:
                return found
        return found


def _alike(left: Finding, right: Finding) -> bool:
    return left.category == right.category and left.what.partition(":")[0] == right.what.partition(":")[0]


def _crash(way: str, error: Exception) -> Finding:
    return Finding("crash", f"{way} raised {type(error).__name__}: {str(error)[:200]}")


def _compare(way: str, written: Any, expected: Any) -> Iterator[Finding]:
    if isinstance(written, Finding):
        yield written
    elif not same(written, expected):
        yield Finding("lossy", f"{way}: got {json.dumps(written)}")


def _loses(written: Any, expected: Any) -> bool:
    """True if something that should be there is not."""
    if isinstance(expected, dict) and isinstance(written, dict):
        return any(key not in written or _loses(written[key], expected[key]) for key in expected)
    if isinstance(expected, list) and isinstance(written, list):
        return len(written) < len(expected) or any(map(_loses, written, expected))
    return False


def _bad_pointers(error: Any, instance: Any) -> Iterator[Finding]:
    """A fault must be at a place of the input, or at a key that an object there lacks."""
    if not error.errors:
        yield Finding("pointer", "an error without a detail")
    for detail in error.errors:
        value = instance
        steps = [s.replace("~1", "/").replace("~0", "~") for s in detail.pointer.split("/")[1:]]
        for index, step in enumerate(steps):
            if isinstance(value, dict) and step in value:
                value = value[step]
            elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
                value = value[int(step)]
            elif isinstance(value, dict) and index == len(steps) - 1:
                break
            else:
                yield Finding("pointer", f"no such place: {detail.pointer} ({detail.message})")
                break
