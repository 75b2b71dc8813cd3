"""The peer of the examples: what it does with bad lines, bad ends and slow readers."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from acp_bindings import v1, v2
from examples_driver import AGENT, ENVIRONMENT, child, inside, memory

from examples.peer import Peer, spawn

FAKE = [sys.executable, str(Path(__file__).with_name("fake_agent.py"))]
VERSIONS = pytest.mark.parametrize("version", [1, 2])


class Wire:
    """The bare other end of a peer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def write(self, *lines: Any) -> None:
        for line in lines:
            text = line if isinstance(line, bytes) else json.dumps(line).encode()
            self.writer.write(text + b"\n")

    async def read(self) -> Any:
        async with asyncio.timeout(20):
            return json.loads(await self.reader.readline())

    async def rest(self) -> list[Any]:
        """Close this end and return what still comes."""
        self.writer.write_eof()
        async with asyncio.timeout(20):
            return [json.loads(line) for line in (await self.reader.read()).splitlines()]


class Echo:
    """Answers with the params; ``_wait`` after the time in them; ``_bad`` with what is no JSON."""

    def __init__(self) -> None:
        self.ended: list[Any] = []
        self.notified: list[Any] = []

    async def request(self, method: str, params: Any) -> Any:
        if method == "_wait":
            try:
                await asyncio.sleep(params)
                self.ended.append("finished")
            except asyncio.CancelledError:
                self.ended.append("cancelled")
                raise
        if method == "_bad":
            return {"nan": float("nan"), "surrogate": "\ud800", "object": object()}[params]
        return params

    async def notify(self, method: str, params: Any) -> None:
        self.notified.append((method, params))


@asynccontextmanager
async def wire(**options: Any) -> AsyncIterator[tuple[Wire, Peer, Echo]]:
    """A peer that echoes, and the bare other end of its connection."""
    ours, theirs = socket.socketpair()
    peer, echo = Peer(*await asyncio.open_connection(sock=theirs), **options), Echo()
    peer.channel.serve(echo)
    running = asyncio.create_task(peer.run())
    reader, writer = await asyncio.open_connection(sock=ours, limit=2**17)
    try:
        yield Wire(reader, writer), peer, echo
    finally:
        writer.close()
        await running


def call(id_: Any, params: Any = None, method: str = "_echo") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params or {}}


def answered(found: Any) -> Any:
    """The id of an answer, with its result or the code of its error."""
    return (found["id"], found["result"] if "result" in found else found["error"]["code"])


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"noise", -32700),
        (b"{", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":{"a":NaN}}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":[-Infinity]}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":[1e999]}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":["\\ud800"]}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":{"\\uDfff":1}}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":["\xff"]}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"_echo","params":["\xed\xa0\x80"]}', -32700),
        (b"\xef\xbb\xbf{}", -32700),
        (b"[" * 100_000, -32700),
        (b"9" * 5000, -32700),
        (b"{}", -32600),
        (b"null", -32600),
        (b'"text"', -32600),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"_echo"}]', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"_echo"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"_echo"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"_echo"}', -32600),
    ],
)
def test_a_bad_line_is_answered_without_an_id_and_the_next_one_is_served(
    line: bytes, code: int
) -> None:
    async def story() -> None:
        async with wire() as (end, _, echo):
            end.write(line, call(2, ["next"]))
            assert answered(await end.read()) == (None, code)
            assert answered(await end.read()) == (2, ["next"])
            assert echo.notified == []

    asyncio.run(story())


def test_what_is_unusual_but_right_is_served() -> None:
    async def story() -> None:
        async with wire() as (end, _, _):
            end.write(
                b"",
                b"   \r",
                b' {"params":["\\ud83d\\ude00 \xc3\xa9"],"method":"_echo","jsonrpc":"2.0","id":"x"}\r',
            )
            assert answered(await end.read()) == ("x", ["😀 é"])

    asyncio.run(story())


