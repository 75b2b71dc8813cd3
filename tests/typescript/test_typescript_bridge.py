"""The bridge in both languages: the same conversations, and the same said of every message.

``ACP_SEED`` in the environment chooses other random conversations.
"""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bridge_recording import Conversation, recording
from node_tools import GENERATED, HERE, REPOSITORY, Harness, build, compiled, need_node, texts
from outcome import seed_of_run
from random_talk import pools, spoil, valid
from reference import same
from talk import Limits, SessionBridge, prompt

Record = Callable[[str, object], None]

#: What JavaScript's own objects have, and what is a string of its own kind.
HOSTILE = (
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "1",
    "\ud83d",
    "\U0001f600\n",
)
NAMED = ("sessionId", "messageId", "toolCallId", "method", "sessionUpdate", "state", "id", "title")
LIMITS = (
    None,
    Limits(sessions=3, pending=20, ids=5, content=500),
    Limits(sessions=2, pending=12, ids=3, content=150),
)


@pytest.fixture(
    scope="module",
    params=["number", pytest.param("bigint", marks=pytest.mark.slow)],
    name="harness",
)
def _harness(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Harness]:
    need_node()
    folder = GENERATED
    if request.param != "number":
        folder = build(tmp_path_factory.mktemp("bigint") / "out", integers=request.param)
    harness = Harness(compiled(texts(folder)))
    yield harness
    harness.close()


# ---- comparing --------------------------------------------------------------------------------


def _compare(
    harness: Harness, found: list[Conversation], record: Record, name: str
) -> Counter[str]:
    """Have conversations with the other bridge; return how often each list said something."""
    said: Counter[str] = Counter()
    examples = []
    for talk in found:
        request = {key: item for key, item in talk.items() if key != "outcomes"}
        [answer] = harness.ask([{"op": "bridge", "folder": ".", **request}])
        assert "crash" not in answer, answer
        steps = zip(talk["steps"], talk["outcomes"], answer["outcomes"], strict=True)
        for step, ours, text in steps:
            theirs = json.loads(text)
            said["steps"] += 1
            said.update(key for key, items in ours.items() if items)
            if not same(ours, theirs):
                said["differences"] += 1
                examples.append(_example(talk, step, ours, theirs))
    lists = ", ".join(f"{said[key]} {key}" for key in ("toClient", "toAgent", "dropped", "losses"))
    record(
        "figure",
        f"Bridges in Python and TypeScript, {name}: {len(found)} conversations, {said['steps']} "
        f"messages ({lists}), {said['differences']} differences",
    )
    assert not examples, "\n\n".join(examples[:5])
    return said


def _example(talk: Conversation, step: Any, ours: Any, theirs: Any) -> str:
    lines = [f"client {talk['client']}, lossy {talk['lossy']}, limits {talk['limits']}"]
    lines.append(f"  {step['side']} says {step['text'][:800]}")
    for key in ours:
        if not same(ours[key], theirs.get(key)):
            lines.append(f"  {key}: Python {ours[key]}\n    TypeScript {theirs.get(key)}"[:2000])
    return "\n".join(lines)


# ---- conversations ----------------------------------------------------------------------------


def _rename(value: Any, rng: random.Random) -> Any:
    """Return ``value`` with hostile names in some of the places where a bridge keeps names."""
    if isinstance(value, list):
        return [_rename(item, rng) for item in value]
    if not isinstance(value, dict):
        return value
    made = {
        key: rng.choice(HOSTILE) if key in NAMED and rng.random() < 0.2 else _rename(item, rng)
        for key, item in value.items()
    }
    if rng.random() < 0.05:
        made[rng.choice(("__proto__", "constructor"))] = rng.choice((1, {"a": 1}, "x"))
    return made


