"""Converters of a package whose types and fields have names of their own."""

EXPECTED = ("convert.py",)


def check_values_convert_under_their_new_names(pkg):
    [made] = pkg.convert.v1_to_v2(pkg.v1.Former(a=1, note=pkg.v1.Remark(words="w")))
    assert made == pkg.v2.Latter(a=1, note=pkg.v2.Remark(words="w"))
    [back] = pkg.convert.v2_to_v1(made)
    assert type(back) is pkg.v1.Former
    [part] = pkg.convert.v1_to_v2(pkg.v1.PartNote(words="w"))
    assert type(part) is pkg.v2.PartNote


def check_json_converts_under_the_names_of_the_schema(pkg):
    value = {"a": 1, "note": {"text": "t"}}
    assert pkg.convert.convert_json("v1_to_v2", "OldName", value) == [value]
    assert type(pkg.v1.decode("OldName", value)) is pkg.v1.Former
