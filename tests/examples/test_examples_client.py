"""The terminal client, and the transcript that the README shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from examples_driver import AGENT, ENVIRONMENT, ROOT

from examples.archive_client.program import main

CLIENT = [sys.executable, "-m", "examples.archive_client"]
FAKE = shlex.join([sys.executable, str(Path(__file__).with_name("fake_agent.py"))])

#: Runs a command of the client in this process: exit code, stdout and stderr.
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ARCHIVE_AGENT_DB", str(tmp_path / "db"))
    monkeypatch.setattr("logging.basicConfig", lambda **_: None)

    def run(*arguments: str, agent: str | None = None) -> tuple[int, str, str]:
        code = main([*([] if agent is None else ["--agent", agent]), *arguments])
        return code, *capfd.readouterr()

    return run


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_command_does_what_it_says(
    version: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def client(*arguments: str) -> list[str]:
        code, out, err = run("--protocol", version, *arguments)
        assert (code, err) == (0, "")
        return out.splitlines()

    assert client("list") == ["no sessions"]
    monkeypatch.chdir(tmp_path)
    (session,) = client("new")
    assert client("list", "--cwd", str(tmp_path))[0].split()[0] == session
    assert client("list", "--cwd", "/") == ["no sessions"]
    said = ["you: Buy bread", "agent: Echo: Buy bread"]
    assert client("prompt", "--session", session, "Buy bread") == said
    assert client("archive", session) == [f"archived {session}"]
    assert client("list") == ["no sessions"]
    for arguments in (["list", "--archived"], ["find", "BREAD"]):
        (line,) = client(*arguments)
        assert line.startswith(session) and line.endswith("archived  Buy bread")
    assert client("find", "butter") == ["no sessions"]
    assert client("show", session) == said
    assert client("unarchive", session) == [f"restored {session}"]
    assert len(client("list")) == 1


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_what_goes_wrong_is_one_line_on_stderr(version: str, run: Run) -> None:
    without = shlex.join([*AGENT, "--without-archive"])
    place = "agentCapabilities.sessionCapabilities" if version == "v1" else "capabilities.session"
    for arguments, agent, message in (
        (["archive", "sess_no"], None, r"the agent answered: Resource not found \(-32002\)"),
        (["show", "sess_no"], None, "there is no session sess_no"),
        (["archive", "x"], without, f"the agent does not offer this.*{place}.archive"),
        (["list", "--archived"], without, f"the agent does not offer this.*{place}.archive"),
        (["list"], f"{FAKE} die", "the agent ended with exit code 3"),
        (["new"], f"{FAKE} kill", "the agent was killed by signal 9"),
        (["list"], "/no/such/program", "No such file"),
        (["list"], f"{FAKE} wrong-type", "ListSessionsResponse"),
    ):
        code, out, err = run("--protocol", version, *arguments, agent=agent)
        assert (code, out) == (1, "")
        (line,) = err.splitlines()
        assert re.search(f"^archive_client: .*{message}", line), line


def test_without_archiving_the_rest_works(run: Run) -> None:
    without = shlex.join([*AGENT, "--without-archive"])
    session = run("prompt", "Buy bread", agent=without)[1].split()[1]
    code, out, _ = run("find", "bread", agent=without)
    assert code == 0 and out.startswith(session) and out.endswith("-         Buy bread\n")


def same(text: str) -> str:
    """``text`` with its ids numbered in order, and its times gone: what differs from run to run."""
    seen: dict[str, str] = {}
    text = re.sub(
        r"sess_[0-9a-f]+", lambda found: seen.setdefault(found[0], f"sess_{len(seen)}"), text
    )
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "0000-00-00 00:00", text)


def test_the_transcript_of_the_readme_is_what_happens(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    (shown,) = re.findall(r"```console\n(\$ alias archive=.*?)```", readme, re.DOTALL)
    commands = re.findall(r"^\$ (.*)$", shown, re.MULTILINE)
    assert commands[0] == "alias archive='.venv/bin/python -m examples.archive_client'"
    ids: dict[str, str] = {}
    transcript = f"$ {commands[0]}\n"
    for command in commands[1:]:
        # The ids of this run in place of those in the README.
        words = [ids.get(word, word) for word in shlex.split(command)]
        assert words[0] == "archive"
        # Each command is a client and an agent of its own: two new processes.
        done = subprocess.run(
            [*CLIENT, *words[1:]],
            capture_output=True,
            text=True,
            env={**ENVIRONMENT, "ARCHIVE_AGENT_DB": str(tmp_path / "db")},
            cwd=ROOT,
            timeout=120,
        )
        assert (done.returncode, done.stderr) == (0, "")
        transcript += f"$ {shlex.join(words) if 'sess' in command else command}\n{done.stdout}"
        for old, new in zip(
            dict.fromkeys(re.findall(r"sess_[0-9a-f]+", shown)),
            dict.fromkeys(re.findall(r"sess_[0-9a-f]+", transcript)),
            strict=False,
        ):
            ids[old] = new
    assert same(transcript) == same(shown)


def test_the_output_may_be_cut_off(run: Run, tmp_path: Path) -> None:
    run("new")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*CLIENT, "list"],
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "ARCHIVE_AGENT_DB": str(tmp_path / "db")},
        cwd=ROOT,
        timeout=120,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
