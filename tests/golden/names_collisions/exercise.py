"""Names that Python would spell alike: all distinct, and the exact speller keeps the plain one."""

from mini import refused, same

WIRES = (
    "deckPlan",
    "deck_plan",
    "DeckPlan",
    "deck-plan",
    "HTTPPort2Use",
    "Deck_Plan_",
    "a.b",
    "a b",
    "x1",
    "x_1",
)


def check_fields(pkg):
    value = {
        "deckPlan": 1,
        "deck_plan": "s",
        "DeckPlan": True,
        "deck-plan": 0.5,
        "HTTPPort2Use": "h",
        "Deck_Plan_": "d",
        "a.b": "1",
        "a b": "2",
        "x1": 1,
        "x_1": "x",
    }
    found = same(pkg.v1, "Ship", value)
    python = {field.name: name for name, field in type(found).__acp_wire__.items()}
    assert set(python) == set(WIRES) and len(set(python.values())) == len(WIRES)
    assert python["deck_plan"] == "deck_plan"
    assert {wire: getattr(found, name) for wire, name in python.items()} == value
    assert refused(pkg.v1, "Ship", {"deckPlan": "1"}) == ["/deckPlan"]
    assert refused(pkg.v1, "Ship", {"deck_plan": 1}) == ["/deck_plan"]
    assert refused(pkg.v1, "Ship", {"deck-plan": "1"}) == ["/deck-plan"]


def check_definitions(pkg):
    same(pkg.v1, "Ship", {})
    same(pkg.v1, "ship", "s")
    same(pkg.v1, "SHIP", 1)
    refused(pkg.v1, "ship", 1)


def check_variants(pkg):
    made = set()
    for tag in ("deck_plan", "deck-plan", "DeckPlan"):
        made.add(type(same(pkg.v1, "Kind", {"kind": tag})))
    assert len(made) == 3 and pkg.v1.DeckPlanKind not in made
    same(pkg.v1, "DeckPlanKind", {"own": 1})
