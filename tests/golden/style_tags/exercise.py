EXPECTED = ("v1.py",)
"""Tags that must be given, but for one union."""

import pytest
from pydantic import TypeAdapter, ValidationError


def read(package, name, value):
    return TypeAdapter(getattr(package.v1, name)).validate_python(value)


def check_the_tag_decides(package):
    v1 = package.v1
    for union in ("Closed", "Open", "Mixed"):
        found = read(package, union, {"kind": "fruit", "ripe": True})
        assert type(found).__name__ == f"Fruit{union}"
        assert isinstance(found, v1.Fruit)
    assert v1.Basket.model_validate(
        {"many": [{"kind": "fruit"}, {"kind": "cheese", "age": 1}]}
    ) == (v1.Basket(many=[v1.CheeseClosed(kind="cheese", age=1)]))


def check_the_catch_all_keeps_extra_keys_and_refuses_known_tags(package):
    found = read(package, "Open", {"kind": "honey", "jars": 2})
    assert type(found).__name__ == "OtherOpen"
    assert found.model_dump() == {"kind": "honey", "jars": 2}
    with pytest.raises(ValidationError):
        read(package, "Open", {"kind": "fruit"})
    with pytest.raises(ValidationError):
        package.v1.OtherOpen(kind="fruit")


def check_what_has_no_tag(package):
    assert type(read(package, "Mixed", {"ripe": True})).__name__ == "Fruit"
    for union in ("Closed", "Open"):
        with pytest.raises(ValidationError):
            read(package, union, {"ripe": True, "age": 1})


def check_instances_are_taken_as_they_are(package):
    value = package.v1.CheeseMixed(kind="cheese", age=1)
    assert read(package, "Mixed", value) is value


def check_a_tag_must_be_given(package):
    with pytest.raises(ValidationError):
        package.v1.CheeseOpen(age=1)
    assert package.v1.CheeseMixed(age=1).kind == "cheese"


def check_a_plain_union_can_be_asked_of(package):
    assert isinstance(package.v1.CheeseOpen(kind="cheese", age=1), package.v1.Open)
