"""The generated package behaves the same from pydantic 2.7, the floor, to the newest."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / "generated" / "python"

SCRIPT = r"""
import json, pickle, sys, warnings
warnings.simplefilter("error")
import pydantic
from pydantic import BaseModel, TypeAdapter
from acp_bindings import v1, v2
assert pydantic.VERSION.startswith(sys.argv[1]), pydantic.VERSION

def refused(version, name, value, **options):
    try:
        version.decode(name, value, **options)
    except version.DecodeError as error:
        return [fault.pointer for fault in error.errors]
    raise AssertionError((name, value))

info = {"sessionId": "s", "cwd": "/p", "title": None, "extra": {"a": [None, 1]}}
found = v1.decode("SessionInfo", info, strict=True)
assert v1.encode(found) == info and found.archived is None and found.title is None

class Holder(BaseModel):
    one: v1.SessionInfo
    block: v2.ContentBlock
held = Holder.model_validate({"one": info, "block": {"type": "new", "x": None}})
want = {"one": info, "block": {"type": "new", "x": None}}
for got in (held.model_dump(mode="json"), json.loads(held.model_dump_json())):
    assert got == want, got
assert json.loads(TypeAdapter(list[v1.SessionInfo]).dump_json([found])) == [info]
assert pickle.loads(pickle.dumps(found)) == found
found.title = "t"
del found.title
assert "title" not in v1.encode(found)

assert refused(v1, "SessionInfo", {"session_id": "s", "cwd": "/"}) == ["/sessionId"]
assert refused(v2, "ContentBlock", {"type": "text"}) == ["/text"]
assert refused(v1, "ProtocolVersion", True) == [""] and v1.decode("ProtocolVersion", 1.0) == 1
assert refused(v1, "ListSessionsResponse", {"sessions": 1}, strict=True) == ["/sessions"]
lenient = v1.decode("ListSessionsResponse", {"sessions": [1, info], "nextCursor": 4})
assert v1.encode(lenient) == {"sessions": [info]}
both = {"requestedSchema": {"type": "object", "properties": {}}, "sessionId": "s", "requestId": 1}
assert refused(v2, "ElicitationFormMode", both) == [""]
nested = v2.decode("SessionUpdate", {"sessionUpdate": "state_update", "state": "idle", "stopReason": 5})
assert v2.encode(nested) == {"sessionUpdate": "state_update", "state": "idle"}
try:
    v1.encode(v1.decode("TextContent", {"text": "a", "_meta": {"x": float("nan")}}))
except ValueError:
    pass
else:
    raise AssertionError("NaN was written")
print("same")
"""

SINGLE = r"""
import importlib.util, sys, warnings
warnings.simplefilter("error")
import pydantic
assert pydantic.VERSION.startswith(sys.argv[1]), pydantic.VERSION
for version in ("v1", "v2"):
    spec = importlib.util.spec_from_file_location("by_path", f"{sys.argv[2]}/{version}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    models = [value for value in vars(made).values() if getattr(value, "__module__", "") == "by_path"
              and isinstance(value, type) and issubclass(value, pydantic.BaseModel)]
    assert len(models) > 150
    for model in models:
        model.model_json_schema()
    found = made.ListSessionsResponse.model_validate(
        {"sessions": [1, {"sessionId": "s", "cwd": "/p", "x": 1}]}
    )
    assert found.model_dump(by_alias=True, exclude_unset=True)["sessions"] == [
        {"sessionId": "s", "cwd": "/p", "x": 1}
    ]
    blocks = pydantic.TypeAdapter(made.ContentBlock)
    assert type(blocks.validate_python({"type": "text", "text": "t"})) is made.TextContentBlock
    try:
        blocks.validate_python({"text": "t"})
    except pydantic.ValidationError:
        pass
    else:
        raise AssertionError("no tag")
print("same")
"""
CONFIG = """
[[outputs]]
target = "python"
layout = "single"
out = "out"
"""


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with single modules of the bundled schemas."""
    root = tmp_path_factory.mktemp("single")
    (root / "acp-codegen.toml").write_text(CONFIG, encoding="utf-8")
    command = str(Path(sys.executable).with_name("acp-codegen"))
    subprocess.run([command, "build"], cwd=root, check=True, capture_output=True)
    return root / "out"


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.7.0", "2.10.6", "2.11.10", "2.14.4"])
def test_the_package_behaves_the_same(version: str, tmp_path: Path, single: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", f"pydantic=={version}"]
    subprocess.run(install, check=True, capture_output=True)
    done = subprocess.run(
        [str(python), "-c", SCRIPT, version],
        cwd=PACKAGES,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "same\n"), done.stderr
    done = subprocess.run(
        [str(python), "-c", SINGLE, version, str(single)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "same\n"), done.stderr
    assert sys.version_info >= (3, 11)
