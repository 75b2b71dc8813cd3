"""Strict JSON, and the schemas that are refused: each with its file, pointer and remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import EXIT_INPUT, InputError
from acp_codegen.schema import load
from acp_codegen.schema.load import Document, check_schema, load_document

SHARED = Path(__file__).parents[2].parent / "shared"


def write(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "in.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(tmp_path: Path, content: str | bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        load_document(write(tmp_path, content), file="given.json")
    error = caught.value
    assert error.exit_code == EXIT_INPUT
    assert error.where is not None and error.where.file == "given.json"
    assert error.remedy
    assert "\n" not in str(error)
    return error


@pytest.mark.parametrize(
    ("content", "pointer", "what"),
    [
        ("", "", "not JSON"),
        ('{"a": 1,}', "", "not JSON"),
        ('{"a": 1} {}', "", "not JSON"),
        ("[1]", "", "not an object"),
        ("3", "", "not an object"),
        ("NaN", "", "NaN is not a JSON value"),
        ('{"a": [1, NaN]}', "/a/1", "NaN is not a JSON value"),
        ('{"a": -Infinity}', "/a", "-Infinity is not a JSON value"),
        ('{"a": 1e999}', "/a", "out of range"),
        ('{"a": ' + "9" * 5000 + "}", "", "too many digits"),
        ('{"a": 1, "a": 2}', "/a", 'duplicate key "a"'),
        ('{"x": [{"a/b~\\"c": 1, "a/b~\\"c": 1}]}', '/x/0/a~1b~0"c', "duplicate key"),
        ('{"x": {"a": 1, "a": 2}, "x": 3}', "/x", 'duplicate key "x"'),
        ('{"a": "\\ud800"}', "/a", "lone surrogate"),
        ('{"a": {"\\udc00": 1}}', "/a", "lone surrogate"),
        ('{"a": "\\u0001\n"}', "", "not JSON"),
        ('{"a": "ä"}'.encode("latin-1"), "", "not UTF-8"),
        ('{"a": "x"}'.encode("utf-16"), "", "not UTF-8"),
        ('{"a": "x"}'.encode("utf-16-le"), "", "not UTF-8"),
        ('{"a": "x"}'.encode("utf-32"), "", "not UTF-8"),
    ],
)
def test_bad_json_is_refused_with_its_place(
    tmp_path: Path, content: str | bytes, pointer: str, what: str
) -> None:
    error = refusal(tmp_path, content)
    assert error.where is not None and error.where.pointer == pointer
    assert what in error.what


@pytest.mark.parametrize("depth", [101, 5_000, 500_000])
def test_deep_nesting_is_refused_without_a_traceback(tmp_path: Path, depth: int) -> None:
    assert "nested deeper" in refusal(tmp_path, '{"a":' * depth + "1" + "}" * depth).what


def test_nesting_up_to_the_limit_is_read(tmp_path: Path) -> None:
    load_document(write(tmp_path, '{"a":' * 100 + "1" + "}" * 100))


def test_a_file_beyond_the_size_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "MAX_BYTES", 10)
    assert "larger than" in refusal(tmp_path, '{"a": "0123456789"}').what


def test_missing_file_and_folder_are_input_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="cannot read the file") as caught:
            load_document(path)
        assert caught.value.where is not None and caught.value.where.file == str(path)


def test_bom_and_pairs_of_surrogates_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, b'\xef\xbb\xbf{"a": "\\ud83d\\ude00 \xc3\xa4"}')
    assert load_document(path).data == {"a": "\U0001f600 ä"}


def test_digest_is_the_same_with_windows_line_ends(tmp_path: Path) -> None:
    unix = load_document(write(tmp_path, '{\n"a": 1\n}\n'))
    windows = load_document(write(tmp_path, '{\r\n"a": 1\r\n}\r\n'))
    assert unix.sha256 == windows.sha256
    assert unix.data == windows.data


def document(**definitions: Any) -> Document:
    return Document(data={"$defs": definitions}, file="s.json", sha256="")


def faults_of(data: dict[str, Any], **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        check_schema(Document(data=data, file="s.json", sha256=""), **options)
    assert caught.value.where is not None and caught.value.where.file == "s.json"
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize(
    ("schema", "pointer", "what"),
    [
        ({"patternProperties": {}}, "/patternProperties", '"patternProperties" is not supported'),
        ({"if": True}, "/if", '"if" is not supported'),
        ({"then": True}, "/then", '"then" is not supported'),
        ({"prefixItems": [True]}, "/prefixItems", '"prefixItems" is not supported'),
        ({"dependentRequired": {}}, "/dependentRequired", "not supported"),
        ({"$id": "x"}, "/$id", "not supported"),
        ({"$defs": {}}, "/$defs", "at the top of a schema only"),
        ({"$schema": load.METASCHEMA}, "/$schema", "at the top of a schema only"),
        ({"unevaluatedProperties": False}, "/unevaluatedProperties", "only true"),
        ({"descripton": "x"}, "/descripton", "not supported"),
        ({"x-new": 1}, "/x-new", 'unknown extension keyword "x-new"'),
        ({"x-side": ""}, "/x-side", "non-empty string"),
        ({"x-method": 1}, "/x-method", "non-empty string"),
        ({"x-docs-ignore": "yes"}, "/x-docs-ignore", "true or false"),
        ({"x-deserialize-default-on-error": 1}, "/x-deserialize-default-on-error", "true or"),
        ({"x-deserialize-skip-invalid-items": 0}, "/x-deserialize-skip-invalid-items", "true or"),
        ({"x-deserialize-default-on-null": None}, "/x-deserialize-default-on-null", "true or"),
        ({"discriminator": {"mapping": {}}}, "/discriminator", '"propertyName" alone'),
        ({"properties": {"a/b": {"not": {"x-~": 1}}}}, "/properties/a~1b/not/x-~0", "x-~"),
        ({"items": {"anyOf": [{}, {"contains": {}}]}}, "/items/anyOf/1/contains", "contains"),
        ({"additionalProperties": {"x-y": 1}}, "/additionalProperties/x-y", "x-y"),
        ({"type": "objekt"}, "/type", "not a valid JSON Schema"),
        ({"properties": []}, "/properties", "not a valid JSON Schema"),
        ({"minLength": -1}, "/minLength", "not a valid JSON Schema"),
        ({"$ref": 3}, "/$ref", "not a valid JSON Schema"),
    ],
)
def test_what_the_dialect_lacks_is_refused_with_its_place(
    schema: dict[str, Any], pointer: str, what: str
) -> None:
    error = faults_of({"$defs": {"A": schema}})
    assert error.where is not None and error.where.pointer == "/$defs/A" + pointer
    assert what in error.what


@pytest.mark.parametrize(
    "ref",
    [
        "http://127.0.0.1:9/meta",
        "https://json-schema.org/draft/2020-12/schema",
        "file:///etc/hostname",
        "../other.json#/$defs/Q",
        "other.json",
        "//host/x",
        "",
    ],
)
def test_references_to_files_and_urls_are_never_fetched(ref: str) -> None:
    error = faults_of({"$defs": {"A": {"properties": {"x": {"$ref": ref}}}}})
    assert error.where is not None and error.where.pointer == "/$defs/A/properties/x/$ref"
    assert "never fetched" in error.remedy
    assert json.dumps(ref) in error.what


@pytest.mark.parametrize(
    "ref", ["#", "#/", "#A", "#/definitions/A", "#/$defs/A/properties/x", "#/$defs/%ff"]
)
def test_references_to_anything_but_a_definition_are_refused(ref: str) -> None:
    assert "unsupported reference" in faults_of({"$defs": {"A": {"$ref": ref}}}).what


def test_reference_to_nowhere_names_what_is_missing() -> None:
    assert 'no "B"' in faults_of({"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}}}).what


def test_references_are_decoded() -> None:
    names = {"a/b~c": {}, 'q"u ö%': {}}
    refs = ["#/$defs/a~1b~0c", "#/%24defs/a~1b~0c", "#/$defs/q%22u%20%C3%B6%25"]
    check_schema(document(**names, A={"anyOf": [{"$ref": ref} for ref in refs]}))


@pytest.mark.parametrize(
    "definitions",
    [
        {"A": {"$ref": "#/$defs/A"}},
        {"A": {"$ref": "#/$defs/B"}, "B": {"allOf": [{"$ref": "#/$defs/A"}]}},
        {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}},
        {"Z": {"$ref": "#/$defs/A"}, "A": {"oneOf": [{"not": {"$ref": "#/$defs/A"}}]}},
    ],
)
def test_ring_of_aliases_is_named(definitions: dict[str, Any]) -> None:
    error = faults_of({"$defs": definitions})
    assert "A -> " in error.what and error.what.endswith("-> A")


def test_recursion_through_objects_and_arrays_is_fine() -> None:
    check_schema(
        document(
            A={"properties": {"next": {"$ref": "#/$defs/A"}}},
            B={"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/B"}}, {"type": "null"}]},
        )
    )


def test_a_long_chain_of_aliases_is_no_ring() -> None:
    chain = {f"D{i}": {"$ref": f"#/$defs/D{i + 1}"} for i in range(3000)}
    check_schema(document(**chain, D3000={}))


def test_names_and_data_are_not_taken_for_keywords() -> None:
    data = {"if": 1, "$ref": "nowhere", "x-data": True}
    check_schema(
        document(
            **{"if": {"type": "object", "properties": {"$ref": {}, "x-y": {}, "then": {}}}},
            data={"const": data, "default": data, "enum": [data], "examples": [data]},
        )
    )


def test_harmless_extensions_are_accepted_and_not_looked_into() -> None:
    schema = document(A={"x-vendor": {"if": 1}})
    check_schema(schema, harmless=["x-vendor"])
    assert "x-vendor" in faults_of(schema.data, harmless=["x-other"]).what
    assert "not supported" in faults_of({"$defs": {"A": {"if": {}}}}, harmless=["if"]).what


def test_another_draft_and_missing_definitions_are_refused() -> None:
    old = faults_of({"$schema": "http://json-schema.org/draft-07/schema#", "$defs": {}})
    assert old.where is not None and old.where.pointer == "/$schema"
    assert "no $defs" in faults_of({"type": "object"}).what
    assert "not a valid JSON Schema" in faults_of({"$defs": []}).what


def test_all_findings_come_in_one_message_up_to_a_limit() -> None:
    error = faults_of({"$defs": {f"D{i}": {"if": {}} for i in range(15)}})
    assert "#/$defs/D9/if" in str(error)
    assert "#/$defs/D10/if" not in str(error)
    assert "and 5 more" in str(error)


def test_near_miss_is_suggested() -> None:
    error = faults_of({"$defs": {"A": {"x-deserialize-default-on-eror": True}}})
    assert 'did you mean "x-deserialize-default-on-error"?' in error.remedy


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_every_upstream_release_is_accepted() -> None:
    files = sorted(SHARED.glob("upstream/*/*/schema*.json"))
    assert files
    for path in files:
        check_schema(load_document(path))
