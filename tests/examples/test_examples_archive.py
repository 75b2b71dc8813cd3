"""The guarantees of archiving, held by the example agent in both versions."""

from __future__ import annotations

import asyncio
import base64
import signal
from pathlib import Path
from typing import Any

import pytest
from examples_driver import Talk, block, child, inside, process_of

VERSIONS = pytest.mark.parametrize("version", [1, 2])


def capability(version: int, answer: Any) -> Any:
    if version == 1:
        return answer["agentCapabilities"]["sessionCapabilities"]
    return answer["capabilities"]["session"]


@VERSIONS
def test_the_capability_is_announced_and_in_v1_the_list_with_it(version: int) -> None:
    async def story() -> None:
        async with inside(version, start=False) as talk:
            found = capability(version, await talk.initialize())
            assert found["archive"] == {}
            assert version == 2 or found["list"] == {}

    asyncio.run(story())


@VERSIONS
def test_without_archiving_it_is_neither_announced_nor_served_nor_applied(
    version: int, tmp_path: Path
) -> None:
    async def story() -> None:
        async with inside(version, tmp_path / "db") as talk:
            session = await talk.new()
            await talk.archive(session)
        async with inside(version, tmp_path / "db", start=False, archiving=False) as talk:
            assert "archive" not in capability(version, await talk.initialize())
            assert await talk.error("session/archive", sessionId=session) == -32601
            assert await talk.error("session/unarchive", sessionId=session) == -32601
            (info,) = await talk.listed()
            assert info["sessionId"] == session and "archived" not in info

    asyncio.run(story())


@VERSIONS
def test_archived_sessions_leave_the_default_list_and_come_back(version: int) -> None:
    async def story() -> None:
        async with inside(version) as talk:
            kept, hidden = await talk.new(), await talk.new()
            assert await talk.call("session/archive", sessionId=hidden, _meta={"a": [1]}) == {}
            for filters in ({}, {"archived": None}, {"archived": False}):
                assert await talk.listed(**filters) == await talk.listed()
            assert await talk.ids() == [kept]
            both = {
                info["sessionId"]: info["archived"] for info in await talk.listed(archived=True)
            }
            assert both == {kept: False, hidden: True}
            assert await talk.call("session/unarchive", sessionId=hidden, _meta=None) == {}
            assert sorted(await talk.ids()) == sorted([kept, hidden])

    asyncio.run(story())


@VERSIONS
def test_filters_come_before_pages(version: int) -> None:
    async def story() -> None:
        async with inside(version, page_size=2) as talk:
            here = [await talk.new("/here") for _ in range(6)]
            for _ in range(5):
                await talk.new("/there")
            for session in here[1:5]:
                await talk.archive(session)
            assert await talk.ids(cwd="/here") == [here[5], here[0]]
            assert (await talk.call("session/list", cwd="/here")).get("nextCursor") is None
            assert await talk.ids(cwd="/here", archived=True) == here[::-1]
            assert await talk.ids(cwd="/he", archived=True) == []
            assert len(await talk.ids()) == 7

    asyncio.run(story())


@VERSIONS
def test_pages_neither_miss_nor_repeat_a_session_when_things_change(version: int) -> None:
    async def story() -> None:
        async with inside(version, page_size=3) as talk:
            sessions = [await talk.new() for _ in range(9)]
            page = await talk.call("session/list")
            seen = [info["sessionId"] for info in page["sessions"]]
            # Activity, a new session, one less before the cursor, the cursor's own gone.
            await talk.say(sessions[0])
            await talk.new()
            await talk.archive(seen[0])
            await talk.call("session/delete", sessionId=seen[2])
            page = await talk.call("session/list", cursor=page["nextCursor"])
            seen += [info["sessionId"] for info in page["sessions"]]
            await talk.unarchive(seen[0])
            page = await talk.call("session/list", cursor=page["nextCursor"])
            seen += [info["sessionId"] for info in page["sessions"]]
            assert seen == sessions[::-1] and page.get("nextCursor") is None

    asyncio.run(story())


