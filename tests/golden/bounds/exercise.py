"""Bounds of numbers, strings and lists, at the top and inside lists, maps and unions."""

from mini import refused, salvaged, same


def check_edges(pkg):
    for value in (0, 65535):
        same(pkg.v1, "Depth", value)
    for value in (-1, 65536, 1.5, "1", True):
        refused(pkg.v1, "Depth", value)
    assert pkg.v1.decode("Depth", 3.0, strict=True) == 3
    same(pkg.v1, "Code", "ab")
    for value in ("a", "A1", "", "ab1"):
        refused(pkg.v1, "Code", value)


def check_fields(pkg):
    good = {
        "depth": 1,
        "ping": 2**64 + 5,
        "angle": None,
        "depths": [1, 9],
        "angles": [0.5, 0],
        "by": {"a": -3},
        "word": "w",
        "code": "xy",
        "few": ["x"],
        "either": 5,
        "rows": [[0]],
    }
    same(pkg.v1, "Sonar", good)
    same(pkg.v1, "Sonar", {"depth": 0, "angle": 0.5, "angles": None, "either": "abc"})
    for key, bad, where in (
        ("depth", 65536, "/depth"),
        ("ping", -1, "/ping"),
        ("angle", 1.6, "/angle"),
        ("angle", -2, "/angle"),
        ("depths", [1, 0], "/depths/1"),
        ("depths", [10], "/depths/0"),
        ("angles", [-0.5], "/angles/0"),
        ("by", {"a": 4}, "/by/a"),
        ("word", "", "/word"),
        ("code", "X", "/code"),
        ("few", [], "/few"),
        ("either", 4, "/either"),
        ("either", "ab", "/either"),
        ("rows", [[0], []], "/rows/1"),
        ("rows", [[-1]], "/rows/0/0"),
    ):
        assert refused(pkg.v1, "Sonar", {"depth": 1, key: bad}) == [where]


def check_lenient(pkg):
    salvaged(pkg.v1, "Sonar", {"depth": 1, "soft": -1}, {"depth": 1})
    salvaged(pkg.v1, "Sonar", {"depth": 1, "softs": [1, -1, 2]}, {"depth": 1, "softs": [1, 2]})


def check_length_counts_characters(pkg):
    same(pkg.v1, "Sonar", {"depth": 1, "either": "\U0001f41f\U0001f41f\U0001f41f"})
    refused(pkg.v1, "Sonar", {"depth": 1, "either": "\U0001f41f\U0001f41f"})
