"""What docs/configuration.md shows is what happens: each example is from a golden case."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import mini

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs/configuration.md"
SCHEMA = HERE.parents[1] / "schemas/config.schema.json"

_EXAMPLE = re.compile(
    r"<!-- case: (?P<case>\w+) -->\n```toml\n(?P<toml>.*?)```\n"
    r".*?<!-- before(?:, with (?P<given>.*?))? -->\n```python\n(?P<before>.*?)```\n"
    r".*?<!-- after -->\n```python\n(?P<after>.*?)```\n",
    re.DOTALL,
)
EXAMPLES = [match.groupdict() for match in _EXAMPLE.finditer(DOCS.read_text("utf-8"))]


def contains(wanted: Any, found: Any) -> bool:
    """True if ``found`` says all that ``wanted`` says."""
    if isinstance(wanted, dict):
        return all(key in found and contains(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)


def lines(texts: list[str]) -> set[str]:
    return {line for text in texts for line in text.splitlines()}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["case"])
def test_an_example_is_from_its_case(example: dict[str, str]) -> None:
    folder = HERE / example["case"]
    said = tomllib.loads((folder / "output.toml").read_text("utf-8"))
    assert contains(tomllib.loads(example["toml"]), said)
    layout = said.get("layout", "package")
    given = f"[style.definitions]\n{example['given']}\n" if example["given"] else ""
    usual = mini.render(folder / "schemas", (), mini.choices_of(f'layout = "{layout}"\n{given}'))
    after = [path.read_text("utf-8") for path in sorted((folder / "expected").rglob("*.py"))]
    before = list(usual.values())
    differences = []
    for shown, there, other in (
        (example["before"], before, after),
        (example["after"], after, before),
    ):
        wanted = [line for line in shown.splitlines() if line]
        assert [line for line in wanted if line not in lines(there)] == []
        differences += [line for line in wanted if line not in lines(other)]
    assert differences, "it shows no difference"


def test_every_option_is_shown() -> None:
    text = DOCS.read_text("utf-8")
    schema = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    for name in ("output", "names", "style", "definitionStyle", "unionStyle", "fieldStyle"):
        for key in schema[name]["properties"]:
            assert re.search(rf"(`{key}[`.]|### .*\b{key}\b|\b{key} = |[\[.]{key}\])", text), key
