EXPECTED = ("v1.py",)

"""Variants that repeat the fields of their payload; a definition extends another all the same."""


def check_a_variant_is_no_payload(package):
    pot = package.v1.PotWare(size=1)
    assert not isinstance(pot, package.v1.Pot)
    assert pot.model_dump() == {"size": 1, "w": "pot"}
    assert issubclass(package.v1.Deep, package.v1.Pot)
