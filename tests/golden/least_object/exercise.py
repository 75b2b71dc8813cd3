"""One object with one required field and no method."""

from mini import refused, same


def check_it(pkg):
    same(pkg.v1, "Dot", {"x": 1})
    assert refused(pkg.v1, "Dot", {}) == ["/x"]
    assert pkg.v1.Dot(x=1) == pkg.v1.decode("Dot", {"x": 1})
