"""The three leniency keywords: only where they stand, and never for a missing required key."""

from mini import faults, refused, salvaged, same


def check_strict(pkg):
    same(pkg.v1, "Quay", {})
    same(
        pkg.v1,
        "Quay",
        {
            "name": "n",
            "depth": 1,
            "owner": None,
            "first": {"no": 1, "ship": "s"},
            "log": [],
            "maybe": None,
            "cranes": [],
            "signs": {"a": "b"},
        },
    )


def check_default_on_error(pkg):
    salvaged(pkg.v1, "Quay", {"name": 5, "plain": "p"}, {"plain": "p"})
    found = salvaged(pkg.v1, "Quay", {"depth": "deep", "owner": []}, {})
    assert found.depth == 4.5 and found.owner is None
    salvaged(pkg.v1, "Quay", {"name": None}, {})
    salvaged(pkg.v1, "Quay", {"first": {}}, {})
    salvaged(pkg.v1, "Quay", {"first": {"no": 1, "ship": 2}}, {"first": {"no": 1}})


def check_skipped_items(pkg):
    items = [{"no": 1}, {"no": "x"}, 7, None, {"no": 2, "ship": 1}]
    kept = [{"no": 1}, {"no": 2}]
    for name in ("log", "only_items", "maybe"):
        salvaged(pkg.v1, "Quay", {name: items}, {name: kept})
    salvaged(pkg.v1, "Quay", {"log": "none"}, {})
    salvaged(pkg.v1, "Quay", {"maybe": 1}, {})
    assert refused(pkg.v1, "Quay", {"only_items": "none"}) == ["/only_items"]
    assert refused(pkg.v1, "Quay", {"only_items": None}) == ["/only_items"]


def check_default_on_null(pkg):
    salvaged(pkg.v1, "Quay", {"cranes": None, "signs": None}, {"cranes": [], "signs": {}})
    assert refused(pkg.v1, "Quay", {"cranes": "x"}) == ["/cranes"]
    assert refused(pkg.v1, "Quay", {"cranes": [None]}) == ["/cranes/0"]
    assert refused(pkg.v1, "Quay", {"signs": []}) == ["/signs"]


def check_elsewhere_strict(pkg):
    assert refused(pkg.v1, "Quay", {"plain": 1}) == ["/plain"]
    assert refused(pkg.v1, "Quay", {"strict": [{"no": 1}, {}]}) == ["/strict/1/no"]


def check_required(pkg):
    full = {"berths": [], "crew": [], "wares": []}
    same(pkg.v1, "Dock", full)
    assert faults(pkg.v1, "Dock", {}) == ["/berths", "/crew", "/wares"]
    salvaged(pkg.v1, "Dock", {**full, "berths": 5}, full)
    salvaged(pkg.v1, "Dock", {**full, "berths": None}, full)
    salvaged(pkg.v1, "Dock", {**full, "crew": None}, full)
    salvaged(pkg.v1, "Dock", {**full, "wares": [1, "2", 3]}, {**full, "wares": [1, 3]})
    assert refused(pkg.v1, "Dock", {**full, "wares": None}) == ["/wares"]
    assert refused(pkg.v1, "Dock", {**full, "crew": [1]}) == ["/crew/0"]
