"""Tags and constants of every JSON kind: true, 1 and "1" are three."""

from mini import refused, same


def check_tags(pkg):
    for tag in (True, 1, "1", None):
        found = same(pkg.v1, "Mix", {"m": tag})
        assert type(found.m) is type(tag)
    for bad in ({"m": False}, {"m": 0}, {"m": "true"}, {}):
        refused(pkg.v1, "Mix", bad)


def check_number(pkg):
    same(pkg.v1, "Half", 7)
    assert pkg.v1.decode("Half", 7.0) == 7
    refused(pkg.v1, "Half", 0)
    refused(pkg.v1, "Half", "7")


def check_fields(pkg):
    same(pkg.v1, "Off", {"x": False, "y": 2, "z": None})
    for bad in ({"x": 0}, {"x": True}, {"x": False, "y": 1}, {"x": False, "z": 1}):
        refused(pkg.v1, "Off", bad)
