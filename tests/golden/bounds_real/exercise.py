"""Bounds that are no integers."""

from mini import refused, same


def check_it(pkg):
    for value in (-1.5, 1.5, 0, 1, -1):
        same(pkg.v1, "Angle", value)
    for value in (1.6, 2, -2, "1"):
        refused(pkg.v1, "Angle", value)
    same(pkg.v1, "Turn", {"angle": None, "angles": [2, 2.25], "by": {"x": 1}})
    assert refused(pkg.v1, "Turn", {"angle": -1}) == ["/angle"]
    assert refused(pkg.v1, "Turn", {"angles": [3]}) == ["/angles/0"]
    assert refused(pkg.v1, "Turn", {"by": {"x": 2}}) == ["/by/x"]
