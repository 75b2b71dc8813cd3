"""A client on the official Python SDK, protocol v1: python py_client.py COMMAND...

It has one conversation with the agent and prints what it saw as JSON: the same as client_v1.mjs.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import acp
from acp import schema

ANSWERS = [
    {"outcome": {"outcome": "selected", "optionId": "yes"}, "_meta": {"by": "hand"}},
    {"outcome": {"outcome": "cancelled"}},
]


def plain(value: Any) -> Any:
    """A value of the SDK as JSON."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return value


async def attempt(call: Awaitable[Any]) -> dict[str, Any]:
    """What became of a call."""
    try:
        return {"result": plain(await call)}
    except acp.RequestError as error:
        told = {"code": error.code, "message": str(error), "data": error.data}
        return {"error": {"typed": True, **told}}


class Record:
    """The client, which remembers what it is told."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.wire: list[str] = []
        self.asked: list[Any] = []
        self.heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.chunk = asyncio.Event()

    async def session_update(self, session_id: str, update: Any, **meta: Any) -> None:
        self.seen.append({"sessionId": session_id, "update": plain(update)})
        if update.session_update == "agent_message_chunk":
            self.chunk.set()

    async def request_permission(
        self, session_id: str, tool_call: Any, options: list[Any], **meta: Any
    ) -> schema.RequestPermissionResponse:
        self.asked.append(
            {
                "sessionId": session_id,
                "toolCall": plain(tool_call),
                "options": [plain(option) for option in options],
                "_meta": meta,
            }
        )
        return schema.RequestPermissionResponse.model_validate(ANSWERS[len(self.asked) - 1])

    # The SDK leaves the underscore of an extension's name off.

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert method == "interop/echo"
        return {"echo": params}

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        assert method == "interop/heard"
        self.heard.set_result(params)

    def note(self, event: Any) -> None:
        """See a message as it arrives."""
        message = event.message
        if event.direction == "incoming":
            update = (
                message["params"]["update"] if message.get("method") == "session/update" else {}
            )
            self.wire.append(update.get("sessionUpdate") or message.get("method") or "answer")

    async def of(self, call: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
        """Make a call and return what became of it and what came with it."""
        self.seen, self.wire = [], []
        self.chunk.clear()
        answer = await attempt(call())
        return {"answer": answer, "seen": self.seen[:], "wire": self.wire[:]}


async def talk(agent: Any, record: Record) -> dict[str, Any]:
    """Have the conversation."""
    report: dict[str, Any] = {"asked": record.asked}

    async def prompt(words: str, **meta: Any) -> Any:
        return await agent.prompt(session_id=session_id, prompt=[acp.text_block(words)], **meta)

    async def call(method: str, **params: Any) -> Any:
        # This release has the names of delete, but no calls; of archive it knows nothing. The
        # connection inside sends what it is told.
        return await agent._conn.send_request(method, params)

    async def pages(**filters: Any) -> list[list[str]]:
        found: list[list[str]] = []
        cursor: dict[str, Any] = {}
        while True:
            page = await agent.list_sessions(**filters, **cursor)
            found.append([info.session_id for info in page.sessions])
            if page.next_cursor is None:
                return found
            cursor = {"cursor": page.next_cursor}

    report["initialize"] = plain(
        await agent.initialize(
            protocol_version=acp.PROTOCOL_VERSION,
            client_info=schema.Implementation(name="interop", version="1"),
        )
    )
    session_id = (await agent.new_session(cwd="/garden")).session_id
    report["turn"] = await record.of(lambda: prompt("one two three four five"))
    report["allowed"] = await record.of(lambda: prompt("may I?"))
    report["dismissed"] = await record.of(lambda: prompt("may I again?"))
    report["meta"] = await record.of(
        lambda: prompt("meta", sessionId="evil", deep={"n": [1, None]})
    )

    async def cancelled() -> Any:
        turn = asyncio.create_task(prompt("word " * 400))
        await record.chunk.wait()
        await agent.cancel(session_id=session_id)
        return await turn

    # There is no way to withdraw a request: the SDK does not send $/cancel_request.
    report["cancelled"] = await record.of(cancelled)

    report["ids"] = [session_id]
    for cwd in ("/garden", "/house"):
        report["ids"].append((await agent.new_session(cwd=cwd)).session_id)
    report["pages"] = await pages()
    report["inHouse"] = await pages(cwd="/house")

    report["archive"] = await record.of(
        lambda: call("session/archive", sessionId=session_id, _meta={"a": 1})
    )
    report["withoutArchived"] = await pages()
    # What list_sessions does not know it sends as _meta, where it must have no effect.
    report["metaIsNoFilter"] = await pages(archived=True)
    first = await call("session/list", archived=True)
    second = await call("session/list", archived=True, cursor=first["nextCursor"])
    report["withArchived"] = [
        [info["sessionId"] for info in page["sessions"]] for page in (first, second)
    ]
    report["listed"] = (await call("session/list", archived=True, cwd="/garden"))["sessions"]
    report["filter"] = await attempt(call("session/list", archived="include"))
    report["unarchive"] = await record.of(lambda: call("session/unarchive", sessionId=session_id))
    report["unarchived"] = await pages()

    await agent.close_session(session_id=session_id)
    again = {"session_id": session_id, "cwd": "/garden"}
    report["load"] = await record.of(lambda: agent.load_session(**again))
    report["resume"] = await record.of(lambda: agent.resume_session(**again))

    report["delete"] = await attempt(call("session/delete", sessionId=session_id))
    report["left"] = await pages()
    report["unknown"] = {
        "load": await attempt(agent.load_session(**again)),
        "prompt": await attempt(prompt("gone")),
        "archive": await attempt(call("session/archive", sessionId=session_id)),
        "unarchive": await attempt(call("session/unarchive", sessionId=session_id)),
    }
    report["invalid"] = await attempt(call("session/new", cwd=1, mcpServers=[]))
    report["notServed"] = await attempt(agent.fork_session(**again))

    report["echo"] = await agent.ext_method("interop/echo", {"a": [1, {"b": None}]})
    report["askBack"] = await agent.ext_method("interop/ask_back", {"c": "ü"})
    report["noSuch"] = await attempt(agent.ext_method("interop/none", {}))
    await agent.ext_notification("interop/tell", {"d": True})
    report["heard"] = await record.heard
    return report


async def main() -> None:
    record = Record()
    async with (
        acp.spawn_agent_process(
            record,  # type: ignore[arg-type]
            *sys.argv[1:],
            env=os.environ,
            observers=[record.note],
            # What the agent logs is for the user of the tests.
            transport_kwargs={"stderr": None},
        ) as (agent, process)
    ):
        report = await talk(agent, record)
    print(json.dumps({**report, "exit": process.returncode}))


if __name__ == "__main__":
    asyncio.run(main())
