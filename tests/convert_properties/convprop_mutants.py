"""Mutants of the rules file, and the converters that changed rules make."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import convprop_schemas as schemas
from acp_bindings import _plan
from acp_codegen.conversion.model import Direction, Plan
from acp_codegen.conversion.plan import make_plan
from acp_codegen.conversion.rules import Rules, load_rules
from acp_codegen.errors import InputError
from acp_codegen.resources import schemas_dir
from acp_codegen.targets.python.convert_views import expression
from convprop_checks import Subject
from jsonschema import Draft202012Validator

#: Texts for people: their wording is no behaviour. The bridge has tests of its own.
WORDING = {"why"}
ELSEWHERE = {"bridge"}
#: Keys under which every text is a reason, or which hold one.
REASONS = {"refuse", "empty"}
OTHER_WAY = {"v1_to_v2": "v2_to_v1", "v2_to_v1": "v1_to_v2"}
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Mutant:
    """Changed rules: where, what was done, and the rules."""

    path: Path
    what: str
    data: Any

    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def rules() -> Rules:
    """Return the project's rules."""
    path, file = schemas.sources().shared_file("conversion/rules.toml")
    return load_rules(path, file)


def _at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _changed(data: Any, path: Path, new: Any) -> Any:
    made = copy.deepcopy(data)
    _at(made, path[:-1])[path[-1]] = new
    return made


def _dropped(data: Any, path: Path) -> Any:
    made = copy.deepcopy(data)
    del _at(made, path[:-1])[path[-1]]
    return made


def mutants(data: Any) -> Iterator[Mutant]:
    """Yield every mutant of the rules, in the order of the file."""
    for mutant in _mutants(data):
        yield replace(mutant, where=_where(data, mutant.path))


def _where(data: Any, path: Path) -> str:
    """Return a path that says names in the place of numbers."""
    found = []
    for step in path:
        data = data[step]
        if isinstance(step, int) and isinstance(data, dict):
            names = [str(data[key]) for key in ("name", "v1", "v2", "only") if key in data]
            found.append(">".join(names))
        else:
            found.append(data if isinstance(step, int) and isinstance(data, str) else str(step))
    return "/".join(found)


def _mutants(data: Any) -> Iterator[Mutant]:
    for path, value in _places(data, ()):
        key = path[-1]
        yield Mutant(path, "drop", _dropped(data, path))
        if key in OTHER_WAY:
            renamed = _dropped(data, path)
            _at(renamed, path[:-1])[OTHER_WAY[str(key)]] = value
            yield Mutant(path, "turn round", renamed)
        if key in REASONS and isinstance(value, str):
            other = _dropped(data, path)
            _at(other, path[:-1])["empty" if key == "refuse" else "refuse"] = value
            yield Mutant(path, "soften" if key == "refuse" else "harden", other)
        elif not _is_reason(path):
            for new in _other_values(path, value):
                yield Mutant(path, f"make it {json.dumps(new)[:40]}", _changed(data, path, new))
    yield from _swaps(data)


def _places(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        if key in WORDING or (not path and key in ELSEWHERE):
            continue
        here = (*path, key)
        if here not in {("only",), ("only", "v1"), ("only", "v2")}:
            yield here, item
        yield from _places(item, here)


def _is_reason(path: Path) -> bool:
    """Say whether the text at ``path`` is for people."""
    return path[0] == "only" or "missing" in path or path[-1] in REASONS


def _other_values(path: Path, value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if value in OTHER_WAY.values():
        return [OTHER_WAY[value]]
    if isinstance(value, str) and value.startswith("{"):
        inner = json.loads(value)
        return [json.dumps({k: v for k, v in inner.items() if k != name}) for name in inner]
    if isinstance(value, str):
        return [f"{value}X"]
    if value == {}:
        return [{"x": {}}]
    if value == []:
        return [["x"]]
    return []


def _swaps(data: Any) -> Iterator[Mutant]:
    """Exchange the targets of two renames."""
    yield from _swap(data, ("methods",), list(data["methods"]))
    for version in ("v1", "v2"):
        named = [i for i, rule in enumerate(data["types"]) if "v2" in rule]
        for one, two in itertools.pairwise(named):
            yield from _exchange(data, ("types", one, version), ("types", two, version))
    for index, rule in enumerate(data["types"]):
        both = [j for j, m in enumerate(rule.get("members", ())) if "v1" in m and "v2" in m]
        for one, two in itertools.pairwise(both):
            base: Path = ("types", index, "members")
            yield from _exchange(data, (*base, one, "v2"), (*base, two, "v2"))
    for index, rule in enumerate(data["unions"]):
        fans = [j for j, v in enumerate(rule.get("variants", ())) if "fan_out" in v]
        for one, two in itertools.pairwise(fans):
            ends = [("unions", index, "variants", j, "fan_out", "into") for j in (one, two)]
            yield from _exchange(data, ends[0], ends[1])


def _swap(data: Any, path: Path, keys: list[str]) -> Iterator[Mutant]:
    for one, two in itertools.pairwise(keys):
        yield from _exchange(data, (*path, one), (*path, two))


def _exchange(data: Any, one: Path, two: Path) -> Iterator[Mutant]:
    left, right = _at(data, one), _at(data, two)
    if left != right:
        made = _changed(_changed(data, one, right), two, left)
        yield Mutant(one, f"swap with /{'/'.join(map(str, two))}", made)


# ---- from rules to converters ------------------------------------------------------------------


def build(data: Any) -> Plan | str:
    """Return the complete plan of these rules, or why the build fails."""
    form = json.loads((schemas_dir() / "conversion.schema.json").read_text(encoding="utf-8"))
    wrong = next(iter(Draft202012Validator(form).iter_errors(data)), None)
    if wrong is not None:
        return f"format: {wrong.message[:100]}"
    try:
        return make_plan(
            schemas.protocol("v1"), schemas.protocol("v2"), Rules("rules.toml", data), complete=True
        )
    except InputError as error:
        return f"build: {error}"


def wordless(plan: Plan) -> list[Direction]:
    """Return the directions without the texts for people, to compare behaviour by."""
    return [
        replace(direction, refused=dict.fromkeys(direction.refused, ""))
        for direction in plan.directions
    ]


def subject(plan: Plan) -> Subject:
    """Return converters that follow ``plan``."""
    made: dict[str, Any] = {}
    for direction in plan.directions:
        plans: Mapping[str, Any] = {
            key: eval(expression(step), {"_c": _plan}) for key, step in direction.plans.items()
        }
        made[direction.name] = _plan.Direction(
            direction.name, direction.targets, direction.keys, plans, direction.refused
        )
    return Subject(made)
