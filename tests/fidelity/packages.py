"""Generated packages and the schemas that they were generated from."""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
GENERATED = REPOSITORY / "generated" / "python" / "acp_bindings"
UPSTREAM = REPOSITORY.parent / "shared" / "upstream" / "sdk-2.4.0"
FEATURE = "unstable_session_archive"
VERSIONS = ("v1", "v2")

_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Subject:
    """One version of one generated package, with its schema."""

    label: str
    version: str
    module: Any
    schema: dict[str, Any]


def command(*arguments: str) -> str:
    """Run ``acp-codegen`` in the repository and return what it printed."""
    script = Path(sys.executable).with_name("acp-codegen")
    done = subprocess.run(
        [str(script), *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"acp-codegen {' '.join(arguments)}: {done.stderr or done.stdout}")
    return done.stdout


@functools.cache
def schema(version: str, *options: str) -> dict[str, Any]:
    """Return the schema of ``version`` with the features in ``options`` applied."""
    found: dict[str, Any] = json.loads(command("schema", version, *options))
    return found


def build(folder: Path, *options: str) -> Path:
    """Build a package into ``folder`` and return it."""
    command("build", "--target", "python", "--out", str(folder), *options)
    return folder


def load(package: Path, scratch: Path) -> Any:
    """Import a copy of ``package`` under a name of its own: it is relocatable."""
    name = f"acp_fidelity_{next(_NUMBERS)}"
    shutil.copytree(package, scratch / name, ignore=shutil.ignore_patterns("__pycache__"))
    if str(scratch) not in sys.path:
        sys.path.insert(0, str(scratch))
    importlib.invalidate_caches()
    return importlib.import_module(name)


def subject(label: str, package: Path, scratch: Path, version: str, *options: str) -> Subject:
    """Return ``version`` of ``package`` with the schema that ``options`` give."""
    module = getattr(load(package, scratch), version)
    return Subject(f"{version} {label}", version, module, schema(version, *options))


def upstream_options() -> list[str]:
    """Options that name upstream's newest unstable schemas; empty where they are not at hand."""
    files = {version: UPSTREAM / version / "schema.unstable.json" for version in VERSIONS}
    if not all(file.is_file() for file in files.values()):
        return []
    found = ["--stable"]
    for version, file in files.items():
        found += ["--schema", f"{version}={file}"]
    return found
