"""Reported faults, group c: scalars."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mini import refused, salvaged, same
from pydantic import TypeAdapter
from shapes import FLAG, REAL, TEXT, WHOLE, const, many, obj, ref


def test_c01_protocol_version_not_coerced(real: Any) -> None:
    for version in (0, 1, 65535):
        same(real.v1, "InitializeRequest", {"protocolVersion": version})
    for bad in ("1", True, False, 1.5, -1, 65536, "2031-01-01", None, [1]):
        assert refused(real.v1, "InitializeRequest", {"protocolVersion": bad}) == [
            "/protocolVersion"
        ]
    assert refused(real.v1, "InitializeRequest", {}) == ["/protocolVersion"]
    for bad in ("1", True, 65536):
        with pytest.raises(ValueError):
            real.v1.InitializeRequest(protocol_version=bad)


def test_c02_bools_and_numbers_strict(mini: Any) -> None:
    v1 = mini(
        {
            "Dials": obj(
                {"on": FLAG, "turns": WHOLE, "angle": REAL, "label": TEXT, "marks": many(TEXT)}
            )
        }
    )
    same(v1, "Dials", {"on": False, "turns": 4, "angle": 4, "label": "4", "marks": []})
    same(v1, "Dials", {"angle": 0.25})
    for strict in (True, False):
        found = v1.decode("Dials", {"turns": 4.0}, strict=strict)
        assert found.turns == 4 and v1.encode(found) == {"turns": 4}
    for key, values in {
        "on": ("yes", "on", 1, 0, 0.0, None),
        "turns": ("4", True, 4.5, None),
        "angle": ("4", False, None),
        "label": (4, True, None),
        "marks": ("ab", {"0": "a"}, [1], None),
    }.items():
        for bad in values:
            where = refused(v1, "Dials", {key: bad})
            assert where in ([f"/{key}"], [f"/{key}/0"])


def test_c03_uint64_exact(real: Any) -> None:
    v1 = real.v1
    big = {"used": 2**64 - 1, "size": 2**53 + 1}
    same(v1, "UsageUpdate", big)
    text = json.dumps(big)
    assert json.loads(v1.to_json(v1.from_json("UsageUpdate", text))) == big
    same(v1, "UsageUpdate", {"used": 0, "size": 0})
    for bad in (-1, 0.5, None, "5", True):
        refused(v1, "UsageUpdate", {"used": bad, "size": 1})


def test_c05_nan_never_on_the_wire(mini: Any, real: Any) -> None:
    v1 = real.v1
    for bad in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ValueError):
            v1.Cost(amount=bad, currency="EUR")
        with pytest.raises(ValueError):
            v1.decode("Cost", {"amount": bad, "currency": "EUR"})
        cost = v1.Cost(amount=1, currency="EUR")
        with pytest.raises(ValueError):
            cost.amount = bad
        free = v1.SessionInfoUpdate(meta={"k": 1})
        free.meta["k"] = [bad]
        for write in (
            v1.encode,
            v1.to_json,
            lambda m: m.model_dump(mode="json"),
            lambda m: m.model_dump_json(),
            TypeAdapter(v1.SessionInfoUpdate).dump_json,
        ):
            with pytest.raises(ValueError):
                write(free)
        for write in (v1.encode, v1.to_json):
            with pytest.raises(ValueError):
                write({"k": [bad]})
    for text in ("NaN", "Infinity", "-Infinity", "1e999"):
        for strict in (True, False):
            with pytest.raises(v1.DecodeError):
                v1.from_json("Cost", f'{{"amount": {text}, "currency": "EUR"}}', strict=strict)
    mini_v1 = mini({"Any": {}, "Bag": obj({"x": {}, "r": REAL})})
    with pytest.raises(ValueError):
        mini_v1.encode(mini_v1.Bag(x=float("nan")))
    with pytest.raises(ValueError):
        mini_v1.Bag(r=float("inf"))


def test_c06_uri_string_unchanged(real: Any) -> None:
    for uri in (
        "HTTPS://Sample.ORG",
        "note:///x/y?q=%2F",
        "file:///D:/c d.md",
        "http://h:80",
        "https://\u00fcber.example/",
        "not a uri",
    ):
        same(real.v2, "ResourceLink", {"name": "r", "uri": uri})
        same(real.v1, "ResourceLink", {"name": "r", "uri": uri})
    assert refused(real.v2, "ResourceLink", {"name": "r", "uri": 1}) == ["/uri"]
    assert refused(real.v2, "ResourceLink", {"name": "r"}) == ["/uri"]


def test_c07_datetime_string_unchanged(real: Any) -> None:
    least = {"sessionId": "q", "cwd": "/d"}
    for text in (
        "2031-03-04T05:06:07.890Z",
        "2031-03-04T05:06:07+00:00",
        None,
        "yesterday",
        "2031-03-04T05:06:07.123456789-03:30",
        "2031-03-04T05:06:07",
    ):
        same(real.v2, "SessionInfo", {**least, "updatedAt": text})
    salvaged(real.v2, "SessionInfo", {**least, "updatedAt": 99}, least)
    found = salvaged(
        real.v2,
        "ListSessionsResponse",
        {"sessions": [{**least, "updatedAt": 99}]},
        {"sessions": [least]},
    )
    assert len(found.sessions) == 1


def test_c09_error_code_open_int(mini: Any, real: Any) -> None:
    for code, more in (
        (-32700, {}),
        (-31111, {"data": None}),
        (0, {"data": False}),
        (2**40, {"data": [2]}),
        (-32000, {"data": "d"}),
    ):
        same(real.v1, "Error", {"code": code, "message": "", **more})
    for bad in ("-32700", 1.5, True, None):
        refused(real.v1, "Error", {"code": bad, "message": "m"})
    assert refused(real.v1, "Error", {"code": 1}) == ["/message"]

    v1 = mini(
        {
            "Lamp": {
                "anyOf": [
                    const(-5, title="Burnt out"),
                    const(7, title="Bright"),
                    {"type": "integer", "title": "Other"},
                ]
            },
            "Post": obj({"lamp": ref("Lamp")}),
        }
    )
    same(v1, "Post", {"lamp": 6})
    spelled = dict(vars(v1.models))
    for value in vars(v1.models).values():
        spelled.update(vars(value) if isinstance(value, type) else {})
    assert spelled.get("BURNT_OUT") == -5 or spelled.get("LAMP_BURNT_OUT") == -5