@VERSIONS
def test_a_cursor_with_other_filters_starts_anew_and_a_false_one_is_refused(version: int) -> None:
    async def story() -> None:
        async with inside(version, page_size=2) as talk:
            sessions = [await talk.new() for _ in range(5)]
            cursor = (await talk.call("session/list", cwd="/work"))["nextCursor"]
            for filters in ({}, {"cwd": "/work", "archived": True}, {"archived": True}):
                page = await talk.call("session/list", cursor=cursor, **filters)
                assert [info["sessionId"] for info in page["sessions"]] == sessions[:2:-1]
            # Omitted, null and false are the same filter.
            page = await talk.call("session/list", cursor=cursor, cwd="/work", archived=False)
            assert [info["sessionId"] for info in page["sessions"]] == sessions[2:0:-1]
            digest = base64.urlsafe_b64decode(cursor).decode().split()[1]
            huge = base64.urlsafe_b64encode(f"{10**20} {digest}".encode()).decode()
            for false in ("", "x", "é", "MTIz", cursor + "A", "-" + cursor, huge):
                assert await talk.error("session/list", cursor=false) == -32602

    asyncio.run(story())


@VERSIONS
def test_repeating_succeeds_and_nothing_but_the_state_changes(version: int) -> None:
    async def story() -> None:
        async with inside(version) as talk:
            session = await talk.new()
            await talk.say(session, "What a title")
            (before,) = await talk.listed()
            for state, method in ((True, "archive"), (False, "unarchive")):
                for _ in range(2):
                    assert await talk.call(f"session/{method}", sessionId=session) == {}
                    assert await talk.listed(archived=True) == [{**before, "archived": state}]
            assert before["title"] == "What a title"
            # The observer was told of the changes, not of the repetitions.
            told = [u["archived"] for u in talk.updates("session_info_update") if "archived" in u]
            assert told == [True, False]

    asyncio.run(story())


@VERSIONS
def test_unknown_and_deleted_sessions_are_not_found_and_deleted_ones_stay_so(version: int) -> None:
    async def story() -> None:
        async with inside(version) as talk:
            gone = await talk.new()
            await talk.archive(gone)
            # Deleting twice is as good as once.
            for _ in range(2):
                assert await talk.call("session/delete", sessionId=gone) == {}
            for session in (gone, "sess_never"):
                for method in ("archive", "unarchive"):
                    assert await talk.error(f"session/{method}", sessionId=session) == -32002
                with pytest.raises(Exception, match="-32002"):
                    await talk.reopen(session)
                assert (
                    await talk.error("session/prompt", sessionId=session, prompt=[block("x")])
                    == -32002
                )
            assert await talk.ids(archived=True) == []

    asyncio.run(story())


@VERSIONS
def test_opening_and_closing_leave_the_state_alone_and_archiving_opens_nothing(
    version: int, tmp_path: Path
) -> None:
    async def story() -> None:
        async with inside(version, tmp_path / "db") as talk:
            session = await talk.new()
            await talk.say(session)
        async with inside(version, tmp_path / "db") as talk:
            await talk.archive(session)
            assert talk.heard == []
            assert (
                await talk.error("session/prompt", sessionId=session, prompt=[block("x")]) == -32002
            )
            await talk.reopen(session, replay=True)
            assert talk.history() == [("user", "hello"), ("agent", "Echo: hello")]
            await talk.reopen(session)
            await talk.say(session)
            await talk.call("session/close", sessionId=session)
            assert [info["archived"] for info in await talk.listed(archived=True)] == [True]
            assert await talk.ids() == []

    asyncio.run(story())


@VERSIONS
def test_a_session_is_archived_while_its_prompt_goes_on(version: int) -> None:
    async def story() -> None:
        async with inside(version, pace=0.01) as talk:
            session = await talk.new()
            turn = asyncio.create_task(talk.say(session, "word " * 20))
            await talk.until("agent_message_chunk")
            await talk.archive(session)
            assert await talk.ids() == []
            assert not turn.done()
            assert await turn == "end_turn"
            told = await talk.until("session_info_update", archived=True)
            assert told == {"sessionUpdate": "session_info_update", "archived": True}
            assert talk.history()[-1] == ("agent", "Echo: " + "word " * 20)
            assert await talk.say(session) == "end_turn"
            assert await talk.ids() == []

    asyncio.run(story())


