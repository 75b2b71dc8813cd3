"""Required, nullable, optional: null and omission are two different things."""

import pytest

from mini import faults, refused, same

LEAST = {"id": "c", "seal": None, "lid": None}


def check_wire(pkg):
    for more in (
        {},
        {"note": ""},
        {"memo": None},
        {"memo": "m"},
        {"spare": None},
        {"spare": {"colour": "red"}},
        {"inner": {"colour": "red"}},
        {"seal": "wax"},
    ):
        same(pkg.v1, "Crate", {**LEAST, **more})


def check_refusals(pkg):
    for key in LEAST:
        rest = {name: value for name, value in LEAST.items() if name != key}
        assert refused(pkg.v1, "Crate", rest) == [f"/{key}"]
    assert refused(pkg.v1, "Crate", {**LEAST, "id": None}) == ["/id"]
    assert refused(pkg.v1, "Crate", {**LEAST, "note": None}) == ["/note"]
    assert refused(pkg.v1, "Crate", {**LEAST, "inner": None}) == ["/inner"]
    assert refused(pkg.v1, "Crate", {**LEAST, "lid": {}}) == ["/lid/colour"]
    assert refused(pkg.v1, "Crate", {**LEAST, "spare": {"colour": 1}}) == ["/spare/colour"]
    assert refused(pkg.v1, "Crate", []) == [""]
    assert refused(pkg.v1, "Crate", None) == [""]
    assert faults(pkg.v1, "Crate", {}) == ["/id", "/seal", "/lid"]


def check_reading_and_writing(pkg):
    crate = pkg.v1.decode("Crate", LEAST)
    assert crate.note is None and crate.memo is None and crate.inner is None
    assert not crate.model_fields_set & {"note", "memo", "spare", "inner"}
    crate.memo = None
    crate.note = None
    assert pkg.v1.encode(crate) == {**LEAST, "memo": None}
    crate.note = "n"
    del crate.memo
    assert pkg.v1.encode(crate) == {**LEAST, "note": "n"}
    with pytest.raises(AttributeError):
        del crate.seal
    with pytest.raises(ValueError):
        crate.id = None


def check_constructor(pkg):
    crate = pkg.v1.Crate(id="c", seal=None, lid=None, note=None, memo=None, inner=None)
    assert pkg.v1.encode(crate) == {**LEAST, "memo": None}
    with pytest.raises(ValueError) as caught:
        pkg.v1.Crate(id="c", seal=None)
    assert [error.pointer for error in caught.value.errors] == ["/lid"]
    with pytest.raises(TypeError):
        pkg.v1.Crate(**LEAST, colour="red")
