"""Constants are kept to the letter, as tags and as values, strings or not."""

from mini import refused, same


def check_string_tags(pkg):
    for word in ("part.one", "", 'it\'s "it"', "7", "part_one", "Part One"):
        found = same(pkg.v1, "Ev", {"evt": word, "k": 1})
        assert found.evt == word
    same(pkg.v1, "Ev", {"evt": "part/two", "x": 1})
    assert refused(pkg.v1, "Ev", {"evt": "part/two"}) == ["/x"]
    for bad in ({"evt": 7}, {"evt": "Part.one"}, {}, {"evt": None}, {"evt": "8"}):
        refused(pkg.v1, "Ev", bad)


def check_other_tags(pkg):
    same(pkg.v1, "Num", {"v": 1, "a": 1})
    same(pkg.v1, "Num", {"v": 2, "b": "b"})
    same(pkg.v1, "Num", {"v": -3})
    assert refused(pkg.v1, "Num", {"v": 2}) == ["/b"]
    for bad in ({"v": "1"}, {"v": True}, {"v": 4}, {}):
        refused(pkg.v1, "Num", bad)


def check_values(pkg):
    for value in (-9, 0, True):
        same(pkg.v1, "Codes", value)
    for bad in (1, False, "0", None):
        refused(pkg.v1, "Codes", bad)
    same(pkg.v1, "One", "only")
    refused(pkg.v1, "One", "Only")


def check_classes_differ(pkg):
    names = {
        type(pkg.v1.decode("Ev", {"evt": word, "x": 1})).__name__
        for word in ("part.one", "part/two", "", 'it\'s "it"', "7", "part_one", "Part One")
    }
    assert len(names) == 7
