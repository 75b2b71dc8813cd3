"""Importing a release: layout, descriptions, provenance, and nothing written for bad input."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError, UsageError
from acp_codegen.schema.importing import import_schema
from acp_codegen.schema.load import check_schema, load_document

ROOT = Path(__file__).parents[2]
UPSTREAM = ROOT.parent / "shared" / "upstream" / "sdk-2.4.0"

RELEASE: dict[str, Any] = {
    "description": "goes",
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "Zed": {
            "properties": {
                "description": {"description": "goes", "type": "string"},
                "a": {"allOf": [{"$ref": "#/$defs/description", "description": "goes"}]},
            },
            "required": ["description"],
            "type": "object",
            "default": {"description": "stays"},
            "description": "goes",
        },
        "description": {"const": {"description": "stays"}, "description": "goes"},
    },
}


def take(path: Path, folder: Path, version: str = "v1", *, keep: bool = False) -> list[str]:
    return import_schema(
        path, version, folder, keep_descriptions=keep, publisher="someone", release="1.0"
    )


@pytest.fixture
def release(tmp_path: Path) -> Path:
    path = tmp_path / "release.json"
    path.write_bytes(json.dumps(RELEASE).encode() + b"\r\n")
    return path


def without_descriptions(value: Any, *, named: bool = False) -> Any:
    """Drop string-valued description keywords; written apart from the code under test."""
    if isinstance(value, list):
        return [without_descriptions(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: without_descriptions(child, named=key in ("properties", "$defs") and not named)
        for key, child in value.items()
        if named or key != "description" or not isinstance(child, str)
    }


def test_only_description_keywords_are_dropped(release: Path, tmp_path: Path) -> None:
    take(release, tmp_path / "out")
    assert json.loads((tmp_path / "out/v1/schema.json").read_text()) == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "Zed": {
                "type": "object",
                "properties": {
                    "description": {"type": "string"},
                    "a": {"allOf": [{"$ref": "#/$defs/description"}]},
                },
                "required": ["description"],
                "default": {"description": "stays"},
            },
            "description": {"const": {"description": "stays"}},
        },
    }


def test_keywords_get_one_order_and_names_keep_theirs(release: Path, tmp_path: Path) -> None:
    take(release, tmp_path / "out", keep=True)
    text = (tmp_path / "out/v1/schema.json").read_text()
    schema = json.loads(text)
    assert schema == RELEASE
    assert list(schema) == ["$schema", "description", "$defs"]
    assert list(schema["$defs"]) == ["Zed", "description"]
    zed = schema["$defs"]["Zed"]
    assert list(zed) == ["description", "type", "properties", "required", "default"]
    assert list(zed["properties"]) == ["description", "a"]
    assert text.endswith("}\n") and "\r" not in text and "\n  " in text


def test_provenance_is_recorded_sorted(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert take(release, out, "v2", keep=True) == ["v2/schema.json", "sources.json"]
    assert take(release, out, "v1") == ["v1/schema.json", "sources.json"]
    sources = json.loads((out / "sources.json").read_text())
    assert list(sources) == ["v1", "v2"]
    assert sources["v1"] == {
        "descriptions": False,
        "publisher": "someone",
        "release": "1.0",
        "sha256": hashlib.sha256(release.read_bytes()).hexdigest(),
    }
    assert sources["v2"]["descriptions"] is True


def test_importing_again_changes_nothing(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    take(release, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert take(release, out) == []
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize("content", ["{", '{"$defs": {"A": {"if": {}}}}', "{}"])
def test_bad_input_writes_nothing(release: Path, tmp_path: Path, content: str) -> None:
    out = tmp_path / "out"
    bad = tmp_path / "bad.json"
    bad.write_text(content)
    with pytest.raises(InputError):
        take(bad, out)
    assert not out.exists()
    take(release, out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(InputError):
        take(bad, out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("content", ["[]", '{"v9": 1}', "nonsense"])
def test_broken_sources_file_writes_nothing(release: Path, tmp_path: Path, content: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "sources.json").write_text(content)
    with pytest.raises(InputError, match=r"sources\.json"):
        take(release, out)
    assert [path.name for path in out.iterdir()] == ["sources.json"]


@pytest.mark.parametrize("version", ["", "..", "a/b", "../v1", "v1\n"])
def test_version_must_be_a_plain_name(release: Path, tmp_path: Path, version: str) -> None:
    with pytest.raises(UsageError, match="not a version name"):
        take(release, tmp_path / "out", version)
    assert not (tmp_path / "out").exists()


def test_folder_that_cannot_be_written_is_a_usage_error(release: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(UsageError, match="cannot write"):
        take(release, tmp_path / "out")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_bundled_schema_is_in_the_layout_of_import(version: str, tmp_path: Path) -> None:
    bundled = ROOT / "schemas" / version / "schema.json"
    check_schema(load_document(bundled))
    take(bundled, tmp_path, version)
    assert (tmp_path / version / "schema.json").read_bytes() == bundled.read_bytes()


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="needs ../shared")
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_bundled_schema_equals_upstream_but_for_descriptions(version: str) -> None:
    path = UPSTREAM / version / "schema.json"
    bundled = json.loads((ROOT / "schemas" / version / "schema.json").read_text("utf-8"))
    upstream = json.loads(path.read_text("utf-8"))
    assert bundled == without_descriptions(upstream)
    assert list(bundled["$defs"]) == list(upstream["$defs"])
    sources = json.loads((ROOT / "schemas" / "sources.json").read_text("utf-8"))
    assert sources[version]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
