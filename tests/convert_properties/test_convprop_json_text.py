"""Converting does not go through JSON text, and does not touch what it does not know."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from acp_bindings import _convert, _steps, convert
from acp_bindings.convert import convert_json

VALUE = {
    "sessionId": "s",
    "update": {
        "sessionUpdate": "tool_call",
        "toolCallId": "t",
        "title": "T",
        "rawInput": {"k": [1]},
    },
}


def test_convprop_json_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("JSON text")

    for name in ("dumps", "loads", "dump", "load"):
        monkeypatch.setattr(json, name, never)
    monkeypatch.setattr(json.JSONEncoder, "encode", never)
    monkeypatch.setattr(json.JSONDecoder, "decode", never)
    (made,) = convert_json("v1_to_v2", "SessionNotification", VALUE)
    assert made["update"]["sessionUpdate"] == "tool_call_update"


@pytest.mark.parametrize("module", [_convert, _steps, convert])
def test_convprop_json_is_not_imported(module: Any) -> None:
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not imported & {"json", "orjson", "pydantic_core", "to_json", "from_json"}


def test_convprop_values_without_a_json_text_pass() -> None:
    """A number with no JSON text would not survive a detour."""
    raw = {"toolCallId": "t", "rawInput": {"nan": float("inf"), "big": 10**400}}
    (made,) = convert_json("v1_to_v2", "ToolCallUpdate", raw)
    assert made == raw and made["rawInput"] is not raw["rawInput"]
