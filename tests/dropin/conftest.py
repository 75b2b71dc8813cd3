"""What examples/python-sdk makes of the schema that the official Python SDK was made from."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
CONFIG = ROOT / "examples/python-sdk/acp-codegen.toml"
COMMAND = str(Path(sys.executable).with_name("acp-codegen"))

Done = subprocess.CompletedProcess[str]


def _there(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"shared/{path.relative_to(SHARED).as_posix()} is not here")
    return path


def build_with(schema: Path, out: Path, config: Path = CONFIG) -> Done:
    """Build the example, or another configuration, from ``schema`` into ``out``."""
    return subprocess.run(
        [COMMAND, "build", "--config", config, "--schema", f"v1={schema}", "--out", out],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def load(path: Path, name: str) -> ModuleType:
    """Load a module by its path, as the SDK's own scripts do."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def upstream() -> Callable[[str], Path]:
    return lambda name: _there(SHARED / "upstream" / name)


@pytest.fixture(scope="session")
def contract() -> dict[str, Any]:
    path = _there(SHARED / "dropin/contract.json")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, upstream: Callable[[str], Path]) -> Path:
    """The folder with schema.py and meta.py."""
    out = tmp_path_factory.mktemp("dropin") / "acp"
    done = build_with(upstream("schema-v1.19.0/v1/schema.unstable.json"), out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def schema(made: Path) -> ModuleType:
    return load(made / "schema.py", "dropin_schema")


@pytest.fixture(scope="session")
def meta(made: Path) -> ModuleType:
    return load(made / "meta.py", "dropin_meta")


@pytest.fixture(scope="session")
def build() -> Callable[..., Done]:
    return build_with


@pytest.fixture(scope="session")
def example() -> str:
    """The text of the example's configuration."""
    return CONFIG.read_text("utf-8")


@pytest.fixture(scope="session")
def loaded() -> Callable[[Path, str], ModuleType]:
    return load
