"""Taking a release in: from a file, a folder or an unpacked npm package, and only the right bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.cli import main
from click.testing import CliRunner, Result


def schema(name: str) -> str:
    return json.dumps({"$defs": {name: {"type": "string", "description": "x"}}})


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def take(source: object, into: Path, *options: str, version: str = "v1") -> Result:
    arguments = ["import", str(source), "--version", version, "--into", str(into), *options]
    return CliRunner().invoke(main, arguments)


def taken(into: Path, version: str = "v1") -> tuple[str, dict[str, Any]]:
    """Return the definition that was imported, and its origin."""
    data = json.loads((into / version / "schema.json").read_text("utf-8"))
    [name] = data["$defs"]
    return name, json.loads((into / "sources.json").read_text("utf-8"))[version]


PACKAGE = json.dumps({"name": "@someone/schemas", "version": "2.4.0"})

LAYOUTS = {
    "the version's own folder": {"v1/schema.json": "A", "v2/schema.json": "B"},
    "below schema": {"schema/v1/schema.json": "A", "schema/v2/schema.json": "B"},
    "below schema, deeper": {"dist/schema/v1/schema.json": "A"},
    "one schema in the folder": {"schema.json": "A", "meta.json": "M"},
    "one schema below schema": {"schema/schema.json": "A"},
    "beside unstable ones": {"v1/schema.json": "A", "v1/schema.unstable.json": "U"},
    "beside dependencies": {"schema.json": "A", "node_modules/x/v1/schema.json": "X"},
    "beside the other version": {"schema.json": "A", "v2/schema.json": "B"},
}


@pytest.mark.parametrize("files", LAYOUTS.values(), ids=LAYOUTS)
def test_the_schema_of_a_version_is_found_in_a_folder(tmp_path, files):
    write(tmp_path / "release", {name: schema(text) for name, text in files.items()})
    done = take(tmp_path / "release", tmp_path / "out")
    assert done.exit_code == 0, done.output
    name, origin = taken(tmp_path / "out")
    assert name == "A"
    assert (origin["publisher"], origin["release"]) == ("unknown", "unknown")


AMBIGUOUS = {
    "nothing": {},
    "another version only": {"v2/schema.json": "B"},
    "another version only, deeper": {"schema/v2/schema.json": "B"},
    "two of the version": {"a/v1/schema.json": "A", "b/v1/schema.json": "B"},
    "two of no version": {"a/schema.json": "A", "b/schema.json": "B"},
    "unstable only": {"v1/schema.unstable.json": "U"},
}


@pytest.mark.parametrize("files", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_a_folder_where_it_is_not_clear_writes_nothing(tmp_path, files):
    (tmp_path / "release").mkdir()
    write(tmp_path / "release", {name: schema(text) for name, text in files.items()})
    done = take(tmp_path / "release", tmp_path / "out")
    assert done.exit_code == 3
    assert "release: there is " in done.stderr and "v1" in done.stderr
    assert done.stderr.endswith("Give the schema file itself.\n")
    assert all(
        name in done.stderr for name in files if name.endswith("/schema.json") and len(files) > 1
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_version_is_not_taken_for_the_asked_one(tmp_path):
    write(tmp_path / "v2", {"schema.json": schema("B")})
    assert take(tmp_path / "v2", tmp_path / "out").exit_code == 3
    assert take(tmp_path / "v2", tmp_path / "out", version="v2").exit_code == 0


@pytest.mark.parametrize("inside", ["", "package/"])
def test_a_package_names_publisher_and_release(tmp_path, inside):
    write(
        tmp_path / "p",
        {f"{inside}package.json": PACKAGE, f"{inside}schema/v1/schema.json": schema("A")},
    )
    done = take(tmp_path / "p", tmp_path / "out")
    assert done.exit_code == 0, done.output
    name, origin = taken(tmp_path / "out")
    assert (name, origin["publisher"], origin["release"]) == ("A", "@someone/schemas", "2.4.0")


def test_what_is_said_counts_more_than_the_package(tmp_path):
    write(tmp_path / "p", {"package.json": PACKAGE, "schema.json": schema("A")})
    take(tmp_path / "p", tmp_path / "out", "--release", "nightly")
    origin = taken(tmp_path / "out")[1]
    assert (origin["publisher"], origin["release"]) == ("@someone/schemas", "nightly")
    take(tmp_path / "p", tmp_path / "out", "--publisher", "me", "--release", "nightly")
    assert taken(tmp_path / "out")[1]["publisher"] == "me"


def test_a_file_is_of_unknown_origin_unless_said(tmp_path):
    write(tmp_path / "p", {"package.json": PACKAGE, "schema.json": schema("A")})
    assert take(tmp_path / "p" / "schema.json", tmp_path / "out").exit_code == 0
    assert taken(tmp_path / "out")[1]["publisher"] == "unknown"


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("{", ""),
        ('{"name": 3, "version": "1"}', "#/name"),
        ('{"name": "a\\nb", "version": "1"}', "#/name"),
        ('{"name": "a"}', ""),
    ],
)
def test_a_broken_package_file_writes_nothing(tmp_path, text, pointer):
    write(tmp_path / "p", {"package.json": text, "schema.json": schema("A")})
    done = take(tmp_path / "p", tmp_path / "out")
    assert done.exit_code == 3
    assert f"package.json{pointer}: " in done.stderr
    assert not (tmp_path / "out").exists()
    said = ("--publisher", "me", "--release", "1")
    assert take(tmp_path / "p", tmp_path / "out", *said).exit_code == 0


def test_only_the_right_bytes_are_taken(tmp_path):
    write(tmp_path, {"schema.json": schema("A")})
    digest = hashlib.sha256((tmp_path / "schema.json").read_bytes()).hexdigest()
    done = take(tmp_path / "schema.json", tmp_path / "out", "--sha256", digest.upper())
    assert done.exit_code == 0, done.output
    assert taken(tmp_path / "out")[1]["sha256"] == digest

    before = (tmp_path / "out/sources.json").read_bytes()
    (tmp_path / "schema.json").write_text(schema("B"), "utf-8")
    done = take(tmp_path / "schema.json", tmp_path / "out", "--sha256", digest)
    assert done.exit_code == 3
    assert digest in done.stderr and "schema.json: the file has the sha256" in done.stderr
    assert (taken(tmp_path / "out")[0], (tmp_path / "out/sources.json").read_bytes()) == (
        "A",
        before,
    )


@pytest.mark.parametrize("digest", ["", "abc", "g" * 64, "a" * 63, "a" * 64 + "\n"])
def test_what_is_no_digest_is_wrong_usage(tmp_path, digest):
    write(tmp_path, {"schema.json": schema("A")})
    done = take(tmp_path / "schema.json", tmp_path / "out", "--sha256", digest)
    assert done.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_the_digest_is_that_of_the_schema_in_a_folder(tmp_path):
    write(tmp_path / "release", {"v1/schema.json": schema("A")})
    digest = hashlib.sha256(schema("A").encode()).hexdigest()
    done = take(tmp_path / "release", tmp_path / "out", "--sha256", digest)
    assert done.exit_code == 0, done.output


UPSTREAM = Path(__file__).parents[3] / "shared" / "upstream"


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="needs ../shared")
@pytest.mark.parametrize(
    ("release", "version"),
    [("schema-v1.21.0", "v1"), ("schema-v2.0.0-alpha.3", "v2"), ("sdk-2.4.0", "v1"),
     ("sdk-2.4.0", "v2")],
)  # fmt: skip
def test_upstream_releases_are_taken_as_folders(tmp_path, release, version):
    done = take(UPSTREAM / release, tmp_path / "out", version=version)
    assert done.exit_code == 0, done.output
    origin = json.loads((tmp_path / "out/sources.json").read_text("utf-8"))[version]
    file = UPSTREAM / release / version / "schema.json"
    assert origin["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
