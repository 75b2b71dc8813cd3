"""The command: what it takes, what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from acp_conformance import CHECKS

BAD_AGENT = str(Path(__file__).with_name("bad_agent.py"))
FAULTY = str(Path(__file__).with_name("faulty_agents.py"))


def words(text):
    return re.sub(r"\s+", " ", text)


def test_the_list_has_a_line_for_each_check(acp, tmp_path):
    done = acp("conformance", "--list", cwd=tmp_path)
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(CHECKS)
    records = json.loads(acp("conformance", "--list", "--json", cwd=tmp_path).stdout)
    assert [record["name"] for record in records] == list(CHECKS)
    assert all(record["about"] and record["guarantee"] for record in records)


def test_the_issue_command_runs_the_example_agent_from_the_checkout(acp, checkout):
    command = ("conformance", "--protocol", "v2", "--only", "archive-hides", "--only")
    done = acp(
        *command,
        "does-not-load",
        "--",
        sys.executable,
        "-m",
        "examples.archive_agent",
        cwd=checkout,
    )
    assert done.stdout.splitlines() == [
        "pass archive-hides",
        "pass does-not-load",
        "2 checks over v2: 2 passed, 0 failed, 0 skipped",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_text_and_json_say_the_same(acp, tmp_path):
    options = ("conformance", "--only", "archive-hides", "--only", "unadvertised-refused")
    agent = ("--", sys.executable, FAULTY, "archive-hides")
    text = acp(*options, *agent, cwd=tmp_path)
    data = acp(*options, "--json", *agent, cwd=tmp_path)
    found = json.loads(data.stdout)
    assert (text.returncode, data.returncode, data.stderr) == (1, 1, "")
    assert found["protocol"] == "v1" and found["command"] == list(agent[1:])
    assert found["counts"] == {"pass": 0, "fail": 1, "skip": 1}
    failed, skipped = found["checks"]
    assert (failed["name"], failed["outcome"]) == ("archive-hides", "fail")
    assert (skipped["name"], skipped["outcome"]) == ("unadvertised-refused", "skip")
    assert "exchange" not in skipped
    lines = text.stdout.splitlines()
    assert lines[0] == f"FAIL archive-hides: {failed['why']}"
    assert lines[-2] == f"skip unadvertised-refused: {skipped['why']}"
    assert lines[-1] == "2 checks over v1: 0 passed, 1 failed, 1 skipped"
    # The exchange: both ways, the same apart from ids and times.
    assert len(lines) == 3 + len(failed["exchange"])
    for mark in ("<-", "->"):
        method = '"method": "session/archive"' if mark == "<-" else '"archived": true'
        assert any(f" {mark} {{" in line and method in line for line in failed["exchange"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--", "no-such-agent"], "no-such-agent cannot be started"),
        (["--", "./no/such/agent"], "./no/such/agent cannot be started"),
        (["--", "./not-executable"], "./not-executable cannot be started"),
        (["--", "./not-a-program"], "./not-a-program cannot be started"),
        ([], "there is no agent to check. Give its command behind --."),
        (["--only", "nothing", "--", "true"], "there is no check 'nothing'"),
        (["--protocol", "v9", "--", "true"], "there is no protocol version 'v9'"),
        (["--timeout", "0", "--", "true"], "'--timeout'"),
        (["--jobs", "0", "--", "true"], "'--jobs'"),
    ],
)
def test_wrong_usage_is_exit_code_2(acp, tmp_path, arguments, said):
    (tmp_path / "not-executable").write_text("#!/bin/sh\n")
    (tmp_path / "not-a-program").write_bytes(b"\0\0")
    (tmp_path / "not-a-program").chmod(0o755)
    done = acp("conformance", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert said in words(done.stderr) and "Traceback" not in done.stderr


RECORDER = """
import json, os, sys
names = ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "PASSED_ON", "PYTHONPATH")
found = {name: os.environ.get(name) for name in names}
with open(os.environ["RECORD"], "a") as file:
    file.write(json.dumps({**found, "cwd": os.getcwd(), "arguments": sys.argv[1:]}) + "\\n")
for line in sys.stdin:
    request = json.loads(line)
    found = {"jsonrpc": "2.0", "id": request["id"]}
    error = {"code": -32601, "message": "Method not found"}
    capabilities = {"sessionCapabilities": {"list": {}, "archive": {}}}
    if request["method"] == "initialize":
        found["result"] = {"protocolVersion": 1, "agentCapabilities": capabilities}
    elif request["method"] == "session/new":
        found["result"] = {"sessionId": "s"}
    elif request["method"] == "session/list":
        found["result"] = {"sessions": [{"sessionId": "s", "cwd": "/p", "archived": False}]}
    elif request["method"] == "session/prompt":
        found["result"] = {"stopReason": "end_turn"}
    elif request["method"] in ("session/archive", "session/unarchive"):
        found["result"] = {}
    else:
        found["error"] = error
    print(json.dumps(found), flush=True)
"""


def test_all_processes_of_a_check_have_the_same_places_and_checks_have_their_own(acp, tmp_path):
    (tmp_path / "agent.py").write_text(RECORDER)
    record = tmp_path / "record"
    acp(
        *("conformance", "--only", "survives-restart", "--only", "survives-kill", "--"),
        *(sys.executable, "agent.py", "agent.py", "other.py"),
        cwd=tmp_path,
        env={"RECORD": str(record), "PASSED_ON": "yes", "PYTHONPATH": ""},
    )
    runs = [json.loads(line) for line in record.read_text().splitlines()]
    homes = [run["HOME"] for run in runs]
    assert len(runs) == 4 and sorted(map(homes.count, homes)) == [2, 2, 2, 2]
    for run in runs:
        assert run["XDG_DATA_HOME"] == run["XDG_STATE_HOME"] == run["cwd"] == run["HOME"]
        assert run["HOME"] != str(Path.home()) and not Path(run["HOME"]).exists()
        assert run["PASSED_ON"] == "yes" and run["PYTHONPATH"] == str(tmp_path)
        # A word that names a file is found from any working directory.
        assert run["arguments"] == [str(tmp_path / "agent.py"), "other.py"]


def test_the_documentation_has_each_check_and_each_option(acp, checkout, tmp_path):
    text = (checkout / "docs" / "conformance.md").read_text("utf-8")
    for check in CHECKS.values():
        assert f"| `{check.name}` | {check.about} | {check.guarantee} |\n" in text
    assert text.count("\n| `") == len(CHECKS) + text.count("\n| `--")
    usage = acp("conformance", "--help", cwd=tmp_path).stdout
    for option in re.findall(r"^  (--[a-z]+)", usage, re.MULTILINE):
        assert f"| `{option}" in text
