"""References are URI fragments: percent-encoding and the escapes of JSON Pointer are undone."""

from mini import refused, same


def check_it(pkg):
    same(
        pkg.v1,
        "Use",
        {
            "blank": {"x": 1},
            "percent": {"y": 1},
            "pointer": {"z": 1},
            "encoded": {"z": 1},
            "umlaut": {"u": 1},
            "bare": {"u": 1},
        },
    )
    for key, name in (
        ("blank", "x"),
        ("percent", "y"),
        ("pointer", "z"),
        ("encoded", "z"),
        ("umlaut", "u"),
    ):
        assert refused(pkg.v1, "Use", {key: {}}) == [f"/{key}/{name}"]
