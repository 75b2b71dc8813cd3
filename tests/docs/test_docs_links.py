"""Every link of the committed pages leads somewhere, and every anchor is the only one of its name."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

import pytest
from docs_pages import DOCS, page, page_names


def test_there_are_pages_for_each_version_and_between_them():
    assert {"README.md", "conversions.md", "v1/methods.md", "v2/types.md"} <= set(page_names())


def test_every_link_leads_to_an_anchor_or_page(record_property):
    links = 0
    for name in page_names():
        for link in page(name).links:
            links += 1
            path, _, anchor = link.partition("#")
            assert "//" not in link and not path.startswith("/"), (name, link)
            folder = posixpath.dirname(name)
            to = posixpath.normpath(posixpath.join(folder, unquote(path))) if path else name
            assert (DOCS / to).is_file(), (name, link)
            if anchor:
                assert anchor in page(to).ids, (name, link)
    assert links > 3000
    record_property("figure", f"reference docs: {links} links followed, 0 broken")


@pytest.mark.parametrize("name", page_names())
def test_anchors_differ_in_more_than_case(name):
    ids = page(name).ids
    assert len({anchor.lower() for anchor in ids}) == len(ids)


def test_every_page_can_be_reached_from_the_index():
    reached, waiting = set(), ["README.md"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        folder = posixpath.dirname(name)
        for link in page(name).links:
            path = unquote(link.partition("#")[0])
            if path:
                waiting.append(posixpath.normpath(posixpath.join(folder, path)))
    assert sorted(reached) == page_names()
