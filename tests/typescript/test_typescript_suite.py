"""Runs the tests that are written in TypeScript, compiled with the committed output."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

from node_tools import GENERATED, HERE, REPOSITORY, compiled, need_node, texts

SUITE = HERE / "suite"


def test_the_typescript_suite(record_property: Callable[[str, object], None]) -> None:
    need_node()
    files = texts(GENERATED)
    found = sorted(SUITE.glob("*.ts"))
    files.update({f"suite/{path.name}": path.read_text(encoding="utf-8") for path in found})
    folder = compiled(files, types=["node"])
    node = shutil.which("node")
    assert node is not None
    tests = [f"js/suite/{path.stem}.js" for path in found if path.stem.endswith(".test")]
    paths = [str(REPOSITORY), str(REPOSITORY / "generated" / "python")]
    agent = [sys.executable, "-m", "examples.archive_agent"]
    agent += ["--db", ":memory:", "--page-size", "2", "--pace", "0.005"]
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", *tests],
        cwd=folder,
        env={
            **os.environ,
            "ACP_AGENT": json.dumps(agent),
            "PYTHONPATH": os.pathsep.join(paths),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        encoding="utf-8",
    )
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.M)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert passed and int(passed[1]) >= 35, done.stdout
    record_property("figure", f"TypeScript tests in Node: {passed[1]} passed")
