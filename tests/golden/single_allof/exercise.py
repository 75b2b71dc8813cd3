"""allOf with one reference: the referenced type itself; what stands beside it is of this place."""

from mini import refused, salvaged, same


def check_no_wrapper(pkg):
    found = same(pkg.v1, "Jumper", {"tag": "ab", "g1": "fine", "g2": "poor", "wool": {"yarn": "y"}})
    assert type(found.wool) is pkg.v1.Wool


def check_default_and_leniency_of_the_place(pkg):
    jumper = pkg.v1.Jumper(tag="ab")
    assert (jumper.g1, jumper.g2, jumper.g3, jumper.g4) == ("poor", "fine", None, None)
    salvaged(pkg.v1, "Jumper", {"tag": "ab", "g3": "great"}, {"tag": "ab"})
    for key in ("g1", "g2", "g4"):
        assert refused(pkg.v1, "Jumper", {"tag": "ab", key: "great"}) == [f"/{key}"]


def check_bound_of_the_place(pkg):
    same(pkg.v1, "Tag", "a")
    assert refused(pkg.v1, "Jumper", {"tag": "a"}) == ["/tag"]


def check_text_of_the_place(pkg):
    fields = pkg.v1.Jumper.model_fields
    said = f"{pkg.v1.Jumper.__doc__} {[field.description for field in fields.values()]}"
    source = __import__("inspect").getsource(pkg.v1.Jumper)
    for text in ("Text of this place.", "Beside a reference.", "Soft here only.", "The wool."):
        assert text in said or text in source
