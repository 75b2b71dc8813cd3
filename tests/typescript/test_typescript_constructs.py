"""Every construct of the dialect in TypeScript: style, text, and the same verdicts as in Python."""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import mini
import pytest
from crosslang import CrossLanguage, totals
from node_tools import Harness, compiled, need_node, render, run_tool, together
from outcome import seed_of_run
from packages import Subject

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/schemas") if path.is_dir())
#: Cases with an output of their own exercise what only the Python target can be told.
BOTH = [case for case in CASES if not (GOLDEN / case / "output.toml").is_file()]
#: Cases whose text is looked at; the others are only compiled and run.
SHOWN = {
    **dict.fromkeys(
        ("enum_open", "formats", "hostile", "leniency", "presence", "union_catch_all"),
        ("v1/types", "v1/validators"),
    ),
    "convert": ("convert",),
    "gates": ("v1/agent", "v1/methods"),
}
#: Cases that the quick tests run in both languages.
QUICK = ("bounds", "hostile", "leniency", "union_exclusive", "union_nested", "union_objects")

#: Cases whose schemas the maker of random instances knows.
RANDOM = ("enum_open", "union_catch_all", "union_nested")

#: Python also looks for the tag under its Python name, and so says otherwise what is missing.
ONLY_PYTHON = [("Bake", {"bake_kind": "bun"})]


class Recorder:
    """A version of a package that notes what is decoded with it."""

    def __init__(self, version: Any, definitions: Mapping[str, Any]) -> None:
        self._version = version
        self._definitions = definitions
        self.calls: list[tuple[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._version, name)

    def decode(self, type_: Any, data: Any, **options: Any) -> Any:
        """Decode, and note the definition and the value if both can be said in JSON."""
        name = type_ if isinstance(type_, str) else getattr(type_, "__name__", "")
        if name in self._definitions:
            # What is not JSON is only for Python.
            with contextlib.suppress(TypeError, ValueError):
                self.calls.append((name, json.loads(json.dumps(data, allow_nan=False))))
        return self._version.decode(type_, data, **options)


def _features(case: str) -> tuple[str, ...]:
    text = (GOLDEN / case / "exercise.py").read_text(encoding="utf-8")
    found = re.search(r'^FEATURES = \("(\w+)",\)', text, re.M)
    return (found[1],) if found else ()


@functools.cache
def _rendered(case: str) -> dict[str, str]:
    return render(GOLDEN / case / "schemas", _features(case))


@functools.cache
def _compiled() -> Path:
    return compiled(together({case: _rendered(case) for case in CASES}))


@pytest.fixture(scope="module", name="harness")
def _harness() -> Iterator[Harness]:
    need_node()
    harness = Harness(_compiled())
    yield harness
    harness.close()


@pytest.mark.slow
def test_every_construct_is_clean() -> None:
    need_node()
    folder = _compiled()
    linted = run_tool("eslint", "--max-warnings", "0", "ts", cwd=folder)
    assert linted.returncode == 0, linted.stdout[-3000:] + linted.stderr[-2000:]
    formatted = run_tool("prettier", "--no-config", "--check", "ts", cwd=folder)
    assert formatted.returncode == 0, formatted.stderr[-3000:]


@pytest.mark.parametrize("case", SHOWN)
def test_text(case: str, request: pytest.FixtureRequest) -> None:
    stored = HERE / "golden" / case
    for name in SHOWN[case]:
        made = _rendered(case)[f"{name}.ts"]
        path = stored / f"{name.removeprefix('v1/')}.ts"
        if request.config.getoption("--update-golden"):
            stored.mkdir(parents=True, exist_ok=True)
            path.write_text(made, encoding="utf-8", newline="\n")
        wanted = path.read_text(encoding="utf-8")
        lines = difflib.unified_diff(wanted.splitlines(), made.splitlines(), "expected", "made")
        more = "\nIf that is right: pytest tests/typescript --update-golden"
        assert made == wanted, "\n".join(lines) + more


@pytest.mark.parametrize(
    "case",
    [case if case in QUICK else pytest.param(case, marks=pytest.mark.slow) for case in BOTH],
)
def test_both_languages_agree(
    case: str,
    harness: Harness,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    schemas = GOLDEN / case / "schemas"
    package = mini.load_package(mini.render(schemas, _features(case)), tmp_path)
    outcomes = []
    for path in sorted(schemas.glob("*/schema.json")):
        version = path.parent.name
        document = json.loads(path.read_text(encoding="utf-8"))
        recorder = Recorder(getattr(package, version), document["$defs"])
        setattr(package, version, recorder)
        _exercise(case, package)
        subject = Subject(f"{case} {version}", version, recorder, document)
        judge = CrossLanguage(subject, harness, case)
        calls = [call for call in recorder.calls if call not in ONLY_PYTHON]
        outcomes.append(judge.run_recorded(calls))
        if case in RANDOM:
            outcomes.append(judge.run(12, seed_of_run()))
    record_property("figure", f"{case}: {list(totals(outcomes))[-1]}")
    bad = [str(outcome) for outcome in outcomes if outcome.differences.total()]
    assert not bad, "\n".join(bad)


def _exercise(case: str, package: Any) -> None:
    """Run what the golden case does with its package, to see which values it decodes."""
    spec = importlib.util.spec_from_file_location(f"recorded_{case}", GOLDEN / case / "exercise.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, function in vars(module).items():
        if name.startswith("check_"):
            function(package)
