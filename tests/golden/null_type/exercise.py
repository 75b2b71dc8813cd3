"""Fields that may hold null and nothing else."""

from mini import refused, same


def check_it(pkg):
    same(pkg.v1, "Nothing", None)
    refused(pkg.v1, "Nothing", 0)
    same(pkg.v1, "Use", {"b": None})
    same(pkg.v1, "Use", {"a": None, "b": None, "c": None})
    for key in "abc":
        assert refused(pkg.v1, "Use", {"b": None, key: 0}) == [f"/{key}"]
    assert refused(pkg.v1, "Use", {}) == ["/b"]
    assert pkg.v1.encode(pkg.v1.Use(a=None, b=None)) == {"a": None, "b": None}
