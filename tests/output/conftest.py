"""Helpers of the output tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.output.tree import Tree

MakeTree = Callable[..., Tree]
Snapshot = dict[str, tuple[int, int, int, bytes]]


def make_tree(root: Path, files: Mapping[str, str], inputs: str = "0" * 64, **facts: Any) -> Tree:
    return Tree(root, files, inputs, "1.2.3", facts, "acp-codegen build")


def snapshot(root: Path) -> Snapshot:
    """Everything below ``root``: mode, inode, time and content of each."""
    found: Snapshot = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        name = path.relative_to(root).as_posix()
        found[name] = (status.st_mode, status.st_ino, status.st_mtime_ns, content)
    return found


def texts(root: Path) -> dict[str, str]:
    """Relative path to text of every regular file below ``root``, without the manifest."""
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "acp-codegen.manifest.json"
    }


@pytest.fixture(name="make_tree")
def _make_tree() -> MakeTree:
    return make_tree


@pytest.fixture(name="snapshot")
def _snapshot() -> Callable[[Path], Snapshot]:
    return snapshot


@pytest.fixture(name="texts")
def _texts() -> Callable[[Path], dict[str, str]]:
    return texts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An output folder that does not exist yet, alone in its parent."""
    return tmp_path / "parent" / "out"