def test_lines_may_come_in_any_pieces() -> None:
    async def story() -> None:
        async with wire() as (end, _, _):
            data = b"".join(json.dumps(call(n, [n])).encode() + b"\n" for n in range(3))
            for number in range(len(data)):
                end.writer.write(data[number : number + 1])
                await asyncio.sleep(0)
            for number in range(3):
                assert answered(await end.read()) == (number, [number])

    asyncio.run(story())


def test_the_last_line_may_lack_its_end_and_half_a_line_is_an_error() -> None:
    async def story(last: bytes) -> list[Any]:
        async with wire() as (end, _, _):
            end.write(call(1, [1]))
            end.writer.write(last)
            return [answered(found) for found in await end.rest()]

    whole = json.dumps(call(2, [2])).encode()
    assert asyncio.run(story(whole)) == [(1, [1]), (2, [2])]
    assert asyncio.run(story(whole[:-1])) == [(1, [1]), (None, -32700)]


@pytest.mark.parametrize(
    ("head", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"_echo","params":["', 7),
        (b'{ "id" : "a-7" , "method":"_echo","params":["', "a-7"),
        (b'{"method":"_echo","id":7,"params":["', None),
        (b"", None),
    ],
)
def test_a_line_that_is_too_long_is_answered_and_skipped_to_its_end(head: bytes, id_: Any) -> None:
    async def story() -> None:
        async with wire(line_limit=100_000) as (end, _, _):
            end.write(head + b"x" * 1_000_000, call(1, ["next"]), b"y" * 100_001, call(2, ["more"]))
            found = [answered(await end.read()) for _ in range(4)]
            assert sorted(found, key=str) == sorted(
                [(id_, -32600), (1, ["next"]), (None, -32600), (2, ["more"])], key=str
            )
            # As long as it may be.
            end.write(json.dumps(call(3)).encode().ljust(100_000))
            assert answered(await end.read()) == (3, {})

    asyncio.run(story())


def test_ids_that_are_in_use_or_belong_to_nobody_cross_no_answers() -> None:
    async def story() -> None:
        async with wire() as (end, peer, _):
            end.write(call(1, 0.2, "_wait"), call(1, ["again"]), call("1", ["text"]))
            found = [answered(await end.read()) for _ in range(3)]
            assert found == [(1, -32600), ("1", ["text"]), (1, 0.2)]
            # The id is free again.
            end.write(call(1, ["later"]))
            assert answered(await end.read()) == (1, ["later"])
            # Answers to nobody do not disturb the one that is waited for.
            waiting = asyncio.create_task(peer.channel.request("_ask", {}))
            asked = await end.read()
            for wrong in (999, "0", None, -1):
                end.write({"jsonrpc": "2.0", "id": wrong, "result": "wrong"})
            end.write({"jsonrpc": "2.0", "id": asked["id"], "result": "right"})
            end.write({"jsonrpc": "2.0", "id": asked["id"], "result": "late"})
            assert await waiting == "right"
            end.write(call(5, ["alive"]))
            assert answered(await end.read()) == (5, ["alive"])

    asyncio.run(story())


@pytest.mark.parametrize("batches", [True, False])
def test_batches_are_served_where_the_version_has_them(batches: bool) -> None:
    async def story() -> None:
        async with wire() as (end, peer, echo):
            peer.channel.batches = batches
            note = {"jsonrpc": "2.0", "method": "_note"}
            end.write([call(1, ["a"]), note, 5, call(2, ["b"])])
            found = await end.read()
            if batches:
                assert sorted(map(answered, found), key=str) == [
                    (1, ["a"]),
                    (2, ["b"]),
                    (None, -32600),
                ]
                assert echo.notified == [("_note", None)]
            else:
                assert answered(found) == (None, -32600)
                assert echo.notified == []

    asyncio.run(story())


@pytest.mark.parametrize("kind", ["nan", "surrogate", "object"])
@pytest.mark.parametrize("batches", [True, False])
def test_a_result_that_is_no_json_is_answered_with_an_error(kind: str, batches: bool) -> None:
    async def story() -> None:
        async with wire() as (end, peer, _):
            peer.channel.batches = batches
            end.write([call(1, kind, "_bad")] if batches else call(1, kind, "_bad"))
            found = await end.read()
            assert answered(found[0] if batches else found) == (1, -32603)
            end.write(call(2, ["alive"]))
            assert answered(await end.read()) == (2, ["alive"])

    asyncio.run(story())


@pytest.mark.parametrize(("grace", "outcome"), [(5, "finished"), (0, "cancelled")])
def test_at_the_end_requests_in_flight_are_finished_or_cancelled(
    grace: float, outcome: str
) -> None:
    async def story() -> None:
        async with wire(grace=grace) as (end, peer, echo):
            waiting = asyncio.create_task(peer.channel.request("_ask", {}))
            await end.read()
            end.write(call(1, 0.1, "_wait"))
            await asyncio.sleep(0.02)
            rest = [answered(found) for found in await end.rest()]
            assert rest == ([(1, 0.1)] if grace else [])
            assert echo.ended == [outcome]
            with pytest.raises(ConnectionError, match="the other side has closed it"):
                await waiting
            with pytest.raises(ConnectionError, match="closed"):
                await peer.channel.notify("_note", {})

    asyncio.run(story())


def test_a_writer_waits_for_a_slow_reader_and_nothing_is_lost() -> None:
    async def story() -> None:
        async with wire() as (end, peer, _):
            text = "x" * 100_000
            sent = 0

            async def send() -> None:
                nonlocal sent
                for number in range(100):
                    await peer.channel.notify("_note", [number, text])
                    sent += 1

            sending = asyncio.create_task(send())
            # 10 MB do not fit into the socket: the sender comes to stand.
            stood = -1
            while stood != sent:
                stood = sent
                await asyncio.sleep(0.1)
            assert sent < 100
            assert [(await end.read())["params"][0] for _ in range(100)] == list(range(100))
            await sending

    asyncio.run(story())


def test_a_reader_that_goes_away_ends_the_connection() -> None:
    async def story() -> None:
        ours, theirs = socket.socketpair()
        peer = Peer(*await asyncio.open_connection(sock=theirs))
        running = asyncio.create_task(peer.run())
        ours.close()
        with pytest.raises(ConnectionError):
            for _ in range(100):
                await peer.channel.notify("_note", "x" * 100_000)
        await asyncio.wait_for(running, 10)

    asyncio.run(story())


# The agent's process


def test_stdin_and_stdout_may_be_files(tmp_path: Path) -> None:
    lines = [call(1, {"protocolVersion": 1}, "initialize"), call(2, {}, "session/list")]
    (tmp_path / "in").write_text("\n".join(json.dumps(line) for line in lines))
    with (tmp_path / "in").open() as source, (tmp_path / "out").open("w") as target:
        done = subprocess.run(
            [*AGENT, "--db", ":memory:"], stdin=source, stdout=target, env=ENVIRONMENT, timeout=60
        )
    found = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert done.returncode == 0
    assert [found[0]["id"], answered(found[1])] == [1, (2, {"sessions": []})]


def test_a_long_line_takes_no_more_memory_than_the_limit(record_property: Any) -> None:
    async def story() -> None:
        async with child(1, ":memory:", "--line-limit", str(1024 * 1024)) as talk:
            await talk.ids()
            before = memory(talk, "VmHWM")
            writer = talk.peer._writer
            writer.write(b'{"jsonrpc":"2.0","id":99,"method":"_x","params":["')
            for _ in range(100):
                writer.write(b"x" * 1024 * 1024)
                await writer.drain()
            writer.write(b'"]}\n')
            assert await talk.ids() == []
            grown = memory(talk, "VmHWM") - before
            record_property(
                "figure", f"a line of 100 MiB, limit 1 MiB: memory grew by {grown:.0f} MiB"
            )
            assert grown < 16

    asyncio.run(story())


def test_a_client_that_never_reads_does_not_fill_the_memory(record_property: Any) -> None:
    async def story() -> None:
        process = await asyncio.create_subprocess_exec(
            *AGENT,
            *("--db", ":memory:"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
            limit=2**16,
        )
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(
            json.dumps(call(0, {"protocolVersion": 1}, "initialize")).encode() + b"\n"
        )
        await process.stdout.readline()

        def used() -> int:
            status = Path(f"/proc/{process.pid}/status").read_text()
            return int(status.split("VmHWM:")[1].split()[0])

        before, total, sent = used(), 20_000, 0
        request = b'{"jsonrpc":"2.0","id":%d,"method":"_none"}\n'

        async def send() -> None:
            nonlocal sent
            for number in range(1, total + 1):
                process.stdin.write(request % number)
                await process.stdin.drain()
                sent = number

        sending = asyncio.create_task(send())
        # Until the agent takes no more.
        stood = -1
        while stood != sent:
            stood = sent
            await asyncio.sleep(0.5)
        assert 0 < sent < total
        grown = (used() - before) / 1024
        record_property(
            "figure", f"{sent} requests whose answers nobody reads: memory grew by {grown:.0f} MiB"
        )
        assert grown < 64
        # Now they are read: each is answered once, with a result or with an error.
        seen: set[int] = set()
        while len(seen) < total:
            found = json.loads(await process.stdout.readline())
            assert found["id"] not in seen and ("result" in found) != ("error" in found)
            seen.add(found["id"])
        await sending
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 20) == 0

    asyncio.run(story())


# The other way round: an agent that misbehaves


CALLS: dict[int, list[tuple[str, Any]]] = {
    1: [
        ("new_session", v1.NewSessionRequest(cwd="/", mcp_servers=[])),
        ("load_session", v1.LoadSessionRequest(session_id="s", cwd="/", mcp_servers=[])),
        ("resume_session", v1.ResumeSessionRequest(session_id="s", cwd="/")),
        ("list_sessions", v1.ListSessionsRequest(archived=True)),
        ("prompt", v1.PromptRequest(session_id="s", prompt=[v1.TextContentBlock(text="x")])),
        ("set_session_mode", v1.SetSessionModeRequest(session_id="s", mode_id="m")),
        ("close_session", v1.CloseSessionRequest("s")),
        ("delete_session", v1.DeleteSessionRequest("s")),
        ("archive_session", v1.ArchiveSessionRequest("s")),
        ("unarchive_session", v1.UnarchiveSessionRequest("s")),
    ],
    2: [
        ("new_session", v2.NewSessionRequest("/")),
        ("resume_session", v2.ResumeSessionRequest(session_id="s", cwd="/")),
        ("list_sessions", v2.ListSessionsRequest(archived=True)),
        ("prompt", v2.PromptRequest(session_id="s", prompt=[v2.TextContentBlock(text="x")])),
        ("close_session", v2.CloseSessionRequest("s")),
        ("delete_session", v2.DeleteSessionRequest("s")),
        ("archive_session", v2.ArchiveSessionRequest("s")),
        ("unarchive_session", v2.UnarchiveSessionRequest("s")),
    ],
}


@asynccontextmanager
async def fake(version: int, fault: str) -> AsyncIterator[Any]:
    """A connection to an agent that answers ``initialize``, and then no call as it should."""
    async with await spawn([*FAKE, fault], line_limit=100_000) as peer:
        if version == 1:
            one = v1.ClientSideConnection(peer.channel)
            await one.initialize(v1.InitializeRequest(1))
            yield one
        else:
            two = v2.ClientSideConnection(peer.channel)
            info = v2.Implementation(name="test", version="1")
            await two.initialize(v2.InitializeRequest(protocol_version=2, info=info))
            yield two


@VERSIONS
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("die", "the agent ended with exit code 3"),
        ("kill", "the agent was killed by signal 9"),
        ("half", "the agent ended with exit code 0"),
    ],
)
def test_an_agent_that_dies_in_the_middle_of_a_call_is_a_clear_error(
    version: int, fault: str, said: str
) -> None:
    async def story() -> None:
        async def one(name: str, params: Any) -> None:
            async with fake(version, fault) as agent, asyncio.timeout(20):
                # Others wait as well: each gets its error.
                calls = [getattr(agent, name)(params) for _ in range(3)]
                for error in await asyncio.gather(*calls, return_exceptions=True):
                    assert isinstance(error, ConnectionError) and said in str(error), repr(error)
                with pytest.raises(ConnectionError, match=said):
                    await getattr(agent, name)(params)

        await asyncio.gather(*(one(name, params) for name, params in CALLS[version]))

    asyncio.run(story())


