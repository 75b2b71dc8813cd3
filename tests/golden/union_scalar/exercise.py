"""Unions of scalars keep type and value."""

from mini import refused, same


def check_value(pkg):
    for value in (True, False, 0, 1, "1", "true", "", 1.5, -0.5, [], ["a"], 2**80 + 1, 1e-7):
        found = same(pkg.v1, "Value", value)
        assert type(found) is type(value)
    for value in (None, {}, [1], ["a", None]):
        refused(pkg.v1, "Value", value)


def check_null_inside(pkg):
    for value in (None, 3, "3"):
        same(pkg.v1, "Id", value)
        same(pkg.v1, "Form", {"id": value})
    for value in (True, 1.5, [], {}):
        refused(pkg.v1, "Id", value)
        assert refused(pkg.v1, "Form", {"id": value}) == ["/id"]
    assert refused(pkg.v1, "Form", {}) == ["/id"]


def check_fields(pkg):
    same(pkg.v1, "Form", {"id": 1, "values": {"a": True, "b": 1, "c": ["x"]}, "either": 5})
    same(pkg.v1, "Form", {"id": 1, "either": "5", "any3": None})
    same(pkg.v1, "Form", {"id": 1, "any3": False})
    assert refused(pkg.v1, "Form", {"id": 1, "either": True}) == ["/either"]
    assert refused(pkg.v1, "Form", {"id": 1, "either": None}) == ["/either"]
    assert refused(pkg.v1, "Form", {"id": 1, "any3": 1}) == ["/any3"]
    assert refused(pkg.v1, "Form", {"id": 1, "values": {"a": {}}}) == ["/values/a"]
