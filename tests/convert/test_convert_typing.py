"""The overloads under strict type checkers, and that they cost nothing at run time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "generated" / "python"
SAMPLE = Path(__file__).with_name("typed_sample.py")
ENV = {**os.environ, "PYTHONPATH": str(PACKAGES), "MYPYPATH": str(PACKAGES)}


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, env=ENV, capture_output=True, text=True, check=False
    )


def test_sample_runs() -> None:
    done = run("-W", "error", str(SAMPLE), cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_knows_the_results(tmp_path: Path) -> None:
    done = run("-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(SAMPLE), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_knows_the_results(tmp_path: Path) -> None:
    settings = {
        "include": ["sample.py"],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.10",
        "extraPaths": [str(PACKAGES)],
    }
    (tmp_path / "sample.py").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = run("-m", "pyright", "--pythonpath", sys.executable, "-p", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_converter_alone_imports_no_models() -> None:
    code = (
        "import sys; from acp_bindings.convert import convert_json\n"
        "assert convert_json('v1_to_v2', 'TextContent', {'text': 't'}) == [{'text': 't'}]\n"
        "held = [n for n in sys.modules if n.startswith(('acp_bindings.v', 'pydantic'))]\n"
        "assert not held, held"
    )
    done = run("-c", code, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_checking_a_module_that_converts_does_not_take_long(tmp_path: Path) -> None:
    """With the bindings in the cache, all calls of the sample are checked in seconds."""
    arguments = ("-m", "mypy", "--strict", "--cache-dir", str(tmp_path))
    run(*arguments, str(SAMPLE), cwd=tmp_path)
    changed = tmp_path / "changed.py"
    changed.write_bytes(SAMPLE.read_bytes())
    start = time.monotonic()
    done = run(*arguments, str(changed), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - start < 20