@pytest.mark.parametrize(
    ("fault", "code"), [("nan", -32700), ("long", -32600), ("no-code", -32603)]
)
def test_an_answer_that_cannot_be_read_is_an_error_for_its_call(fault: str, code: int) -> None:
    async def story() -> None:
        async with fake(1, fault) as agent, asyncio.timeout(20):
            for _ in range(2):
                with pytest.raises(v1.RpcError) as caught:
                    await agent.list_sessions(v1.ListSessionsRequest())
                assert caught.value.code == code

    asyncio.run(story())


def test_an_answer_of_the_wrong_type_is_an_error_for_its_call() -> None:
    async def story() -> None:
        async with fake(2, "wrong-type") as agent, asyncio.timeout(20):
            for _ in range(2):
                with pytest.raises(v2.DecodeError):
                    await agent.list_sessions(v2.ListSessionsRequest())

    asyncio.run(story())


@pytest.mark.parametrize("fault", ["noise", "bytes", "both"])
def test_noise_around_an_answer_does_not_disturb_it(fault: str) -> None:
    async def story() -> None:
        async with fake(1, fault) as agent, asyncio.timeout(20):
            found = await asyncio.gather(
                *(agent.list_sessions(v1.ListSessionsRequest()) for _ in range(5))
            )
            assert [page.sessions for page in found] == [[]] * 5

    asyncio.run(story())


