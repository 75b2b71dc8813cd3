"""A catch-all whose title is the tag of a real variant: two classes."""

from mini import refused, same


def check_it(pkg):
    known = same(pkg.v1, "Tide", {"tide": "unknown"})
    free = same(pkg.v1, "Tide", {"tide": "_spring", "k": 1})
    assert type(known) is not type(free)
    assert isinstance(known, pkg.v1.UnknownTide) and not isinstance(free, pkg.v1.UnknownTide)
    assert refused(pkg.v1, "Tide", {"tide": "unknown", "since": 1}) == ["/since"]
