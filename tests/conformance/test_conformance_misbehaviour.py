"""An agent that dies, hangs or writes garbage makes a check fail with a reason, and is gone afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from acp_conformance import Settings, run_suite
from acp_conformance.report import result_lines

ACP = str(Path(sys.executable).with_name("acp-codegen"))
AGENT = [sys.executable, "-I", "-S", str(Path(__file__).with_name("bad_agent.py"))]

REASONS = {
    "dies": "initialize: the agent ended with exit code 3; its last words: no \\x1b[31mmore",
    "is-killed": "initialize: the agent ended with exit code -9",
    "prints-garbage": "initialize: the agent wrote a line that is no JSON: Welcome!\\x1b[2J",
    "prints-binary": "initialize: the agent wrote a line that is no JSON: \ufffd\ufffd",
    "prints-numbers": "initialize: the agent wrote JSON that is no message: 42",
    "prints-depth": "initialize: the agent wrote a line that is no JSON: [[[",
    "prints-nan": 'initialize: the agent wrote a line that is no JSON: {"jsonrpc"',
    "prints-no-line-end": "initialize: the agent wrote a line of more than 33554432 bytes",
    "closes-output": "initialize: the agent closed its output",
    "leaves-a-child": "initialize: the agent ended with exit code 4",
    "leaves-a-child-elsewhere": "initialize: the agent ended with exit code 5",
    "hangs": "initialize: no answer within 1 s",
    "answers-null": "the result of initialize does not fit the protocol: ",
    "answers-an-error": "initialize was answered with error -32603: not \\ud800 today\\nnot",
    "dies-later": "session/new: the agent ended with exit code 0",
    "hangs-later": "session/new: no answer within 1 s",
    "wrong-ids": "session/new: no answer within 1 s",
    "lists-for-ever": "session/list comes to no end: 2 pages, then one more cursor",
}


def left(folder: Path) -> list[str]:
    """Return those of the noted processes that still run; the system may take a moment to end them."""
    found = [note.name for note in folder.iterdir()]
    assert found
    for _ in range(1000):
        found = [name for name in found if alive(int(name.rpartition("-")[2]))]
        if not found:
            break
        time.sleep(0.01)
    return found


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("kind", REASONS)
@pytest.mark.filterwarnings("error")
def test_the_check_fails_with_a_reason(kind, tmp_path, capfd):
    # Only the steps that are meant to run out of time get little of it.
    limit = 1.0 if "within 1 s" in REASONS[kind] else 60.0
    command = [*AGENT, kind, str(tmp_path)]
    report = run_suite(Settings(command, "v1", ["archive-hides"], limit=limit))
    [result] = report.results
    first, *exchange = result_lines(result)
    assert first.startswith(f"FAIL archive-hides: {REASONS[kind]}")
    assert first.isprintable() and len(first) < 1000
    assert exchange[0] == "    1 -- started, to speak v1"
    assert exchange[1].startswith('    1 <- {"jsonrpc": "2.0", "id": 0, "method": "initialize"')
    assert all(line.isprintable() and len(line) < 1000 for line in exchange)
    assert left(tmp_path) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["dies", "prints-binary", "answers-an-error"])
def test_the_command_ends_with_code_1_and_without_a_traceback(kind, tmp_path):
    done = subprocess.run(
        [ACP, "conformance", "--only", "archive-hides", "--", *AGENT, kind, str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    first, *_, last = done.stdout.splitlines()
    assert first.startswith(f"FAIL archive-hides: {REASONS[kind]}")
    assert last == "1 checks over v1: 0 passed, 1 failed, 0 skipped"
    assert (done.returncode, done.stderr) == (1, "")
    assert left(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="signals are not sent there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_told_to_end_takes_its_agents_with_it(number, tmp_path):
    run = subprocess.Popen(
        [ACP, "conformance", "--timeout", "600", "--", *AGENT, "hangs", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    # By default four checks run at the same time.
    while len(list(tmp_path.iterdir())) < 4:
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(number)
    _, said = run.communicate()
    assert (run.returncode, said) == (130, "acp-codegen: interrupted.\n")
    assert left(tmp_path) == []
