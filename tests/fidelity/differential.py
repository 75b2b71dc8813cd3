"""Compares a generated package with its schema: verdicts, leniency and round trips."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from instances import Maker
from jsonschema import Draft202012Validator
from mutations import REMOVE, places, put, stream
from outcome import Example, Finding, Report
from packages import Subject
from reference import FLAGS, Log, Reference, Refused, same

_REFUSED: Any = object()
_MOST_EXAMPLES = 40


class Differential:
    """Judges one version of a package, instance by instance."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.module = subject.module
        self.reference = Reference(subject.schema)
        self.definitions: dict[str, Any] = subject.schema["$defs"]
        self._validators: dict[str, Any] = {}

    def run(self, count: int, seed: int, names: list[str] | None = None) -> Report:
        """Judge ``count`` instances of each kind for every definition, or for those named."""
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
            verdicts[self._verdict(name, instance)] += 1
            found = self.findings(name, instance)
            report.faults += Counter({finding.category for finding in found})
            for finding in found:
                key = (name, finding.category, finding.phase)
                if key not in report.examples and len(report.examples) < _MOST_EXAMPLES:
                    small, again = self.shrink(name, instance, finding)
                    report.examples[key] = Example(name, again, small, seed)
        report.definitions += 1
        report.instances += meant.total()
        report.meant += meant
        report.verdicts += verdicts
        report.uncovered += self._uncovered(name, meant, verdicts)

    def _uncovered(self, name: str, meant: Counter[str], verdicts: Counter[str]) -> Iterator[str]:
        if not verdicts["valid"]:
            yield f"{name} got no valid instance"
        if verdicts["valid"] == verdicts.total() and not self._takes_anything(name):
            yield f"{name} got no invalid instance"
        schema = self.definitions[name]
        fields = schema.get("properties", {}).values() if isinstance(schema, dict) else ()
        forgives = any(flag in field for field in fields for flag in FLAGS)
        if forgives and not meant["lenient"]:
            yield f"{name} got no lenient instance"

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

    def salvaged(self, name: str, instance: Any, log: Log | None = None) -> Any:
        """What the reference makes of ``instance``, or the mark for refused."""
        try:
            return self.reference.read(self.definitions[name], instance, log)
        except Refused:
            return _REFUSED

    def _verdict(self, name: str, instance: Any) -> str:
        if self.valid(name, instance):
            return "valid"
        return "invalid" if self.salvaged(name, instance) is _REFUSED else "salvaged"

    # ---- one instance -----------------------------------------------------------------------

    def findings(self, name: str, instance: Any) -> list[Finding]:
        """Return all that is wrong with the package's treatment of ``instance``."""
        valid = self.valid(name, instance)
        found: list[Finding] = []
        if valid != self.reference.fits(self.definitions[name], instance):
            found.append(Finding("reference", "strict", f"jsonschema's verdict is {valid}"))
        before = copy.deepcopy(instance)
        found += self._strict(name, instance, valid)
        found += self._lenient(name, instance, valid)
        if not same(before, instance):
            found.append(Finding("lossy", "input", "decoding changed its input"))
        return found

    def _strict(self, name: str, instance: Any, valid: bool) -> Iterator[Finding]:
        value = yield from self._decoded(name, instance, "strict")
        if value is None:
            return
        if (value[0] is not _REFUSED) != valid:
            what = "refuses a valid instance" if valid else "accepts an invalid instance"
            yield Finding("disagreement", "strict", what)
        elif valid:
            yield from self._comes_back(name, value[0], instance, "strict")

    def _lenient(self, name: str, instance: Any, valid: bool) -> Iterator[Finding]:
        value = yield from self._decoded(name, instance, "lenient")
        if value is None:
            return
        log: Log = []
        expected = self.salvaged(name, instance, log)
        refused = value[0] is _REFUSED
        if refused and expected is _REFUSED:
            return
        if refused and valid:
            yield Finding("disagreement", "lenient", "refuses a valid instance")
        elif refused:
            yield Finding("not salvaged", "lenient", f"refused, expected {json.dumps(expected)}")
        elif expected is _REFUSED:
            yield Finding("disagreement", "lenient", "accepts what cannot be salvaged")
        else:
            if valid:
                yield from self._comes_back(name, value[0], instance, "lenient")
            else:
                yield from self._is_salvaged(value[0], expected)
            yield from self._is_reported(name, instance, log)

    def _decoded(self, name: str, instance: Any, phase: str) -> Any:
        """Yield what is wrong; return the value or the mark for refused in a tuple, or None."""
        try:
            return (self.module.decode(name, instance, strict=phase == "strict"),)
        except self.module.DecodeError as error:
            yield from _bad_pointers(error, instance, phase)
            return (_REFUSED,)
        except Exception as error:
            yield _crash(phase, "decode", error)
            return None

    def _comes_back(self, name: str, value: Any, expected: Any, phase: str) -> Iterator[Finding]:
        module, strict = self.module, phase == "strict"
        text = json.dumps(expected)
        ways: dict[str, Callable[[], Any]] = {
            "encode": lambda: module.encode(value),
            "to_json": lambda: self._text(value),
            "from_json": lambda: module.encode(module.from_json(name, text, strict=strict)),
            "deepcopy": lambda: module.encode(copy.deepcopy(value)),
            "pickle": lambda: module.encode(pickle.loads(pickle.dumps(value))),
        }
        if hasattr(value, "model_dump_json"):
            ways["model_dump_json"] = lambda: json.loads(value.model_dump_json())
            ways["model_dump"] = lambda: value.model_dump(mode="json")
        for way, write in ways.items():
            try:
                written = write()
            except Exception as error:
                yield _crash(phase, way, error)
                continue
            if not same(written, expected):
                yield Finding("lossy", phase, f"{way} gives {json.dumps(written)}")

    def _is_salvaged(self, value: Any, expected: Any) -> Iterator[Finding]:
        for way, write in (("encode", self.module.encode), ("to_json", self._text)):
            try:
                written = write(value)
            except Exception as error:
                yield _crash("salvage", way, error)
                continue
            if not same(written, expected):
                category = "lossy" if _loses(written, expected) else "not salvaged"
                what = f"{way} gives {json.dumps(written)}, expected {json.dumps(expected)}"
                yield Finding(category, "salvage", what)

    def _is_reported(self, name: str, instance: Any, log: Log) -> Iterator[Finding]:
        try:
            dropped = self.module.decode_reporting(name, instance)[1]
        except Exception as error:
            yield _crash("salvage", "decode_reporting", error)
            return
        told = {entry.pointer for entry in dropped}
        expected = {"".join(f"/{_escape(step)}" for step in place) for place in log}
        # More may be told of what is inside something dropped, or only that.
        if any(not _within(place, expected) for place in told) or any(
            place not in told and not any(_within(other, {place}) for other in told)
            for place in expected
        ):
            what = f"reports {sorted(told)}, expected {sorted(expected)}"
            yield Finding("unreported", "salvage", what)

    def _text(self, value: Any) -> Any:
        return json.loads(self.module.to_json(value))

    # ---- small examples ---------------------------------------------------------------------

    def shrink(
        self, name: str, instance: Any, finding: Finding, budget: int = 300
    ) -> tuple[Any, Finding]:
        """Return a small instance with a fault like ``finding``, and that fault."""
        best = (instance, finding)
        while budget > 0:
            for candidate in _smaller(best[0]):
                budget -= 1
                again = next(filter(finding.alike, self.findings(name, candidate)), None)
                if again is not None:
                    best = (candidate, again)
                    break
            else:
                break
        return best


