"""Every name in a rule, as deep as it goes, is checked against both schemas."""

from __future__ import annotations

import copy
import functools
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.building import Options, sources_of
from acp_codegen.config import load_config
from acp_codegen.conversion.plan import make_plan
from acp_codegen.conversion.rules import Rules
from acp_codegen.errors import InputError

ROOT = Path(__file__).parents[2]
RULES: dict[str, Any] = tomllib.loads((ROOT / "schemas/conversion/rules.toml").read_text())
FAN_OUT = ("over", "into", "key", "id")


@functools.cache
def _protocols() -> tuple[Any, Any]:
    config = load_config(ROOT / "pyproject.toml", "pyproject.toml")
    sources = sources_of(config, Options())
    features = frozenset({"unstable_session_archive"})
    return sources.protocol("v1", features), sources.protocol("v2", features)


def _names() -> Iterator[tuple[Any, ...]]:
    """Yield the place of every name of a field, a tag or a path."""
    for i, rule in enumerate(RULES["types"]):
        for j, member in enumerate(rule.get("members", ())):
            for word in ("v1", "v2", "derive", "same_as", "fold"):
                if word in member:
                    yield "types", i, "members", j, word
        for j, _ in enumerate(rule.get("implied", ())):
            yield "types", i, "implied", j, "v1"
            yield "types", i, "implied", j, "by"
        if "snapshot" in rule:
            yield "types", i, "snapshot", "id"
    for i, rule in enumerate(RULES["unions"]):
        for j, variant in enumerate(rule.get("variants", ())):
            yield from (
                ("unions", i, "variants", j, "fan_out", word)
                for word in FAN_OUT
                if "fan_out" in variant
            )


def _refused(data: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        make_plan(*_protocols(), Rules("rules.toml", data), complete=True)
    return caught.value


def _owner(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        data = data[key]
    return data


@pytest.mark.parametrize("path", list(_names()), ids=lambda path: ".".join(map(str, path)))
def test_a_name_that_is_not_there_is_an_error(path: tuple[Any, ...]) -> None:
    data = copy.deepcopy(RULES)
    _owner(data, path)[path[-1]] += "Nowhere"
    error = _refused(data)
    assert error.where is not None
    assert error.where.pointer == "".join(f"/{key}" for key in path)
    assert "Nowhere" in str(error)


def test_all_kinds_of_names_are_tried() -> None:
    words = {path[-1] for path in _names()}
    assert words >= {"v1", "v2", "derive", "same_as", "fold", "by", *FAN_OUT}
    deep = [path for path in _names() if "." in _owner(RULES, path)[path[-1]]]
    assert len(deep) > 8


def test_a_path_is_checked_at_every_depth() -> None:
    for path in _names():
        tokens = _owner(RULES, path)[path[-1]].split(".")
        for depth in range(len(tokens)):
            data = copy.deepcopy(RULES)
            wrong = [*tokens[:depth], f"{tokens[depth]}Nowhere", *tokens[depth + 1 :]]
            _owner(data, path)[path[-1]] = ".".join(wrong)
            assert f"{tokens[depth]}Nowhere" in str(_refused(data)), path


def test_snapshot_values_are_fields_of_the_target() -> None:
    data = copy.deepcopy(RULES)
    rule = next(rule for rule in data["types"] if "snapshot" in rule)
    values = json.loads(rule["snapshot"]["values"])
    rule["snapshot"]["values"] = json.dumps({**values, "nowhere": 1})
    error = _refused(data)
    assert error.where is not None and error.where.pointer.endswith("/snapshot/values")
    assert "'nowhere'" in str(error)