def _converse(bridge: Any, versions: dict[str, str], count: int, rng: random.Random) -> None:
    """Pass ``count`` messages, of which ever more are valid no longer, and some are batches."""
    asked: dict[str, list[Any]] = {"client": [], "agent": []}
    pool = pools(versions, rng if rng.random() < 0.7 else None)
    answering = rng.choice((0.1, 0.4))
    for number in range(count):
        side, message = valid(versions, pool, asked, rng, answering)
        spoilt: Any = message
        if rng.random() < 0.6 * number / count:
            spoilt = spoil(message, rng)
        elif rng.random() < 0.3 * number / count:
            spoilt = _rename(message, rng)
        if rng.random() < 0.05:
            spoilt = [spoilt, message, rng.choice((5, message))]
        take = bridge.from_client if side == "client" else bridge.from_agent
        outcome = take(spoilt)
        for name, sent in (("client", outcome.to_client), ("agent", outcome.to_agent)):
            asked[name] += [one for one in sent if "id" in one and "method" in one]


@functools.cache
def _random(seeds: int, count: int) -> list[Conversation]:
    with recording() as found:
        for seed in range(seeds):
            for client, agent in (("v1", "v2"), ("v2", "v1")):
                for lossy in (False, True):
                    rng = random.Random(f"{seed_of_run()}:{seed}:{client}:{lossy}")
                    limits = LIMITS[seed % len(LIMITS)]
                    bridge = SessionBridge(client=client, agent=agent, lossy=lossy, limits=limits)
                    _converse(bridge, {"client": client, "agent": agent}, count, rng)
    return found


@functools.cache
def _of_tests(*files: str) -> list[Conversation]:
    """Return the conversations that the tests of the Python bridge hold."""
    tests = REPOSITORY / "tests" / "bridge"
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "recording.json"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "bridge_recording", "-p", "no:cacheprovider"]
            + [str(tests / file) for file in files],
            cwd=REPOSITORY,
            env={
                **os.environ,
                "ACP_RECORDING": str(target),
                "PYTHONPATH": os.pathsep.join([str(HERE), str(tests)]),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
        found: list[Conversation] = json.loads(target.read_text(encoding="utf-8"))
    return found


def _told_apart(said: Counter[str], least: int) -> None:
    """A run in which nothing is dropped, absorbed or lost would not compare much."""
    assert said["steps"] >= least
    assert all(said[key] for key in ("toClient", "toAgent", "dropped", "absorbed", "losses"))


def test_random_conversations(harness: Harness, record_property: Record) -> None:
    said = _compare(harness, _random(9, 60), record_property, "random")
    _told_apart(said, 2_000)


def test_conversations_of_the_python_tests(harness: Harness, record_property: Record) -> None:
    files = (
        f"test_bridge_{name}.py"
        for name in ("turns", "new_agent", "old_agent", "updates", "memory")
    )
    said = _compare(harness, _of_tests(*files), record_property, "of the tests")
    _told_apart(said, 200)


@pytest.mark.slow
def test_many_random_conversations(harness: Harness, record_property: Record) -> None:
    said = _compare(harness, _random(150, 100), record_property, "many random ones")
    _told_apart(said, 60_000)


@pytest.mark.slow
def test_all_conversations_of_the_python_tests(harness: Harness, record_property: Record) -> None:
    said = _compare(harness, _of_tests(""), record_property, "all of the tests")
    _told_apart(said, 20_000)


# ---- what is counted --------------------------------------------------------------------------

COUNTED: list[Any] = [
    None, True, False, 0, -17, 123456789012345, 2**53 - 1, 1.5, -0.25, 1e-4, 1.5e-5, 1e-7, 1.25e-300, 1e21, 1e22,
    "", "a b", "\"\\\b\f\n\r\t", "\x00\x1f\x7f", "\u2028\xe9", "\U0001f600", "\ud83d", "\ude00\ud83d", [], {}, [1, [2, {}]],
    {"a": 1, "__proto__": [], "\U0001f600\n": "x"},
]  # fmt: skip


def test_both_count_the_same_characters(harness: Harness, record_property: Record) -> None:
    with recording() as found:
        for value in COUNTED:
            message = prompt(1, "x")
            message["params"]["prompt"][0]["_meta"] = {"value": value}
            size = len(json.dumps(message["params"]["prompt"], ensure_ascii=False))
            for content in (size, size - 1):
                limits = Limits(content=content)
                bridge = SessionBridge(client="v2", agent="v1", limits=limits)
                outcome = bridge.from_client(message)
                assert bool(outcome.to_agent) == (content == size), value
    said = _compare(harness, found, record_property, "of sizes")
    assert said["toAgent"] == said["toClient"] == len(COUNTED)
