"""Recursion through lists and maps alone."""

from mini import refused, same


def check_json(pkg):
    for value in (None, True, 1, 0.5, "s", [[[{"a": [None, False]}]]], {}, {"k": {"l": {}}}):
        same(pkg.v1, "Json", value)
        same(pkg.v1, "Box", {"json": value})


def check_tree(pkg):
    same(pkg.v1, "Tree", [[], [[]]])
    assert refused(pkg.v1, "Tree", [[], [1]]) == ["/1/0"]
