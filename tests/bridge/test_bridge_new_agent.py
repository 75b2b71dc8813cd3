"""A whole conversation: a client of v1 before an agent of v2."""

from __future__ import annotations

from talk import (
    SESSION,
    Talk,
    chunk,
    failure,
    notify,
    prompt,
    request,
    result,
    state,
    tags,
    text,
    update,
    updates,
)  # fmt: skip

INFO = {"name": "peer", "version": "1"}
COMMAND = {"name": "plan", "description": "Plan"}


def _connect(talk: Talk) -> None:
    talk.client(request(0, "initialize", protocolVersion=1, clientInfo=INFO))
    [sent] = talk.outcome.to_agent
    assert sent["params"] == {"protocolVersion": 2, "info": INFO}
    capabilities = {"session": {"archive": {}, "mcp": {"stdio": {}}}}
    talk.agent(result(0, protocolVersion=2, info=INFO, capabilities=capabilities))
    [got] = talk.outcome.to_client
    assert got["result"]["protocolVersion"] == 1
    assert got["result"]["agentCapabilities"]["sessionCapabilities"]["archive"] == {}
    talk.client(request(1, "session/new", cwd="/w", mcpServers=[]))
    commands = [{"type": "command", **COMMAND}]
    found = talk.agent(result(1, sessionId=SESSION, availableCommands=commands)).to_client
    assert found[0] == result(1, sessionId=SESSION)
    assert updates(found) == [
        {"sessionUpdate": "available_commands_update", "availableCommands": [COMMAND]}
    ]


def _turn(talk: Talk) -> None:
    talk.client(prompt("p1", "Fix it"))
    user = {"messageId": "u1", "content": [text("Fix it")]}
    assert not any((held := talk.agent(update("user_message", **user))).to_client) and held.absorbed
    assert talk.agent(result("p1", messageId="u1")).to_client == []
    assert talk.agent(state("running")).to_client == []

    [said] = updates(talk.agent(chunk("agent_message", "On it", messageId="a1")).to_client)
    assert said == {
        "sessionUpdate": "agent_message_chunk",
        "messageId": "a1",
        "content": text("On it"),
    }
    whole = update("agent_thought", messageId="t1", content=[text("1"), text("2")])
    assert [one["content"] for one in updates(talk.agent(whole).to_client)] == [
        text("1"),
        text("2"),
    ]

    [made] = updates(talk.agent(update("tool_call_update", toolCallId="x", title="Run")).to_client)
    assert made == {"sessionUpdate": "tool_call", "toolCallId": "x", "title": "Run"}
    for count in (1, 2, 3):
        block = {"type": "content", "content": text(str(count))}
        talk.agent(update("tool_call_content_chunk", toolCallId="x", content=block))
        [grown] = updates(talk.outcome.to_client)
        assert grown["sessionUpdate"] == "tool_call_update"
        assert [one["content"]["text"] for one in grown["content"]] == ["1", "2", "3"][:count]

    assert talk.agent(state("requires_action")).to_client == []
    call = {"toolCallId": "y", "title": "Delete"}
    ask = request(
        4, "session/request_permission", sessionId=SESSION, title="Delete",
        subject={"type": "tool_call", "toolCall": call},
        options=[{"optionId": "n", "name": "No", "kind": "reject_once"}],
    )  # fmt: skip
    assert tags(talk.agent(ask).to_client) == ["tool_call", "session/request_permission"]
    talk.client(result(4, outcome={"outcome": "cancelled"}))
    assert talk.outcome.to_agent == [result(4, outcome={"outcome": "cancelled"})]
    [failed] = updates(
        talk.agent(update("tool_call_update", toolCallId="y", status="failed")).to_client
    )
    assert failed["sessionUpdate"] == "tool_call_update"

    changes = [{"operation": "modify", "path": "/w/a", "fileType": "text"}]
    diff = update(
        "tool_call_update", toolCallId="x", content=[{"type": "diff", "changes": changes}]
    )
    refused = talk.agent(diff)
    assert refused.to_client == []
    assert refused.dropped[0].path == "/params/update/content/0/changes"

    assert talk.agent(state("idle")).to_client == []
    end = talk.agent(state("idle", stopReason="end_turn", _meta={"cost": 1})).to_client
    assert end == [result("p1", stopReason="end_turn", _meta={"cost": 1})]
    again = talk.agent(state("idle", stopReason="end_turn"))
    assert (again.to_client, again.dropped) == ([], [])


