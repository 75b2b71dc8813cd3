"""The generated module has the names, fields and defaults that the SDK's own module has."""

from __future__ import annotations

import ast
import enum
import inspect
import json
import typing
from typing import Any

import pytest
from pydantic import BaseModel, RootModel


def models(contract: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what the contract says of each model by name."""
    return {name: said for name, said in contract["names"].items() if said.get("form") == "model"}


def members(hint: Any) -> list[str]:
    """Return the classes of a union, seen through Annotated and unions inside."""
    if isinstance(hint, type):
        return [hint.__name__]
    return [name for part in typing.get_args(hint) for name in members(part)]


def test_every_name_is_there(schema, contract, record_property):
    assert len(contract["names"]) == 284
    assert [name for name in contract["names"] if not hasattr(schema, name)] == []
    record_property("figure", f"drop-in for the Python SDK: {len(contract['names'])} names")


def test_every_name_stands_for_what_it_should(schema, contract):
    for name, said in contract["names"].items():
        found = getattr(schema, name)
        form = said.get("form") or "union_alias"
        if form == "literal_alias":
            assert typing.get_origin(found) is typing.Literal, name
            assert list(typing.get_args(found)) == said["values"], name
        elif form == "union_alias":
            assert members(found) == said["members"], name
        else:
            kind = {"model": BaseModel, "root_model": RootModel, "enum": enum.Enum}[form]
            assert issubclass(found, kind), name
            assert (form == "root_model") == issubclass(found, RootModel), name
            assert found.__name__ == name


def test_variants_extend_their_payloads(schema, contract):
    for name, said in models(contract).items():
        between = []
        for base in getattr(schema, name).__mro__[1:]:
            if base is schema.BaseModel:
                break
            between.append(base.__name__)
        if name != "BaseModel":
            assert between == said["mro"], name


def test_fields_have_their_names_aliases_and_defaults(schema, contract):
    for name, said in models(contract).items():
        fields = getattr(schema, name).model_fields
        assert set(fields) == set(said["fields"]), name
        for key, wanted in said["fields"].items():
            field = fields[key]
            assert (field.alias or key) == wanted["alias"], (name, key)
            assert field.is_required() == wanted["required"], (name, key)
            if not wanted["required"]:
                assert_default(schema, field.default, wanted["default"])


def assert_default(schema, found: Any, wanted: Any) -> None:
    """An instance in the contract is written as a call; an object counts as an instance of it."""
    if isinstance(found, BaseModel):
        kind = type(found)
        called = f"{kind.__name__!r}()"
        assert found == (kind() if wanted == called else kind.model_validate(wanted))
    else:
        assert found == wanted and type(found) is type(wanted)


def test_variants_are_called_as_the_rename_map_says(schema, contract):
    named = contract["rename_map"]
    assert len(named) == 64
    for key, name in named.items():
        tag = contract["names"][name].get("discriminators", {})
        for wire, value in tag.items():
            field = next(
                field
                for key_, field in getattr(schema, name).model_fields.items()
                if (field.alias or key_) == wire
            )
            assert typing.get_args(field.annotation) == (value,), key
            assert field.is_required(), key


def test_only_catch_alls_keep_extra_keys(schema, contract):
    for name, said in models(contract).items():
        wanted = said.get("extra", "ignore")
        assert getattr(schema, name).model_config.get("extra") == wanted, name


def test_string_enums_are_text_but_for_the_six(schema, contract):
    literals = {
        getattr(schema, name)
        for name, said in contract["names"].items()
        if said.get("form") == "literal_alias"
    }
    assert len(literals) == 6
    for name, said in models(contract).items():
        tags = set(said.get("discriminators", {}))
        for key, field in getattr(schema, name).model_fields.items():
            for hint in (field.annotation, *typing.get_args(field.annotation)):
                if typing.get_origin(hint) is typing.Literal and (field.alias or key) not in tags:
                    texts = isinstance(typing.get_args(hint)[0], str)
                    assert hint in literals or not texts, (name, key)


def test_the_method_tables_are_those_of_the_release(meta, upstream):
    said = json.loads(upstream("schema-v1.19.0/v1/meta.unstable.json").read_text("utf-8"))
    assert said["agentMethods"] == meta.AGENT_METHODS
    assert said["clientMethods"] == meta.CLIENT_METHODS
    assert said["version"] == meta.PROTOCOL_VERSION


def test_the_contracts_names_of_the_method_module_are_there(meta, contract):
    assert [name for name in contract["meta_names"] if not hasattr(meta, name)] == []


@pytest.mark.parametrize("name", ["schema.py", "meta.py"])
def test_the_files_import_nothing_but_pydantic_and_the_standard_library(made, name):
    tree = ast.parse((made / name).read_text("utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    assert found <= {"enum", "typing", "pydantic", "pydantic_core"}


def test_descriptions_are_on_fields_and_roots(schema, upstream):
    defs = json.loads(upstream("schema-v1.19.0/v1/schema.unstable.json").read_text("utf-8"))[
        "$defs"
    ]
    checked = 0
    for name, said in defs.items():
        found = getattr(schema, name, None)
        if not inspect.isclass(found) or not issubclass(found, BaseModel):
            continue
        if issubclass(found, RootModel):
            assert found.model_fields["root"].description == said["description"]
        for field in found.model_fields.values():
            wanted = said.get("properties", {}).get(field.alias, {}).get("description")
            if wanted:
                assert field.description == wanted
                checked += 1
    assert checked > 200
