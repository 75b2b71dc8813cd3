EXPECTED = ("v1.py",)

"""Defaults that are objects are None; see style_single for instances."""


def check_omission_is_none(package):
    box = package.v1.Box()
    assert (box.lid, box.loose, box.bag) == (None, None, {})
    assert package.v1.Box.model_validate({"lid": 7}).lid is None
