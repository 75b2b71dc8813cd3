EXPECTED = ("v1.py",)

"""Undeclared keys: dropped, but for some definitions, which their variants follow."""

import pytest
from pydantic import ValidationError

VALUE = {"a": 1, "x": 2}


def check_they_are_dropped(package):
    assert package.v1.Plain.model_validate(VALUE).model_dump() == {"a": 1}


def check_a_definition_may_differ_and_its_variants_with_it(package):
    assert package.v1.Loose.model_validate(VALUE).model_dump() == VALUE
    assert package.v1.LooseAny.model_validate(VALUE).model_dump() == {**VALUE, "k": "loose"}
    for name in ("Strict", "StrictAny", "Closed"):
        with pytest.raises(ValidationError):
            getattr(package.v1, name).model_validate(VALUE)


def check_a_catch_all_keeps_them_all_the_same(package):
    assert package.v1.OtherAny(k="z", x=2).model_dump() == {"k": "z", "x": 2}
