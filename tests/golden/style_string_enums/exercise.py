EXPECTED = ("v1.py",)

"""String enums in each of their forms; others than strings are not touched."""

import typing

import pytest
from pydantic import ValidationError


def check_the_forms(package):
    v1 = package.v1
    assert typing.get_origin(v1.Hue) is typing.Literal
    assert v1.Free is str
    assert v1.Word == typing.Union[typing.Literal["x", "y"], str]
    assert [member.name for member in v1.Size] == ["S", "M"]
    assert v1.Size.__doc__ == "How big."


def check_closed_ones_refuse_other_words(package):
    for wrong in ({"hue": "pink"}, {"level": 3}):
        with pytest.raises(ValidationError):
            package.v1.Shirt.model_validate(wrong)


def check_open_ones_take_them(package):
    found = package.v1.Shirt.model_validate({"free": "q", "word": "q", "fit": "q"})
    assert (found.free, found.word, found.fit) == ("q", "q", "q")


def check_members_come_and_go_as_their_words(package):
    v1 = package.v1
    found = v1.Shirt.model_validate({"size": "s", "fit": "slim"})
    assert (found.size, found.fit) == (v1.Size.S, v1.Fit.SLIM)
    assert found.model_dump(mode="json", exclude_unset=True) == {"size": "s", "fit": "slim"}


def check_the_default_is_a_member(package):
    v1 = package.v1
    assert v1.Shirt().size is v1.Size.M
    assert v1.Shirt.model_validate({"size": "huge"}).size is v1.Size.M
