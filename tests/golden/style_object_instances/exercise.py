EXPECTED = ("v1.py",)

"""Defaults that are objects are instances: of their own where they differ from the type's."""


def check_omission_is_an_instance(package):
    v1 = package.v1
    box = v1.Box()
    assert (box.lid, box.loose) == (v1.Lid(tight=True), v1.Lid(tight=False))
    assert v1.Box.model_validate({"lid": 7}).lid == v1.Lid()
    assert box.model_dump(exclude_unset=True) == {}
