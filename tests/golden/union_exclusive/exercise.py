"""oneOf without a tag: exactly one branch must match."""

from mini import refused, same


def check_objects(pkg):
    assert isinstance(same(pkg.v1, "Pay", {"coins": 1}), pkg.v1.Cash)
    assert isinstance(same(pkg.v1, "Pay", {"number": "n", "coins": "x"}), pkg.v1.Card)
    assert refused(pkg.v1, "Pay", {"coins": 1, "number": "n"}) == [""]
    for bad in ({}, None, [], {"coins": "1"}):
        refused(pkg.v1, "Pay", bad)
    assert refused(pkg.v1, "Bill", {"pays": [{"coins": 1}, {"coins": 1, "number": "n"}]}) == [
        "/pays/1"
    ]


def check_scalars(pkg):
    same(pkg.v1, "Num", 1.5)
    refused(pkg.v1, "Num", 1)
    refused(pkg.v1, "Num", 1.0)
    refused(pkg.v1, "Num", "1")
    same(pkg.v1, "Key", "k")
    same(pkg.v1, "Key", 1)
    refused(pkg.v1, "Key", True)
    refused(pkg.v1, "Key", None)


def check_python(pkg):
    bill = pkg.v1.Bill(pay=pkg.v1.Cash(coins=2), num=0.5, key="k")
    assert pkg.v1.encode(bill) == {"pay": {"coins": 2}, "num": 0.5, "key": "k"}
