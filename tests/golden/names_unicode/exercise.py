"""Other scripts, digits, blanks, look-alikes that Python folds: unique identifiers, exact keys."""

import unicodedata

from mini import refused, same

VALUE = {
    "9th": 1,
    "": "e",
    " ": "b",
    "\ufb01sh": "lig",
    "fish": "plain",
    "\U0001f41f": True,
    "na\u00efve": "n",
    "\u212bm": "a",
    "\u00c5m": "b",
    "\u9b5a": "j",
    "\u0440\u044b\u0431\u0430": "c",
    "e\u0301t\u00e9": "d",
    "\u00e9t\u00e9": "s",
    "\u200bzero": "z",
    "zero": "y",
}


def check_fields(pkg):
    found = same(pkg.v1, "9tails", VALUE)
    python = {field.name: name for name, field in type(found).__acp_wire__.items()}
    assert set(python) == set(VALUE)
    folded = {unicodedata.normalize("NFKC", name) for name in python.values()}
    assert len(folded) == len(VALUE) and all(name.isidentifier() for name in folded)
    assert {wire: getattr(found, name) for wire, name in python.items()} == VALUE
    assert python["fish"] == "fish" and python["zero"] == "zero"


def check_definitions(pkg):
    same(pkg.v1, "Use", {"d": {"\u540d": "x"}, "n": {"9th": 1}, "w": {"\u7a2e": "\u9bb7"}})
    same(pkg.v1, "\U0001f41f", "s")
    same(pkg.v1, "\ufb01n", {"a": 1})
    assert refused(pkg.v1, "fin", {"b": "1"}) == ["/b"]
    assert refused(pkg.v1, "Use", {"d": {}}) == ["/d/\u540d"]
    assert refused(pkg.v1, "Use", {"n": {"\U0001f41f": 1}}) == ["/n/\U0001f41f"]
    refused(pkg.v1, "Use", {"w": {"\u7a2e": "x"}})
