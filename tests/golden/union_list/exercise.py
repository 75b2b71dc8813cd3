"""Unions of lists, and of one or many."""

from mini import refused, same


def check_lists(pkg):
    assert isinstance(same(pkg.v1, "Words", [{"word": "w"}])[0], pkg.v1.Word)
    found = same(pkg.v1, "Words", [{"group": "g", "words": [{"word": "w"}]}])
    assert isinstance(found[0], pkg.v1.Group)
    same(pkg.v1, "Words", [])
    refused(pkg.v1, "Words", [{"word": "w"}, {"group": "g", "words": []}])
    refused(pkg.v1, "Words", [{}])
    refused(pkg.v1, "Words", {})
    assert refused(pkg.v1, "Book", {"words": [{"group": "g", "words": [{}]}]}) == [
        "/words/0/words/0/word"
    ]


def check_one_or_more(pkg):
    same(pkg.v1, "OneOrMore", {"word": "w"})
    same(pkg.v1, "OneOrMore", [{"word": "w"}, {"word": "x"}])
    refused(pkg.v1, "OneOrMore", [{"word": 1}])
    refused(pkg.v1, "OneOrMore", "w")


def check_fields(pkg):
    same(pkg.v1, "Book", {"words": [], "lead": [], "loose": "a"})
    same(pkg.v1, "Book", {"words": [], "loose": ["a"]})
    same(pkg.v1, "Book", {"words": [], "loose": None})
    refused(pkg.v1, "Book", {"words": [], "loose": [1]})
