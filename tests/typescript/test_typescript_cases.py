"""The handed cases of bug reports: what is valid passes as it is, what is not is refused."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError
from node_tools import REPOSITORY, Harness, build, compiled, need_node, render, texts, together
from packages import upstream_options
from reference import same

FOLDER = REPOSITORY.parent / "shared" / "cases"


@functools.cache
def _cases() -> dict[str, Any]:
    paths = sorted(FOLDER.glob("*/instances.json"))
    return {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def _write(name: str, folder: Path) -> Path:
    """Write a schemas folder with the schema of a case. Its methods have names of another style."""
    document = json.loads((FOLDER / name / "schema.json").read_text(encoding="utf-8"))
    for definition in document["$defs"].values():
        if isinstance(definition, dict):
            definition.pop("x-method", None)
            definition.pop("x-side", None)
    (folder / "v1").mkdir(parents=True)
    (folder / "v1" / "schema.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


@pytest.fixture(scope="module", name="harness")
def _harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    need_node()
    scratch = tmp_path_factory.mktemp("cases")
    folders = {"real": texts(build(scratch / "real", integers="bigint"))}
    if upstream_options():
        unstable = build(scratch / "unstable", *upstream_options(), integers="bigint")
        folders["unstable"] = texts(unstable)
    for name, case in _cases().items():
        if case["schema"] == "schema.json" and name not in REFUSED:
            folders[name] = render(_write(name, scratch / name), integers="bigint")
    harness = Harness(compiled(together(folders)))
    yield harness
    harness.close()


#: Cases whose schema the generator has to refuse.
REFUSED = ("f10-unsupported-keywords-loud",)


@pytest.mark.parametrize("name", REFUSED)
def test_the_schema_is_refused(name: str, tmp_path: Path) -> None:
    if name not in _cases():
        pytest.skip("the handed cases are not at hand")
    with pytest.raises(InputError):
        render(_write(name, tmp_path / "schemas"))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in _cases() if name not in REFUSED])
def test_case(name: str, harness: Harness) -> None:
    case = _cases()[name]
    version, _, unstable = case["schema"].partition("-")
    place = {"folder": "unstable" if unstable else "real", "version": version}
    if case["schema"] == "schema.json":
        place = {"folder": name, "version": "v1"}

    def ask(type_: str, instance: Any) -> Any:
        request = {"op": "decode", "type": type_, "text": json.dumps(instance), **place}
        return harness.ask([request])[0]

    for part in case["sets"]:
        for instance in part["valid"]:
            answer = ask(part["def"], instance)
            for mode in ("strict", "lenient"):
                assert "text" in answer[mode], (part["def"], instance, answer)
                assert same(json.loads(answer[mode]["text"]), instance)
        for instance in part["invalid"]:
            answer = ask(part["def"], instance)
            assert "faults" in answer["strict"], (part["def"], instance, answer)
        for entry in part.get("lenient", ()):
            answer = ask(part["def"], entry["in"])
            if entry["why"] != NULL_RESULT:
                assert same(json.loads(answer["lenient"]["text"]), entry["out"]), answer


#: What connections do, not decoding.
NULL_RESULT = "compat for null result"
