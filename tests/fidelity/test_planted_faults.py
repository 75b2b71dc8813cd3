"""The test of the test: a fault planted in a copy of the generated package must be found."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from differential import Differential
from outcome import Report, seed_of_run
from packages import GENERATED, subject

COUNT = 20


@dataclass(frozen=True)
class Fault:
    """An edit of one generated file, the definition it harms, and how that must show.

    ``after`` marks where in the file the edit looks for its pattern.
    """

    name: str
    file: str
    after: str
    pattern: str
    replacement: str
    definition: str
    category: str
    version: str = "v1"


FAULTS = (
    Fault(
        "nullable made non-null", "v1/models.py", "class Annotations(", r'("audience", )nullable=True, ', r"\1",
        "Annotations", "disagreement",
    ),
    Fault(
        "dropped not", "v2/models.py", "class OtherContentBlock(", r",\s*excluded=\([^)]*\)", "",
        "ContentBlock", "disagreement", "v2",
    ),
    Fault(
        "unsalvaged field", "v1/models.py", "class Annotations(",
        r'(_Wire\("lastModified", nullable=True), on_error=True', r"\1", "Annotations", "not salvaged",
    ),
    Fault(
        "kept bad items", "v1/models.py", "class Annotations(", r",\s*skip_items=True", "",
        "Annotations", "lossy",
    ),
    Fault(
        "null not taken as empty", "v1/models.py", "class McpServerStdio(", r",\s*on_null=True", "",
        "McpServerStdio", "not salvaged",
    ),
    Fault(
        "required made optional", "v1/models.py", "class ImageContent(",
        r'(_Wire\("mimeType"), required=True', r"\1", "ImageContent", "disagreement",
    ),
    Fault(
        "lost unknown keys", "_model.py", "class Model(", 'extra="allow"', 'extra="ignore"',
        "TextContent", "lossy",
    ),
    Fault(
        "coerced scalar", "_exact.py", "def exact(",
        r'(if kind == "bool":\s*return \{\*\*rest, "strict": )True', r"\1False",
        "PromptCapabilities", "disagreement",
    ),
    Fault(
        "renamed on the wire", "v1/models.py", "class ImageContent(", r'"mimeType"', '"mime_type"',
        "ImageContent", "disagreement",
    ),
)  # fmt: skip


def plant(fault: Fault, package: Path) -> None:
    """Edit one place of a copied package."""
    path = package / fault.file
    text = path.read_text("utf-8")
    start = text.index(fault.after)
    changed, count = re.subn(fault.pattern, fault.replacement, text[start:], count=1)
    assert count == 1, f"the place to plant {fault.name!r} is not there any more"
    path.write_text(text[:start] + changed, "utf-8")


def judge(package: Path, scratch: Path, fault: Fault) -> Report:
    judged = Differential(subject(fault.name, package, scratch, fault.version))
    return judged.run(COUNT, seed_of_run(), [fault.definition])


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_planted_fault_is_found(fault: Fault, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(GENERATED, copy, ignore=shutil.ignore_patterns("__pycache__"))
    sound = judge(copy, tmp_path, fault)
    assert sound.clean, f"\n{sound}"
    plant(fault, copy)
    report = judge(copy, tmp_path, fault)
    assert report.faults[fault.category], f"{fault.name} was not found\n{report}"
    assert any(example.definition == fault.definition for example in report.examples.values())
