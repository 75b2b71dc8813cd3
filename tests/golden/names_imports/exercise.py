"""Definitions named like what the generated code imports or needs."""

import inspect

from mini import refused, same

NAMES = [
    "Any",
    "Annotated",
    "Field",
    "Literal",
    "Optional",
    "Union",
    "ConfigDict",
    "TypeAdapter",
    "TypeAlias",
    "List",
    "Dict",
    "datetime",
    "object",
    "list",
    "dict",
    "str",
    "int",
    "Error",
    "Exception",
    "Wire",
    "Tagged",
    "Agent",
    "Client",
    "decode",
    "encode",
    "DecodeError",
    "annotations",
    "Method",
    "RpcError",
    "TYPE_CHECKING",
]


def check_definitions(pkg):
    for name in NAMES:
        found = same(pkg.v1, name, {"v": "1"})
        assert found.v == "1" and found.__acp_definition__ == name
        assert refused(pkg.v1, name, {}) == ["/v"]


def check_use(pkg):
    same(
        pkg.v1,
        "Use",
        {
            "f": {"v": "1"},
            "e": None,
            "l": [{"v": "a"}],
            "lit": "x",
            "n": 3,
            "m": {"k": {"v": "r"}},
            "u": {"v": "u"},
            "a": [1],
            "s": {"v": "s"},
            "d": {"v": "d"},
            "lst": [{"v": "l"}],
        },
    )
    for key, bad, where in (
        ("f", {}, "/f/v"),
        ("l", ["a"], "/l/0"),
        ("lit", "z", "/lit"),
        ("n", -1, "/n"),
        ("s", "s", "/s"),
        ("lst", [{}], "/lst/0/v"),
    ):
        assert refused(pkg.v1, "Use", {"f": {"v": "1"}, key: bad}) == [where]


def check_public_names(pkg):
    """A definition keeps its name, but for those that the package itself gives or Python reserves."""
    ours = {"Agent", "Client", "decode", "encode", "DecodeError", "RpcError"}
    for name in NAMES:
        found = vars(pkg.v1).get(name) or getattr(pkg.v1, name)
        if name not in ours:
            assert getattr(found, "__acp_definition__", None) == name, name
    assert inspect.isfunction(pkg.v1.Agent.ask)
    assert issubclass(pkg.v1.DecodeError, ValueError)
