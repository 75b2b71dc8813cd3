"""docs/targets.md: its target works as it says, and it lists what there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from acp_codegen import building, registry
from acp_codegen.building import Options, plan_builds
from acp_codegen.config import Config, Output
from acp_codegen.output.compare import compare, is_current
from acp_codegen.output.publish import publish
from acp_codegen.targets.model import Job
from docs_pages import ROOT

TEXT = (ROOT / "docs" / "targets.md").read_text(encoding="utf-8")


def _block(language: str) -> str:
    [found] = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return found


def test_the_example_target_writes_what_the_page_shows(tmp_path, monkeypatch):
    scope: dict[str, Any] = {}
    exec(_block("python"), scope)
    target = scope["MethodList"]()
    [place] = re.findall(r"Its template, `(templates/\S+)`", TEXT)
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(_block("jinja"))
    monkeypatch.setattr(building, "targets", lambda: {target.name: target})
    monkeypatch.setattr(registry, "templates_dir", lambda: tmp_path / "templates")
    config = Config(schemas=ROOT / "schemas", outputs=(Output(target.name, tmp_path / "made"),))
    [build] = plan_builds(config, Options())
    tree = build.tree(lambda _: None)
    assert sorted(tree.files) == ["v1.txt", "v2.txt"]
    lines = tree.files["v1.txt"].split("\n")
    shown = _block("text").strip().split("\n")
    assert [line for line in lines if line in shown] == shown
    publish([tree])
    assert is_current(tmp_path / "made", build.inputs())
    (tmp_path / "made" / "v1.txt").write_text("")
    assert [change.path for change in compare(tree).modified] == ["v1.txt"]


def test_the_page_lists_the_targets_and_all_that_a_target_gets():
    table = TEXT.partition("## What there is")[2].partition("##")[0]
    assert re.findall(r"^\| `(\w+)` ", table, re.MULTILINE) == sorted(
        registry.targets(), reverse=True
    )
    names = [part.name for part in fields(Job)]
    parts = TEXT.partition("| part of `Job`")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` ", parts, re.MULTILINE) == names


def test_the_folders_and_files_that_the_page_names_are_there():
    for name in re.findall(r"`((?:codegen|schemas|generated|tests)/[\w./]+)`", TEXT):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"\]\(([\w.]+)\)", TEXT):
        assert (Path(ROOT) / "docs" / name).exists(), name
