"""The generated package and a consumer of it under strict type checkers."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "generated" / "python" / "acp_bindings"
CONSUMER = Path(__file__).with_name("consumer.py")


def run(*command: str, cwd: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    import os

    env = {**os.environ, **({"PYTHONPATH": str(path), "MYPYPATH": str(path)} if path else {})}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def test_mypy_strict_has_no_findings(tmp_path: Path) -> None:
    done = run(
        sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(PACKAGE), str(CONSUMER),
        cwd=tmp_path, path=PACKAGE.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_strict_has_no_findings(tmp_path: Path) -> None:
    settings = {
        "include": [str(PACKAGE), str(CONSUMER)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.10",
        "extraPaths": [str(PACKAGE.parent)],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = run(
        sys.executable,
        "-m",
        "pyright",
        "--pythonpath",
        sys.executable,
        "-p",
        str(tmp_path),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_consumer_runs() -> None:
    done = run(sys.executable, "-W", "error", str(CONSUMER), cwd=ROOT, path=PACKAGE.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_code_is_python_3_10() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 15
    for file in files:
        ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 10))
