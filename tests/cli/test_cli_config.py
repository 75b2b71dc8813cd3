"""Configuration: where it is found, and what it refuses."""

from __future__ import annotations

import pytest

PYPROJECT = """
[project]
name = "other"

[tool.acp-codegen]
schemas = "schemas"

[[tool.acp-codegen.outputs]]
target = "python"
out = "lib/acp"
"""


def test_a_table_of_pyproject_is_as_good(project):
    (project.root / "acp-codegen.toml").unlink()
    project.write("pyproject.toml", PYPROJECT)
    done = project.run("build")
    assert done.returncode == 0, done.stderr
    assert (project.root / "lib/acp/v1/models.py").is_file()


def test_our_own_file_wins_over_pyproject(project):
    project.write("pyproject.toml", PYPROJECT)
    assert project.run("build").returncode == 0
    assert not (project.root / "lib").exists()


def test_a_pyproject_without_the_table_is_passed_over(project):
    project.write("sub/pyproject.toml", '[project]\nname = "x"\n')
    done = project.run("build", cwd=project.root / "sub")
    assert done.returncode == 0, done.stderr


def test_paths_are_relative_to_a_file_that_is_named(project, tmp_path):
    done = project.run("build", "--config", project.root / "acp-codegen.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert project.out.is_dir()


def test_schemas_alone_may_be_configured(project):
    project.write("acp-codegen.toml", 'schemas = "schemas"\n')
    done = project.run("build")
    assert done.returncode == 2
    assert "no output is configured" in done.stderr
    assert project.run("build", "--out", "x").returncode == 0


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("features =", "feature =", "#/feature", "Did you mean 'features'?"),
        ("out =", "oout =", "#/outputs/0/oout", "Did you mean 'out'?"),
        ('["hiding"]', '["hidng"]', "", "Did you mean 'hiding', perhaps"),
        ('["hiding"]', '"hiding"', "#/features", "must be a list"),
        ('"python"', '"pyton"', "", "Did you mean 'python', perhaps"),
        ('"python"', "3", "#/outputs/0/target", "must be a text"),
        ('out = "made/bindings"', "", "#/outputs/0/out", "out must be"),
        ("[[outputs]]", "[outputs]", "#/outputs", "[[outputs]]"),
        ('"python"', '"python"\nversions = ["v3"]', "", "there is no version 'v3'"),
        ("features =", "features ==", "", "not TOML"),
        ('"python"', '"python"\nstable = 1', "#/outputs/0/stable", "must be true or false"),
        (
            '"python"',
            '"python"\nstable = true\nfeatures = ["hiding"]',
            "#/outputs/0/stable",
            "contradict",
        ),
        (
            '"python"',
            '"python"\nschemas = { v11 = "x.json" }',
            "#/outputs/0/schemas/v11",
            "Did you mean 'v1'?",
        ),
        ('"python"', '"python"\nschemas = { v1 = 1 }', "#/outputs/0/schemas/v1", "must be a text"),
        ('["hiding"]', '["hiding", 1]', "#/features/1", "an item of features must be a text"),
        ("features =", "conversions = 1\nfeatures =", "#/conversions", "cannot be 1"),
    ],
)
def test_what_does_not_belong_is_refused_with_a_hint(project, old, new, place, said):
    config = (project.root / "acp-codegen.toml").read_text("utf-8")
    assert old in config
    project.write("acp-codegen.toml", config.replace(old, new))
    before = project.state()
    done = project.run("build")
    assert done.returncode == 2
    assert done.stderr.startswith(f"acp-codegen: acp-codegen.toml{place}: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert project.state() == before


def test_a_table_of_pyproject_is_checked_as_well(project):
    (project.root / "acp-codegen.toml").unlink()
    project.write("pyproject.toml", PYPROJECT.replace("target", "targte"))
    done = project.run("build")
    assert done.returncode == 2
    place = "pyproject.toml#/tool/acp-codegen/outputs/0/targte"
    assert done.stderr.startswith(f"acp-codegen: {place}: ")
    assert "Did you mean 'target'?" in done.stderr


def test_the_format_of_the_configuration_is_printed_for_editors(project, checkout):
    done = project.run("config-schema")
    assert done.stdout == (checkout / "schemas/config.schema.json").read_text("utf-8")


def test_an_output_may_read_a_schema_file_of_its_own(project, make_schema):
    schema = make_schema()
    schema["$defs"]["Extra"] = {"type": "object", "properties": {}}
    project.write("other/v1.json", schema)
    config = (project.root / "acp-codegen.toml").read_text("utf-8")
    project.write(
        "acp-codegen.toml",
        config + 'stable = true\nversions = ["v1"]\nschemas = { v1 = "other/v1.json" }\n',
    )
    done = project.run("build")
    assert done.returncode == 0, done.stderr
    assert "class Extra(" in (project.out / "v1/models.py").read_text("utf-8")
    assert "Features: none" in (project.out / "v1/models.py").read_text("utf-8")
    assert project.run("check").returncode == 0
    schema["$defs"]["More"] = schema["$defs"]["Extra"]
    project.write("other/v1.json", schema)
    assert project.run("check").returncode == 1


def test_outputs_differ_in_features(project):
    config = (project.root / "acp-codegen.toml").read_text("utf-8")
    more = '[[outputs]]\ntarget = "python"\nout = "made/stable"\nstable = true\n'
    project.write("acp-codegen.toml", config + more)
    done = project.run("build")
    assert done.returncode == 0, done.stderr
    assert "HideThingRequest" in (project.out / "v1/models.py").read_text("utf-8")
    stable = (project.root / "made/stable/v1/models.py").read_text("utf-8")
    assert "HideThingRequest" not in stable


def test_a_fault_in_the_tool_is_no_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    from acp_codegen import cli
    from click.testing import CliRunner

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(cli, "plan_builds", broken)
    done = CliRunner().invoke(cli.main, ["check"])
    assert done.exit_code == 4
    assert "RuntimeError: a bug" in done.output and "please report" in done.output
