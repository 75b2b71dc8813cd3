"""Two versions: what is the same converts, a renamed type too, anything else refuses."""

import pytest

EXPECTED = ("convert.py",)


def check_same(pkg):
    convert = pkg.convert
    for direction in ("v1_to_v2", "v2_to_v1"):
        value = {"parts": [{"kind": "note", "text": "t", "_meta": {"k": None}}, {"kind": "blank"}]}
        assert convert.convert_json(direction, "Parts", value) == [value]
        assert convert.convert_json(direction, "Grade", "a") == ["a"]
    value = {"text": "t"}
    [found] = convert.convert_json("v1_to_v2", "Note", value)
    assert found == value and found is not value


def check_renamed(pkg):
    value = {"a": 1, "note": {"text": "t"}}
    assert pkg.convert.convert_json("v1_to_v2", "OldName", value) == [value]
    assert pkg.convert.convert_json("v2_to_v1", "NewName", value) == [value]
    [made] = pkg.convert.v1_to_v2(pkg.v1.OldName(a=1))
    assert isinstance(made, pkg.v2.NewName)


def check_refusals(pkg):
    convert = pkg.convert
    with pytest.raises(convert.ConversionError) as caught:
        convert.convert_json("v1_to_v2", "Gone", {})
    assert caught.value.path == ""
    with pytest.raises(convert.ConversionError) as caught:
        convert.convert_json("v1_to_v2", "Changed", {"x": 1})
    assert caught.value.path == "/x"
    with pytest.raises(convert.ConversionError):
        convert.convert_json("v2_to_v1", "Fresh", {})
    with pytest.raises(convert.ConversionError) as caught:
        convert.convert_json("v1_to_v2", "Note", {"text": "t", "odd/key": 1})
    assert caught.value.path == "/odd~1key"
    [kept] = convert.convert_json("v1_to_v2", "Note", {"text": "t", "odd": 1}, lossy=True)
    assert kept == {"text": "t"}


def check_types_are_not_shared(pkg):
    assert pkg.v1.Note is not pkg.v2.Note
    with pytest.raises(TypeError):
        pkg.convert.v1_to_v2(pkg.v2.Note(text="t"))
