"""Bad input: the documented exit code, one paragraph with place and remedy, an untouched disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Change = Callable[[dict[str, Any]], Any]


def assert_refused(project, done, code: int, *said: str) -> None:
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("acp-codegen: ")
    assert done.stderr.endswith(".\n")
    assert done.stderr.count("\n") == 1
    for text in said:
        assert text in done.stderr


def refused(project, code: int, *said: str, arguments: tuple[str, ...] = ()) -> None:
    """``build`` and ``check`` refuse, and nothing changes."""
    before = project.state()
    for command in ("build", "check"):
        assert_refused(project, project.run(command, *arguments), code, *said)
    assert project.state() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"$defs": {', "not JSON"),
        (b"[]", "not an object"),
        ('{"title": "ä"}'.encode("latin-1"), "not UTF-8"),
        ('{"title": "x"}'.encode("utf-16"), "not UTF-8"),
        (b'{"$defs": {}, "$defs": {}}', "duplicate key"),
    ],
)
def test_a_file_that_is_no_strict_json(built, content, said):
    built.write("schemas/v2/schema.json", content)
    refused(built, 3, "schemas/v2/schema.json", said)


def _reference(target: str) -> Change:
    def change(defs: dict[str, Any]) -> None:
        defs["HelloResponse"]["properties"]["can"] = {"$ref": target}

    return change


def _cycle(defs: dict[str, Any]) -> None:
    defs["A"] = {"$ref": "#/$defs/B"}
    defs["B"] = {"allOf": [{"$ref": "#/$defs/A"}]}


def _twice(defs: dict[str, Any]) -> None:
    defs["ShowThingsRequest"] = defs["ListThingsRequest"]
    defs["ShowThingsResponse"] = defs["ListThingsResponse"]


@pytest.mark.parametrize(
    ("change", "pointer", "said"),
    [
        (_reference("#/$defs/Nowhere"), "/$defs/HelloResponse/properties/can", "Nowhere"),
        (_reference("other.json#/$defs/Can"), "/$defs/HelloResponse/properties/can", "other.json"),
        (
            _reference("https://example.invalid/schema.json"),
            "/$defs/HelloResponse/properties/can",
            "example.invalid",
        ),
        (_cycle, "/$defs/A", "B"),
        (
            lambda defs: defs.pop("ListThingsResponse"),
            "/$defs/ListThingsRequest",
            "ListThingsRequest",
        ),
        (_twice, "/$defs/", "ShowThingsRequest"),
        (
            lambda defs: defs["Id"].update({"x-new-rule": True}),
            "/$defs/Id/x-new-rule",
            "x-new-rule",
        ),
    ],
    ids=["nowhere", "file", "url", "cycle", "no response", "two requests", "x- keyword"],
)
def test_a_schema_that_cannot_be_represented(built, make_schema, change, pointer, said):
    schema = make_schema()
    change(schema["$defs"])
    built.write("schemas/v1/schema.json", schema)
    refused(built, 3, f"schemas/v1/schema.json#{pointer}", said)


def test_an_unknown_keyword_that_configuration_calls_harmless(built, make_schema):
    schema = make_schema()
    schema["$defs"]["Id"]["x-new-rule"] = True
    built.write("schemas/v1/schema.json", schema)
    config = (built.root / "acp-codegen.toml").read_text("utf-8")
    built.write("acp-codegen.toml", f'harmless = ["x-new-rule"]\n{config}')
    done = built.run("build")
    assert done.returncode == 0, done.stderr


def test_a_schema_file_that_is_not_there(built):
    refused(built, 3, "gone.json", arguments=("--schema", "v1=gone.json"))


def test_a_schema_file_that_is_a_folder(built):
    refused(built, 3, "schemas", arguments=("--schema", "v1=schemas"))


def test_an_unknown_feature(built):
    refused(built, 2, "'hidin'", "Did you mean 'hiding'", arguments=("--feature", "hidin"))


@pytest.mark.parametrize("command", [["schema", "v1"], ["methods"]])
def test_an_unknown_feature_of_a_listing(project, command):
    done = project.run(*command, "--feature", "hidin")
    assert_refused(project, done, 2, "'hidin'", "hiding")


def test_an_overlay_that_repeats_the_schema_in_another_shape(built, make_schema):
    schema = make_schema()
    schema["$defs"]["HideThingRequest"] = {"type": "object"}
    built.write("schemas/v1/schema.json", schema)
    refused(built, 3, "schemas/overlays/hiding/v1.json#/definitions/HideThingRequest", "#/$defs/")


def test_an_overlay_that_extends_what_is_not_there(built):
    overlay = built.root / "schemas/overlays/hiding/v1.json"
    overlay.write_text(overlay.read_text("utf-8").replace('"Can": {', '"Cat": {'), "utf-8")
    refused(built, 3, "schemas/overlays/hiding/v1.json#/properties/Cat", "'Cat'")


def test_a_foreign_file_where_ours_must_go(project):
    project.write("made/bindings/v1/models.py", "mine = 1\n")
    before = project.state()
    done = project.run("build")
    assert_refused(project, done, 2, "made/bindings/v1/models.py", "did not make", "nothing was")
    assert project.state() == before


def test_an_output_folder_that_cannot_be_made(project):
    project.write("blocked", "a file\n")
    before = project.state()
    done = project.run("build", "--out", "blocked/bindings")
    assert_refused(project, done, 2, "blocked/bindings")
    assert project.state() == before


def test_an_output_folder_that_is_a_file(project):
    project.write("blocked", "a file\n")
    before = project.state()
    done = project.run("build", "--out", "blocked")
    assert_refused(project, done, 2, "blocked", "not a folder")
    assert project.state() == before


def test_a_corrupt_manifest(built):
    built.write("made/bindings/acp-codegen.manifest.json", "{")
    before = built.state()
    done = built.run("build")
    assert_refused(built, done, 2, "acp-codegen.manifest.json", "version control")
    assert built.state() == before


def test_imported_files_are_held_to_the_same(project, make_schema):
    before = project.state()
    done = project.run("import", "acp-codegen.toml", "--version", "v1")
    assert_refused(project, done, 3, "acp-codegen.toml", "not JSON")
    done = project.run("import", "gone.json", "--version", "v1")
    assert_refused(project, done, 3, "gone.json")
    done = project.run("import", "schemas/v1/schema.json", "--version", "../v1")
    assert_refused(project, done, 2, "'../v1'")
    done = project.run(
        "import", "schemas/v1/schema.json", "--version", "v1", "--into", "acp-codegen.toml"
    )
    assert_refused(project, done, 2, "acp-codegen.toml")
    assert project.state() == before


def test_an_unusable_record_of_origins(project):
    project.write("schemas/sources.json", {"v1": 3})
    refused(project, 3, "schemas/sources.json#/v1")


def test_a_names_file_that_names_nothing(project):
    project.write("schemas/names.toml", '[methods]\n"thing/lisst" = "things"\n')
    refused(project, 3, "schemas/names.toml", "thing/lisst")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[errors]\ndefinition = "Colourr"\n', ("/errors/definition", "Colourr", "'Colour'")),
        ("[errors]\n", ("/errors", "definition")),
        ('[errors]\ndefinition = "Colour"\nmore = 1\n', ("/errors/more",)),
        (
            '[cancel]\nmethod = "thing/lisst"\nparameter = "after"\ncode = 1\n',
            ("/cancel/method", "'thing/list'"),
        ),
        (
            '[cancel]\nmethod = "thing/list"\nparameter = "aftr"\ncode = 1\n',
            ("/cancel/parameter", "'after'"),
        ),
        ('[cancel]\nmethod = "thing/list"\ncode = 1\n', ("/cancel", "parameter")),
        (
            '[cancel]\nmethod = "thing/list"\nparameter = "after"\ncode = true\n',
            ("/cancel/code", "integer"),
        ),
    ],
)
def test_error_codes_and_cancellation_that_name_nothing(project, text, said):
    project.write("schemas/names.toml", text)
    refused(project, 3, "schemas/names.toml", *said)


def test_a_gates_file_that_names_nothing(project):
    gate = (
        '{ side = "agent", method = "hello", '
        'capability = { definition = "HelloResponse", path = ["can", "fly"] } }'
    )
    project.write("schemas/gates/v2.toml", f"gates = [{gate}]\n")
    refused(project, 3, "schemas/gates/v2.toml#/gates/0/capability", "'fly'")


def test_a_rules_file_that_names_nothing(project):
    rules = '[methods]\n"thing/lisst" = "thing/list"\n'
    project.write("schemas/conversion/rules.toml", rules)
    refused(project, 3, "schemas/conversion/rules.toml", "thing/lisst")


@pytest.mark.parametrize(
    "name", ["schemas/names.toml", "schemas/conversion/rules.toml", "schemas/gates/v1.toml"]
)
@pytest.mark.parametrize("content", [b"= 1\n", b"\xff\n"])
def test_a_data_file_that_is_no_toml(project, name, content):
    project.write(name, content)
    refused(project, 3, name)


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "--schema", "v1"],
        ["build", "--schema", "=x"],
        ["build", "--nonsense"],
        ["nonsense"],
        ["schema"],
        ["import"],
    ],
)
def test_wrong_usage(project, arguments):
    before = project.state()
    done = project.run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr
    assert project.state() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "--stable", "--feature", "hiding"], "contradict"),
        (["build", "--target", "pyhton"], "Did you mean 'python'"),
        (["build", "--config", "gone.toml"], "gone.toml"),
        (["schema", "v9"], "v1, v2"),
    ],
)
def test_options_that_make_no_sense(project, arguments, said):
    assert_refused(project, project.run(*arguments), 2, said)


def test_schemas_that_are_not_there(project):
    config = (project.root / "acp-codegen.toml").read_text("utf-8")
    project.write("acp-codegen.toml", config.replace('"schemas"', '"schemes"'))
    refused(project, 2, "schemes", "no schema", "acp-codegen import")


def test_messages_are_the_same_as_json_pointers_say(built, make_schema):
    """A pointer escapes what RFC 6901 says it must."""
    schema = make_schema()
    schema["$defs"]["a/b~c"] = {"type": "object", "x-odd": 1}
    built.write("schemas/v1/schema.json", json.dumps(schema))
    refused(built, 3, "schemas/v1/schema.json#/$defs/a~1b~0c/x-odd")
