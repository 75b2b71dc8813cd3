"""``init``: a first configuration that builds as it stands."""

from __future__ import annotations

import json
import tomllib

import pytest
from jsonschema import Draft202012Validator

OUTPUT = {"target": "python", "seal": "", "features": ["unstable_session_archive"]}


@pytest.fixture
def place(project):
    """A project without a configuration."""
    (project.root / "acp-codegen.toml").unlink()
    return project


def read(place):
    return tomllib.loads((place.root / "acp-codegen.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("files", "out"),
    [
        ({}, "acp_bindings"),
        ({"src/x.py": ""}, "src/acp_bindings"),
        (
            {"pyproject.toml": '[project]\nname = "My-App"\n', "src/my_app/__init__.py": ""},
            "src/my_app/acp_bindings",
        ),
        (
            {"pyproject.toml": '[project]\nname = "my.app"\n', "my_app/__init__.py": ""},
            "my_app/acp_bindings",
        ),
        (
            {
                "pyproject.toml": '[project]\nname = "x"\n',
                "lib/y/acp-codegen.manifest.json": json.dumps(OUTPUT),
                ".hidden/acp-codegen.manifest.json": json.dumps(OUTPUT),
                "node_modules/acp-codegen.manifest.json": json.dumps(OUTPUT),
                "broken/acp-codegen.manifest.json": "{",
            },
            "lib/y",
        ),
    ],
)
def test_the_output_is_placed_by_the_project(place, files, out):
    for name, text in files.items():
        place.write(name, text)
    done = place.run("init")
    assert done.returncode == 0, done.stderr
    assert f"python into {out}, " in done.stderr
    [output] = read(place)["outputs"]
    assert (output["target"], output["out"]) == ("python", out)


@pytest.mark.slow
def test_it_builds_as_it_stands(place):
    assert place.run("init").returncode == 0
    done = place.run("build", "--stable")
    assert done.returncode == 0, done.stderr
    assert (place.root / "acp_bindings/v2/models.py").is_file()


def test_every_output_is_taken_up_with_its_features(place):
    for name in ("a", "b é"):
        place.write(f"{name}/acp-codegen.manifest.json", json.dumps(OUTPUT))
    assert place.run("init").returncode == 0
    found = read(place)["outputs"]
    assert [output["out"] for output in found] == ["a", "b é"]
    assert all(output["features"] == OUTPUT["features"] for output in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("acp-codegen.toml", "# mine\n"),
        ("pyproject.toml", '[tool.acp-codegen]\nschemas = "schemas"\n'),
    ],
)
def test_a_configuration_is_never_overwritten(place, name, text):
    place.write(name, text)
    before = place.state()
    done = place.run("init")
    assert done.returncode == 2
    assert done.stderr.startswith(f"acp-codegen: {name}: there is a configuration already")
    assert place.state() == before


def test_a_broken_pyproject_is_an_error(place):
    place.write("pyproject.toml", "[project\n")
    done = place.run("init")
    assert done.returncode == 2
    assert done.stderr.startswith("acp-codegen: pyproject.toml: ")
    assert not (place.root / "acp-codegen.toml").exists()


def test_the_commented_keys_are_in_the_format(place):
    place.run("init")
    text = (place.root / "acp-codegen.toml").read_text("utf-8")
    lines = []
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        lines.append(bare if " = " in bare and line.startswith("# ") else line)
    schema = json.loads(place.run("config-schema").stdout)
    shown = tomllib.loads("\n".join(lines).replace("stable = true", "stable = false"))
    Draft202012Validator(schema).validate(shown)
    assert set(shown) == {"schemas", "features", "outputs"}
    assert set(shown["outputs"][0]) >= {
        "target",
        "out",
        "features",
        "stable",
        "versions",
        "schemas",
    }
