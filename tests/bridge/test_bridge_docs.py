"""What docs/conversion.md says of the bridge: every key is explained, and the example happens."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from acp_codegen.resources import schemas_dir
from talk import ROOT

TEXT = (ROOT / "docs" / "conversion.md").read_text(encoding="utf-8")
SECTION = TEXT.partition("## Connections: `bridge`")[2].partition("\n## ")[0]


def test_every_key_of_the_table_is_explained():
    form = json.loads((schemas_dir() / "conversion.schema.json").read_text(encoding="utf-8"))
    table = form["properties"]["bridge"]["properties"]
    words = set(table)
    for name in ("methods", "fields", "updates", "words", "context"):
        words |= set(table[name]["properties"])
    words |= set(form["$defs"]["sent"]["properties"])
    assert len(words) > 40
    assert not {word for word in words if f"`{word}`" not in SECTION}


def test_the_line_of_the_rules_is_one():
    [line] = re.findall(r"^    (\w+ = .*)$", SECTION, re.MULTILINE)
    assert line in (ROOT / "schemas/conversion/rules.toml").read_text("utf-8").split("\n")


def test_the_example_is_what_happens(tmp_path):
    [block] = re.findall(r"```console\n(.*?)```", SECTION, re.DOTALL)
    edit, build, said, code = re.fullmatch(
        r"\$ (sed [^\n]*)\n\$ (acp-codegen build)\n(.*)\$ echo \$\?\n(\d)\n", block, re.DOTALL
    ).groups()
    old, new, file = re.fullmatch(r"sed -i 's/(.*)/(.*)/' (\S+)", edit).groups()
    shutil.copytree(ROOT / "schemas", tmp_path / "schemas")
    (tmp_path / "acp-codegen.toml").write_text(
        'schemas = "schemas"\n[[outputs]]\ntarget = "docs"\nout = "made"\n'
    )
    rules = (tmp_path / file).read_text(encoding="utf-8")
    assert rules.count(old) == 1
    (tmp_path / file).write_text(rules.replace(old, new), encoding="utf-8")
    done = subprocess.run(
        [Path(sys.executable).with_name("acp-codegen"), *build.split()[1:]],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == said
    assert done.returncode == int(code)
    assert not (tmp_path / "made").exists()
