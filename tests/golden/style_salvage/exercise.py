EXPECTED = ("v1.py",)

"""A lenient field that a branch narrows: only what the wider type refuses is malformed."""

import pytest
from pydantic import TypeAdapter, ValidationError


def check_a_value_of_the_wider_type_is_no_malformed_one(package):
    tin = TypeAdapter(package.v1.Tin)
    assert tin.validate_python({"grams": 1, "unit": 7}).unit is None
    assert tin.validate_python({"grams": 1, "unit": True}).unit is None
    with pytest.raises(ValidationError):
        tin.validate_python({"grams": 1, "unit": "kg"})
