"""The wheel carries all it needs: it works in an environment of its own, outside the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFIG = """
features = ["unstable_session_archive"]

[[outputs]]
target = "python"
out = "bindings"
"""


def run(*command, cwd: Path) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_an_installed_wheel_builds_the_committed_bindings(tmp_path, contents, checkout):
    source = tmp_path / "source"
    parts = ("codegen", "conformance", "generated/python/acp_bindings", "schemas", "templates")
    for part in parts:
        shutil.copytree(
            checkout / part, source / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(checkout / file, source / file)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path / "dist", source, cwd=tmp_path)
    [wheel] = (tmp_path / "dist").glob("acp_codegen-*.whl")

    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    binaries = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(binaries / "python", *pip[1:], "install", wheel, cwd=tmp_path)
    shutil.rmtree(source)

    place = tmp_path / "place"
    place.mkdir()
    acp = binaries / "acp-codegen"
    assert run(acp, "features", cwd=place).startswith("unstable_session_archive\n")
    run(acp, "build", "--out", "stable", cwd=place)
    assert (place / "stable/v2/models.py").is_file()

    (place / "acp-codegen.toml").write_text(CONFIG, "utf-8")
    run(acp, "build", cwd=place)
    assert contents(place / "bindings") == contents(checkout / "generated/python/acp_bindings")

    # The suite brings its own bindings; the agent, for its part, has those of the checkout.
    where = "import acp_conformance.bindings.v2 as found; print(found.__file__)"
    assert Path(run(binaries / "python", "-c", where, cwd=place).strip()).is_relative_to(
        tmp_path / "venv"
    )
    assert run(acp, "conformance", "--list", cwd=place).startswith("capability-advertised ")
    agent = ("--", binaries / "python", "-m", "examples.archive_agent")
    for version in ("v1", "v2"):
        said = run(acp, "conformance", "--protocol", version, *agent, cwd=checkout)
        assert said.splitlines()[-1].endswith(" passed, 0 failed, 1 skipped")
