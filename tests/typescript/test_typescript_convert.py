"""The converters in TypeScript: the vectors of both languages, and random values through both.

``ACP_SEED`` in the environment chooses other values.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import convprop_schemas as schemas
import convprop_vectors
import mini
import pytest
from convertlang import Converters, Outcome
from instances import Maker
from node_tools import GENERATED, Harness, build, compiled, need_node, render, run_tool, texts
from reference import same

VECTORS = json.loads(
    (Path(__file__).parents[1] / "convert" / "vectors.json").read_text(encoding="utf-8")
)
GOLDEN = Path(__file__).parents[1] / "golden"
QUICK, SLOW = 4, 40


@pytest.fixture(
    scope="module",
    params=["number", pytest.param("bigint", marks=pytest.mark.slow)],
    name="converters",
)
def _converters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Converters]:
    need_node()
    exact = request.param == "bigint"
    folder = GENERATED
    if exact:
        folder = build(tmp_path_factory.mktemp("bigint") / "out", integers="bigint")
    harness = Harness(compiled(texts(folder)))
    yield Converters(harness, exact=exact)
    harness.close()


def test_vectors(converters: Converters) -> None:
    for vector in VECTORS:
        where = (vector["direction"], vector["type"], vector["input"], vector.get("context", {}))
        found = converters.ask(*where, lossy=vector.get("lossy", False))
        if "error" in vector:
            assert found["faults"][0]["path"] == vector["error"], (vector["id"], found)
            continue
        assert "text" in found, (vector["id"], found)
        assert same(json.loads(found["text"]), vector["expect"]), (vector["id"], found)
        losses = [[loss["path"], loss["action"]] for loss in found["losses"]]
        assert losses == vector.get("losses", []), (vector["id"], found)


def test_vectors_of_other_hands(converters: Converters) -> None:
    """The handed vectors, and those of the properties, give what Python gives."""
    outcome = Outcome("vectors")
    for vector in (*convprop_vectors.own(), *convprop_vectors.shared()):
        where = (vector["direction"], vector["type"], vector["input"], vector.get("context") or {})
        converters.compare(outcome, *where, lossy="lossy" in vector)
    assert outcome.verdicts["converted"] and outcome.verdicts["refused"]
    assert not outcome.differences, "\n".join(outcome.differences)


def _judge(outcomes: list[Outcome], least: int, record: Callable[[str, object], None]) -> None:
    for outcome in outcomes:
        record("figure", f"converters of both languages, {outcome}")
    found = [line for outcome in outcomes for line in outcome.differences]
    assert not found, "\n".join(found)
    assert sum(outcome.instances for outcome in outcomes) >= least
    assert all(o.verdicts["converted"] and o.verdicts["refused"] for o in outcomes)


def test_both_languages_convert_alike(
    converters: Converters, record_property: Callable[[str, object], None]
) -> None:
    found = [converters.run(direction, QUICK) for direction in schemas.DIRECTIONS]
    _judge(found, 1_500, record_property)


@pytest.mark.slow
def test_both_languages_convert_many_alike(
    converters: Converters, record_property: Callable[[str, object], None]
) -> None:
    found = [converters.run(direction, SLOW) for direction in schemas.DIRECTIONS]
    _judge(found, 13_000, record_property)


def _text(rng: random.Random, lines: list[str]) -> str:
    words = ["a", "b", "", "  c", "\r", "\u2028", "end"]
    for _ in range(rng.randrange(6)):
        at = rng.randrange(len(lines) + 1)
        size = rng.choice([0, 0, 1, 1, 2, 30])
        lines = [*lines[:at], *rng.choices(words, k=rng.randrange(4)), *lines[at + size :]]
    return "\n".join(lines)


@pytest.mark.parametrize("rounds", [60, pytest.param(1_500, marks=pytest.mark.slow)])
def test_patches_of_texts_are_the_same(converters: Converters, rounds: int) -> None:
    """Short texts and long ones, few different lines and many, and paths that need quotes."""
    rng = schemas.rng("patches", rounds)
    outcome = Outcome("patches")
    paths = ["/a b", '/q"\\', "/tab\t\x7f", "/\u00e9\ud800\U0001f600", "", "/new\nline"]
    for _ in range(rounds):
        many = rng.choice([3, 40, 10_000])
        lines = [str(rng.randrange(many)) for _ in range(rng.choice([0, 1, 5, 30, 199, 420]))]
        value: dict[str, Any] = {"path": rng.choice(paths), "newText": _text(rng, lines)}
        if rng.random() < 0.9:
            value["oldText"] = _text(rng, lines)
        converters.compare(outcome, "v1_to_v2", "Diff", value, {}, lossy=False)
    assert outcome.verdicts["converted"] == rounds
    assert not outcome.differences, "\n".join(outcome.differences)


@pytest.fixture(scope="module", name="hostile")
def _hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two versions of the schema whose names and words try to get out of where they stand."""
    need_node()
    spec = spec_from_file_location("hostile_twins", GOLDEN / "hostile" / "exercise.py")
    assert spec and spec.loader
    twins = module_from_spec(spec)
    spec.loader.exec_module(twins)
    definitions = twins.definitions(hostile=True)
    folder = tmp_path_factory.mktemp("hostile")
    mini.write_schemas(folder / "schemas", {"v1": definitions, "v2": definitions})
    return folder


def test_hostile_names_convert_alike(hostile: Path) -> None:
    module = mini.load_package(mini.render(hostile / "schemas"), hostile)
    document = json.loads((hostile / "schemas" / "v1" / "schema.json").read_text(encoding="utf-8"))
    harness = Harness(compiled(render(hostile / "schemas")))
    tried = 0
    try:
        for name, schema in document["$defs"].items():
            maker = Maker(document, schemas.rng("hostile", name))
            for value in (maker.make(schema).value for _ in range(8)):
                request = {"op": "convert", "direction": "v1_to_v2", "type": name, "lossy": False}
                [answer] = harness.ask([{**request, "text": json.dumps(value)}])
                try:
                    wanted = module.convert.convert_json("v1_to_v2", name, value)
                except module.convert.ConversionError as error:
                    found = [(fault["path"], fault["reason"]) for fault in answer["faults"]]
                    assert sorted(found) == sorted(error.faults), (name, value)
                else:
                    assert same(json.loads(answer["text"]), wanted), (name, value, answer)
                    tried += 1
    finally:
        harness.close()
    assert tried > 20


@pytest.mark.slow
def test_hostile_plans_are_clean(hostile: Path) -> None:
    folder = compiled(render(hostile / "schemas"))
    linted = run_tool("eslint", "--max-warnings", "0", "ts", cwd=folder)
    assert linted.returncode == 0, linted.stdout[-3000:] + linted.stderr[-2000:]
    formatted = run_tool("prettier", "--no-config", "--check", "ts", cwd=folder)
    assert formatted.returncode == 0, formatted.stderr[-3000:]
