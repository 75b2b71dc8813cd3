"""The hook in another repository that vendors the output, run by pre-commit itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

OWN_PARTS = ("codegen", "conformance", "generated/python/acp_bindings", "schemas", "templates")
OWN_FILES = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "action.yml")

VENDOR_CONFIG = """
features = ["unstable_session_archive"]

[[outputs]]
target = "python"
out = "src/vendor/acp_bindings"
"""


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment["PRE_COMMIT_HOME"] = str(cwd.parent / "pre-commit-home")
    # The printed command is run as it stands: the tool is on the path.
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def must(*command: object, cwd: Path) -> str:
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout
    return done.stdout


def commit_all(folder: Path) -> str:
    git = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    must("git", "init", "--quiet", cwd=folder)
    must("git", "add", "--all", cwd=folder)
    must(*git, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "chore: all", cwd=folder)
    return must("git", "rev-parse", "HEAD", cwd=folder).strip()


@pytest.fixture
def hook_repository(tmp_path: Path, checkout: Path) -> tuple[Path, str]:
    """What is in the working tree now, as a repository with one commit."""
    folder = tmp_path / "acp-codegen"
    for part in OWN_PARTS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(checkout / part, folder / part, ignore=ignored)
    for file in OWN_FILES:
        shutil.copy2(checkout / file, folder / file)
    return folder, commit_all(folder)


@pytest.mark.slow
def test_the_hook_guards_a_repository_that_vendors(tmp_path, hook_repository):
    hook, revision = hook_repository
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "acp-codegen.toml").write_text(VENDOR_CONFIG, "utf-8")
    (vendor / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hook.as_posix()}\n  rev: {revision}\n"
        "  hooks:\n  - id: acp-codegen-check\n  - id: acp-codegen-build\n",
        "utf-8",
    )
    must("acp-codegen", "build", cwd=vendor)
    commit_all(vendor)
    precommit = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    must(*precommit, cwd=vendor)

    name = "src/vendor/acp_bindings/v1/models.py"
    edited = vendor / name
    good = edited.read_bytes()
    edited.write_bytes(good + b"edited = True\n")
    done = run(*precommit, cwd=vendor)
    assert done.returncode == 1
    assert f"modified: {name}\n" in done.stdout
    assert edited.read_bytes() != good

    [command] = [line for line in done.stdout.splitlines() if line.startswith("To mend it, run: ")]
    must(*command.removeprefix("To mend it, run: ").split(), cwd=vendor)
    assert edited.read_bytes() == good
    must(*precommit, cwd=vendor)
    assert must("git", "status", "--porcelain", cwd=vendor) == ""

    edited.write_bytes(b"")
    # A hook that changes files fails, so that the change is looked at.
    done = run(*precommit, "--hook-stage", "manual", "acp-codegen-build", cwd=vendor)
    assert "files were modified by this hook" in done.stdout
    assert edited.read_bytes() == good


@pytest.mark.slow
def test_the_action_checks_a_repository_that_vendors(tmp_path, hook_repository):
    """Run the steps of the action as a runner would, in a second repository."""
    action = yaml.safe_load((hook_repository[0] / "action.yml").read_text("utf-8"))
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "own.toml").write_text(VENDOR_CONFIG, "utf-8")
    must("acp-codegen", "build", "--config", "own.toml", cwd=vendor)
    values = {name: entry["default"] for name, entry in action["inputs"].items()}
    values |= {"python": sys.executable, "config": "own.toml"}

    def fill(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], text)

    def step(number: int) -> subprocess.CompletedProcess[str]:
        item = action["runs"]["steps"][number]
        assert "${{" not in item["run"]  # a value of an input is never part of the script
        given = {name: fill(value) for name, value in item["env"].items()}
        given |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(hook_repository[0])}
        settings = [f"{name}={value}" for name, value in given.items()]
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", item["run"]]
        return run("env", *settings, *shell, cwd=vendor / fill(item.get("working-directory", ".")))

    assert step(0).returncode == 0
    assert step(1).returncode == 0
    edited = vendor / "src/vendor/acp_bindings/v1/models.py"
    edited.write_bytes(edited.read_bytes() + b"edited = True\n")
    done = step(1)
    assert done.returncode == 1 and "modified: src/vendor/acp_bindings/v1/models.py" in done.stdout


def test_this_repository_uses_a_check_on_itself(checkout):
    config = (checkout / ".pre-commit-config.yaml").read_text("utf-8")
    assert "acp-codegen check" in config
