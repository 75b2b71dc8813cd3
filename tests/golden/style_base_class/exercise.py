EXPECTED = ("v1.py",)

"""Attributes by wire name, construction by wire name alone, and models that do not change."""

import copy
import pickle

import pytest
from pydantic import ValidationError


def check_attributes_by_wire_name(package):
    seat = package.v1.Seat.model_validate({"rowNumber": 3, "HTTPPort": 80, "extra": "e"})
    assert (seat.rowNumber, seat.row_number, seat.HTTPPort, seat.http_port) == (3, 3, 80, 80)
    assert seat.extra == "e"
    for name in ("rownumber", "nothing", "rowNumbers"):
        with pytest.raises(AttributeError, match=name):
            getattr(seat, name)


def check_only_wire_names_make_a_model(package):
    with pytest.raises(ValidationError):
        package.v1.Seat(row_number=3)
    assert package.v1.Seat(rowNumber=3).row_number == 3


def check_models_can_be_copied(package):
    seat = package.v1.Seat.model_validate({"rowNumber": 3, "extra": [1]})
    for made in (copy.copy(seat), copy.deepcopy(seat), pickle.loads(pickle.dumps(seat))):
        assert made == seat and made.rowNumber == 3


def check_models_are_frozen(package):
    seat = package.v1.Seat(rowNumber=3)
    with pytest.raises(ValidationError):
        seat.row_number = 4
    assert hash(seat) == hash(package.v1.Seat(rowNumber=3))
