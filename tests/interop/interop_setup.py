"""Installs the TypeScript SDK that the interop tests talk to, once for each lockfile.

Without Node it says loudly that nothing was tested with it; under CI that is a failure.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STAMP = HERE / "node_modules" / ".installed"
OLDEST = 20


def missing() -> str:
    """Say why there is no TypeScript peer; empty if there is one."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "Node is not installed"
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.", said)
    if version is None or int(version[1]) < OLDEST:
        return f"Node {OLDEST} or newer is needed, this is {said.strip() or 'none'}"
    return ""


def digest() -> str:
    """Return what the installation is made from, as a digest."""
    names = ("package.json", "package-lock.json", ".npmrc")
    return hashlib.sha256(b"\0".join((HERE / name).read_bytes() for name in names)).hexdigest()


def installed() -> bool:
    """Tell whether what the lockfile says is installed."""
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8") == digest()


def main() -> int:
    """Install what is not installed yet; return the exit code."""
    why = missing()
    if why:
        print(
            f"{'*' * 78}\n* The TypeScript SDK is NOT tested: {why}.\n{'*' * 78}", file=sys.stderr
        )
        return 1 if os.environ.get("CI") == "true" else 0
    if installed():
        return 0
    print("Installing the TypeScript SDK for the interop tests")
    done = subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--silent"],
        cwd=HERE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode == 0:
        STAMP.write_text(digest(), encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
