"""The bridge's words come from the rules, and each is checked against both schemas."""

from __future__ import annotations

import copy
import functools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.building import Options, sources_of
from acp_codegen.config import load_config
from acp_codegen.conversion.bridge import make_bridge
from acp_codegen.conversion.rules import Rules
from acp_codegen.errors import InputError
from talk import FEATURES, ROOT

RULES: dict[str, Any] = tomllib.loads((ROOT / "schemas/conversion/rules.toml").read_text())


@functools.cache
def _protocols() -> tuple[Any, Any]:
    sources = sources_of(load_config(ROOT / "pyproject.toml", "pyproject.toml"), Options())
    return sources.protocol("v1", FEATURES), sources.protocol("v2", FEATURES)


def _texts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        if isinstance(item, str):
            yield (*path, key), item
        elif isinstance(item, (dict, list)):
            yield from _texts(item, (*path, key))


NAMES = [(path, name) for path, name in _texts(RULES["bridge"]) if path[0] != "batches"]


@pytest.mark.parametrize(("path", "name"), NAMES, ids=[".".join(map(str, p)) for p, _ in NAMES])
def test_a_name_that_is_not_there_is_an_error(path: tuple[Any, ...], name: str) -> None:
    data = copy.deepcopy(RULES)
    inner: Any = data["bridge"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = f"{name}x"
    with pytest.raises(InputError) as caught:
        make_bridge(Rules("rules.toml", data), *_protocols(), complete=True)
    assert caught.value.where is not None
    assert caught.value.where.pointer.startswith("/bridge/")
    assert f"{name}x" in str(caught.value)


def test_partial_builds_check_nothing_and_rules_without_a_bridge_make_none() -> None:
    data = copy.deepcopy(RULES)
    data["bridge"]["fields"]["session"]["name"] = "nowhere"
    made = make_bridge(Rules("rules.toml", data), *_protocols(), complete=False)
    assert made is not None
    assert made.fields.session == "nowhere"
    del data["bridge"]
    assert make_bridge(Rules("rules.toml", data), *_protocols(), complete=True) is None


def test_code_and_templates_name_no_protocol_word() -> None:
    words = {name for _, name in NAMES} | set(RULES["methods"].values())
    # Words of JSON-RPC, and plain ones that the code uses in a meaning of its own.
    words -= {"error", "running", "idle", "content", "title", "status", "state", "prompt", "update"}
    words -= {"cancelled", "failed", "initialize"}
    files = [
        *Path(ROOT / "templates/python").glob("_bridge*.jinja"),
        *Path(ROOT / "templates/typescript").glob("bridge*.jinja"),
        ROOT / "codegen/conversion/bridge.py",
    ]
    assert len(files) > 15
    for file in files:
        found = set(re.findall(r"\"([^\"\n]*)\"", file.read_text(encoding="utf-8")))
        assert not found & words, (file.name, found & words)
