"""Names by pattern and by key: types, fields, methods, tables, aliases, the base class."""

import enum
import typing

EXPECTED = ("calls.py", "names.py")


def check_types_are_called_as_asked(package):
    names = {name for name in vars(package.names) if not name.startswith("__")}
    assert names >= {
        "Base",
        "_Feline",
        "Dog",
        "CatOfPet",
        "DogOfPet",
        "Newt",
        "NearThing",
        "FarThing",
        "CallLoud",
        "CallLoudNear",
        "CallLoudFar",
        "CallSoftNear",
        "Whisper",
        "Anyone",
        "Leash",
        "Inmate",
        "KeyCageDoor",
        "BoltCageDoor",
    }
    assert issubclass(package.names.CatOfPet, package.names._Feline)
    assert package.names._Feline.__name__ == "_Feline"
    assert issubclass(package.names._Feline, package.names.Base)


def check_a_variant_of_a_variant_extends_the_payload_definition(package):
    assert package.names.CallLoudNear.__mro__[1] is package.names._Feline


def check_fields_are_called_as_asked(package):
    found = package.names.DogOfPet(pet_name="p", stunts=1, extras={"a": 1})
    assert found.model_dump(by_alias=True) == {
        "petName": "p",
        "tricks": 1,
        "_meta": {"a": 1},
        "species": "sheepDog",
    }


def check_an_alias_is_the_union_of_its_parts(package):
    def members(hint):
        for part in typing.get_args(hint):
            if isinstance(part, type):
                yield part.__name__
            elif not hasattr(part, "discriminator"):
                yield from members(part)

    assert set(members(package.names.Anyone)) == {
        "CatOfPet",
        "DogOfPet",
        "Newt",
        "CallLoudNear",
        "CallLoudFar",
        "Dog",
    }


def check_an_enum_of_its_own(package):
    assert issubclass(package.names.Leash, enum.Enum)
    assert package.names.Leash.long_one.value == "long"


def check_methods(package):
    assert package.calls.KEEPER == {"pet_feed_now": "pet/feedNow", "pat": "pet/stroke"}
    assert package.calls.PROTOCOL_VERSION == 1
    assert {name for name in vars(package.calls) if name.isupper()} == {
        "KEEPER",
        "PROTOCOL_VERSION",
    }
