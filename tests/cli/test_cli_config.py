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


def test_a_fault_in_the_tool_is_no_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    from acp_codegen import cli
    from click.testing import CliRunner

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(cli, "plan_builds", broken)
    done = CliRunner().invoke(cli.main, ["check"])
    assert done.exit_code == 4
    assert "RuntimeError: a bug" in done.output and "please report" in done.output
