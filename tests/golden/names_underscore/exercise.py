"""Leading underscores: every key is a public field of its own."""

from mini import refused, same

WIRES = {
    "_id": "a",
    "id": "b",
    "@id": "c",
    "$id": "d",
    "__v": 1,
    "_meta": {"k": [1]},
    "meta": "m",
    "field_meta": "f",
    "_": "u",
    "__": "v",
}


def check_fields(pkg):
    found = same(pkg.v1, "Log", WIRES)
    python = {field.name: name for name, field in type(found).__acp_wire__.items()}
    assert set(python) == set(WIRES) and len(set(python.values())) == len(WIRES)
    for wire, name in python.items():
        assert not name.startswith("_") and name.isidentifier()
        assert getattr(found, name) == WIRES[wire]
    assert python["id"] == "id" and python["meta"] == "meta"
    assert refused(pkg.v1, "Log", {"_id": "a", "__v": "1"}) == ["/__v"]
    assert refused(pkg.v1, "Log", {"id": "a"}) == ["/_id"]
    made = type(found)(**{name: WIRES[wire] for wire, name in python.items()})
    assert pkg.v1.encode(made) == WIRES


def check_definitions(pkg):
    same(pkg.v1, "_Hidden", {"_x": 1})
    same(pkg.v1, "__", "s")
    assert all(not name.startswith("_") for name in pkg.v1.__all__)
