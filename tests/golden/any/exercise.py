"""Any JSON value, left out, null, or something."""

from mini import refused, same


def check_omitted(pkg):
    row = same(pkg.v1, "Row", {"must": None})
    assert row.a is None and row.b is None and row.c is None and row.d == [1]
    assert row.model_fields_set == {"must"}
    assert pkg.v1.encode(pkg.v1.Row(must=1)) == {"must": 1}
    assert refused(pkg.v1, "Row", {}) == ["/must"]


def check_values(pkg):
    for value in (None, False, 0, "", [], {}, [{"x": [None]}], 1.5):
        for key in ("a", "b", "c", "d", "soft"):
            same(pkg.v1, "Row", {"must": value, key: value})
    same(pkg.v1, "Row", {"must": 1, "list": [None, 1], "map": {"k": None}})


def check_null_is_set(pkg):
    row = pkg.v1.Row(must=None, a=None)
    assert pkg.v1.encode(row) == {"must": None, "a": None}
    del row.a
    assert pkg.v1.encode(row) == {"must": None}
