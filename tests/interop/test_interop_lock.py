"""What is installed from a registry is pinned exactly, and no registry's address is recorded."""

from __future__ import annotations

import json
import re
import tomllib

from interop_setup import HERE

EXACT = re.compile(r"\d+\.\d+\.\d+")


def test_the_typescript_sdk_is_pinned_without_an_address() -> None:
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, version in wanted.items():
        assert EXACT.fullmatch(version) and lock[f"node_modules/{name}"]["version"] == version
    for name, entry in lock.items():
        assert "resolved" not in entry and (not name or "integrity" in entry), name
    options = (HERE / ".npmrc").read_text(encoding="utf-8").splitlines()
    assert "omit-lockfile-registry-resolved=true" in options
    assert not any("registry=" in option for option in options)


def test_the_python_sdk_is_pinned() -> None:
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]["dev"]
    (pin,) = [entry for entry in extras if entry.startswith("agent-client-protocol")]
    assert re.match(r"agent-client-protocol==\d+\.\d+\.\d+(;|$)", pin)
