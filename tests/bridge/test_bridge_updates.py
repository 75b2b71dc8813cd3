"""Message ids, whole messages, tool calls and permissions."""

from __future__ import annotations

from typing import Any

from talk import SESSION, Talk, chunk, prompt, request, result, tags, text, update, updates, why

OPTIONS = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]


def _ids(talk: Talk, *messages: dict[str, Any]) -> list[str]:
    found = [updates(talk.agent(message).to_client) for message in messages]
    return [one[-1].get("messageId", "") for one in found]


def test_v1_chunks_get_one_id_a_run() -> None:
    talk = Talk("v2")
    usage = update("usage_update", used=1, size=2)
    messages = [
        chunk("agent_message", "a"), usage, chunk("agent_message", "b"),
        chunk("agent_thought", "c"), chunk("agent_message", "d"),
        chunk("agent_message", "e", messageId="given"), chunk("agent_message", "f"),
        update("tool_call", toolCallId="t", title="T"), chunk("agent_message", "g"),
        update("tool_call_update", toolCallId="t", status="completed"), chunk("agent_message", "h"),
    ]  # fmt: skip
    assert _ids(talk, *messages) == ["m1", "", "m1", "m2", "m3", "given", "m4", "", "m5", "", "m5"]
    talk.client(prompt(1, "Go"))
    assert _ids(talk, chunk("agent_message", "i")) == ["m7"]
    talk.agent(result(1, stopReason="end_turn"))
    assert _ids(talk, chunk("agent_message", "j")) == ["m8"]


def test_runs_of_sessions_are_apart() -> None:
    talk = Talk("v2")
    pairs = [chunk("agent_message", "a", session=name) for name in ("s1", "s2", "s1")]
    assert _ids(talk, *pairs) == ["m1", "m2", "m1"]


def test_interleaved_chunks_are_refused() -> None:
    talk = Talk("v1")
    first, second = (chunk("agent_message", "x", messageId=name) for name in "ab")
    assert _ids(talk, first, first, second) == ["a", "a", "b"]
    outcome = talk.agent(first)
    assert (outcome.to_client, outcome.dropped[0].path) == ([], "/params/update/messageId")
    assert _ids(talk, second) == ["b"]


def test_whole_messages_do_not_replace() -> None:
    talk = Talk("v1")
    talk.agent(chunk("agent_message", "x", messageId="a"))
    whole = update("agent_message", messageId="a", content=[text("y")])
    outcome = talk.agent(whole)
    assert (outcome.to_client, outcome.dropped[0].path) == ([], "/params/update/content")
    talk.agent(update("agent_message", messageId="b", content=[text("y")]))
    assert _ids(talk, chunk("agent_message", "z", messageId="b")) == ["b"]


def test_v1_tool_calls_sent_again_are_snapshots() -> None:
    talk = Talk("v2")
    create = update("tool_call", toolCallId="t", title="T")
    [first] = updates(talk.agent(create).to_client)
    assert first == {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "T"}
    [again] = updates(talk.agent(create).to_client)
    assert (again["status"], again["content"], again["rawInput"]) == ("pending", [], None)


def test_v2_tool_calls_need_a_title_where_they_are_first_seen() -> None:
    talk = Talk("v1")
    block = {"type": "content", "content": text("x")}
    for message in (
        update("tool_call_update", toolCallId="t", status="pending"),
        update("tool_call_content_chunk", toolCallId="t", content=block),
    ):
        outcome = talk.agent(message)
        assert (outcome.to_client, outcome.dropped[0].path) == ([], "/params/update/title")
    [made] = updates(talk.agent(update("tool_call_update", toolCallId="t", title="")).to_client)
    assert made["sessionUpdate"] == "tool_call"


def test_content_chunks_add_to_what_was_replaced_or_cleared() -> None:
    talk = Talk("v1")
    one, two = ({"type": "content", "content": text(words)} for words in "ab")
    talk.agent(update("tool_call_update", toolCallId="t", title="T", content=[one]))
    more = update("tool_call_content_chunk", toolCallId="t", content=two)
    assert updates(talk.agent(more).to_client)[0]["content"] == [one, two]
    talk.agent(update("tool_call_update", toolCallId="t", content=None))
    assert updates(talk.agent(more).to_client)[0]["content"] == [two]


def test_a_content_chunk_that_v1_cannot_say_changes_nothing() -> None:
    talk = Talk("v1")
    one = {"type": "content", "content": text("a")}
    talk.agent(update("tool_call_update", toolCallId="t", title="T"))
    for bad, path in (
        ({"content": {"type": "terminal", "terminalId": "x"}}, "/params/update/content/type"),
        ({"content": one, "_meta": {}}, "/params/update/_meta"),
        ({"content": one, "title": "U"}, "/params/update/title"),
    ):
        outcome = talk.agent(update("tool_call_content_chunk", toolCallId="t", **bad))
        assert (outcome.to_client, outcome.dropped[0].path) == ([], path)
    talk.agent(update("tool_call_content_chunk", toolCallId="t", content=one))
    assert updates(talk.outcome.to_client)[0]["content"] == [one]


def test_permission_titles_come_from_the_tool_call() -> None:
    talk = Talk("v2")
    ask = request(
        1,
        "session/request_permission",
        sessionId=SESSION,
        options=OPTIONS,
        toolCall={"toolCallId": "t"},
    )
    [answer] = talk.agent(ask).to_agent
    assert why(answer)[0] == "/params/toolCall/title"
    talk.agent(update("tool_call", toolCallId="t", title="Old"))
    talk.agent(update("tool_call_update", toolCallId="t", title="New"))
    assert talk.agent(ask).to_client[0]["params"]["title"] == "New"


def test_a_v2_permission_shows_an_unseen_tool_call_first_and_once() -> None:
    talk = Talk("v1")
    call = {"toolCallId": "t", "title": "T"}
    ask = {"sessionId": SESSION, "title": "T", "options": OPTIONS}
    subject = {"type": "tool_call", "toolCall": call}
    found = [
        tags(
            talk.agent(request(id_, "session/request_permission", subject=subject, **ask)).to_client
        )
        for id_ in (1, 2)
    ]
    assert found[0] == ["tool_call", "session/request_permission"]
    assert found[1] == ["session/request_permission"]
    command = {"type": "command", "command": "ls", "cwd": "/w"}
    [answer] = talk.agent(request(3, "session/request_permission", subject=command, **ask)).to_agent
    assert why(answer)[0] == "/params/subject/type"


def test_commands_that_v1_cannot_say_are_refused_where_they_stood() -> None:
    talk = Talk("v1")
    talk.client(request(1, "session/new", cwd="/w", mcpServers=[]))
    commands = [{"type": "_other", "name": "n", "description": "d"}]
    outcome = talk.agent(result(1, sessionId=SESSION, availableCommands=commands))
    assert outcome.dropped[0].path == "/result/availableCommands/0/type"
    assert tags(outcome.to_client) == ["error"]


def test_batches_of_v2_go_one_by_one() -> None:
    talk = Talk("v2")
    batch = [request(1, "session/list"), request(2, "session/new", cwd="/w"), 5]
    outcome = talk.bridge.from_client(batch)
    assert tags(outcome.to_agent) == ["session/list", "session/new"]
    assert [fault.path for fault in outcome.dropped] == ["/2"]
    assert [fault.path for fault in talk.bridge.from_agent(batch).dropped] == [""]
