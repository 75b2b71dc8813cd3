"""Formats are annotations: texts come back unchanged and nothing is refused for them."""

from mini import refused, same


def check_texts(pkg):
    for link in ("HTTPS://Example.ORG", "no scheme", "", "x:///a b%2f", "http://a:80"):
        same(pkg.v1, "Link", link)
        same(pkg.v1, "Page", {"link": link})
    for at in ("2031-02-03T04:05:06.100Z", "2031-02-03T04:05:06.123456789+00:00", "soon", None):
        same(pkg.v1, "Page", {"at": at})
    same(pkg.v1, "Page", {"bytes": "no=base64!", "mail": "@", "rx": "(", "uuid": "1"})


def check_numbers(pkg):
    same(pkg.v1, "Page", {"big": 2**90, "real": 3})
    assert refused(pkg.v1, "Page", {"big": 1.5}) == ["/big"]
    assert refused(pkg.v1, "Page", {"at": 5}) == ["/at"]
    assert refused(pkg.v1, "Page", {"link": 5}) == ["/link"]
