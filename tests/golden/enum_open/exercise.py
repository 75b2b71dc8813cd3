"""Open enums: known words are listed, any other string passes unchanged."""

from mini import refused, salvaged, same


def check_words(pkg):
    for word in ("calm", "stormy", "_mine", "", "Calm"):
        same(pkg.v1, "Mood", word)
    for word in (None, 1, True, ["calm"]):
        refused(pkg.v1, "Mood", word)


def check_fields(pkg):
    same(pkg.v1, "Sky", {"mood": "misty", "moods": ["calm", "dull"], "soft": "x"})
    assert refused(pkg.v1, "Sky", {"mood": 1}) == ["/mood"]
    assert refused(pkg.v1, "Sky", {"mood": "calm", "moods": ["calm", None]}) == ["/moods/1"]
    salvaged(pkg.v1, "Sky", {"mood": "calm", "soft": 4}, {"mood": "calm"})
    assert pkg.v1.Sky(mood="misty").mood == "misty"
