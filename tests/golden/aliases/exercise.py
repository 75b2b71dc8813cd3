"""Other names for a scalar, a list, an object, a nullable, any JSON."""

from mini import faults, refused, salvaged, same


def check_definitions(pkg):
    for name in ("Name", "Same", "Third"):
        same(pkg.v1, name, "n")
        refused(pkg.v1, name, 1)
    assert isinstance(same(pkg.v1, "Early", {"x": 1}), pkg.v1.Later)
    same(pkg.v1, "Names", ["a"])
    same(pkg.v1, "Laters", [{"x": 1}])
    same(pkg.v1, "Maybe", None)
    same(pkg.v1, "MaybeLater", None)
    same(pkg.v1, "MaybeLater", {"x": 1})
    for value in (None, 1, [None], {"a": 1.5}, "x", True):
        for name in ("Free", "FreeToo", "FreeDoc"):
            same(pkg.v1, name, value)


def check_fields(pkg):
    same(pkg.v1, "Use", {"name": "n"})
    same(
        pkg.v1,
        "Use",
        {
            "name": "n",
            "early": {"x": 1},
            "names": [],
            "laters": [{"x": 2}],
            "maybe": "m",
            "maybeLater": {"x": 3},
            "free": [1],
            "plain": {"a": None},
        },
    )
    assert refused(pkg.v1, "Use", {"name": "n", "early": {}}) == ["/early/x"]
    assert refused(pkg.v1, "Use", {"name": "n", "early": None}) == ["/early"]
    assert refused(pkg.v1, "Use", {"name": "n", "names": [1]}) == ["/names/0"]
    salvaged(
        pkg.v1, "Use", {"name": "n", "laters": [{}, {"x": 1}]}, {"name": "n", "laters": [{"x": 1}]}
    )


def check_null_through_an_alias(pkg):
    for key in ("maybe", "maybeLater", "free", "plain"):
        same(pkg.v1, "Use", {"name": "n", key: None})
    same(pkg.v1, "Needs", {"maybe": None, "free": None})
    assert faults(pkg.v1, "Needs", {}) == ["/maybe", "/free"]
    made = pkg.v1.Needs(maybe=None, free=None)
    assert pkg.v1.encode(made) == {"maybe": None, "free": None}
    assert pkg.v1.encode(pkg.v1.Use(name="n", maybe=None)) == {"name": "n", "maybe": None}
