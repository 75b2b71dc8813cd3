"""The output depends on its inputs and on nothing else."""

from __future__ import annotations

import shutil

import pytest

HOSTILE = """
[tool.black]
line-length = 40
skip-string-normalization = true

[tool.isort]
profile = "google"

[tool.ruff]
line-length = 40

[tool.datamodel-codegen]
snake-case-field = true
collapse-root-models = true
"""

ODD_ENVIRONMENT = {
    "PYTHONHASHSEED": "4711",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONIOENCODING": "ascii",
    "SOURCE_DATE_EPOCH": "1",
    "TZ": "Pacific/Kiritimati",
    "COLUMNS": "30",
}


def make_hostile(project):
    """Return a folder to stand in, with settings of other tools in it and above it."""
    for path in (project.root / "schemas").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    project.write("pyproject.toml", HOSTILE)
    return project.write("deep/er/pyproject.toml", HOSTILE).parent


def test_a_hostile_place_changes_no_byte(built):
    wanted = built.bytes()
    shutil.rmtree(built.out)
    here = make_hostile(built)
    done = built.run("build", cwd=here, **ODD_ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert built.bytes() == wanted
    assert b"\r" not in b"".join(wanted.values())


@pytest.mark.slow
def test_a_feature_that_is_off_leaves_no_trace(project):
    assert project.run("build", "--stable").returncode == 0
    off = project.bytes()
    shutil.rmtree(project.out)
    shutil.rmtree(project.root / "schemas/overlays")
    assert project.run("build", "--stable").returncode == 0
    assert project.bytes() == off


def test_generated_is_what_a_build_makes(acp, checkout):
    done = acp("check", "--full", cwd=checkout)
    assert done.returncode == 0, done.stderr


def own_schemas(project, checkout):
    """Give ``project`` the schemas and features of this repository."""
    shutil.rmtree(project.root / "schemas")
    shutil.copytree(checkout / "schemas", project.root / "schemas")
    config = (project.root / "acp-codegen.toml").read_text("utf-8")
    project.write("acp-codegen.toml", config.replace('"hiding"', '"unstable_session_archive"'))


@pytest.mark.slow
def test_a_hostile_place_makes_the_committed_bindings(project, contents, checkout):
    own_schemas(project, checkout)
    done = project.run("build", cwd=make_hostile(project), **ODD_ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert project.bytes() == contents(checkout / "generated/python/acp_bindings")


@pytest.mark.slow
def test_session_archive_off_leaves_no_trace(project, checkout):
    own_schemas(project, checkout)
    assert project.run("build", "--stable").returncode == 0
    off = project.bytes()
    shutil.rmtree(project.out)
    shutil.rmtree(project.root / "schemas/overlays")
    assert project.run("build", "--stable").returncode == 0
    assert project.bytes() == off
    assert not any(b"rchive" in text for text in off.values())
