"""A build that is killed, whenever that is, leaves the old folder or the new one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

KILLS = 20


@pytest.mark.slow
def test_twenty_random_kills_of_the_command(built):
    command = [str(Path(sys.executable).with_name("acp-codegen")), "build"]
    trees = {"on": built.bytes()}
    start = time.monotonic()
    assert built.run("build", "--stable").returncode == 0
    lasts = time.monotonic() - start
    trees["off"] = built.bytes()
    assert trees["on"] != trees["off"]

    seed = random.randrange(2**32)
    chance = random.Random(seed)
    for number in range(KILLS):
        is_on = built.bytes() == trees["on"]
        options = ["--stable"] if is_on else []
        with subprocess.Popen(
            [*command, *options], cwd=built.root, stderr=subprocess.DEVNULL
        ) as run:
            # Late moments matter more: that is when the disk is touched.
            time.sleep(lasts * chance.triangular(0, 1.2, 0.95))
            run.send_signal(signal.SIGKILL)
        assert built.bytes() in trees.values(), f"seed {seed}, kill {number}"
    assert built.run("build").returncode == 0
    assert built.bytes() == trees["on"]
    assert [path.name for path in built.out.parent.iterdir()] == ["bindings"]
