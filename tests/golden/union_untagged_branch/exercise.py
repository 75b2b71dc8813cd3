"""A tagged union with one branch that has no tag."""

from mini import refused, same


def check_wire(pkg):
    pipe = same(pkg.v1, "Line", {"path": "/p", "args": [], "more": 1})
    assert isinstance(pipe, pkg.v1.Pipe)
    web = same(pkg.v1, "Line", {"via": "web", "url": "u"})
    assert isinstance(web, pkg.v1.Web) and web.via == "web"


def check_schema_verdict(pkg):
    # The branch without a tag says nothing of the key: a foreign tag is an extra key to it.
    same(pkg.v1, "Line", {"via": "pigeon", "path": "/p"})
    same(pkg.v1, "Line", {"via": "web", "path": "/p"})
    assert refused(pkg.v1, "Line", {"via": "web"}) == ["/url"]
    assert refused(pkg.v1, "Line", {"via": "web", "url": 1}) == ["/url"]
    assert refused(pkg.v1, "Line", {"via": "tower", "url": "u", "height": "h"}) == ["/height"]
    assert refused(pkg.v1, "Line", {}) == ["/path"]
    assert refused(pkg.v1, "Line", {"path": "/p", "args": [1]}) == ["/args/0"]
    assert refused(pkg.v1, "Station", {"lines": [{"path": "/"}, {"args": []}]}) == ["/lines/1/path"]
    assert refused(pkg.v1, "Station", {"lines": [{"via": "web"}]}) == ["/lines/0/url"]
