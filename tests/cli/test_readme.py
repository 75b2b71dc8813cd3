"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys


def test_the_python_example_prints_what_its_comments_say(checkout):
    text = (checkout / "README.md").read_text("utf-8")
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    # A comment directly below a print or a call is its output; the others end in a full stop.
    said = [line.strip()[2:] for line in code.splitlines() if line.strip().startswith("# ")]
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=checkout / "generated/python",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [line for line in said if not line.endswith(".")]


def test_every_command_and_option_is_in_the_readme(acp, checkout):
    text = (checkout / "README.md").read_text("utf-8")
    commands = ("build", "check", "schema", "features", "methods", "breaking", "import")
    for command in (*commands, "conformance"):
        assert f"| `{command}" in text
        usage = acp(command, "--help", cwd=checkout).stdout
        for option in re.findall(r"^  (?:-h, )?(--[a-z-]+)", usage, re.MULTILINE):
            assert option in {"--help", "--into", "--version"} or f"`{option}" in text, option
