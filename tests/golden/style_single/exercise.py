EXPECTED = ("v1.py",)

"""The single layout as it is without any other option."""

import importlib.util
import subprocess
import sys

import pytest
from pydantic import ValidationError

LOAF = {"loafId": "l", "grams": 5, "owner": None, "slices": [1]}


def check_omission_means_the_default(package):
    loaf = package.v1.Loaf.model_validate(LOAF)
    assert (loaf.loaf_id, loaf.flour, loaf.seeds, loaf.crust) == (
        "l",
        "rye",
        [],
        package.v1.Crust(thick=False),
    )
    assert (loaf.grade, loaf.prices, loaf.list, loaf.shelf) == (None, None, None, None)
    assert loaf.model_dump(by_alias=True, exclude_unset=True) == LOAF


def check_names_and_wire_names_both_make_a_model(package):
    assert package.v1.Loaf(loaf_id="l", grams=5, owner=None, slices=[1]) == (
        package.v1.Loaf.model_validate(LOAF)
    )


def check_a_default_instance_is_not_shared(package):
    one, other = (package.v1.Loaf.model_validate(LOAF) for _ in range(2))
    one.crust.thick = True
    assert other.crust.thick is False


def check_required_fields_must_be_there_even_null(package):
    for key in LOAF:
        with pytest.raises(ValidationError):
            package.v1.Loaf.model_validate({k: v for k, v in LOAF.items() if k != key})


def check_bounds_and_closed_words(package):
    for wrong in ({"grams": -1}, {"flour": "oat"}, {"list": []}, {"prices": {"a": "x"}}):
        with pytest.raises(ValidationError):
            package.v1.Loaf.model_validate({**LOAF, **wrong})
    assert package.v1.Loaf.model_validate({**LOAF, "grade": "new"}).grade == "new"


def check_malformed_values_are_salvaged(package):
    found = package.v1.Loaf.model_validate(
        {**LOAF, "crust": 5, "seeds": ["a", 1, "b"], "slices": 3, "shelf": None}
    )
    assert found.crust == package.v1.Crust()
    assert (found.seeds, found.slices, found.shelf) == (["a", "b"], [], [])
    assert package.v1.Loaf.model_validate({**LOAF, "seeds": 1}).seeds == []
    with pytest.raises(ValidationError):
        package.v1.Loaf.model_validate({**LOAF, "shelf": 1})


def check_unknown_keys_are_kept_unless_the_schema_forbids_them(package):
    assert package.v1.Loaf.model_validate({**LOAF, "x": 1}).model_dump()["x"] == 1
    with pytest.raises(ValidationError):
        package.v1.Closed.model_validate({"x": 1})


def check_descriptions_are_there_for_tools(package):
    field = package.v1.Loaf.model_fields["loaf_id"]
    assert field.description == 'Which loaf "this" is.'
    assert package.v1.Loaf.__doc__ == "Bread."
    schema = package.v1.Loaf.model_json_schema()
    assert schema["properties"]["loafId"]["description"] == 'Which loaf "this" is.'


def check_the_module_loads_by_path_alone(package):
    spec = importlib.util.spec_from_file_location("by_path", package.v1.__file__)
    module = importlib.util.module_from_spec(spec)
    assert "by_path" not in sys.modules
    spec.loader.exec_module(module)
    assert module.Loaf.model_validate(LOAF).grams == 5


def check_types_hold(package):
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", package.v1.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
