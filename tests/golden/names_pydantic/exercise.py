"""Definitions named like what pydantic and datamodel-code-generator name their own classes."""

from mini import refused, same


def check_it(pkg):
    for name in ("BaseModel", "Model", "RootModel", "ModelField"):
        assert same(pkg.v1, name, {"v": "1"}).__acp_definition__ == name
        assert getattr(pkg.v1, name).__acp_definition__ == name
    same(pkg.v1, "Use", {"b": {"v": "b"}, "m": [{"v": "m"}], "r": {"k": {"v": "r"}}})
    assert refused(pkg.v1, "Use", {"m": [{}]}) == ["/m/0/v"]