@VERSIONS
def test_archive_and_unarchive_at_once_end_in_one_of_the_two_states(version: int) -> None:
    async def story() -> None:
        async with inside(version) as talk:
            session = await talk.new()
            await asyncio.gather(
                *(call(session) for _ in range(20) for call in (talk.archive, talk.unarchive))
            )
            (info,) = await talk.listed(archived=True)
            assert (await talk.ids() == []) is info["archived"]
            told = [u["archived"] for u in talk.updates("session_info_update")]
            # Each change was told once, and the last one told is what the list says.
            assert told == [index % 2 == 0 for index in range(len(told))]
            assert (told[-1] if told else False) is info["archived"]

    asyncio.run(story())


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_state_and_history_survive_a_kill_and_go_from_version_to_version(
    first: int, second: int, tmp_path: Path
) -> None:
    async def story() -> None:
        async with child(first, tmp_path / "db") as talk:
            session = await talk.new()
            await talk.say(session, "Keep this")
            await talk.archive(session)
            listed = await talk.listed(archived=True)
            process_of(talk).send_signal(signal.SIGKILL)
        async with child(second, tmp_path / "db") as talk:
            assert await talk.ids() == []
            assert await talk.listed(archived=True) == listed
            await talk.unarchive(session)
            await talk.reopen(session, replay=True)
            assert talk.history() == [("user", "Keep this"), ("agent", "Echo: Keep this")]
            process_of(talk).send_signal(signal.SIGKILL)
        async with inside(first, tmp_path / "db") as talk:
            assert await talk.ids() == [session]

    asyncio.run(story())


def test_several_processes_share_the_sessions(tmp_path: Path) -> None:
    async def story() -> None:
        async with child(1, tmp_path / "db") as one, child(2, tmp_path / "db") as two:
            session = await one.new()
            await two.archive(session)
            assert await one.ids() == []
            await one.unarchive(session)
            assert await two.ids() == [session]

            async def repeat(talk: Talk) -> None:
                for _ in range(10):
                    await talk.archive(session)
                    await talk.unarchive(session)

            await asyncio.gather(repeat(one), repeat(two))
            assert await one.listed() == await two.listed()
            await two.call("session/delete", sessionId=session)
            # It is open here, but there is nothing any more that a prompt could bring back.
            assert (
                await one.error("session/prompt", sessionId=session, prompt=[block("x")]) == -32002
            )
            assert await one.ids(archived=True) == []

    asyncio.run(story())


def test_a_client_is_told_what_another_process_does_to_a_session_it_has_open(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with child(1, tmp_path / "db") as one, child(2, tmp_path / "db") as two:
            session, other = await one.new(), await one.new()
            for state, change in ((True, two.archive), (False, two.unarchive)):
                await change(session)
                await one.until("session_info_update", archived=state)
            # Its own changes are told once, and those of sessions that are not open never.
            await one.call("session/close", sessionId=other)
            await two.archive(other)
            await one.archive(session)
            await two.unarchive(session)
            await one.until("session_info_update", count=2, archived=False)
            told = [params["sessionId"] for _, params in one.heard]
            states = [update["archived"] for update in one.updates()]
            assert (set(told), states) == ({session}, [True, False, True, False])
            assert two.heard == []

    asyncio.run(story())


def test_many_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        async def one(number: int) -> None:
            async with child(1 + number % 2, tmp_path / "db") as talk:
                await talk.new(f"/work/{number}")

        await asyncio.gather(*(one(number) for number in range(6)))
        async with inside(1, tmp_path / "db") as talk:
            found = sorted(info["cwd"] for info in await talk.listed())
            assert found == [f"/work/{number}" for number in range(6)]

    asyncio.run(story())