def test_what_an_agent_says_before_it_goes_is_heard_although_it_does_not_listen() -> None:
    async def story() -> None:
        async with await spawn([*FAKE, "last-words"]) as peer, asyncio.timeout(20):
            agent = v1.ClientSideConnection(peer.channel)
            await agent.initialize(v1.InitializeRequest(1))
            waiting = asyncio.create_task(agent.list_sessions(v1.ListSessionsRequest()))
            with pytest.raises(ConnectionError):
                while True:
                    await peer.channel.notify("_note", "x" * 10_000)
            assert (await waiting).sessions == []

    asyncio.run(story())


def test_an_agent_that_closes_its_end_but_lives_on_is_ended() -> None:
    async def story() -> None:
        async with await spawn([*FAKE, "silent"], grace=2) as peer:
            agent = v1.ClientSideConnection(peer.channel)
            await agent.initialize(v1.InitializeRequest(1))
            with pytest.raises(ConnectionError, match="the other side has closed it"):
                await agent.list_sessions(v1.ListSessionsRequest())
        assert peer.process.returncode is not None

    asyncio.run(story())


def test_a_program_that_cannot_be_started_is_an_error() -> None:
    async def story() -> None:
        with pytest.raises(OSError, match="no such program"):
            await spawn(["/no such program"])

    asyncio.run(story())


def test_the_agent_takes_no_harm_from_a_client_that_sends_all_kinds_of_nonsense() -> None:
    async def story() -> None:
        async with inside(2) as talk:
            session = await talk.new()
            for params in (None, [], 5, "x", {"sessionId": 5}, {"sessionId": None}, {"x": {}}):
                for method in ("session/archive", "session/prompt", "session/resume"):
                    with pytest.raises(v1.RpcError, match="-32602"):
                        await talk.peer.channel.request(method, params)
                for method in ("session/cancel", "$/cancel_request", "_x", "x"):
                    await talk.peer.channel.notify(method, params)
            assert await talk.say(session) == "end_turn"
            assert await talk.error("session/prompt", sessionId=session, prompt=[]) == -32602
            assert await talk.error("session/prompt", sessionId=session, prompt=[5]) == -32602
            assert await talk.say(session) == "end_turn"

    asyncio.run(story())
