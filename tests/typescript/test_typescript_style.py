"""The generated modules compile under the strictest options, and linter and formatter are content."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from node_tools import GENERATED, HERE, build, compiled, need_node, run_tool, texts
from packages import upstream_options


def _check(files: dict[str, str]) -> None:
    folder = compiled(files)
    linted = run_tool("eslint", "--max-warnings", "0", "ts", cwd=folder)
    assert linted.returncode == 0, linted.stdout[-3000:] + linted.stderr[-2000:]
    formatted = run_tool("prettier", "--no-config", "--check", "ts", cwd=folder)
    assert formatted.returncode == 0, formatted.stderr[-3000:]


@pytest.mark.slow
def test_the_committed_output_is_clean() -> None:
    need_node()
    _check(texts(GENERATED))


def test_the_committed_output_and_the_tests_are_formatted() -> None:
    need_node()
    made = map(str, sorted(GENERATED.rglob("*.ts")))
    paths = [*made, "suite", "harness.js", "eslint.config.js"]
    formatted = run_tool("prettier", "--no-config", "--check", *paths, cwd=HERE)
    assert formatted.returncode == 0, formatted.stderr[-3000:]


@pytest.mark.slow
def test_the_output_with_bigints_is_clean(tmp_path: Path) -> None:
    need_node()
    _check(texts(build(tmp_path / "out", integers="bigint")))


@pytest.mark.slow
def test_upstreams_unstable_schemas_compile(tmp_path: Path) -> None:
    need_node()
    if not upstream_options():
        pytest.skip("upstream's schemas are not at hand")
    _check(texts(build(tmp_path / "out", *upstream_options())))


def test_any_is_nowhere_in_the_output() -> None:
    for path, text in texts(GENERATED).items():
        code = re.sub(r"//.*|/\*[\s\S]*?\*/|\"(?:[^\"\\]|\\.)*\"", "", text)
        assert not re.search(r"(?<![\w.])any(?![\w(])", code), path


def test_zod_is_the_only_dependency() -> None:
    for path, text in texts(GENERATED).items():
        found = re.findall(r'^(?:import|export)\b[^;]*?from "([^"]+)";', text, re.M)
        assert all(name.split("/")[0] in ("zod", ".", "..") for name in found), path
        assert '"node:' not in text
        assert "require(" not in text


@pytest.mark.slow
def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    """The checks can fail: each tool refuses a module with a fault for it."""
    need_node()
    files = texts(GENERATED)
    files["values.ts"] += "export const  planted: unknown = {} as any;\n"
    folder = compiled(files)
    try:
        assert "no-explicit-any" in run_tool("eslint", "ts/values.ts", cwd=folder).stdout
        formatted = run_tool("prettier", "--no-config", "--check", "ts/values.ts", cwd=folder)
        assert formatted.returncode == 1
        files["values.ts"] += "export const wrong: string = 1;\n"
        with pytest.raises(AssertionError, match="TS2322"):
            compiled(files)
    finally:
        shutil.rmtree(folder)
