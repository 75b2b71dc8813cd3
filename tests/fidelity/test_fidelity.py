"""The quick differential run: bundled schemas, with the features of the project and without.

``ACP_SEED`` in the environment chooses other instances.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from differential import Differential
from outcome import seed_of_run
from packages import FEATURE, GENERATED, VERSIONS, Subject, build, subject

COUNT = 6


@pytest.fixture(scope="session", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fidelity")


@pytest.fixture(scope="session", name="stable")
def _stable(folder: Path) -> Path:
    return build(folder / "stable", "--stable")


@pytest.mark.parametrize("version", VERSIONS)
def test_bundled_schema_with_the_feature(version: str, folder: Path) -> None:
    judged = subject("bundled, feature", GENERATED, folder, version, "--feature", FEATURE)
    report = Differential(judged).run(COUNT, seed_of_run())
    assert report.clean, f"\n{report}"


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_bundled_schema_without_features(version: str, folder: Path, stable: Path) -> None:
    judged = subject("bundled, stable", stable, folder, version, "--stable")
    report = Differential(judged).run(COUNT, seed_of_run())
    assert report.clean, f"\n{report}"


def test_a_definition_without_instances_fails() -> None:
    """A run that proves nothing about a definition says so."""

    class RefusalError(ValueError):
        errors = (SimpleNamespace(pointer="", message="no"),)

    def decode(*_: Any, **__: Any) -> Any:
        raise RefusalError

    schema: dict[str, Any] = {"$defs": {"Never": {"type": "string", "const": 1}}}
    module = SimpleNamespace(decode=decode, DecodeError=RefusalError)
    report = Differential(Subject("none", "v1", module, schema)).run(2, seed_of_run())
    assert not report.clean
    assert report.uncovered == ["Never got no valid instance"]


def test_instances_come_from_the_seed(folder: Path) -> None:
    judged = Differential(subject("same", GENERATED, folder, "v1"))
    first, second = (judged.run(3, 7, ["ContentBlock"]) for _ in range(2))
    assert first.verdicts == second.verdicts
    assert first.verdicts["valid"]
    assert first.verdicts["invalid"]
