"""Faults that the properties found, smallest input first; each is mended."""

from __future__ import annotations

import json
from typing import Any

import convprop_schemas as schemas
import pytest
from acp_bindings import convert
from acp_bindings.convert import ConversionError, Loss, convert_json
from acp_bindings.v2 import codec

AUTH = {"methodId": "a", "name": "b"}


def refusal(direction: str, name: str, value: Any, **more: Any) -> list[str]:
    """Return the paths of the refusal."""
    with pytest.raises(ConversionError) as found:
        convert_json(direction, name, value, **more)
    assert all(fault.reason for fault in found.value.faults)
    return [fault.path for fault in found.value.faults]


def test_convprop_typed_resume_request() -> None:
    params = {"sessionId": "s", "cwd": "/w"}
    value = {"id": 1, "method": "session/resume", "params": params}
    (made,) = convert.v2_to_v1(codec.decode("ClientRequest", value))
    assert type(made).__name__ == "ClientRequest"


def test_convprop_deep_opaque_values() -> None:
    deep = json.loads('{"a":' * 900 + "1" + "}" * 900)
    assert convert_json("v1_to_v2", "TextContent", {"text": "t", "_meta": deep})


@pytest.mark.parametrize(
    "value",
    [
        {"newText": "a"},
        {"path": "/p"},
        {"path": None, "newText": "a"},
        {"path": "/p", "newText": 1},
        {"path": "/p", "newText": "a", "oldText": []},
    ],
)
def test_convprop_malformed_diff(value: Any) -> None:
    refusal("v1_to_v2", "Diff", value)


@pytest.mark.parametrize(
    ("direction", "env"),
    [
        ("v2_to_v1", [None]),
        ("v2_to_v1", [{"value": "1"}]),
        ("v2_to_v1", [{"name": "a"}]),
        ("v2_to_v1", [{"name": ["a"], "value": "1"}]),
        ("v1_to_v2", 5),
        ("v1_to_v2", [1, "a"]),
    ],
)
def test_convprop_malformed_env(direction: str, env: Any) -> None:
    ident = "id" if direction == "v1_to_v2" else "methodId"
    refusal(direction, "AuthMethodTerminal", {ident: "a", "name": "b", "env": env})


def test_convprop_unhashable_ids() -> None:
    value = {"toolCallId": ["a"], "title": "b"}
    convert_json("v1_to_v2", "ToolCall", value, {"seenToolCallIds": {"x"}})


@pytest.mark.parametrize("key", ["group", "groupId"])
def test_convprop_lossy_group_with_undeclared_value(key: str) -> None:
    direction = "v1_to_v2" if key == "group" else "v2_to_v1"
    source, target = schemas.DIRECTIONS[direction]
    value = [{key: "g", "name": "n", "value": None, "options": [{"value": "v", "name": "n"}]}]
    assert schemas.valid(source, "SessionConfigSelectOptions", value)
    (made,) = convert_json(direction, "SessionConfigSelectOptions", value, lossy=True)
    assert not schemas.problems(target, "SessionConfigSelectOptions", made)


def test_convprop_strict_group_with_undeclared_value() -> None:
    value = [{"group": "g", "name": "n", "value": None, "options": [{"value": "v", "name": "n"}]}]
    assert refusal("v1_to_v2", "SessionConfigSelectOptions", value) == ["/0/value"]


def test_convprop_lossy_outcome_reports_its_payload() -> None:
    report: list[Loss] = []
    value = {"outcome": "_later", "until": 5, "_meta": {"k": 1}}
    (made,) = convert_json("v2_to_v1", "RequestPermissionOutcome", value, lossy=True, report=report)
    assert made == {"outcome": "cancelled"}
    paths = {loss.path for loss in report}
    assert "" in paths or {"/until", "/_meta"} <= paths


def test_convprop_lossy_outcome_reports_a_null() -> None:
    report: list[Loss] = []
    value = {"outcome": "_later", "until": None}
    convert_json("v2_to_v1", "RequestPermissionOutcome", value, lossy=True, report=report)
    assert "/until" in {loss.path for loss in report}


@pytest.mark.parametrize(
    ("direction", "name", "value", "path"),
    [
        ("v1_to_v2", "ClientCapabilities", {"fs": {"x": None}}, "/fs/x"),
        ("v1_to_v2", "ClientCapabilities", {"session": {"x": None}}, "/session/x"),
        ("v2_to_v1", "PromptCapabilities", {"audio": {"x": None}}, "/audio/x"),
        (
            "v2_to_v1",
            "AuthMethodTerminal",
            {**AUTH, "env": [{"name": "a", "value": "1", "x": None}]},
            "/env/0/x",
        ),
    ],
)
def test_convprop_undeclared_null(direction: str, name: str, value: Any, path: str) -> None:
    assert refusal(direction, name, value) == [path]


def test_convprop_lossy_title_without_tool_title() -> None:
    value = {
        "sessionId": "s",
        "title": "T",
        "subject": {"type": "tool_call", "toolCall": {"toolCallId": "t"}},
        "options": [{"optionId": "o", "name": "n", "kind": "allow_once"}],
    }
    assert refusal("v2_to_v1", "RequestPermissionRequest", value, lossy=True) == ["/title"]


def test_convprop_refused_word_of_a_wrong_type_has_a_reason() -> None:
    assert refusal("v2_to_v1", "ToolCallUpdate", {"toolCallId": "t", "kind": ["x"]}) == ["/kind"]


@pytest.mark.parametrize(
    ("direction", "name", "value"),
    [
        ("v1_to_v2", "PromptResponse", []),
        ("v2_to_v1", "Diff", None),
        ("v1_to_v2", "RequestPermissionRequest", {"value": "object"}),
    ],
)
def test_convprop_refusals_of_malformed_values_point_into_them(
    direction: str, name: str, value: Any
) -> None:
    from convprop_checks import points_into

    assert all(points_into(path, value) for path in refusal(direction, name, value))