def _errors(talk: Talk) -> None:
    talk.client(prompt("p2", "And?"))
    assert talk.agent(failure("p2")).to_client == [failure("p2")]
    talk.client(prompt("p3", "Again"))
    talk.agent(result("p3", messageId="u3"))
    talk.agent(state("running"))
    talk.agent(chunk("agent_message", "x", messageId="a3"))
    error = {"code": -32000, "message": "Crash"}
    ended = talk.agent(state("idle", stopReason="error", error=error)).to_client
    assert ended == [{"jsonrpc": "2.0", "id": "p3", "error": error}]

    talk.client(prompt("p4", "Stop"))
    talk.agent(result("p4", messageId="u4"))
    talk.client(notify("session/cancel", sessionId=SESSION))
    assert tags(talk.outcome.to_agent) == ["session/cancel"]
    stopped = talk.agent(state("idle", stopReason="cancelled")).to_client
    assert stopped == [result("p4", stopReason="cancelled")]


def _archive(talk: Talk) -> None:
    talk.client(request(20, "session/archive", sessionId=SESSION))
    talk.agent(result(20))
    talk.agent(update("session_info_update", archived=True))
    assert updates(talk.outcome.to_client) == [
        {"sessionUpdate": "session_info_update", "archived": True}
    ]
    talk.client(request(21, "session/list", archived=True))
    assert talk.outcome.to_agent[0]["params"] == {"archived": True}
    listed = [{"sessionId": SESSION, "cwd": "/w", "archived": True}]
    assert talk.agent(result(21, sessions=listed)).to_client == [result(21, sessions=listed)]
    talk.client(request(22, "session/unarchive", sessionId=SESSION))
    talk.agent(result(22))
    talk.agent(update("session_info_update", archived=False))
    assert updates(talk.outcome.to_client)[0]["archived"] is False


def _load(talk: Talk) -> None:
    talk.client(request(30, "session/load", sessionId=SESSION, cwd="/w", mcpServers=[]))
    [sent] = talk.outcome.to_agent
    assert sent["method"] == "session/resume"
    assert sent["params"]["replayFrom"] == {"type": "start"}
    history = [
        update("user_message", messageId="u1", content=[text("Fix it")]),
        update("agent_message", messageId="a1", content=[text("On it")]),
        update("tool_call_update", toolCallId="x", title="Run", status="completed"),
    ]
    found = [tags(talk.agent(message).to_client) for message in history]
    assert found == [["user_message_chunk"], ["agent_message_chunk"], ["tool_call"]]
    assert talk.agent(state("idle", stopReason="end_turn")).to_client == []
    commands = [{"type": "command", **COMMAND}]
    done = talk.agent(result(30, availableCommands=commands)).to_client
    assert tags(done) == ["result", "available_commands_update"]
    talk.client(request(31, "session/resume", sessionId=SESSION, cwd="/w"))
    assert "replayFrom" not in talk.outcome.to_agent[0]["params"]
    talk.agent(result(31))
    talk.client(request(32, "session/delete", sessionId=SESSION))
    assert talk.agent(result(32)).to_client == [result(32)]


def test_whole_conversation() -> None:
    talk = Talk("v1", "a v2 agent behind a v1 client")
    _connect(talk)
    _turn(talk)
    _errors(talk)
    _archive(talk)
    _load(talk)
