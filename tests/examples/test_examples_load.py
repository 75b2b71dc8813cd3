"""The example agent under load, and killed while it writes. The figures end up in the summary."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from examples_driver import Talk, block, child, memory, process_of

from examples.archive_agent import Store

VERSIONS = pytest.mark.parametrize("version", [1, 2])
#: Where the versions differ little in what is measured, the quick tests do one.
ONE_QUICK = pytest.mark.parametrize("version", [pytest.param(1, marks=pytest.mark.slow), 2])


@VERSIONS
def test_500_requests_at_once_get_each_its_own_answer(version: int, record_property: Any) -> None:
    async def story() -> None:
        async with child(version) as talk:
            began = time.perf_counter()
            numbers = range(500)
            sessions = await asyncio.gather(*(talk.new(f"/work/{number}") for number in numbers))
            assert len(set(sessions)) == 500

            async def mixed(number: int) -> None:
                session = sessions[number]
                match number % 4:
                    case 0:
                        (info,) = await talk.listed(cwd=f"/work/{number}")
                        assert info["sessionId"] == session
                    case 1:
                        assert await talk.archive(session) == {}
                    case 2:
                        assert (
                            await talk.error("session/archive", sessionId=f"no {number}") == -32002
                        )
                    case 3:
                        prompt = [block(f"number {number}")]
                        await talk.call("session/prompt", sessionId=session, prompt=prompt)

            await asyncio.gather(*(mixed(number) for number in numbers))
            if version == 2:
                await talk.until("state_update", count=125, state="idle")
            took = time.perf_counter() - began
            said = dict.fromkeys(sessions, "")
            for _, params in talk.heard:
                if params["update"]["sessionUpdate"] == "agent_message_chunk":
                    said[params["sessionId"]] += params["update"]["content"]["text"]
            for number, session in enumerate(sessions):
                assert said[session] == (f"Echo: number {number}" if number % 4 == 3 else "")
            hidden = [s for number, s in enumerate(sessions) if number % 4 == 1]
            assert await talk.ids() == [s for s in reversed(sessions) if s not in hidden]
            record_property(
                "figure",
                f"v{version}, 2 x 500 requests at once: {took:.1f} s,"
                f" peak memory of the agent {memory(talk, 'VmHWM'):.0f} MiB",
            )
            assert memory(talk, "VmHWM") < 150

    asyncio.run(story())


def test_requests_beyond_the_limit_are_answered_with_an_error_and_none_is_lost() -> None:
    async def story() -> None:
        async with child(1, pace=30) as talk:
            session = await talk.new()
            # They wait for their turn, one after the other, until they are cancelled.
            calls = [
                asyncio.create_task(
                    talk.call("session/prompt", sessionId=session, prompt=[block(str(number))])
                )
                for number in range(1200)
            ]
            # Those that are refused end at once, and no other does. Only then is there a place again.
            async with asyncio.timeout(60):
                while sum(call.done() for call in calls) < 200:
                    await asyncio.sleep(0.01)
            await talk.peer.channel.notify("session/cancel", {"sessionId": session})
            found = await asyncio.gather(*calls, return_exceptions=True)
            refused = [answer for answer in found if isinstance(answer, Exception)]
            assert len(refused) == 200
            assert all("Too many requests" in str(error) for error in refused)
            assert [a for a in found if a == {"stopReason": "cancelled"}] == found[:1000]
            assert await talk.ids() == [session]

    asyncio.run(story())


@ONE_QUICK
def test_10000_sessions_are_paged_through(
    version: int, tmp_path: Path, record_property: Any
) -> None:
    store = Store(str(tmp_path / "db"), durable=False)
    for number in range(10_000):
        session = store.create(f"s{number}", f"/work/{number % 7}", {})
        if number % 3 == 0:
            store.set_archived(session.id, True)
    store.close()
    every = [f"s{number}" for number in reversed(range(10_000))]

    async def story() -> None:
        async with child(version, tmp_path / "db") as talk:
            began = time.perf_counter()
            assert await talk.ids(archived=True) == every
            took = time.perf_counter() - began
            assert await talk.ids() == [s for s in every if int(s[1:]) % 3]
            assert await talk.ids(cwd="/work/2") == [
                s for s in every if int(s[1:]) % 3 and int(s[1:]) % 7 == 2
            ]
            record_property(
                "figure",
                f"v{version}, 10,000 sessions in 200 pages: {took:.1f} s,"
                f" peak memory of the agent {memory(talk, 'VmHWM'):.0f} MiB",
            )
            assert memory(talk, "VmHWM") < 150

    asyncio.run(story())


@ONE_QUICK
def test_a_prompt_of_10_mb_is_echoed_and_replayed(
    version: int, tmp_path: Path, record_property: Any
) -> None:
    text = "".join(random.Random(1).choices("abcdefghijklmnop é\n", k=10_000_000))

    async def story() -> None:
        async with child(version, tmp_path / "db") as talk:
            session = await talk.new()
            began = time.perf_counter()
            assert await talk.say(session, text) == "end_turn"
            took = time.perf_counter() - began
            assert talk.history() == [("agent", f"Echo: {text}")]
            assert 2 < len(talk.updates("agent_message_chunk")) <= 51
            talk.heard.clear()
            await talk.reopen(session, replay=True)
            assert talk.history() == [("user", text), ("agent", f"Echo: {text}")]
            peak = memory(talk, "VmHWM")
            record_property(
                "figure",
                f"v{version}, a prompt of 10 MB, echoed: {took:.1f} s,"
                f" peak memory of the agent {peak:.0f} MiB",
            )
            assert peak < 400

    asyncio.run(story())


class Busy:
    """Works on an agent until it dies, and remembers what it was promised."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.archived: dict[str, bool] = {}
        self.unsure: set[str] = set()
        self.deleted: set[str] = set()
        self.promises = 0

    async def work(self, seed: int) -> None:
        rolls = random.Random(seed)
        while True:
            session = await self.talk.new()
            self.archived[session] = False
            self.promises += 1
            for _ in range(rolls.randrange(1, 4)):
                prompt = [block(f"{seed} {rolls.random()}")]
                await self.talk.call("session/prompt", sessionId=session, prompt=prompt)
            state = rolls.random() < 0.5
            # Between the question and the answer either state is right.
            self.unsure.add(session)
            await (self.talk.archive if state else self.talk.unarchive)(session)
            self.archived[session] = state
            self.promises += 1
            if rolls.random() < 0.2:
                await self.talk.call("session/delete", sessionId=session)
                self.deleted.add(session)
                self.promises += 1
            else:
                self.unsure.discard(session)


