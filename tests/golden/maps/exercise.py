"""Maps: free keys, typed values."""

from mini import refused, salvaged, same


def check_named(pkg):
    same(pkg.v1, "Counts", {"a": 1, "": 2, "model_config": 3, "\u00e9": 4})
    assert isinstance(same(pkg.v1, "Pears", {"p": {"weight": 1}})["p"], pkg.v1.Pear)
    same(pkg.v1, "Bag", {"a": [None, {"b": 1.5}]})
    assert refused(pkg.v1, "Counts", {"a": "1"}) == ["/a"]
    assert refused(pkg.v1, "Pears", {"a~b/c": {}}) == ["/a~0b~1c/weight"]
    refused(pkg.v1, "Counts", [])


def check_fields(pkg):
    same(pkg.v1, "Store", {"counts": {}})
    same(
        pkg.v1,
        "Store",
        {
            "counts": {"a": 1},
            "pears": {"p": {"weight": 1}},
            "lists": {"l": ["x"]},
            "maybe": None,
            "any": {"x": None},
            "nullables": {"a": None, "b": 2},
            "deep": {"a": {"b": {"weight": 2}}},
            "bare": {"z": [1]},
            "_meta": {},
        },
    )
    for key, bad, where in (
        ("counts", {"a": None}, "/counts/a"),
        ("pears", {"a": {"weight": "w"}}, "/pears/a/weight"),
        ("lists", {"a": [1]}, "/lists/a/0"),
        ("maybe", {"a": None}, "/maybe/a"),
        ("any", [], "/any"),
        ("nullables", {"a": "1"}, "/nullables/a"),
        ("deep", {"a": {"b": {}}}, "/deep/a/b/weight"),
        ("bare", 1, "/bare"),
    ):
        assert refused(pkg.v1, "Store", {"counts": {}, key: bad}) == [where]
    salvaged(pkg.v1, "Store", {"counts": {}, "filled": None}, {"counts": {}, "filled": {}})
    salvaged(pkg.v1, "Store", {"counts": {}, "_meta": []}, {"counts": {}})


def check_python(pkg):
    store = pkg.v1.Store(counts={"a": 1}, pears={"p": pkg.v1.Pear(weight=1)}, any={"k": (1, 2)})
    assert pkg.v1.encode(store) == {
        "counts": {"a": 1},
        "pears": {"p": {"weight": 1}},
        "any": {"k": [1, 2]},
    }
