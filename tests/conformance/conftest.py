"""Runs the suite against the example agent, as it is and with one guarantee broken."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from acp_conformance import Report, Settings, run_suite

HERE = Path(__file__).parent
#: Small pages, so that few sessions make several; slow answers, so that a busy machine is in time.
OPTIONS = ["--page-size", "10", "--pace", "0.05"]
#: Takes the process to be gone for good once it was killed, which a fork may miss by a moment.
KILLS = "survives-kill"


@pytest.fixture(scope="session")
def fork_server(tmp_path_factory: pytest.TempPathFactory):
    """The command of an agent that starts quickly, without its arguments; None: not on this system."""
    if not hasattr(os, "pidfd_open"):
        yield None
        return
    place = str(tmp_path_factory.mktemp("fork") / "socket")
    script = str(HERE / "fork_server.py")
    server = subprocess.Popen(
        [sys.executable, script, place], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert server.stdout is not None and server.stdout.readline() == b"ready\n"
    yield [sys.executable, "-I", "-S", script, place]
    server.kill()
    server.wait()
    server.stdout.close()


@pytest.fixture(scope="session")
def run_agent(fork_server) -> Callable[..., Report]:
    """Run checks against the example agent with the fault that breaks a check, or a lawful one."""

    def run(fault: str, version: str, only: list[str] | tuple[str, ...] = ()) -> Report:
        quick = fork_server is not None and KILLS not in only
        start = fork_server if quick else [sys.executable, str(HERE / "faulty_agents.py")]
        return run_suite(Settings([*start, fault, *OPTIONS], version, only, limit=60.0))

    return run


@pytest.fixture(scope="session")
def kill_check() -> str:
    """The name of the check that kills the agent."""
    return KILLS


@pytest.fixture(scope="session")
def checkout() -> Path:
    return HERE.parents[1]


@pytest.fixture(scope="session")
def acp() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the real command."""

    def run(
        *arguments: str, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(Path(sys.executable).with_name("acp-codegen")), *arguments],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return run
