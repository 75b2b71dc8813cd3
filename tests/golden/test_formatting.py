"""Modules that are the same in every package are templates that black has nothing to do with."""

from __future__ import annotations

from pathlib import Path

import black
import pytest

import mini
from acp_codegen.targets.python.formatting import format_python

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates" / "python").glob("_*.jinja"))
HEADERS = {
    "none": "",
    "blank": "\\n \\n",
    "spaces": "  one  \\n\\ttwo\\t",
    "other signs": "!a\\n#!/b\\n: c\\n# d\\n coding: latin-1",
    "switches": "type: ignore\\nfmt: skip\\nnoqa",
}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name.split(".")[0])
def test_a_fixed_template_stands_as_black_writes_it(template: Path) -> None:
    head, body = template.read_text(encoding="utf-8").split("\n", 1)
    assert head == "{{ header }}"
    assert "{{" not in body and "{%" not in body
    text = f"# A header.\n{body}"
    assert format_python(text, template.name) == text


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_no_header_makes_a_file_that_black_would_change(header: str, tmp_path: Path) -> None:
    where = mini.write_schemas(tmp_path, {"v1": {"Thing": {"type": "object"}}})
    files = mini.render(where, (), mini.choices_of(f'style = {{ header = "{header}" }}'))
    mode = black.Mode(line_length=100, target_versions={black.TargetVersion.PY310})
    short = {path: text for path, text in files.items() if text and text.count("\n") < 60}
    assert any(path.startswith("_") for path in short)
    for path, text in short.items():
        if path.endswith(".py"):
            assert black.format_str(text, mode=mode) == text, path
