EXPECTED = ("v1.py",)

"""URIs as pydantic's AnyUrl."""

import pytest
from pydantic import AnyUrl, ValidationError


def check_uris_are_parsed(package):
    found = package.v1.Link(href="https://b.example/x?y", all=["file:///z"])
    assert isinstance(found.href, AnyUrl) and found.href.host == "b.example"
    assert isinstance(found.home, AnyUrl)
    assert found.model_dump(mode="json")["all"] == ["file:///z"]


def check_what_is_no_uri_is_refused(package):
    with pytest.raises(ValidationError):
        package.v1.Link(href="not a uri")
