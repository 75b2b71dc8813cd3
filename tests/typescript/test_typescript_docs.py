"""The examples in docs/typescript.md compile in strict mode and do what their comments say."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from node_tools import GENERATED, REPOSITORY, compiled, need_node, texts

PAGE = REPOSITORY / "docs" / "typescript.md"
_COMMENTED = re.compile(r"^(\S.*?); // (\"[^\"]*\"|true|false|undefined)$", re.M)


def _checked(block: str) -> str:
    """Return an example with its comments on values made checks."""
    made = _COMMENTED.sub(lambda found: f"same({found[1]}, {found[2]});", block)
    head = 'import { deepEqual as same } from "node:assert/strict";\n'
    return made if made == block else head + made


@pytest.mark.slow
def test_the_examples_of_the_page() -> None:
    need_node()
    blocks = re.findall(r"^```ts\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 4
    assert sum(len(_COMMENTED.findall(block)) for block in blocks) >= 2
    files = {f"acp/{path}": text for path, text in texts(GENERATED).items()}
    files.update({f"example{n}.ts": _checked(block) for n, block in enumerate(blocks)})
    folder = compiled(files, types=["node"])
    node = shutil.which("node")
    assert node is not None
    for number in range(len(blocks)):
        done = subprocess.run(
            [node, f"js/example{number}.js"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
        )
        assert done.returncode == 0, f"example {number}: {done.stderr[-3000:]}"
