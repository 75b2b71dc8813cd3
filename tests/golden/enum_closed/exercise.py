"""Closed enums: the exact words and nothing else."""

from typing import get_args

from mini import refused, same


def check_words(pkg):
    for word in ("hearts", "spades"):
        same(pkg.v1, "Suit", word)
    for word in ("Hearts", "clubs", "", None, 1):
        assert refused(pkg.v1, "Suit", word) == [""]
    assert get_args(pkg.v1.Suit) == ("hearts", "spades")
    assert get_args(pkg.v1.Rank) == ("low", "high")


def check_fields(pkg):
    same(
        pkg.v1,
        "Card",
        {"suit": "hearts", "rank": "high", "face": "up", "back": "red", "pips": -2, "mark": "x"},
    )
    same(pkg.v1, "Card", {"suit": "hearts", "face": None, "back": None, "pips": 3})
    for key, bad in (
        ("suit", "clubs"),
        ("rank", "mid"),
        ("face", "side"),
        ("back", "green"),
        ("pips", 2),
        ("pips", "1"),
        ("pips", True),
        ("mark", "y"),
        ("mark", None),
    ):
        assert refused(pkg.v1, "Card", {"suit": "hearts", key: bad}) == [f"/{key}"]


def check_default(pkg):
    assert pkg.v1.Card(suit="spades").rank == "low"
