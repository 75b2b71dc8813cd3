"""What the measured processes run in: interpreters, byte code, a copy of the generated package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PACKAGE = ROOT / "generated" / "python" / "acp_bindings"
PEER = "agent-client-protocol==0.12.1"
PEER_VENV = HERE / ".venv-bench"


class Lab:
    """A scratch folder with copies of what is measured, so that an edit meanwhile changes nothing.

    Byte code goes into the scratch folder, whatever the environment says of it, and is written by
    a run that is not measured.
    """

    def __init__(self, scratch: Path, package: Path = PACKAGE) -> None:
        self.scratch = scratch
        self.tool = scratch / "tool"
        bindings = scratch / "bindings"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, bindings / PACKAGE.name, ignore=ignored)
        for folder, name in (("codegen", "acp_codegen"), ("templates",) * 2, ("schemas",) * 2):
            shutil.copytree(ROOT / folder, self.tool / name, ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", self.tool)
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        self.environment = {
            **kept,
            "PYTHONPYCACHEPREFIX": str(scratch / "bytecode"),
            "PYTHONPATH": os.pathsep.join(map(str, (bindings, self.tool))),
            "CI": "1",
        }

    def run(self, *command: str, python: str = sys.executable, cwd: Path | None = None) -> str:
        """Run Python and return what it prints.

        Raises:
            SystemExit: if it fails.
        """
        done = subprocess.run(
            [python, *command],
            cwd=cwd or self.scratch,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"benchmarks: {' '.join(command[:3])} failed\n{done.stderr.strip()}")
        return done.stdout

    def seconds(self, *command: str, cwd: Path | None = None) -> float:
        """Return how long a process takes."""
        start = time.perf_counter()
        self.run(*command, cwd=cwd)
        return time.perf_counter() - start


def peer_python() -> str:
    """Return the interpreter that has the peer and the pydantic of ours; made on first use."""
    pydantic = f"pydantic=={version('pydantic')}"
    stamp = PEER_VENV / "installed.txt"
    python = PEER_VENV / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = f"{PEER}\n{pydantic}\n{sys.version}\n"
    if not stamp.exists() or stamp.read_text() != wanted:
        print("Setting up the peer's environment", file=sys.stderr)
        venv.create(PEER_VENV, clear=True, with_pip=True)
        (PEER_VENV / ".gitignore").write_text("*\n")
        subprocess.run([python, "-m", "pip", "install", "--quiet", PEER, pydantic], check=True)
        stamp.write_text(wanted)
    return str(python)
