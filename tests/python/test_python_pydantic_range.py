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


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.7.0", "2.10.6", "2.11.10", "2.14.4"])
def test_the_package_behaves_the_same(version: str, tmp_path: Path) -> None:
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
    assert sys.version_info >= (3, 11)
