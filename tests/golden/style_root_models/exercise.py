EXPECTED = ("v1.py",)

"""Definitions that are classes with a root: in fields too, or for their name only."""

from pydantic import RootModel


def check_fields_hold_root_models(package):
    v1 = package.v1
    form = v1.Form.model_validate({"input": {"hint": "h"}})
    assert form.input == v1.Input(root=v1.Note(hint="h"))
    assert form.model_dump(exclude_unset=True) == {"input": {"hint": "h"}}
    assert v1.Input.model_fields["root"].description == "What is said."
    assert v1.Input.model_json_schema()["description"] == "What is said."


def check_fields_hold_the_bare_value_where_only_the_name_is_wanted(package):
    v1 = package.v1
    assert issubclass(v1.Value, RootModel)
    assert v1.Value.model_validate(["a"]).root == ["a"]
    assert v1.Form.model_validate({"content": {"a": 1, "b": ["x"]}}).content == {"a": 1, "b": ["x"]}


def check_a_type_that_contains_itself_can_be_said_with_one(package):
    form = package.v1.Form.model_validate({"tree": [1, [2, []]]})
    assert form.model_dump(exclude_unset=True) == {"tree": [1, [2, []]]}


def check_items_behind_a_name_are_skipped(package):
    assert package.v1.Form.model_validate({"words": ["a", 1]}).words == ["a"]


def check_an_alias_expands_a_root_model(package):
    assert package.v1.Everything is package.v1.Note