def _smaller(instance: Any) -> Iterator[Any]:
    """Yield the instance with one part taken out or emptied, the largest parts first."""
    for path, old in sorted(places(instance), key=lambda place: -len(str(place[1]))):
        if path:
            yield put(instance, path, REMOVE)
        for new in ({}, [], "", 0):
            if type(new) is type(old) and new != old:
                yield put(instance, path, new)


def _crash(phase: str, way: str, error: Exception) -> Finding:
    return Finding("crash", phase, f"{way} raised {type(error).__name__}: {str(error)[:200]}")


def _loses(written: Any, expected: Any) -> bool:
    """True if something that should be there is not."""
    if isinstance(expected, dict) and isinstance(written, dict):
        return any(key not in written or _loses(written[key], expected[key]) for key in expected)
    if isinstance(expected, list) and isinstance(written, list):
        return len(written) < len(expected) or any(map(_loses, written, expected))
    return False


def _within(pointer: str, places: set[str]) -> bool:
    return any(pointer == place or pointer.startswith(f"{place}/") for place in places)


def _escape(step: object) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def _bad_pointers(error: Any, instance: Any, phase: str) -> Iterator[Finding]:
    """A fault must be at a place of the input, or at a key that an object there lacks."""
    if not error.errors:
        yield Finding("pointer", phase, "an error without a detail")
    known = {"".join(f"/{_escape(step)}" for step in path): item for path, item in places(instance)}
    for detail in error.errors:
        parent = known.get(detail.pointer.rpartition("/")[0])
        if detail.pointer not in known and not isinstance(parent, dict):
            yield Finding("pointer", phase, f"no such place: {detail.pointer} ({detail.message})")
