"""Runs the real command, as a user does, in a small project of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

COMMAND = str(Path(sys.executable).with_name("acp-codegen"))
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


def run_command(*arguments: object, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run ``acp-codegen`` in ``cwd`` without a terminal."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def bytes_below(root: Path) -> dict[str, bytes]:
    """Return every file below ``root`` by relative path, caches aside."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def state_below(root: Path) -> dict[str, tuple[int, int, int]]:
    """Return mode, inode and time of everything below ``root``: what any write would change."""
    found = {}
    for path in [root, *sorted(root.rglob("*"))]:
        status = path.lstat()
        found[path.as_posix()] = (status.st_mode, status.st_ino, status.st_mtime_ns)
    return found


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def call(method: str, **properties: Any) -> dict[str, Any]:
    """Return a params or result definition of an agent method."""
    return {"type": "object", "properties": properties, "x-side": "agent", "x-method": method}


def mini_schema() -> dict[str, Any]:
    """Return a small schema in the dialect of the protocol's."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "Id": {"type": "string", "description": "Names a thing, wörtlich."},
            "Can": {"type": "object", "properties": {}},
            "HelloRequest": call("hello"),
            "HelloResponse": call("hello", can={"allOf": [ref("Can")]}),
            "ListThingsRequest": call("thing/list", after={"anyOf": [ref("Id"), {"type": "null"}]}),
            "ListThingsResponse": call("thing/list", things={"type": "array", "items": ref("Id")}),
            "Colour": {"type": "string", "enum": ["red", "green"]},
        },
    }


def mini_overlay(version: str) -> dict[str, Any]:
    """Return an overlay that adds a method and a parameter to ``mini_schema``."""
    capability = {"definition": "HelloResponse", "path": ["can", "hide"]}
    return {
        "feature": "hiding",
        "version": version,
        "description": "Things can be hidden.",
        "definitions": {
            "HideThingRequest": {**call("thing/hide", id=ref("Id")), "required": ["id"]},
            "HideThingResponse": call("thing/hide"),
            "HideCapability": {"type": "object"},
        },
        "properties": {
            "Can": {"hide": {"schema": {"anyOf": [ref("HideCapability"), {"type": "null"}]}}},
            "ListThingsRequest": {"hidden": {"schema": {"type": ["boolean", "null"]}}},
        },
        "gates": [
            {"side": "agent", "method": "thing/hide", "capability": capability},
            {
                "side": "agent",
                "method": "thing/list",
                "parameter": "hidden",
                "capability": capability,
            },
        ],
    }


CONFIG = """
schemas = "schemas"
features = ["hiding"]

[[outputs]]
target = "python"
out = "made/bindings"
"""

NAMES = """
[methods]

[sides.agent]
interface = "Agent"
connection = "ClientSideConnection"
"""

RULES = "# The two versions are alike.\n"


class Project:
    """A folder with a configuration and mini schemas for v1 and v2."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.out = root / "made" / "bindings"
        self.write("acp-codegen.toml", CONFIG)
        self.write("schemas/names.toml", NAMES)
        self.write("schemas/conversion/rules.toml", RULES)
        for version in ("v1", "v2"):
            self.write(f"schemas/{version}/schema.json", mini_schema())
            self.write(f"schemas/overlays/hiding/{version}.json", mini_overlay(version))

    def write(self, name: str, content: str | bytes | dict[str, Any]) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            content = json.dumps(content, indent=2, ensure_ascii=False)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def run(self, *arguments: object, cwd: Path | None = None, **env: str) -> Done:
        return run_command(*arguments, cwd=cwd or self.root, env=env)

    def bytes(self) -> dict[str, bytes]:
        return bytes_below(self.out)

    def state(self) -> dict[str, tuple[int, int, int]]:
        return state_below(self.root)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


@pytest.fixture(scope="session")
def _built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project(tmp_path_factory.mktemp("built") / "project")
    done = project.run("build")
    assert done.returncode == 0, done.stderr
    return project.out


@pytest.fixture
def built(project: Project, _built_once: Path) -> Project:
    """A project whose output is up to date."""
    shutil.copytree(_built_once, project.out)
    return project


@pytest.fixture(scope="session")
def make_schema() -> Callable[[], dict[str, Any]]:
    return mini_schema


@pytest.fixture(scope="session")
def acp() -> Run:
    return run_command


@pytest.fixture(scope="session")
def contents() -> Callable[[Path], dict[str, bytes]]:
    return bytes_below


@pytest.fixture(scope="session")
def checkout() -> Path:
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def upstream(checkout: Path) -> Path:
    """Schema files as their publishers released them; not part of the project."""
    folder = checkout.parent / "shared" / "upstream"
    if not folder.is_dir():
        pytest.skip("the upstream releases are not here")
    return folder
