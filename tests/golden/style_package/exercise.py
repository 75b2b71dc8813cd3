"""Names and header in the package layout."""

EXPECTED = ("v1/methods.py", "v1/models.py")


def check_types_and_fields_are_called_as_asked(package):
    v1 = package.v1
    found = v1.decode("Pet", {"species": "newt", "petName": "n", "_meta": {}})
    assert type(found) is v1.RareNewt
    assert found.extras == {}
    assert (
        type(v1.decode("Pet", {"species": "sheepDog", "petName": "n", "tricks": 1})) is v1.SheepDog
    )
    assert v1.encode(found) == {"species": "newt", "petName": "n", "_meta": {}}


def check_a_definition_is_still_found_by_its_own_name(package):
    assert type(package.v1.decode("Cat", {"lives": 9})) is package.v1.Feline
    assert not hasattr(package.v1, "Cat")


def check_methods_are_called_as_asked(package):
    assert package.v1.ALL_METHODS["pet/stroke"].name == "pat"


def check_the_header_is_in_every_module(package):
    for module in (package, package.v1, package.v1.models):
        with open(module.__file__, encoding="utf-8") as file:
            text = file.read()
        assert '# Licence: MIT\n# (c) the "pet" people\n' in text
