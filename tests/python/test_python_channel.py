"""JSON-RPC over whole messages: order, cancellation, and everything that must not end the loop."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

PACKAGES = Path(__file__).parents[2] / "generated" / "python"
sys.path.insert(0, str(PACKAGES))

from acp_bindings import v1  # noqa: E402


class Ends:
    """A channel whose outgoing messages are kept, and what serves its calls."""

    def __init__(self, **options: Any) -> None:
        self.out: list[Any] = []
        self.seen: list[str] = []
        self.channel = v1.Channel(self._send, cancel=v1.CANCEL, **options)
        self.channel.serve(self)
        self.hold = asyncio.Event()

    async def _send(self, message: Any) -> None:
        self.out.append(message)

    async def request(self, method: str, params: Any) -> Any:
        if method == "_slow":
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                self.seen.append("cancelled")
                raise
        if method == "_polite":
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                return "stopped"
        if method == "_crash":
            raise KeyError("x")
        if method == "_ask":
            return await self.channel.request("_other", params)
        return [method, params]

    async def notify(self, method: str, params: Any) -> None:
        if method == "_crash":
            raise KeyError("x")
        if method == "_wait":
            await asyncio.sleep(0.02)
        if method == "_ask":
            await self.channel.request("_other", None)
        self.seen.append(f"{method} {params}")


def call(id_: Any, method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def tell(method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(id_: Any, value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "result": value}


async def settle(ends: Ends) -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def run(scenario: Callable[[Ends], Awaitable[None]], **options: Any) -> Ends:
    async def go() -> Ends:
        ends = Ends(**options)
        await asyncio.wait_for(scenario(ends), 10)
        await ends.channel.close()
        return ends

    return asyncio.run(go())


def test_requests_are_served_side_by_side_and_each_gets_its_own_answer() -> None:
    async def scenario(ends: Ends) -> None:
        await ends.channel.receive(call(1, "_slow"))
        await ends.channel.receive(call("1", "_a", [1]))
        await settle(ends)
        assert ends.out == [result("1", ["_a", [1]])]
        ends.hold.set()
        await settle(ends)
        assert ends.out[1:] == [result(1, ["_slow", None])]

    run(scenario)


def test_what_is_no_message_is_answered_and_the_loop_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bad: list[Any] = [1, "x", None, {}, {"jsonrpc": "1.0", "id": 1, "method": "_a"}, [],
                      [call(1, "_a")], {"jsonrpc": "2.0", "id": 5}, call(True, "_a"),
                      call(1.5, "_a"), call({}, "_a"), {**call(4, "_a"), "method": 3},
                      {**result(4, 1), "error": {"code": 1, "message": ""}}]  # fmt: skip

    async def scenario(ends: Ends) -> None:
        for message in bad:
            await ends.channel.receive(message)
        await settle(ends)
        assert [answer["error"]["code"] for answer in ends.out] == [-32600] * len(bad)
        assert [answer["id"] for answer in ends.out if answer["id"] is not None] == [5, 4, 4]
        # Answers to nothing are told to the log, and never answered in turn.
        with caplog.at_level(logging.WARNING):
            await ends.channel.receive(result(99, 1))
            await ends.channel.receive(result("x", 1))
            await ends.channel.receive(
                {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "m"}}
            )
        assert len(caplog.records) == 3
        await ends.channel.receive(call(7, "_a"))
        await settle(ends)
        assert ends.out[len(bad) :] == [result(7, ["_a", None])]

    run(scenario)


def test_a_failing_handler_answers_and_a_failing_notification_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario(ends: Ends) -> None:
        await ends.channel.receive(call(1, "_crash"))
        await ends.channel.receive(tell("_crash"))
        await ends.channel.receive(tell("_next", 1))
        await settle(ends)
        assert (ends.out[0]["id"], ends.out[0]["error"]["code"]) == (1, -32603)
        assert ends.seen == ["_next 1"] and len(ends.out) == 1

    run(scenario)
    assert "_crash" in caplog.text


def test_notifications_keep_their_order_and_come_before_the_answer_that_follows_them() -> None:
    async def scenario(ends: Ends) -> None:
        asked = asyncio.create_task(ends.channel.request("_x", {}))
        await settle(ends)
        for number in range(3):
            await ends.channel.receive(tell("_wait", number))
        await ends.channel.receive(result(0, "done"))
        assert await asked == "done"
        assert ends.seen == ["_wait 0", "_wait 1", "_wait 2"]

    run(scenario)


def test_a_notification_handler_may_make_a_request() -> None:
    async def scenario(ends: Ends) -> None:
        await ends.channel.receive(tell("_ask"))
        await settle(ends)
        assert ends.out == [{"jsonrpc": "2.0", "id": 0, "method": "_other"}]
        await ends.channel.receive(tell("_later"))
        await ends.channel.receive(result(0, None))
        await settle(ends)
        assert ends.seen == ["_ask None", "_later None"]

    run(scenario)


def test_the_other_side_cancels_a_request() -> None:
    async def scenario(ends: Ends) -> None:
        await ends.channel.receive(call("a", "_slow"))
        await ends.channel.receive(call(2, "_polite"))
        await ends.channel.receive(call(None, "_slow"))
        await ends.channel.receive(call(1, "_slow"))
        for id_ in ("a", 2, 3, {}, [], True):
            await ends.channel.receive(tell("$/cancel_request", {"requestId": id_}))
        for params in (None, {}, [1]):
            await ends.channel.receive(tell("$/cancel_request", params))
        await settle(ends)
        answers = {answer["id"]: answer for answer in ends.out}
        assert answers["a"]["error"] == {"code": -32800, "message": "Request cancelled"}
        assert answers[2]["result"] == "stopped" and len(ends.out) == 2
        # The handler has a hook for it too.
        assert {"cancelled", "$/cancel_request {'requestId': 'a'}"} <= set(ends.seen)

    run(scenario)


def test_a_request_and_its_cancellation_in_one_batch() -> None:
    async def scenario(ends: Ends) -> None:
        batch = [call(1, "_slow"), tell("$/cancel_request", {"requestId": 1}), call(2, "_a"), 7]
        await ends.channel.receive(batch)
        await settle(ends)
        (answers,) = ends.out
        by_id = {answer["id"]: answer for answer in answers}
        assert by_id[1]["error"]["code"] == -32800 and by_id[2]["result"] == ["_a", None]
        assert by_id[None]["error"]["code"] == -32600 and len(answers) == 3
        await ends.channel.receive([tell("_a"), result(55, 1)])
        await settle(ends)
        assert len(ends.out) == 1
        await ends.channel.receive([])
        await settle(ends)
        assert ends.out[1]["error"]["code"] == -32600

    run(scenario, batches=True)


def test_a_caller_that_gives_up_tells_the_other_side() -> None:
    async def scenario(ends: Ends) -> None:
        asked = asyncio.create_task(ends.channel.request("_x", None))
        await settle(ends)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert ends.out[1] == tell("$/cancel_request", {"requestId": 0})
        # The answer that comes all the same is no news.
        await ends.channel.receive(result(0, 1))
        second = asyncio.create_task(ends.channel.request("_y", None))
        await settle(ends)
        await ends.channel.receive(result(1, "own"))
        assert await second == "own"

    run(scenario)


def test_error_responses_become_errors_however_they_look() -> None:
    async def scenario(ends: Ends) -> None:
        odd: list[tuple[Any, int]] = [
            ({"code": 5, "message": "m", "data": 1}, 5),
            ({"message": "m"}, -32603),
            ("x", -32603),
            (None, -32603),
            ({"code": "5"}, -32603),
        ]
        for id_, (error, code) in enumerate(odd):
            asked = asyncio.create_task(ends.channel.request("_x", None))
            await settle(ends)
            await ends.channel.receive({"jsonrpc": "2.0", "id": id_, "error": error})
            with pytest.raises(v1.RpcError) as caught:
                await asked
            assert caught.value.code == code

    run(scenario)


def test_an_id_in_use_and_too_many_requests_are_refused() -> None:
    async def scenario(ends: Ends) -> None:
        await ends.channel.receive(call(1, "_slow"))
        await ends.channel.receive(call(1, "_slow"))
        await ends.channel.receive(call(2, "_slow"))
        await ends.channel.receive(call(3, "_slow"))
        await settle(ends)
        assert [(a["id"], a["error"]["code"]) for a in ends.out] == [(1, -32600), (3, -32603)]
        ends.hold.set()
        await settle(ends)
        await ends.channel.receive(call(1, "_a"))
        await settle(ends)
        assert ends.out[-1] == result(1, ["_a", None])

    run(scenario, limit=2)


def test_closing_ends_everything_with_a_clear_error() -> None:
    async def scenario(ends: Ends) -> None:
        asked = asyncio.create_task(ends.channel.request("_x", None))
        await ends.channel.receive(call(1, "_slow"))
        await settle(ends)
        await ends.channel.close(EOFError("the other side is gone"))
        with pytest.raises(ConnectionError, match="the other side is gone"):
            await asked
        for late in (ends.channel.request("_x", None), ends.channel.notify("_x", None)):
            with pytest.raises(ConnectionError):
                await late
        await ends.channel.receive(call(2, "_a"))
        assert ends.seen == ["cancelled"] and len(ends.out) == 1

    run(scenario)


def test_notifications_that_pile_up_hold_the_reader_back() -> None:
    async def scenario(ends: Ends) -> None:
        for number in range(5):
            await asyncio.wait_for(ends.channel.receive(tell("_wait", number)), 5)
        # With at most two waiting, some have been handled by now.
        assert len(ends.seen) >= 2

    run(scenario, limit=2)


def test_metadata_never_reaches_a_parameter() -> None:
    class Agent(v1.Agent):
        async def close_session(self, params: v1.CloseSessionRequest) -> v1.CloseSessionResponse:
            return v1.CloseSessionResponse(meta={"id": params.session_id, "got": params.meta})

    hidden = {"sessionId": "other", "session_id": "other", "self": 1}
    served = v1.AgentDispatcher(Agent()).request(
        "session/close", {"sessionId": "s", "_meta": hidden}
    )
    assert asyncio.run(served) == {"_meta": {"id": "s", "got": hidden}}
