"""Random instances of every definition through both languages: the same JSON or the same faults.

``ACP_SEED`` in the environment chooses other instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crosslang import CrossLanguage, Outcome, totals
from node_tools import GENERATED, Harness, build, compiled, need_node, texts
from outcome import seed_of_run
from packages import FEATURE, VERSIONS, subject
from packages import GENERATED as PYTHON

QUICK = 2
SLOW = 16


@pytest.fixture(
    scope="module",
    params=["number", pytest.param("bigint", marks=pytest.mark.slow)],
    name="harness",
)
def _harness(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Harness]:
    need_node()
    folder = GENERATED
    if request.param != "number":
        scratch = tmp_path_factory.mktemp("bigint")
        folder = build(scratch / "out", integers=request.param)
    harness = Harness(compiled(texts(folder)))
    yield harness
    harness.close()


def _run(harness: Harness, scratch: Path, count: int) -> list[Outcome]:
    found = []
    for version in VERSIONS:
        judged = subject("both languages", PYTHON, scratch, version, "--feature", FEATURE)
        found.append(CrossLanguage(judged, harness).run(count, seed_of_run()))
    return found


def _judge(outcomes: list[Outcome], least: int, record: Callable[[str, object], None]) -> None:
    for line in totals(outcomes):
        record("figure", line)
    bad = [str(outcome) for outcome in outcomes if outcome.differences.total()]
    assert not bad, "\n".join(bad)
    assert sum(outcome.instances for outcome in outcomes) >= least
    assert all(o.verdicts["accepted"] and o.verdicts["refused"] for o in outcomes)


def test_both_languages_agree(
    harness: Harness, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    _judge(_run(harness, tmp_path, QUICK), 4_000, record_property)


@pytest.mark.slow
def test_both_languages_agree_on_many(
    harness: Harness, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    _judge(_run(harness, tmp_path, SLOW), 20_000, record_property)
