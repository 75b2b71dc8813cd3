"""The long differential run, also on upstream's unstable schemas where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential import Differential
from outcome import HEADER, seed_of_run
from packages import GENERATED, VERSIONS, build, subject, upstream_options

COUNT = 25


@pytest.mark.slow
def test_every_definition_agrees_with_its_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources: list[tuple[str, list[str]]] = [("feature", []), ("stable", ["--stable"])]
    if upstream_options():
        sources.append(("upstream unstable", upstream_options()))
    reports = []
    for label, options in sources:
        package = build(tmp_path / f"built-{label[:6]}", *options) if options else GENERATED
        for version in VERSIONS:
            judged = subject(label, package, tmp_path, version, *options)
            reports.append(Differential(judged).run(COUNT, seed_of_run()))
    instances = sum(report.instances for report in reports)
    with capsys.disabled():
        print(f"\n{HEADER}")
        for report in reports:
            print(report.row())
        print(f"{instances} instances, ACP_SEED={seed_of_run()}")
    assert instances >= 50_000
    bad = [report for report in reports if not report.clean]
    assert not bad, "\n" + "\n".join(map(str, bad))
