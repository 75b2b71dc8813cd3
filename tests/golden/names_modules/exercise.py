"""Definitions named like the modules of a version's package."""

from mini import same


def check_it(pkg):
    for name in ["models", "codec", "methods", "agent", "import_module", "Connection"]:
        assert same(pkg.v1, name, {"v": "1"}).__acp_definition__ == name
    same(pkg.v1, "Use", {"a": {"v": "1"}, "b": [{"v": "2"}]})
    assert pkg.v1.Agent.ask and pkg.v1.AGENT_METHODS["ask"]
