"""Builds from upstream's own files: the newest unstable schemas and the older releases."""

from __future__ import annotations

import subprocess
import sys

import pytest

USE = """
from made import v1, v2
TEXT = {"type": "text", "text": "t"}
print(v1.encode(v1.decode("ListSessionsRequest", {"cwd": "/p", "cursor": None})))
print(v2.encode(v2.decode("PromptRequest", {"sessionId": "s", "prompt": [TEXT]})))
"""
USED = (
    "{'cwd': '/p', 'cursor': None}\n{'sessionId': 's', 'prompt': [{'text': 't', 'type': 'text'}]}\n"
)


def assert_works(out):
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", USE],
        cwd=out.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.stdout, done.stderr) == (USED, "")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["schema.json", "schema.unstable.json"])
@pytest.mark.parametrize(
    "given",
    [
        {"v1": "sdk-2.4.0/v1", "v2": "sdk-2.4.0/v2"},
        {"v1": "schema-v1.19.0/v1"},
        {"v1": "schema-v1.21.0/v1"},
        {"v2": "schema-v2.0.0-alpha.3/v2"},
    ],
    ids=["newest", "v1.19.0", "v1.21.0", "v2.0.0-alpha.3"],
)
def test_a_release_builds_and_decodes(acp, upstream, tmp_path, given, kind):
    options = [
        word
        for version, folder in given.items()
        for word in ("--schema", f"{version}={upstream / folder / kind}")
    ]
    out = tmp_path / "made"
    done = acp("build", *options, "--stable", "--out", out, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert_works(out)
    assert acp("check", *options, "--stable", "--out", out, cwd=tmp_path).returncode == 0


def test_the_archive_overlay_refuses_a_schema_that_has_another_revision(acp, upstream, tmp_path):
    file = upstream / "sdk-2.4.0/v1/schema.unstable.json"
    options = ["--schema", f"v1={file}", "--feature", "unstable_session_archive", "--out", "made"]
    done = acp("build", *options, cwd=tmp_path)
    assert done.returncode == 3
    assert "another revision" in done.stderr
    assert "#/$defs/" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
