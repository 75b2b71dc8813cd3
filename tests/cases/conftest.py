"""Fixtures of the cases: small builds, the real bindings, the real command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
for _folder in (ROOT / "tests" / "golden", ROOT / "generated" / "python"):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

COMMAND = Path(sys.executable).with_name("acp-codegen")


@pytest.fixture
def mini(tmp_path: Path) -> Callable[..., Any]:
    """Build definitions; return the module of their one version."""
    from mini import build_mini

    return lambda defs, **more: build_mini(tmp_path, defs, **more)


@pytest.fixture(scope="session")
def real() -> SimpleNamespace:
    """The committed bindings: v1, v2 and convert."""
    from acp_bindings import convert, v1, v2

    return SimpleNamespace(v1=v1, v2=v2, convert=convert)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command, in tmp_path if nothing else is said."""

    def call(*arguments: Any, cwd: Path = tmp_path, **env: str) -> Any:
        found = subprocess.run(
            [COMMAND, *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=False,
        )
        return subprocess.CompletedProcess(
            found.args, found.returncode, found.stdout.decode(), found.stderr.decode()
        )

    return call