async def kill_in_the_middle(version: int, database: Path, seed: int) -> int:
    """Kill an agent while it writes, look for what it promised, return how much that was."""
    async with child(version, database) as talk:
        busy = Busy(talk)
        workers = [asyncio.create_task(busy.work(seed * 100 + number)) for number in range(20)]
        count = random.Random(seed).randrange(30, 120)
        while busy.promises < count:
            await asyncio.sleep(0.001)
        process_of(talk).kill()
        # Each call that waits gets a clear error, and none waits for ever.
        async with asyncio.timeout(20):
            ends = await asyncio.gather(*workers, return_exceptions=True)
        for error in ends:
            assert isinstance(error, ConnectionError), repr(error)
            assert "killed by signal 9" in str(error)
        shown: dict[str, list[tuple[str, str]]] = {}
        for _, params in talk.heard:
            update = params["update"]
            if update["sessionUpdate"] == "agent_message_chunk":
                shown.setdefault(params["sessionId"], []).append(
                    (update["messageId"], update["content"]["text"])
                )
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    async with child(version, database) as talk:
        listed = {info["sessionId"]: info["archived"] for info in await talk.listed(archived=True)}
        assert not busy.deleted & set(listed)
        for session, state in busy.archived.items():
            if session in busy.unsure:
                continue
            assert listed[session] is state
        for session in sorted(set(shown) & set(listed))[:10]:
            talk.heard.clear()
            await talk.reopen(session, replay=True)
            kept = [
                (update["messageId"], update["content"]["text"])
                for update in talk.updates("agent_message_chunk")
            ]
            assert kept[: len(shown[session])] == shown[session]
    return busy.promises


@VERSIONS
def test_what_was_promised_survives_a_kill_in_the_middle_of_writes(
    version: int, tmp_path: Path, record_property: Any
) -> None:
    kept = asyncio.run(kill_in_the_middle(version, tmp_path / "db", version))
    record_property(
        "figure", f"v{version}, killed in the middle of writes: {kept} changes, none lost"
    )


@pytest.mark.slow
def test_what_was_promised_survives_many_kills(tmp_path: Path, record_property: Any) -> None:
    kept = sum(
        asyncio.run(kill_in_the_middle(1 + seed % 2, tmp_path / "db", seed)) for seed in range(25)
    )
    record_property("figure", f"killed 25 times in the middle of writes: {kept} changes, none lost")


@VERSIONS
def test_a_client_that_dies_in_the_middle_of_a_prompt_leaves_the_database_intact(
    version: int, tmp_path: Path
) -> None:
    async def story() -> None:
        async with child(version, tmp_path / "db", pace=0.01) as talk:
            session = await talk.new()
            turn = asyncio.create_task(talk.say(session, "word " * 50))
            await talk.until("agent_message_chunk", count=5)
            process = process_of(talk)
            assert process.stdin is not None
            # As if it were killed: both ends go at once.
            process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
            process.stdin.close()
            assert await asyncio.wait_for(process.wait(), 20) == 0
            if version == 1:
                with pytest.raises(ConnectionError):
                    await turn
            turn.cancel()
        async with child(version, tmp_path / "db") as talk:
            await talk.reopen(session, replay=True)
            user, agent = talk.history()
            assert user == ("user", "word " * 50) and agent[1].startswith("Echo: word")

    asyncio.run(story())
