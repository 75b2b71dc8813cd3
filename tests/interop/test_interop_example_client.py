"""The example client with other people's agents."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest
from interop_setting import ENVIRONMENT, command


def run(peer: str, protocol: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the example client."""
    agent = shlex.join(command("agent", peer))
    client = [sys.executable, "-m", "examples.archive_client", "--agent", agent]
    return subprocess.run(
        [*client, "--protocol", protocol, *arguments],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("peer", ["v1-stable", "v1-python", "v2-stable"])
def test_the_example_client_has_a_turn(peer: str) -> None:
    done = run(peer, peer[:2], "prompt", "one two")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "session s0\nyou: one two\nagent: onetwo\n"


@pytest.mark.parametrize("peer", ["v1-python", "v2-unstable"])
def test_the_example_client_says_why_a_session_is_not_archived(peer: str) -> None:
    # Each run of these agents begins without sessions.
    done = run(peer, peer[:2], "archive", "s0")
    assert (done.returncode, done.stdout) == (1, "")
    if peer == "v1-python":
        assert "has not announced agentCapabilities.sessionCapabilities.archive" in done.stderr
    else:
        assert done.stderr == "archive_client: the agent answered: Resource not found (-32002)\n"


@pytest.mark.parametrize("peer", ["v1-stable", "v1-python"])
def test_an_agent_of_v1_is_told_from_a_broken_one(peer: str) -> None:
    done = run(peer, "v2", "list")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "archive_client: the agent speaks version 1 of the protocol, not 2\n"
