"""A feature overlay: new types, properties, union members, methods and capability gates."""

import inspect

from mini import refused, same

FEATURES = ("lending",)
EXPECTED = ("v1/models.py", "v1/methods.py", "v1/agent.py")


def check_types(pkg):
    same(pkg.v1, "Book", {"id": "b", "lent": True})
    assert refused(pkg.v1, "Book", {"id": "b", "lent": None}) == ["/lent"]
    assert not pkg.v1.decode("Book", {"id": "b"}).lent
    same(pkg.v1, "ListBooksRequest", {"lent": None})
    same(pkg.v1, "ShelfAbility", {"list": {}, "lend": {}})
    same(pkg.v1, "ShelfAbility", {"lend": None})
    assert refused(pkg.v1, "LendBookRequest", {}) == ["/book"]


def check_methods(pkg):
    lend = pkg.v1.AGENT_METHODS["book/lend"]
    assert (lend.feature, lend.capability) == ("lending", "shelf.lend")
    listing = pkg.v1.AGENT_METHODS["book/list"]
    assert (listing.feature, listing.capability) == (None, None)
    said = inspect.getdoc(pkg.v1.Agent.list_books)
    assert "lent" in said and "shelf.lend" in said and "shelf.list" in said
