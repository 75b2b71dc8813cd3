"""What has to hold for every conversion, whatever the value: each check returns what is wrong."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import convprop_schemas as schemas
from acp_bindings import _convert
from acp_bindings.convert import ConversionError
from convprop_forms import Forms, plain, same
from convprop_trips import METHODS, RENAMED, TRIP_FORMS, expected, one_way
from mutations import REMOVE, put

#: Members that may be missing although what holds them is missing too: the rules say so (12, 13).
_BELOW_MISSING = re.compile(
    r".*(/auth/logout|/sessionCapabilities/(list|resume|close)|/agentCapabilities/loadSession|/capabilities/session)$"
)


@dataclass
class Outcome:
    """What a conversion did."""

    values: list[Any] | None
    target: str = ""
    faults: list[tuple[str, str]] = field(default_factory=list)
    losses: list[Any] = field(default_factory=list)

    def text(self) -> str:
        """Return a text that equal outcomes share."""
        losses = [(loss.path, loss.action) for loss in self.losses]
        return plain([self.values, self.target, [path for path, _ in self.faults], losses])


class Subject:
    """Converters to check: the project's own, or those of changed rules."""

    def __init__(self, directions: Mapping[str, Any]) -> None:
        self.directions = directions
        self.forms = {version: made() for version, made in TRIP_FORMS.items()}
        self.exact = {version: Forms(version) for version in ("v1", "v2")}

    def run(
        self,
        direction: str,
        name: str,
        value: Any,
        context: Mapping[str, Any] | None = None,
        *,
        lossy: bool = False,
    ) -> Outcome:
        """Convert; every exception but a ConversionError comes through."""
        losses: list[Any] = []
        try:
            values, target = _convert.convert_to(
                self.directions[direction], name, value, context, lossy=lossy, report=losses
            )
        except ConversionError as error:
            return Outcome(None, faults=[(fault.path, fault.reason) for fault in error.faults])
        return Outcome(values, target, losses=losses)

    def check(
        self, direction: str, name: str, value: Any, context: Mapping[str, Any]
    ) -> Iterator[str]:
        """Yield what is wrong with converting ``value``, a valid instance of ``name``."""
        before = copy.deepcopy(value)
        strict = self.run(direction, name, value, context)
        lossy = self.run(direction, name, value, context, lossy=True)
        if not same(before, value):
            yield "the input was changed"
        yield from self._outcome(direction, value, strict)
        yield from (f"lossy: {what}" for what in self._outcome(direction, value, lossy))
        if strict.values is not None:
            yield from self._both(strict, lossy)
            yield from self.trip(direction, name, value, context, strict)
        if lossy.values is not None:
            yield from self.account(direction, name, value, context, lossy)

    def _both(self, strict: Outcome, lossy: Outcome) -> Iterator[str]:
        if lossy.losses or not same(strict.values, lossy.values):
            yield f"lossy differs where nothing is lost: {lossy.text()[:300]}"

    def _outcome(self, direction: str, value: Any, found: Outcome) -> Iterator[str]:
        if found.values is None:
            if not found.faults or any(not reason for _, reason in found.faults):
                yield f"a refusal without path or reason: {found.faults}"
            for path, _ in found.faults:
                if not points_into(path, value):
                    yield f"the refusal points at nothing: {path}"
            return
        target = schemas.DIRECTIONS[direction][1]
        for made in found.values:
            for problem in schemas.problems(target, found.target, made)[:2]:
                yield f"not a {found.target} of {target}: {problem}"
        for loss in found.losses:
            if loss.action not in ("removed", "replaced", "skipped") or not loss.reason:
                yield f"an odd loss: {loss}"
            if not points_into(loss.path, value):
                yield f"the report points at nothing: {loss.path}"

    # ---- there and back ----

    def trip(
        self, direction: str, name: str, value: Any, context: Mapping[str, Any], there: Outcome
    ) -> Iterator[str]:
        """Yield where the way back neither returns ``value`` nor refuses by a rule."""
        back = schemas.BACK[direction]
        returned: list[Any] = []
        method = context.get("method")
        # Without a title from the context, which would take the place of an empty one (47).
        said = {key: item for key, item in context.items() if key != "permissionTitle"}
        if method is not None:
            other = METHODS if direction == "v1_to_v2" else {v: k for k, v in METHODS.items()}
            said["method"] = other.get(method, method)
        for made in there.values or ():
            again = self.run(back, there.target, made, said)
            if again.values is None:
                unsaid = [path for path, _ in again.faults if one_way(direction, path) is None]
                if unsaid:
                    yield f"the way back refuses {again.faults} of {json.dumps(made)[:300]}"
                return
            returned += again.values
        source = schemas.DIRECTIONS[direction][0]
        forms = self.forms[source]
        known = RENAMED[direction].get(name, name)
        wanted = [forms.normal(known, v, method) for v in expected(direction, name, value, context)]
        found = [forms.normal(known, v, method) for v in returned]
        if not same(wanted, found):
            yield f"comes back as {json.dumps(found)[:500]}, wanted {json.dumps(wanted)[:500]}"

    # ---- nothing goes unsaid ----

    def account(
        self, direction: str, name: str, value: Any, context: Mapping[str, Any], found: Outcome
    ) -> Iterator[str]:
        """Yield members on which neither output nor report depends, and which say something."""
        text = found.text()
        forms = self.forms[schemas.DIRECTIONS[direction][0]]
        reported = [loss.path for loss in found.losses]
        for path, item in leaves(value):
            pointer = "".join(
                f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path
            )
            if any(pointer == at or pointer.startswith(f"{at}/") for at in reported):
                continue
            others = (put(value, path, other) for other in _others(item))
            if any(
                self.run(direction, name, o, context, lossy=True).text() != text for o in others
            ):
                continue
            method = context.get("method")
            less = put(value, path, REMOVE)
            if same(forms.normal(name, value, method), forms.normal(name, less, method)):
                continue
            yield f"{pointer} ({json.dumps(item)[:80]}) is neither in the output nor reported"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every scalar and every empty object or list of ``value``, but for the whole."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    elif path:
        yield path, value


def _others(item: Any) -> list[Any]:
    """Values to put in the place of a leaf; taking it out is one."""
    if isinstance(item, bool):
        return [not item, REMOVE]
    if isinstance(item, int | float):
        return [item + 1 if abs(item) < 2**50 else 5, -1, REMOVE]
    if isinstance(item, str):
        return [f"{item}~", REMOVE]
    return [REMOVE]


def points_into(path: str, value: Any) -> bool:
    """Say whether ``path`` is in ``value``, or a missing member of something that is."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    for index, step in enumerate(steps):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            last = index == len(steps) - 1
            return (last and isinstance(value, dict)) or bool(_BELOW_MISSING.match(path))
    return path == "" or path.startswith("/")
