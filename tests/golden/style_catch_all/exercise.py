EXPECTED = ("v1.py",)

"""A catch-all whose branches are one class, beside one that is split as in the schema."""

import pytest
from pydantic import TypeAdapter, ValidationError

VALUE = {"label": "l", "by": "sea", "track": 3}


def check_one_class_takes_what_the_branches_share(package):
    found = TypeAdapter(package.v1.Trip).validate_python({"label": "l", "by": "sea", "port": 1})
    assert type(found) is package.v1.OtherTrip
    assert found.model_dump(exclude_unset=True) == {"label": "l", "by": "sea", "port": 1}
    assert set(package.v1.OtherTrip.model_fields) == {"label", "by", "meta"}
    assert not hasattr(package.v1, "RailOtherTrip")


def check_it_refuses_the_known_tags(package):
    with pytest.raises(ValidationError):
        package.v1.OtherTrip(label="l", by="goods")


def check_a_split_one_has_the_branches(package):
    found = TypeAdapter(package.v1.Split).validate_python(VALUE)
    assert (type(found).__name__, found.track) == ("RailOtherSplit", 3)
    with pytest.raises(ValidationError):
        TypeAdapter(package.v1.Split).validate_python({"label": "l", "by": "sea"})
