"""Schema defaults: read when omitted, made anew each time, never written."""

from mini import refused, same

LEAST = {"flour": "spelt"}


def check_wire(pkg):
    same(pkg.v1, "Bakery", LEAST)
    same(pkg.v1, "Bakery", {**LEAST, "name": "corner", "tables": 7, "open": True, "oven": {}})
    same(pkg.v1, "Bakery", {**LEAST, "closed": None, "owner": None, "ovens": [{}], "tags": []})
    assert refused(pkg.v1, "Bakery", {}) == ["/flour"]
    assert refused(pkg.v1, "Bakery", {**LEAST, "name": None}) == ["/name"]
    assert refused(pkg.v1, "Bakery", {**LEAST, "oven": {"fan": 1}}) == ["/oven/fan"]
    assert refused(pkg.v1, "Bakery", {**LEAST, "ovens": [{}, 1]}) == ["/ovens/1"]


def check_scalars(pkg):
    for bakery in (pkg.v1.decode("Bakery", LEAST), pkg.v1.Bakery(flour="spelt")):
        assert (bakery.name, bakery.tables, bakery.rate, bakery.open) == ("corner", 7, 0.5, True)
        assert (bakery.closed, bakery.owner) == (None, "nobody")
        assert pkg.v1.encode(bakery) == LEAST


def check_null_is_not_the_default(pkg):
    assert pkg.v1.decode("Bakery", {**LEAST, "owner": None}).owner is None


def check_objects(pkg):
    bakery = pkg.v1.Bakery(flour="spelt")
    assert isinstance(bakery.oven, pkg.v1.Oven)
    assert bakery.oven.fan is True and bakery.oven.shelves == 2
    assert bakery.oven == pkg.v1.decode("Oven", {"fan": True})
    assert [oven.shelves for oven in bakery.ovens] == [3, 2]
    assert all(isinstance(oven, pkg.v1.Oven) for oven in bakery.ovens)
    assert bakery.hours == {"mon": 8}
    assert bakery.extra["back"].fan is True


def check_nothing_is_shared(pkg):
    one, other = pkg.v1.Bakery(flour="a"), pkg.v1.Bakery(flour="b")
    for name in ("oven", "ovens", "hours", "tags"):
        assert getattr(one, name) is not getattr(other, name)
    one.ovens.append(pkg.v1.Oven())
    one.oven.shelves = 9
    one.hours["tue"] = 1
    assert len(other.ovens) == 2
    assert other.oven.shelves == 2
    assert other.hours == {"mon": 8}
