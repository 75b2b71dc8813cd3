"""The example agent beside archiving: negotiation, prompts, replay, settings, being subclassed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from acp_bindings import v1
from examples_driver import (
    AGENT,
    ENVIRONMENT,
    Talk,
    block,
    child,
    inside,
    pages,
)

from examples.archive_agent import Store
from examples.archive_agent.model import Block

VERSIONS = pytest.mark.parametrize("version", [1, 2])
INFO = {"info": {"name": "test", "version": "1"}}


@pytest.mark.parametrize(
    ("requested", "answered"),
    [
        *[(1, 1), (2, 2), (3, 2), (65535, 2)],
        *[(0, -32022), (65536, -32602), (-1, -32602)],
        *[(None, -32602), ("1", -32602), (True, -32602), (1.5, -32602)],
    ],
)
def test_the_newest_version_that_both_speak_is_agreed_upon(requested: Any, answered: int) -> None:
    async def story() -> None:
        async with inside(1, start=False) as talk:
            if answered > 0:
                answer = await talk.call("initialize", protocolVersion=requested, **INFO)
                assert answer["protocolVersion"] == answered
                assert ("agentCapabilities" in answer) is (answered == 1)
            else:
                assert await talk.error("initialize", protocolVersion=requested) == answered
                # Nothing was agreed upon, and the client may try again.
                assert (await talk.initialize())["protocolVersion"] == 1

    asyncio.run(story())


def test_an_unsupported_version_is_told_which_are_supported() -> None:
    async def story() -> None:
        async with inside(1, start=False) as talk:
            with pytest.raises(v1.RpcError) as caught:
                await talk.call("initialize", protocolVersion=0)
            assert caught.value.data == {"requested": 0, "supported": [1, 2]}

    asyncio.run(story())


@VERSIONS
def test_initialize_comes_first_and_once(version: int) -> None:
    async def story() -> None:
        async with inside(version, start=False) as talk:
            assert await talk.error("session/list") == -32600
            await talk.initialize()
            assert await talk.error("initialize", protocolVersion=version, **INFO) == -32600
            assert await talk.ids() == []
            assert await talk.error("session/fly") == -32601
            assert await talk.error("session/load" if version == 2 else "auth/login") == -32601

    asyncio.run(story())


@VERSIONS
def test_a_prompt_is_answered_in_several_updates_and_gives_the_title(version: int) -> None:
    async def story() -> None:
        async with inside(version) as talk:
            session = await talk.new()
            assert await talk.say(session, "Water the  plants\nevery day") == "end_turn"
            assert len(talk.updates("agent_message_chunk")) > 1
            assert talk.history() == [("agent", "Echo: Water the  plants\nevery day")]
            (told,) = talk.updates("session_info_update")
            assert told["title"] == "Water the plants every day"
            await talk.say(session, "Another")
            (info,) = await talk.listed()
            assert info["title"] == told["title"] and info["updatedAt"] > told["updatedAt"]
            states = [update["state"] for update in talk.updates("state_update")]
            assert states == (["running", "idle"] * 2 if version == 2 else [])

    asyncio.run(story())


@VERSIONS
def test_session_cancel_ends_the_turn_and_the_prompts_that_wait(version: int) -> None:
    async def story() -> None:
        async with inside(version, pace=5) as talk:
            session = await talk.new()
            first = asyncio.create_task(talk.say(session, "word " * 30))
            await talk.until("agent_message_chunk")
            prompt = {"sessionId": session, "prompt": [block("never")]}
            second = asyncio.create_task(talk.peer.channel.request("session/prompt", prompt))
            await asyncio.sleep(0)
            await talk.peer.channel.notify("session/cancel", {"sessionId": session})
            assert await first == "cancelled"
            if version == 1:
                assert (await second)["stopReason"] == "cancelled"
            else:
                with pytest.raises(v1.RpcError, match="-32800"):
                    await second
            # What was shown is kept, what never began is not.
            await talk.call("session/close", sessionId=session)
            talk.heard.clear()
            await talk.reopen(session, replay=True)
            (user, agent) = talk.history()
            assert user == ("user", "word " * 30) and agent[1].startswith("Echo: wo")

    asyncio.run(story())


@VERSIONS
def test_cancel_request_gives_up_a_prompt_that_has_not_been_answered(version: int) -> None:
    async def story() -> None:
        async with inside(version, pace=5) as talk:
            session = await talk.new()
            prompt = {"sessionId": session, "prompt": [block("word " * 30)]}
            channel = talk.peer.channel
            waiting = asyncio.create_task(channel.request("session/prompt", prompt))
            await talk.until("agent_message_chunk")
            if version == 2:
                # The first is in the conversation and answered; the next one waits for its turn.
                assert (await waiting)["messageId"]
                waiting = asyncio.create_task(channel.request("session/prompt", prompt))
                await asyncio.sleep(0)
            await channel.notify("$/cancel_request", {"requestId": channel._next - 1})
            if version == 2:
                await channel.notify("session/cancel", {"sessionId": session})
            with pytest.raises(v1.RpcError, match="-32800"):
                await waiting
            assert await talk.ids() == [session]

    asyncio.run(story())


@VERSIONS
def test_closing_and_deleting_stop_what_runs(version: int) -> None:
    async def story() -> None:
        async with inside(version, pace=5) as talk:
            for method in ("session/close", "session/delete"):
                session = await talk.new()
                talk.heard.clear()
                turn = asyncio.create_task(talk.say(session, "word " * 30))
                await talk.until("agent_message_chunk")
                assert await talk.call(method, sessionId=session) == {}
                count = len(talk.heard)
                assert await turn == "cancelled"
                await talk.ids()
                # Nothing of the session after the answer.
                assert len(talk.heard) == count
                assert await talk.call("session/close", sessionId=session) == {}

    asyncio.run(story())


@VERSIONS
def test_a_replay_comes_in_batches_in_order_and_whole(version: int, tmp_path: Path) -> None:
    asked: list[tuple[int, int]] = []

    class Watched(Store):
        def history(self, session_id: str, after: int, end: int, limit: int) -> list[Block]:
            found = super().history(session_id, after, end, limit)
            asked.append((limit, len(found)))
            return found

    async def story() -> None:
        async with inside(version, tmp_path / "db") as talk:
            session = await talk.new()
            for number in range(8):
                await talk.say(session, f"This is number {number}")
        async with inside(version, tmp_path / "db", store_class=Watched) as talk:
            await talk.reopen(session)
            assert talk.updates("user_message_chunk") == []
            await talk.reopen(session, replay=True)
            expected = [
                said
                for number in range(8)
                for said in (
                    ("user", f"This is number {number}"),
                    ("agent", f"Echo: This is number {number}"),
                )
            ]
            assert talk.history() == expected
            chunks = len(talk.updates("user_message_chunk") + talk.updates("agent_message_chunk"))
            sizes = [len(page) for page in pages(range(chunks), 10)]
            assert asked == [(10, size) for size in [*sizes, 0]]
            if version == 2:
                # The state comes after the replay and before the answer.
                assert talk.updates()[-1] == {"sessionUpdate": "state_update", "state": "idle"}

    asyncio.run(story())


def test_v2_refuses_a_replay_from_elsewhere() -> None:
    async def story() -> None:
        async with inside(2) as talk:
            session = await talk.new()
            place = {"sessionId": session, "cwd": "/work", "replayFrom": {"type": "middle"}}
            assert await talk.error("session/resume", **place) == -32602
            await talk.call("session/resume", **{**place, "replayFrom": None})

    asyncio.run(story())


def test_a_session_that_is_resumed_while_it_runs_is_said_to_run() -> None:
    async def story() -> None:
        async with inside(2, pace=5) as talk:
            session = await talk.new()
            turn = asyncio.create_task(talk.say(session, "word " * 30))
            await talk.until("agent_message_chunk")
            await talk.reopen(session)
            assert [update["state"] for update in talk.updates("state_update")] == ["running"] * 2
            await talk.peer.channel.notify("session/cancel", {"sessionId": session})
            assert await turn == "cancelled"

    asyncio.run(story())


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_what_the_other_version_cannot_show_becomes_a_note(
    first: int, second: int, tmp_path: Path
) -> None:
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
    strange = (
        {**link, "size": -1}
        if first == 1
        else {"type": "hologram", "data": "x", "text": "not a text block"}
    )

    async def story() -> None:
        async with inside(first, tmp_path / "db") as talk:
            session = await talk.new()
            await talk.call(
                "session/prompt", sessionId=session, prompt=[block("see"), link, strange]
            )
            if first == 2:
                await talk.until("state_update", state="idle")
        for version in (first, second):
            async with inside(version, tmp_path / "db") as talk:
                await talk.reopen(session, replay=True)
                shown = [update["content"] for update in talk.updates("user_message_chunk")]
                assert shown[:2] == [block("see"), link]
                note = block(f"[something that protocol v{second} cannot show]")
                assert shown[2] == (strange if version == first else note)

    asyncio.run(story())


@VERSIONS
def test_settings_are_chosen_kept_and_used(version: int, tmp_path: Path) -> None:
    key = "id" if version == 1 else "configId"

    def choices(answer: Any) -> dict[str, str]:
        return {option[key]: option["currentValue"] for option in answer["configOptions"]}

    async def choose(talk: Talk, session: str, name: str, value: str) -> Any:
        typed = {} if version == 1 else {"type": "id"}
        return await talk.call(
            "session/set_config_option", sessionId=session, configId=name, value=value, **typed
        )

    async def story() -> None:
        async with inside(version, tmp_path / "db") as talk:
            session = await talk.new()
            assert choices(await choose(talk, session, "mode", "shout"))["mode"] == "shout"
            if version == 1:
                assert talk.updates("current_mode_update")[0]["currentModeId"] == "shout"
                for mode in ("echo", "shout"):
                    await talk.call("session/set_mode", sessionId=session, modeId=mode)
                assert choices(talk.updates("config_option_update")[-1])["mode"] == "shout"
                assert await talk.error("session/set_mode", sessionId=session, modeId="x") == -32602
            for name, value in (("mode", "x"), ("x", "echo")):
                with pytest.raises(v1.RpcError, match="-32602"):
                    await choose(talk, session, name, value)
            with pytest.raises(v1.RpcError, match="-32002"):
                await choose(talk, "sess_never", "mode", "echo")
        async with inside(version, tmp_path / "db") as talk:
            answer = await talk.reopen(session)
            assert choices(answer) == {"mode": "shout", "opening": "echo"}
            assert version == 2 or answer["modes"]["currentModeId"] == "shout"
            await choose(talk, session, "opening", "none")
            await talk.say(session, "loud")
            assert talk.history() == [("agent", "LOUD")]

    asyncio.run(story())


@VERSIONS
def test_a_relative_folder_is_refused(version: int) -> None:
    async def story() -> None:
        async with inside(version) as talk:
            assert await talk.error("session/new", cwd="here", mcpServers=[]) == -32602
            assert await talk.new("C:\\work")
            assert len(await talk.ids()) == 1

    asyncio.run(story())


def test_a_program_of_its_own_may_replace_one_class_and_print(tmp_path: Path) -> None:
    program = tmp_path / "faulty.py"
    program.write_text(
        textwrap.dedent("""
        import sys
        from examples.archive_agent import Store, main

        class Forgetful(Store):
            def set_archived(self, session_id, archived):
                print("a print that must not reach the client")
                return True

        sys.exit(main(store_class=Forgetful))
        """)
    )

    async def story() -> None:
        async with child(2, command=[sys.executable, str(program)]) as talk:
            session = await talk.new()
            await talk.archive(session)
            assert await talk.ids() == [session]

    asyncio.run(story())


def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "db").write_text("This is a diary and no database. " * 100)
    before = (tmp_path / "db").read_bytes()
    done = subprocess.run(
        [*AGENT, "--db", str(tmp_path / "db")],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("archive_agent: cannot use ") and "not a database" in done.stderr
    assert (tmp_path / "db").read_bytes() == before
