"""A feature overlay: new types, properties, union members, methods and capability gates."""

import asyncio
import inspect

import pytest

from mini import refused, same

FEATURES = ("lending",)
EXPECTED = ("v1/models.py", "v1/methods.py", "v1/agent.py", "v1/client.py", "_gates.py")


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
    assert (lend.feature, lend.capability) == ("lending", "abilities.shelf.lend")
    listing = pkg.v1.AGENT_METHODS["book/list"]
    assert (listing.feature, listing.capability) == (None, None)
    said = inspect.getdoc(pkg.v1.Agent.list_books)
    assert "lent" in said and "abilities.shelf.lend" in said and "abilities.shelf.list" in said


class Peer:
    def __init__(self, answer):
        self.answer, self.sent = answer, []

    async def request(self, method, params):
        self.sent.append(method)
        return self.answer if method == "hello" else {"books": []}

    async def notify(self, method, params):
        self.sent.append(method)


def refusal(pkg, call):
    with pytest.raises(pkg.v1.CapabilityError) as caught:
        asyncio.run(call)
    return caught.value.capability, caught.value.parameter, caught.value.variant


def greeted(pkg, shelf, basic=None):
    peer = Peer({"abilities": {"shelf": shelf, **({} if basic is None else {"basic": basic})}})
    agent = pkg.v1.ClientSideConnection(peer)
    asyncio.run(agent.hello(pkg.v1.HelloRequest()))
    return peer, agent


def check_nothing_is_sent_without_the_capability(pkg):
    lend = pkg.v1.LendBookRequest(book="b")
    peer = Peer({})
    agent = pkg.v1.ClientSideConnection(peer)
    assert refusal(pkg, agent.lend_book(lend)) == ("abilities.shelf.lend", None, None)
    for shelf in (None, {}, {"lend": None}):
        peer, agent = greeted(pkg, shelf)
        assert not agent.supports("book/lend") and agent.supports("book/list")
        assert refusal(pkg, agent.lend_book(lend)) == ("abilities.shelf.lend", None, None)
        assert peer.sent == ["hello"]
    peer, agent = greeted(pkg, {"lend": {}})
    assert agent.supports("book/lend")
    asyncio.run(agent.lend_book(lend))
    assert peer.sent == ["hello", "book/lend"]
    peer = Peer({})
    asyncio.run(pkg.v1.ClientSideConnection(peer, gated=False).lend_book(lend))
    assert peer.sent == ["book/lend"]


def check_a_parameter_is_gated_however_it_is_given(pkg):
    """What the capability requires besides must be there too."""
    peer, agent = greeted(pkg, {"lend": {}})
    asyncio.run(agent.list_books(pkg.v1.ListBooksRequest(cursor=None)))
    for value in (True, False, None):
        found = refusal(pkg, agent.list_books(pkg.v1.ListBooksRequest(lent=value)))
        assert found == ("abilities.shelf.list", "lent", None)
    assert not agent.supports("book/list", "lent")
    peer, agent = greeted(pkg, {"lend": {}, "list": {}})
    asyncio.run(agent.list_books(pkg.v1.ListBooksRequest(lent=None)))
    assert agent.supports("book/list", "lent") and peer.sent == ["hello", "book/list"]


def check_a_kind_of_content_is_gated_alone_and_in_a_list(pkg):
    pages = pkg.v1.decode("AddPagesRequest", {"pages": [{"kind": "text"}, {"kind": "picture"}]})
    cover = pkg.v1.decode("AddPagesRequest", {"pages": [], "cover": {"kind": "picture"}})
    plain = pkg.v1.decode("AddPagesRequest", {"pages": [{"kind": "text"}], "cover": None})
    for basic in (None, False):
        peer, agent = greeted(pkg, None, basic)
        asyncio.run(agent.add_pages(plain))
        assert refusal(pkg, agent.add_pages(pages)) == ("abilities.basic", "pages", "picture")
        assert refusal(pkg, agent.add_pages(cover)) == ("abilities.basic", "cover", "picture")
        assert agent.supports("page/add", "pages", "text")
        assert not agent.supports("page/add", "pages", "picture")
    peer, agent = greeted(pkg, None, True)
    asyncio.run(agent.add_pages(pages))
    asyncio.run(agent.add_pages(cover))


def check_the_other_side_learns_what_the_caller_announced(pkg):
    for guest, ring, crane in (
        ({}, False, False),
        ({"desk": False, "tools": []}, False, False),
        ({"desk": True, "tools": ["hook"]}, True, True),
    ):
        peer = Peer({})
        client = pkg.v1.ClientConnection(peer)
        dispatcher = pkg.v1.AgentDispatcher(pkg.v1.Agent(), client)
        with pytest.raises(pkg.v1.RpcError):
            asyncio.run(dispatcher.request("hello", {"guest": guest}))
        assert client.supports("desk/ring") == ring
        assert client.supports("desk/move") and client.supports("desk/move", None, "crane") == crane
        asyncio.run(client.move(pkg.v1.decode("MoveNotification", {"how": "hand"})))
        move = client.move(pkg.v1.decode("MoveNotification", {"how": "crane"}))
        if crane:
            asyncio.run(move)
            asyncio.run(client.ring(pkg.v1.RingRequest()))
        else:
            assert refusal(pkg, move) == ("guest.tools", None, "crane")
            assert refusal(pkg, client.ring(pkg.v1.RingRequest()))[0] == "guest.desk"
            assert peer.sent == ["desk/move"]


def check_a_method_that_is_not_there(pkg):
    with pytest.raises(ValueError, match="book/lendd"):
        pkg.v1.ClientSideConnection(Peer({})).supports("book/lendd")
