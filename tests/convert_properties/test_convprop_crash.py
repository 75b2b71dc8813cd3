"""No input, however wrong, raises anything but ConversionError, and none is changed."""

from __future__ import annotations

import json
import traceback
from typing import Any

import convprop_schemas as schemas
import pytest
from acp_bindings.convert import ConversionError, Loss, convert_json
from convprop_checks import points_into
from convprop_forms import plain
from convprop_samples import Samples
from instances import Sample, any_json
from mutations import Mutator

#: Per definition. 385 definitions, strict and lossy: quick about 5,400 inputs, long over 100,000.
QUICK, SLOW = 14, 270


def attempt(direction: str, name: str, value: Any, context: Any, *, lossy: bool) -> str:
    """Convert; return what is wrong, empty if nothing is."""
    before = plain(value)
    report: list[Loss] = []
    try:
        convert_json(direction, name, value, context, lossy, report)
    except ConversionError as error:
        if not error.faults or error.definition != name or error.direction != direction:
            return f"an odd error: {error!r}"
        json.dumps(error.to_json())
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        return f"{type(error).__name__}: {error} in {frames[-1].name}, line {frames[-1].lineno}"
    return "" if plain(value) == before else "the input was changed"


def inputs(version: str, name: str, count: int) -> Any:
    """Yield wrong, garbage and right inputs for a definition, with contexts."""
    rng = schemas.rng("crash", version, name, count)
    samples = Samples(version, rng)
    mutator = Mutator(samples.maker)
    for index in range(count):
        found = samples.make(name)
        context = found[1] if found else {}
        if index % 4 == 0:
            yield any_json(rng), context
        elif index % 4 == 1 and found:
            yield mutator.mutate(Sample(found[0])), context
        else:
            samples.maker.wild = rng.random() < 0.3
            yield mutator.mutate(samples.maker.make({"$ref": f"#/$defs/{name}"})), context


def sweep(count: int) -> int:
    """Try ``count`` inputs of each definition, both modes; return how many."""
    tried = 0
    for direction, (source, _) in schemas.DIRECTIONS.items():
        for name in schemas.definitions(source):
            for value, context in inputs(source, name, count):
                for lossy in (False, True):
                    tried += not lossy
                    wrong = attempt(direction, name, value, context, lossy=lossy)
                    shown = json.dumps(value)[:800]
                    assert not wrong, (
                        f"{direction} {name} {lossy=}: {wrong}\n  {shown}\n  ACP_SEED={schemas.SEED}"
                    )
    return tried


def test_convprop_nothing_crashes() -> None:
    assert sweep(QUICK) >= 5_000


@pytest.mark.slow
def test_convprop_nothing_crashes_long() -> None:
    assert sweep(SLOW) >= 100_000


@pytest.mark.parametrize("direction", schemas.DIRECTIONS)
@pytest.mark.parametrize("value", [None, True, 0, 1.5, "", "x" * 1_000_000, [], {}, [[]], {"": {}}])
def test_convprop_scalars_and_huge_texts(direction: str, value: Any) -> None:
    for name in schemas.definitions(schemas.DIRECTIONS[direction][0]):
        for lossy in (False, True):
            assert not attempt(direction, name, value, None, lossy=lossy), name


def test_convprop_wide_values() -> None:
    entries = [{"content": str(i), "priority": "low", "status": "pending"} for i in range(20_000)]
    (made,) = convert_json("v1_to_v2", "Plan", {"entries": entries})
    assert made["plan"]["entries"] == entries
    blocks = [{"type": "text", "text": "x" * 100_000} for _ in range(100)]
    message = {"sessionUpdate": "agent_message", "messageId": "m", "content": blocks}
    made = convert_json("v2_to_v1", "SessionUpdate", message)
    assert [chunk["content"] for chunk in made] == blocks


@pytest.mark.parametrize("depth", [50, 150])
def test_convprop_deep_values(depth: int) -> None:
    deep: Any = "end"
    for _ in range(depth):
        deep = {"a": [deep]}
    value = {"text": "t", "_meta": {"k": deep}}
    assert convert_json("v1_to_v2", "TextContent", value) == [value]
    assert not attempt("v1_to_v2", "ClientRequest", deep, None, lossy=True)


def test_convprop_unknown_names() -> None:
    with pytest.raises(ConversionError) as found:
        convert_json("v1_to_v2", "NoSuchThing", {})
    assert found.value.path == "" and found.value.definition == "NoSuchThing"
    with pytest.raises(LookupError):
        convert_json("v2_to_v3", "Error", {})


def test_convprop_refusals_of_wrong_types_point_into_the_input() -> None:
    rng = schemas.rng("paths")
    for direction, (source, _) in schemas.DIRECTIONS.items():
        samples = Samples(source, rng)
        for name in schemas.definitions(source):
            found = samples.make(name)
            value = found[0] if found else {}
            if not isinstance(value, dict):
                continue
            wrong = {**value, "undeclared": 1}
            try:
                convert_json(direction, name, wrong, found[1] if found else None)
            except ConversionError as error:
                assert all(points_into(fault.path, wrong) for fault in error.faults), error
