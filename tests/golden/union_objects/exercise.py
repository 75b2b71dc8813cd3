"""Unions of objects that only their keys tell apart: nothing is lost, whichever is chosen."""

from mini import refused, same


def check_choice(pkg):
    assert isinstance(same(pkg.v1, "Drive", {"length": 2, "pair": True}), pkg.v1.Oar)
    assert isinstance(same(pkg.v1, "Drive", {"area": 2}), pkg.v1.Sail)
    assert isinstance(same(pkg.v1, "Drive", {"power": 2, "fuel": "f"}), pkg.v1.Motor)
    same(pkg.v1, "Drive", {})
    same(pkg.v1, "Drive", {"area": 1, "length": 2, "other": None})
    # Fits no branch with all its keys in the right type, and still one branch does not mind.
    same(pkg.v1, "Drive", {"power": "strong"})


def check_refusals(pkg):
    for bad in (None, 1, "x", [], True):
        refused(pkg.v1, "Drive", bad)
    refused(pkg.v1, "Boat", {"spare": {"power": "x", "pair": 1}})
    where = refused(pkg.v1, "Drive", {"area": "x", "length": "y"})
    assert len(where) == 1 and where[0] in ("/area", "/length", "/power")


def check_places(pkg):
    same(pkg.v1, "Boat", {"drive": None, "all": [{"pair": False}, {"power": 1}], "spare": {}})
    boat = pkg.v1.Boat(drive=pkg.v1.Oar(pair=True), all=[pkg.v1.Motor(power=3)])
    assert pkg.v1.encode(boat) == {"drive": {"pair": True}, "all": [{"power": 3}]}
