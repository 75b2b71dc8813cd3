"""Objects made of others: all fields are there, the narrower type wins, subclasses stay subclasses."""

from mini import faults, refused, same


def check_fields(pkg):
    same(pkg.v1, "Cat", {"name": "n", "age": 1, "note": None})
    assert set(faults(pkg.v1, "Cat", {})) == {"/name", "/age"}
    same(pkg.v1, "Dog", {"name": "n", "barks": True, "note": "x"})
    assert refused(pkg.v1, "Dog", {"name": "n", "barks": True, "note": None}) == ["/note"]
    assert set(faults(pkg.v1, "Pup", {})) == {"/name", "/barks", "/weeks", "/note"}
    same(pkg.v1, "Pup", {"name": "n", "barks": True, "weeks": 1, "note": "x"})


def check_narrowing(pkg):
    same(pkg.v1, "Old", {"age": 60})
    assert refused(pkg.v1, "Old", {"age": 59}) == ["/age"]
    assert refused(pkg.v1, "Old", {}) == ["/age"]


def check_classes(pkg):
    assert issubclass(pkg.v1.Dog, pkg.v1.Named)
    dog = pkg.v1.Dog(name="n", barks=False)
    assert pkg.v1.encode(dog) == {"name": "n", "barks": False}
