"""What converts to what, and what is refused or given up: one vector for each case.

``vectors.json`` has a vector a line: ``input`` of definition ``type`` goes in ``direction``; out
comes ``expect``, exactly, as values of ``target``, or a refusal at ``error``. A ``lossy`` one names
the ``losses`` too, as path and action.
"""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import convert_vectors as convert
import jsonschema
import pytest
from acp_bindings import v1, v2
from acp_codegen.resources import schemas_dir
from acp_codegen.sources import Sources

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "conversion"
VECTORS: list[dict[str, Any]] = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
BINDINGS: dict[str, Any] = {"v1": v1, "v2": v2}
_SCHEMAS: dict[str, dict[str, Any]] = {}


def schema(version: str) -> dict[str, Any]:
    if version not in _SCHEMAS:
        sources = Sources(schemas_dir())
        _SCHEMAS[version] = sources.resolve(version, ("unstable_session_archive",)).data
    return _SCHEMAS[version]


def faults(version: str, name: str, value: Any) -> list[str]:
    """Return what is wrong with a value by the schema itself."""
    data = {"$ref": f"#/$defs/{name}", "$defs": schema(version)["$defs"]}
    found = jsonschema.Draft202012Validator(data).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in found]


def sides(vector: dict[str, Any]) -> tuple[str, str]:
    source, _, target = vector["direction"].partition("_to_")
    return source, target


def test_ids_are_unique_and_inputs_differ() -> None:
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS) > 340
    keys = ("direction", "type", "input", "context", "lossy")
    assert len({json.dumps([vector.get(key) for key in keys]) for vector in VECTORS}) == len(
        VECTORS
    )


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    source, target = sides(vector)
    before = copy.deepcopy(vector["input"])
    assert faults(source, vector["type"], before) == []
    report: list[convert.Loss] = []

    def run(*, lossy: bool) -> list[Any]:
        return convert.convert_json(
            vector["direction"],
            vector["type"],
            vector["input"],
            vector.get("context"),
            lossy,
            report,
        )

    lossy = vector.get("lossy", False)
    if lossy:
        with pytest.raises(convert.ConversionError):
            run(lossy=False)
    if "error" in vector:
        with pytest.raises(convert.ConversionError) as caught:
            run(lossy=lossy)
        assert caught.value.path == vector["error"]
        assert caught.value.reason
        assert (caught.value.definition, caught.value.direction) == (
            vector["type"],
            vector["direction"],
        )
        assert report == []
    else:
        assert json.dumps(run(lossy=lossy), sort_keys=True) == json.dumps(
            vector["expect"], sort_keys=True
        )
        assert [[loss.path, loss.action] for loss in report] == vector.get("losses", [])
        assert all(loss.reason for loss in report)
        for made in vector["expect"]:
            assert faults(target, vector["target"], made) == []
    assert vector["input"] == before


def overloads(name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield class and result types of each overload of a converter, by their names."""
    text = (HERE.parents[1] / "generated/python/acp_bindings/convert.py").read_text(
        encoding="utf-8"
    )
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == name and node.decorator_list:
            source, result = node.args.args[0].annotation, node.returns
            assert isinstance(source, ast.Attribute) and isinstance(result, ast.Subscript)
            names = [
                part.attr for part in ast.walk(result.slice) if isinstance(part, ast.Attribute)
            ]
            yield source.attr, names


@pytest.mark.parametrize("direction", ["v1_to_v2", "v2_to_v1"])
def test_models_convert_to_the_types_that_the_overloads_say(direction: str) -> None:
    """A typed call gives what the untyped one gives, in the classes that a type checker is told."""
    source, _, target = direction.partition("_to_")
    ones, twos = BINDINGS[source], BINDINGS[target]
    said = {getattr(ones, name): names for name, names in overloads(direction)}
    assert len(said) > 100
    function, tried, refused = getattr(convert, direction), 0, 0
    for vector in VECTORS:
        if vector["direction"] != direction:
            continue
        model = ones.decode(vector["type"], vector["input"])
        known = next((said[base] for base in type(model).__mro__ if base in said), None)
        options: dict[str, Any] = {
            "context": vector.get("context"),
            "lossy": vector.get("lossy", False),
        }
        if not hasattr(model, "__acp_definition__"):
            with pytest.raises(TypeError):
                function(model, **options)
            continue
        try:
            found = function(model, **options)
        except convert.ConversionError:
            refused += 1
            continue
        assert known is not None, vector["id"]
        for made in found:
            # A variant of a union is converted as the union; its class tells the rest.
            assert any(_is_a(twos, name, made) for name in known), (vector["id"], known, made)
        tried += len(found)
    assert tried > 80 and refused > 20


def _is_a(bindings: Any, name: str, value: Any) -> bool:
    found = getattr(bindings, name)
    if isinstance(found, type):
        return isinstance(value, found)
    return bool(value.__acp_definition__ == name or bindings.decode(name, bindings.encode(value)))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared vectors are not here")
def test_shared_vectors_have_no_difference() -> None:
    done = subprocess.run(
        [sys.executable, str(SHARED / "check_vectors.py"), "--against", "convert_vectors:convert_json"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.stdout.endswith("AGAINST 312 run 0 differ\n"), done.stdout + done.stderr
    vectors = json.loads((SHARED / "vectors.json").read_text(encoding="utf-8"))
    for vector in vectors:
        if "dropped" in vector:
            report: list[convert.Loss] = []
            convert.convert_json(
                vector["direction"], vector["type"], vector["input"], None, True, report
            )
            assert [loss.path for loss in report] == vector["dropped"], vector["id"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared vectors are not here")
def test_our_vectors_are_our_own() -> None:
    vectors = json.loads((SHARED / "vectors.json").read_text(encoding="utf-8"))
    theirs = {json.dumps(vector["input"], sort_keys=True) for vector in vectors}
    same = [
        vector["id"] for vector in VECTORS if json.dumps(vector["input"], sort_keys=True) in theirs
    ]
    assert len(same) <= 3, same  # such as {}, which has no other form
    assert not {vector["id"] for vector in VECTORS} & {vector["id"] for vector in vectors}
