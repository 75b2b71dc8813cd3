"""Reported faults, group f: structure."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError
from mini import refused, render, salvaged, same, write_schemas
from shapes import (
    FLAG,
    NULL,
    ON_ERROR,
    REAL,
    TEXT,
    WHOLE,
    branch,
    closed,
    const,
    keyed,
    many,
    obj,
    ref,
    use,
)


def test_f01_recursion(mini: Any, tmp_path: Path) -> None:
    v1 = mini(
        {
            "Branch": obj(
                {
                    "leaf": TEXT,
                    "twigs": many(ref("Branch")),
                    "from": {"anyOf": [ref("Branch"), NULL]},
                },
                "leaf",
            ),
            "Left": obj({"right": use("Right")}),
            "Right": obj({"left": use("Left"), "shape": {"anyOf": [ref("Shape"), NULL]}}),
            "Shape": closed("k", branch("k", "dot"), branch("k", "box", "Box")),
            "Box": obj({"inside": use("Shape")}, "inside"),
        }
    )
    same(v1, "Branch", {"leaf": "r", "twigs": [{"leaf": "c", "twigs": []}], "from": None})
    assert refused(v1, "Branch", {"leaf": "r", "twigs": [{}]}) == ["/twigs/0/leaf"]
    same(v1, "Shape", {"k": "box", "inside": {"k": "box", "inside": {"k": "dot"}}})
    assert refused(v1, "Shape", {"k": "box"}) == ["/inside"]
    refused(v1, "Shape", {"k": "box", "inside": {"k": "y"}})
    same(v1, "Left", {"right": {"left": {"right": {}}}})
    assert refused(v1, "Left", {"right": {"left": 1}}) == ["/right/left"]
    ring = {"P": ref("Q"), "Q": ref("P"), "Holds": obj({"x": ref("P")})}
    with pytest.raises(InputError) as caught:
        render(write_schemas(tmp_path / "ring", {"v1": ring}))
    assert "P -> Q -> P" in str(caught.value)


def test_f01_recursion_of_lists_and_maps_alone(mini: Any) -> None:
    v1 = mini({"Data": {"anyOf": [NULL, FLAG, REAL, TEXT, many(ref("Data")), keyed(ref("Data"))]}})
    for value in (None, 1, [[[{"b": [None, False]}]]], {}, "s", 0.5):
        same(v1, "Data", value)


def test_f02_use_site_text_on_single_allof(mini: Any, tmp_path: Path) -> None:
    defs = {
        "Hue": {"description": "hue in general", "oneOf": [const("red"), const("blue")]},
        "Name": {**TEXT, "description": "name in general"},
        "Coat": obj(
            {
                "h1": use("Hue", description="first place", default="blue"),
                "h2": {**ref("Hue"), "description": "second place", "default": "red"},
                "h3": use("Hue", description="third place", **ON_ERROR),
                "name": use("Name", description="fourth place", minLength=2),
            },
            "name",
        ),
    }
    v1 = mini(defs)
    same(v1, "Coat", {"name": "ab", "h1": "red", "h2": "blue", "h3": "red"})
    coat = v1.Coat(name="ab")
    assert (coat.h1, coat.h2, coat.h3) == ("blue", "red", None)
    assert refused(v1, "Coat", {"name": "ab", "h1": "green"}) == ["/h1"]
    salvaged(v1, "Coat", {"name": "ab", "h3": "green"}, {"name": "ab"})
    assert refused(v1, "Coat", {"name": "a"}) == ["/name"]
    source = render(write_schemas(tmp_path / "again", {"v1": defs}))["v1/models.py"]
    assert source.count("class ") == 1
    for place in ("first", "second", "third", "fourth"):
        assert f"{place} place" in source


def test_f03_default_objects(mini: Any) -> None:
    v1 = mini(
        {
            "Jib": obj({"up": {**FLAG, "default": False}, "new": {**FLAG, "default": False}}),
            "Rig": obj(
                {
                    "jib": use("Jib", default={"up": False, "new": True}),
                    "jibs": many(ref("Jib"), default=[{"up": True}]),
                    "by": keyed(ref("Jib"), default={"a": {}}),
                    "set": {**FLAG, "default": False},
                }
            ),
            "Boat": obj(
                {"no": WHOLE, "rig": use("Rig", default={"jib": {"up": True}, "set": True})}, "no"
            ),
        }
    )
    one, two = v1.decode("Boat", {"no": 1}), v1.Boat(no=1)
    assert v1.encode(one) == v1.encode(two) == {"no": 1}
    assert one.rig == v1.decode("Rig", {"jib": {"up": True}, "set": True})
    assert isinstance(one.rig, v1.Rig) and one.rig.jib.up is True and one.rig.set is True
    assert one.rig.jib.new is False
    rig = v1.Rig()
    assert rig.jib.new is True and rig.jibs[0].up is True and rig.by["a"].up is False
    one.rig.jib.up = False
    assert two.rig.jib.up is True and v1.Boat(no=2).rig.jib.up is True
    rig.jibs.append(v1.Jib())
    assert len(v1.Rig().jibs) == 1
    same(v1, "Boat", {"no": 1, "rig": {}})
    same(v1, "Boat", {"no": 1, "rig": {"jib": {"up": True}, "jibs": []}})
    assert refused(v1, "Boat", {"no": 1, "rig": None}) == ["/rig"]
    assert refused(v1, "Boat", {"no": 1, "rig": {"jib": {"up": 1}}}) == ["/rig/jib/up"]
    assert refused(v1, "Boat", {"no": 1, "rig": {"jibs": [1]}}) == ["/rig/jibs/0"]


def test_f05_extra_keys_policy(mini: Any, real: Any) -> None:
    same(
        real.v1,
        "AgentCapabilities",
        {"sessionCapabilities": {"list": {}, "juggle": {"balls": 3}}, "levitate": [None]},
    )
    refused(real.v1, "AgentCapabilities", [])
    found = same(
        real.v1,
        "SessionUpdate",
        {
            "sessionUpdate": "agent_message_chunk",
            "more": None,
            "_meta": {"p": {"q": 1}},
            "content": {"type": "text", "text": "t", "yyy": [{"z": 1}]},
        },
    )
    assert found.content.model_extra == {"yyy": [{"z": 1}]}
    refused(real.v1, "SessionUpdate", {"sessionUpdate": "agent_message_chunk"})
    v1 = mini({"Shut": obj({"x": WHOLE}, additionalProperties=False)})
    assert refused(v1, "Shut", {"x": 1, "y": 2}) == ["/y"]


@pytest.mark.slow
def test_f08_long_chain_and_scale(mini: Any, real: Any) -> None:
    size = 400
    defs = {f"Link{n}": obj({"next": use(f"Link{n + 1}"), "no": WHOLE}) for n in range(size)}
    defs[f"Link{size}"] = obj({"no": WHOLE}, "no")
    started = time.monotonic()
    v1 = mini(defs)
    same(v1, f"Link{size}", {"no": 1})
    same(v1, f"Link{size - 2}", {"next": {"next": {"no": 1}}})
    assert refused(v1, f"Link{size - 2}", {"next": {"next": {}}}) == ["/next/next/no"]
    same(v1, "Link0", {"next": {"next": {"no": 3}}})
    assert time.monotonic() - started < 60
    for version in (real.v1, real.v2):
        for name in version.__all__:
            getattr(getattr(version, name), "model_rebuild", lambda: None)()


@pytest.mark.parametrize(
    ("definition", "keyword"),
    [
        ({"type": "array", "prefixItems": [TEXT]}, "prefixItems"),
        (obj(patternProperties={"^y-": WHOLE}), "patternProperties"),
        (obj(unevaluatedProperties=False), "unevaluatedProperties"),
        ({"if": obj(), "then": obj()}, "if"),
        (obj(dependentRequired={"a": ["b"]}), "dependentRequired"),
        (obj({"q": {**TEXT, "x-deserialize-shiny": True}}), "x-deserialize-shiny"),
        ({**TEXT, "x-novel": 1}, "x-novel"),
        ({**TEXT, "maxLength": 4, "nonsense": 1}, "nonsense"),
    ],
)
def test_f10_unsupported_keywords_loud(
    definition: dict[str, Any], keyword: str, tmp_path: Path
) -> None:
    where = write_schemas(tmp_path / "schemas", {"v1": {"Deep": obj({"in": definition})}})
    with pytest.raises(InputError) as caught:
        render(where)
    assert keyword in str(caught.value) and "/$defs/Deep/properties/in" in str(caught.value)
    assert caught.value.exit_code == 3


def test_f11_skip_invalid_items(real: Any) -> None:
    v1 = real.v1
    good = [{"sessionId": "p", "cwd": "/a"}, {"sessionId": "q", "cwd": "/b"}]
    dirty = {"sessions": [good[0], {"cwd": "/c"}, "seven", good[1]], "nextCursor": 9}
    salvaged(v1, "ListSessionsResponse", dirty, {"sessions": good})
    salvaged(v1, "ListSessionsResponse", {"sessions": 3}, {"sessions": []})
    assert refused(v1, "ListSessionsResponse", {}) == ["/sessions"]
    where = refused(v1, "NewSessionRequest", {"cwd": "/", "mcpServers": [{"name": "n"}]})
    assert set(where) == {"/mcpServers/0/command", "/mcpServers/0/args", "/mcpServers/0/env"}
    salvaged(
        v1,
        "ToolCall",
        {
            "toolCallId": "i",
            "title": "t",
            "kind": "carve",
            "locations": [{"line": 2}, {"path": "/p"}],
        },
        {"toolCallId": "i", "title": "t", "locations": [{"path": "/p"}]},
    )
    assert refused(v1, "ToolCall", {"toolCallId": "i"}) == ["/title"]
    found, dropped = v1.decode_reporting("ListSessionsResponse", dirty)
    assert v1.encode(found) == {"sessions": good}
    assert [item.pointer for item in dropped] == ["/sessions/1", "/sessions/2", "/nextCursor"]
    assert all(item.reason for item in dropped)
    assert v1.decode_reporting("ListSessionsResponse", {"sessions": good})[1] == []
