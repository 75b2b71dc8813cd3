"""Definitions named like keywords and builtins."""

from mini import refused, same

EXPECTED = ("v1/models.py", "v1/codec.py", "v1/__init__.py")


def check_it(pkg):
    for word in ("and", "or", "None"):
        same(pkg.v1, "None", word)
    refused(pkg.v1, "None", None)
    assert pkg.v1.decode("class", {}).v == "or"
    assert refused(pkg.v1, "class", {"v": "xor"}) == ["/v"]
    same(pkg.v1, "print", {"x": {"x": 1}})
    assert pkg.v1.print.__acp_definition__ == "print"
