"""A whole conversation: a client of v2 before an agent of v1."""

from __future__ import annotations

from typing import Any

from talk import (
    SESSION,
    Talk,
    chunk,
    failure,
    notify,
    prompt,
    request,
    result,
    tags,
    text,
    update,
    updates,
)

INFO = {"name": "peer", "version": "1"}


def _connect(talk: Talk) -> None:
    talk.client(request(0, "initialize", protocolVersion=2, info=INFO, capabilities={}))
    [sent] = talk.outcome.to_agent
    assert sent["params"]["protocolVersion"] == 1
    assert sent["params"]["clientInfo"] == INFO
    capabilities = {
        "loadSession": True,
        "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "archive": {}},
        "promptCapabilities": {"image": True},
    }
    talk.agent(result(0, protocolVersion=1, agentInfo=INFO, agentCapabilities=capabilities))
    [got] = talk.outcome.to_client
    assert got["result"]["protocolVersion"] == 2
    assert got["result"]["capabilities"]["session"] == {
        "archive": {}, "prompt": {"image": {}}, "mcp": {"stdio": {}},
    }  # fmt: skip
    talk.client(request(1, "session/new", cwd="/w"))
    talk.agent(result(1, sessionId=SESSION))
    assert talk.outcome.to_client == [result(1, sessionId=SESSION)]
    command = {"name": "plan", "description": "Plan"}
    talk.agent(update("available_commands_update", availableCommands=[command]))
    assert updates(talk.outcome.to_client)[0]["availableCommands"] == [
        {"type": "command", **command}
    ]


