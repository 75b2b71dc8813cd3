"""What the TypeScript benchmarks run in: Node, its packages, copies of the generated modules."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from environment import HERE, ROOT

GENERATED = ROOT / "generated" / "typescript"
TESTS = ROOT / "tests" / "typescript"
INTEROP = ROOT / "tests" / "interop"
SDK = INTEROP / "node_modules" / "@agentclientprotocol" / "sdk"
CLIENTS = HERE / "typescript_clients"
# The collector runs between measured blocks, and not in them.
_NODE_OPTIONS = ("--expose-gc", "--max-semi-space-size=64")
_SETUPS = (TESTS / "node_setup.py", INTEROP / "interop_setup.py")


def ready() -> bool:
    """Install the packages of the TypeScript tests; False, said loudly, if there is no Node."""
    done = [subprocess.run([sys.executable, str(setup)], check=False) for setup in _SETUPS]
    stamps = [setup.parent / "node_modules" / ".installed" for setup in _SETUPS]
    found = shutil.which("node") is not None and all(stamp.is_file() for stamp in stamps)
    if found and not any(one.returncode for one in done):
        return True
    line = "*" * 78
    print(f"{line}\n* The TypeScript output was NOT measured: no Node.\n{line}", file=sys.stderr)
    return False


class NodeLab:
    """A scratch folder with our modules beside zod, and clients beside the SDK.

    ``ours`` and ``peers`` each have the clients of the benchmark and the packages of their own.
    """

    def __init__(self, scratch: Path) -> None:
        self.ours = scratch / "ours"
        self.peers = scratch / "peers"
        for folder, packages in ((self.ours, TESTS), (self.peers, INTEROP)):
            shutil.copytree(CLIENTS / folder.name, folder)
            (folder / "node_modules").symlink_to(packages / "node_modules")
            (folder / "package.json").write_text('{ "type": "module" }\n')
            shutil.copy(CLIENTS / "stream_peer.ts", folder)
        shutil.copytree(GENERATED, self.ours / "acp")

    def tool(self, name: str, *arguments: str, cwd: Path) -> str:
        """Run a tool of the packages of the TypeScript tests and return what it prints."""
        return self._run([str(TESTS / "node_modules" / ".bin" / name), *arguments], cwd)

    def node(self, script: str, *arguments: str) -> str:
        """Run a script of the benchmarks and return what it prints."""
        return self._run(["node", *_NODE_OPTIONS, str(HERE / script), *arguments], HERE)

    def seconds(self, name: str, *arguments: str, cwd: Path) -> float:
        """Return how long a tool takes."""
        start = time.perf_counter()
        self.tool(name, *arguments, cwd=cwd)
        return time.perf_counter() - start

    def _run(self, command: Sequence[str], cwd: Path) -> str:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8"
        )
        if done.returncode:
            said = (done.stdout + done.stderr).strip()[-4000:]
            sys.exit(f"benchmarks: {Path(command[0]).name} failed in {cwd.name}\n{said}")
        return done.stdout
