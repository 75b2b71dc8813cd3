"""The end of a channel, and answers that cannot be sent."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGES = Path(__file__).parents[2] / "generated" / "python"
sys.path.insert(0, str(PACKAGES))

from acp_bindings import v1  # noqa: E402


class Served:
    """Waits, or answers with what is no JSON; a handler that waits may ask back."""

    def __init__(self) -> None:
        self.channel: v1.Channel
        self.ended = ""

    async def request(self, method: str, params: Any) -> Any:
        if method == "bad":
            return {1, 2}
        try:
            await asyncio.sleep(params)
            await self.channel.notify("progress", {})
        except BaseException as error:
            self.ended = type(error).__name__
            raise
        self.ended = "finished"
        return "done"

    async def notify(self, method: str, params: Any) -> None: ...


def channel() -> tuple[v1.Channel, Served, list[Any]]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        json.dumps(message)
        sent.append(message)

    found, served = v1.Channel(send, batches=True), Served()
    served.channel = found
    found.serve(served)
    return found, served, sent


def call(id_: int, method: str, params: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


@pytest.mark.parametrize(
    ("grace", "took", "ended"),
    [(5, 0.01, "finished"), (0.01, 60, "CancelledError"), (0, 0.01, "CancelledError")],
)
def test_close_lets_requests_end_for_a_while(grace: float, took: float, ended: str) -> None:
    async def story() -> None:
        peer, served, sent = channel()
        await peer.receive(call(1, "wait", took))
        waiting = asyncio.create_task(peer.request("ask", {}))
        await asyncio.sleep(0)
        await peer.close(ConnectionError("the reason"), grace=grace)
        assert served.ended == ended
        answers = [message for message in sent if "result" in message]
        assert [answer["result"] for answer in answers] == ["done"] * (ended == "finished")
        # What this side asked cannot be answered any more, whatever the grace.
        for call_ in (waiting, peer.request("ask", {}), peer.notify("note", {})):
            with pytest.raises(ConnectionError, match="the reason"):
                await call_
        count = len(sent)
        await peer.receive(call(2, "wait", 0))
        assert len(sent) == count

    asyncio.run(story())


def test_during_the_grace_nothing_new_begins() -> None:
    async def story() -> None:
        peer, _, sent = channel()
        await peer.receive(call(1, "wait", 0.05))
        closing = asyncio.create_task(peer.close(ConnectionError("the reason"), grace=5))
        await asyncio.sleep(0)
        await peer.receive(call(2, "wait", 0))
        with pytest.raises(ConnectionError, match="the reason"):
            await peer.request("ask", {})
        await closing
        assert [message.get("id", message.get("method")) for message in sent] == ["progress", 1]

    asyncio.run(story())


@pytest.mark.parametrize("batch", [False, True])
def test_an_answer_that_cannot_be_sent_becomes_an_error(batch: bool) -> None:
    async def story() -> None:
        peer, _, sent = channel()
        await peer.receive([call(1, "bad")] if batch else call(1, "bad"))
        while not sent:
            await asyncio.sleep(0)
        (answer,) = sent[0] if batch else sent
        assert (answer["id"], answer["error"]["code"]) == (1, -32603)
        assert answer["error"]["data"]["exception"] == "TypeError"
        await peer.close()

    asyncio.run(story())
