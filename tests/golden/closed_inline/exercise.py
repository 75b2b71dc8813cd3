"""Closed objects without a name, with and without properties."""

from mini import refused, same


def check_it(pkg):
    same(pkg.v1, "Holder", {"inline": {"a": 1}, "none": {}})
    assert refused(pkg.v1, "Holder", {"inline": {"b": 1}}) == ["/inline/b"]
    assert refused(pkg.v1, "Holder", {"none": {"b": 1}}) == ["/none/b"]
