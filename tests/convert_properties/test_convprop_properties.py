"""Properties of every conversion, over instances of every definition of both schemas.

``ACP_SEED`` chooses other instances; a failure prints the seed and the instance.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import convprop_schemas as schemas
import pytest
from acp_bindings import convert
from convprop_checks import Subject
from convprop_samples import Samples
from convprop_trips import NEVER

QUICK, SLOW = 8, 90
SUBJECT = Subject(convert._DIRECTIONS)


def sweep(direction: str, count: int) -> tuple[list[str], Counter[str], int]:
    """Check ``count`` instances of each definition; return complaints, and what converted."""
    source = schemas.DIRECTIONS[direction][0]
    samples = Samples(source, schemas.rng("properties", direction, count))
    complaints: list[str] = []
    converted: Counter[str] = Counter()
    checked = 0
    for name in schemas.definitions(source):
        for _ in range(count):
            found = samples.make(name)
            if found is None:
                continue
            value, context = found
            checked += 1
            converted[name] += SUBJECT.run(direction, name, value, context).values is not None
            for complaint in SUBJECT.check(direction, name, value, context):
                complaints.append(
                    f"{direction} {name}: {complaint}\n  input {json.dumps(value)[:800]}"
                    f"\n  context {context}, ACP_SEED={schemas.SEED}"
                )
    return complaints, converted, checked


@pytest.mark.parametrize("direction", schemas.DIRECTIONS)
def test_convprop_every_definition(direction: str) -> None:
    complaints, _, checked = sweep(direction, QUICK)
    assert not complaints, f"{len(complaints)} of {checked}:\n" + "\n".join(complaints[:5])
    assert checked > 180 * QUICK * 0.95


@pytest.mark.slow
@pytest.mark.parametrize("direction", schemas.DIRECTIONS)
def test_convprop_every_definition_long(direction: str) -> None:
    complaints, converted, checked = sweep(direction, SLOW)
    assert not complaints, f"{len(complaints)} of {checked}:\n" + "\n".join(complaints[:5])
    never = set(NEVER[direction])
    for name in convert._DIRECTIONS[direction].keys:
        # Properties of what never converts say nothing.
        assert bool(converted[name]) == (name not in never), name


@pytest.mark.parametrize("direction", schemas.DIRECTIONS)
def test_convprop_definitions_without_counterpart_refuse_everything(direction: str) -> None:
    source, target = schemas.DIRECTIONS[direction]
    samples = Samples(source, schemas.rng("only", direction))
    here = convert._DIRECTIONS[direction]
    names = set(schemas.definitions(source))
    assert names == set(here.keys) | set(here.refused)
    assert not set(here.keys) & set(here.refused)
    for name in here.refused:
        found = samples.make(name)
        outcome = SUBJECT.run(direction, name, found[0] if found else {})
        assert outcome.values is None and [path for path, _ in outcome.faults] == [""], name
        lossy = SUBJECT.run(direction, name, found[0] if found else {}, lossy=True)
        assert lossy.values is None, name
    assert set(here.targets.values()) <= set(schemas.definitions(target))


def test_convprop_same_seed_same_instances() -> None:
    def drawn() -> list[Any]:
        samples = Samples("v2", schemas.rng("same"))
        return [samples.make(name) for name in list(schemas.definitions("v2"))[:40]]

    assert drawn() == drawn()
