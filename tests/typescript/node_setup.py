"""Installs the packages that the TypeScript tests need, once for each lockfile.

Without Node it says that TypeScript is not tested; under CI that is a failure.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STAMP = HERE / "node_modules" / ".installed"
OLDEST = 20


def missing() -> str:
    """Say why TypeScript cannot be tested; empty if it can."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "Node is not installed"
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    if not said.startswith("v") or int(said[1:].split(".")[0]) < OLDEST:
        return f"Node {OLDEST} or newer is needed, and {said.strip() or 'none'} is installed"
    return ""


def main() -> int:
    """Install what is not installed yet."""
    why = missing()
    if why:
        line = "*" * 78
        print(f"{line}\n* TypeScript is NOT tested: {why}.\n{line}", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    names = ("package.json", "package-lock.json", ".npmrc")
    wanted = hashlib.sha256(b"\0".join((HERE / name).read_bytes() for name in names)).hexdigest()
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == wanted:
        return 0
    print("Installing the packages of the TypeScript tests")
    done = subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"],
        cwd=HERE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode == 0:
        STAMP.write_text(wanted, encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
