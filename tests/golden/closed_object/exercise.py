"""additionalProperties false: unknown keys are faults, and only there."""

import pytest

from mini import refused, same


def check_struct(pkg):
    same(pkg.v1, "Ticket", {"seat": "a", "row": 1})
    assert refused(pkg.v1, "Ticket", {"seat": "a", "more": 1}) == ["/more"]
    assert refused(pkg.v1, "Holder", {"ticket": {"seat": "a", "Seat": 1}}) == ["/ticket/Seat"]
    same(pkg.v1, "Holder", {"ticket": {"seat": "a"}, "more": 1})
    same(pkg.v1, "Empty", {})
    refused(pkg.v1, "Empty", {"a": None})


def check_variant(pkg):
    same(pkg.v1, "Pass", {"pass": "day", "hours": 1})
    same(pkg.v1, "Pass", {"pass": "year", "more": 1})
    assert refused(pkg.v1, "Pass", {"pass": "day", "more": 1}) == ["/more"]


def check_python(pkg):
    with pytest.raises(TypeError):
        pkg.v1.Ticket(seat="a", more=1)
    assert pkg.v1.encode(pkg.v1.Ticket(seat="a")) == {"seat": "a"}
