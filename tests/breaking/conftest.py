"""Mini schemas in which a value goes the ways that a test asks for, and the command on them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.cli import main
from click.testing import CliRunner, Result

Schema = dict[str, Any]

#: What may hold the value -> the side that serves it, and its method.
SERVED = {
    "DoRequest": ("agent", "thing/do"),
    "DoResponse": ("agent", "thing/do"),
    "AskRequest": ("client", "thing/ask"),
    "AskResponse": ("client", "thing/ask"),
    "DoneNotification": ("client", "thing/done"),
}


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def struct(*required: str, **properties: Any) -> Schema:
    """Return an object; ``required`` are the names of the fields that must be there."""
    made: Schema = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made


def mini(thing: Any, *carriers: str, **more: Any) -> Schema:
    """Return a schema with a definition Thing that ``carriers`` hold, and ``more`` definitions."""
    defs: Schema = {"Thing": copy.deepcopy(thing), "Id": {"type": "string"}, **more}
    for name, (side, method) in SERVED.items():
        held = {"thing": ref("Thing")} if name in carriers else {}
        defs[name] = {**struct(**held), "x-side": side, "x-method": method}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": defs}


class Bench:
    """A folder with an old and a new schema, and the command run in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, content: Any) -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return name

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, list(arguments))

    def compare(self, old: Schema, new: Schema, *options: str) -> Result:
        files = self.write("old.json", old), self.write("new.json", new)
        return self.run("breaking", *files, *options)

    def findings(self, old: Schema, new: Schema) -> list[dict[str, Any]]:
        """Return the findings as the JSON report has them."""
        done = self.compare(old, new, "--json")
        assert done.exit_code in (0, 100), done.output
        found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
        return found


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.chdir(tmp_path)
    yield Bench(tmp_path)


@pytest.fixture(scope="session")
def make() -> Callable[..., Schema]:
    return mini


@pytest.fixture(scope="session")
def upstream() -> Path:
    """Schema files as their publishers released them; not part of the project."""
    folder = Path(__file__).parents[3] / "shared" / "upstream"
    if not folder.is_dir():
        pytest.skip("the upstream releases are not here")
    return folder