def _turn(talk: Talk) -> None:
    talk.client(prompt("p1", "Fix it"))
    assert talk.outcome.to_agent == [prompt("p1", "Fix it")]
    assert talk.outcome.to_client == []

    thought = talk.agent(chunk("agent_thought", "Hm")).to_client
    assert thought[0] == result("p1", messageId="m1")
    assert updates(thought) == [
        {"sessionUpdate": "user_message", "messageId": "m1", "content": [text("Fix it")]},
        {"sessionUpdate": "state_update", "state": "running"},
        {"sessionUpdate": "agent_thought_chunk", "messageId": "m2", "content": text("Hm")},
    ]
    ids = [updates(talk.agent(chunk("agent_message", w)).to_client)[0]["messageId"] for w in "ab"]
    assert ids == ["m3", "m3"]

    talk.agent(
        update("tool_call", toolCallId="t1", title="Edit a.py", kind="edit", status="pending")
    )
    ask = request(
        7, "session/request_permission", sessionId=SESSION, toolCall={"toolCallId": "t1"},
        options=[{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
    )  # fmt: skip
    [asked] = talk.agent(ask).to_client
    assert asked["id"] == 7
    assert asked["params"]["title"] == "Edit a.py"
    talk.client(result(7, outcome={"outcome": "selected", "optionId": "y"}))
    assert talk.outcome.to_agent == [result(7, outcome={"outcome": "selected", "optionId": "y"})]

    diff = {"type": "diff", "path": "/w/a.py", "oldText": "a\n", "newText": "b\n"}
    talk.agent(update("tool_call_update", toolCallId="t1", status="completed", content=[diff]))
    [changed] = updates(talk.outcome.to_client)
    assert changed["content"][0]["changes"][0]["operation"] == "modify"
    assert "-a\n+b\n" in changed["content"][0]["patch"]["text"]
    after = updates(talk.agent(chunk("agent_message", "Done")).to_client)
    assert after[0]["messageId"] == "m4"

    end = talk.agent(result("p1", stopReason="end_turn", _meta={"cost": 1})).to_client
    idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}
    assert updates(end) == [{**idle, "_meta": {"cost": 1}}]


def _errors(talk: Talk) -> None:
    talk.client(prompt("p2", "And?"))
    early = failure("p2", "Busy")
    assert talk.agent(early).to_client == [early]

    talk.client(prompt("p3", "Again"))
    [message] = updates(talk.agent(chunk("agent_message", "x")).to_client)[2:]
    assert message["messageId"] == "m7"
    late = updates(talk.agent(failure("p3", "Crash")).to_client)
    assert late == [
        {
            "sessionUpdate": "state_update", "state": "idle", "stopReason": "error",
            "error": {"code": -32000, "message": "Crash"},
        }
    ]  # fmt: skip

    talk.client(prompt("p4", "Stop"))
    talk.client(notify("session/cancel", sessionId=SESSION))
    assert tags(talk.outcome.to_agent) == ["session/cancel"]
    stopped = talk.agent(result("p4", stopReason="cancelled")).to_client
    assert tags(stopped) == ["result", "user_message", "state_update", "state_update"]
    assert stopped[-1]["params"]["update"]["stopReason"] == "cancelled"


def _archive(talk: Talk) -> None:
    talk.client(request(20, "session/archive", sessionId=SESSION))
    assert tags(talk.outcome.to_agent) == ["session/archive"]
    talk.agent(result(20))
    talk.agent(update("session_info_update", archived=True))
    assert updates(talk.outcome.to_client) == [
        {"sessionUpdate": "session_info_update", "archived": True}
    ]
    talk.client(request(21, "session/list", archived=True, cursor=""))
    assert talk.outcome.to_agent[0]["params"] == {"archived": True, "cursor": ""}
    listed = [{"sessionId": SESSION, "cwd": "/w", "archived": True}]
    talk.agent(result(21, sessions=listed, nextCursor=""))
    assert talk.outcome.to_client == [result(21, sessions=listed, nextCursor="")]
    talk.client(request(22, "session/unarchive", sessionId=SESSION))
    talk.agent(result(22))
    talk.agent(update("session_info_update", archived=False))
    assert updates(talk.outcome.to_client)[0]["archived"] is False


def _load(talk: Talk) -> None:
    start: Any = {"type": "start"}
    talk.client(request(30, "session/resume", sessionId="s2", cwd="/w", replayFrom=start))
    [sent] = talk.outcome.to_agent
    assert sent["method"] == "session/load"
    assert sent["params"] == {"sessionId": "s2", "cwd": "/w", "mcpServers": []}
    seen = []
    for kind in ("user_message", "agent_message", "agent_message", "user_message"):
        found = talk.agent(chunk(kind, "old", session="s2"))
        seen += [one["messageId"] for one in updates(found.to_client)]
    assert len(set(seen)) == 3
    assert seen[1] == seen[2]
    done = talk.agent(result(30)).to_client
    assert tags(done) == ["state_update", "result"]
    assert done[0]["params"] == {
        "sessionId": "s2", "update": {"sessionUpdate": "state_update", "state": "idle"},
    }  # fmt: skip
    talk.client(request(31, "session/resume", sessionId="s2", cwd="/w"))
    assert tags(talk.outcome.to_agent) == ["session/resume"]
    assert tags(talk.agent(result(31)).to_client) == ["state_update", "result"]
    talk.client(request(32, "session/close", sessionId="s2"))
    assert talk.agent(result(32)).to_client == [result(32)]


def test_whole_conversation() -> None:
    talk = Talk("v2", "a v1 agent behind a v2 client")
    _connect(talk)
    _turn(talk)
    _errors(talk)
    _archive(talk)
    _load(talk)


def test_what_v1_alone_has_is_answered_with_an_error() -> None:
    talk = Talk("v2")
    read = request(5, "fs/read_text_file", sessionId=SESSION, path="/w/a")
    outcome = talk.agent(read)
    assert outcome.to_client == []
    [answer] = outcome.to_agent
    assert answer["id"] == 5
    assert answer["error"]["data"]["faults"][0]["path"] == "/method"


def test_what_comes_after_a_history_is_another_message() -> None:
    talk = Talk("v2")
    start = {"type": "start"}
    talk.client(request(1, "session/resume", sessionId=SESSION, cwd="/w", replayFrom=start))
    [old] = updates(talk.agent(chunk("agent_message", "x")).to_client)
    [more] = updates(talk.agent(chunk("agent_message", "y")).to_client)
    talk.agent(result(1))
    [new] = updates(talk.agent(chunk("agent_message", "z")).to_client)
    assert old["messageId"] == more["messageId"] != new["messageId"]
