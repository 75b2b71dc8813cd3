"""Closed tagged unions: oneOf with a discriminator; every variant has tag and payload."""

import pytest

from mini import refused, same


def check_wire(pkg):
    loaf = same(pkg.v1, "Bake", {"bakeKind": "white_loaf", "grain": "oat", "x": [1]})
    assert type(loaf).__name__ == "WhiteLoafBake" and isinstance(loaf, pkg.v1.Loaf)
    assert (loaf.bake_kind, loaf.grain) == ("white_loaf", "oat")
    same(pkg.v1, "Bake", {"bakeKind": "dark_loaf", "grain": "rye", "salted": True})
    same(pkg.v1, "Bake", {"bakeKind": "bun"})
    same(pkg.v1, "Bake", {"bakeKind": "none"})


def check_refusals(pkg):
    assert refused(pkg.v1, "Bake", {"bakeKind": "white_loaf"}) == ["/grain"]
    assert refused(pkg.v1, "Bake", {"bakeKind": "dark_loaf", "grain": "g", "salted": 1}) == [
        "/salted"
    ]
    for bad in (
        {"bakeKind": "cake"},
        {"bakeKind": None},
        {"bakeKind": 1},
        {"grain": "g"},
        {"bake_kind": "bun"},
        {},
        [],
        None,
        "bun",
    ):
        refused(pkg.v1, "Bake", bad)
    assert refused(pkg.v1, "Tray", {"bake": {"bakeKind": "bun", "filling": 1}}) == ["/bake/filling"]
    where = refused(pkg.v1, "Tray", {"bakes": [{"bakeKind": "bun"}, {"bakeKind": "white_loaf"}]})
    assert where == ["/bakes/1/grain"]
    assert refused(pkg.v1, "Tray", {"last": {"bakeKind": "white_loaf", "grain": 1}}) == [
        "/last/grain"
    ]


def check_python(pkg):
    bun = pkg.v1.BunBake(filling="jam")
    assert pkg.v1.encode(bun) == {"bakeKind": "bun", "filling": "jam"}
    tray = pkg.v1.Tray(bake=bun, bakes=[bun, pkg.v1.WhiteLoafBake(grain="oat")])
    assert pkg.v1.encode(tray)["bakes"][1] == {"bakeKind": "white_loaf", "grain": "oat"}
    match tray.bake:
        case pkg.v1.BunBake(filling=filling):
            assert filling == "jam"
        case _:
            raise AssertionError
    with pytest.raises(ValueError):
        pkg.v1.BunBake(bake_kind="none")
    with pytest.raises(AttributeError):
        bun.bake_kind = "none"
    with pytest.raises(ValueError):
        pkg.v1.Tray(bake=pkg.v1.Bun())
