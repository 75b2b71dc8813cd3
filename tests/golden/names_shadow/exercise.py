"""Fields named like the definition of their type, or of a later field's."""

from mini import refused, same


def check_it(pkg):
    same(
        pkg.v1,
        "Use",
        {"ship": {"a": 1}, "other": {"a": 2}, "fleet": "f", "third": "t", "all": [{}]},
    )
    assert refused(pkg.v1, "Use", {"other": {"a": "1"}}) == ["/other/a"]
    assert refused(pkg.v1, "Use", {"third": 1}) == ["/third"]
    same(pkg.v1, "node", {"node": {"kids": [{}]}})
    assert refused(pkg.v1, "node", {"node": {"node": 1}}) == ["/node/node"]
