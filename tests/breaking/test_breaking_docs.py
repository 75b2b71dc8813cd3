"""The example in the documentation says what the command says."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_example_is_what_happens(bench):
    text = (ROOT / "docs" / "schema-updates.md").read_text("utf-8")
    for name, body in re.findall(r"```json (\S+)\n(.*?)```", text, re.DOTALL):
        bench.write(name, body)
    [block] = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    command, shown, code = re.fullmatch(
        r"\$ acp-codegen ([^\n]*)\n(.*)\$ echo \$\?\n(\d+)\n", block, re.DOTALL
    ).groups()
    done = bench.run(*command.split())
    assert done.stdout == shown
    assert done.exit_code == int(code)


def test_the_exit_code_is_in_the_readme_and_in_the_help(bench):
    text = (ROOT / "README.md").read_text("utf-8")
    assert "| 100 | `breaking` found" in text
    assert "100 breaking found" in bench.run("--help").stdout
