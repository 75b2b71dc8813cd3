"""What a bridge remembers is bounded, and what overflows is refused with a reason."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from talk import (
    Limits,
    Talk,
    chunk,
    failure,
    prompt,
    request,
    result,
    state,
    tags,
    text,
    update,
    updates,
    why,
)


def _held(value: Any, seen: set[int] | None = None) -> int:
    """Return how many objects ``value`` keeps alive."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, (type, str, int, float, bool, type(None))):
        return 0
    seen.add(id(value))
    return 1 + sum(_held(item, seen) for item in gc.get_referents(value))


def _memory(talk: Talk) -> Any:
    return talk.bridge._memory


def test_a_long_connection_stays_small() -> None:
    limits = Limits(sessions=3, pending=5, ids=8, content=2000)
    talk = Talk("v1", limits=limits)
    client, agent = talk.bridge.from_client, talk.bridge.from_agent
    sizes = []
    for turn in range(60):
        session = f"s{turn % 7}"
        client(prompt(turn, "Go" * 20, session=session))
        agent(result(turn, messageId=f"u{turn}"))
        for number in range(20):
            id_ = f"{turn}-{number}"
            block = {"type": "content", "content": text("x" * 50)}
            agent(chunk("agent_message", "a", session=session, messageId=id_))
            agent(update("tool_call_update", session, toolCallId=id_, title="T"))
            found = update("tool_call_content_chunk", session, toolCallId=id_, content=block)
            assert tags(agent(found).to_client) == ["tool_call_update"]
            agent(update("tool_call_update", session, toolCallId=id_, status="completed"))
        idle = update("state_update", session, state="idle", stopReason="end_turn")
        assert agent(idle).to_client == [result(turn, stopReason="end_turn")]
        sizes.append(_held(_memory(talk)))
    memory = _memory(talk)
    assert len(memory.sessions) == 3
    assert memory.pending == {}
    assert max(sizes[30:]) <= max(sizes[:30])
    for session in memory.sessions.values():
        assert len(session.tools) <= 8
        assert len(session.delivered) <= 8
        assert session.size <= 2000
        assert session.size == sum(tool.size for tool in session.tools.values())


def test_busy_sessions_are_not_forgotten() -> None:
    talk = Talk("v1", limits=Limits(sessions=2))
    for number in range(2):
        talk.client(prompt(number, "Go", session=f"s{number}"))
    [answer] = talk.client(prompt(2, "Go", session="s2")).to_client
    assert why(answer) == ("/params/sessionId", "too many sessions are busy")
    outcome = talk.agent(chunk("agent_message", "x", session="s3", messageId="a"))
    assert outcome.dropped == [("/params/sessionId", "too many sessions are busy")]
    talk.agent(result(0, messageId="u"))
    talk.agent(update("state_update", "s0", state="idle", stopReason="end_turn"))
    assert talk.client(prompt(3, "Go", session="s2")).to_agent != []


def test_too_many_pending_requests_are_refused() -> None:
    talk = Talk("v2", limits=Limits(pending=2))
    talk.client(request(1, "session/list"))
    talk.agent(request(1, "_ask"))
    [answer] = talk.client(request(2, "session/list")).to_client
    assert why(answer) == ("", "too many requests wait for an answer")
    talk.agent(result(1, sessions=[]))
    assert talk.client(request(3, "session/list")).to_agent != []


def test_unfinished_tool_calls_are_not_forgotten() -> None:
    talk = Talk("v1", limits=Limits(ids=2))
    for name in "ab":
        talk.agent(update("tool_call_update", toolCallId=name, title="T", status="in_progress"))
    third = update("tool_call_update", toolCallId="c", title="T")
    outcome = talk.agent(third)
    assert outcome.dropped == [("/params/update", "too many tool calls are unfinished")]
    talk.agent(update("tool_call_update", toolCallId="a", status="completed"))
    assert tags(talk.agent(third).to_client) == ["tool_call"]
    assert tags(talk.agent(update("tool_call_update", toolCallId="b", title="U")).to_client) == [
        "tool_call_update"
    ]


@pytest.mark.parametrize("finished", [True, False])
def test_content_of_finished_tool_calls_goes_first(finished: bool) -> None:
    talk = Talk("v1", limits=Limits(content=300))
    block = {"type": "content", "content": text("x" * 100)}
    status = "completed" if finished else "in_progress"
    talk.agent(
        update("tool_call_update", toolCallId="a", title="T", content=[block], status=status)
    )
    talk.agent(update("tool_call_update", toolCallId="b", title="T"))
    more = update("tool_call_content_chunk", toolCallId="b", content=block)
    outcome = talk.agent(more)
    if not finished:
        assert outcome.dropped[0].reason == "the bridge would have to remember too much content"
        return
    assert updates(outcome.to_client)[0]["content"] == [block]
    late = talk.agent(update("tool_call_content_chunk", toolCallId="a", content=block))
    assert late.dropped[0].reason == "the bridge had to forget what the tool call holds so far"
    talk.agent(update("tool_call_update", toolCallId="b", status="completed"))
    talk.agent(update("tool_call_update", toolCallId="a", content=[]))
    again = talk.agent(update("tool_call_content_chunk", toolCallId="a", content=block))
    assert updates(again.to_client)[0]["content"] == [block]


def test_a_prompt_that_is_too_long_to_keep_is_refused() -> None:
    talk = Talk("v2", limits=Limits(content=100))
    [answer] = talk.client(prompt(1, "x" * 200)).to_client
    assert why(answer)[0] == "/params/prompt"
    talk.client(prompt(2, "x"))
    talk.agent(chunk("agent_message", "y"))
    assert [session.size for session in _memory(talk).sessions.values()] == [0]


def test_too_many_messages_that_may_be_the_prompt_are_refused() -> None:
    talk = Talk("v1", limits=Limits(ids=2))
    talk.client(prompt(1, "Go"))
    for name in "ab":
        assert talk.agent(chunk("user_message", "x", messageId=name)).absorbed != []
    outcome = talk.agent(chunk("user_message", "x", messageId="c"))
    reason = "too many messages wait for the id of the prompt"
    assert outcome.dropped == [("/params/update", reason)]
    assert tags(talk.agent(result(1, messageId="a")).to_client) == ["user_message_chunk"]


def test_what_was_held_gives_its_room_back() -> None:
    talk = Talk("v1", limits=Limits(content=300))
    talk.client(prompt(1, "Go"))
    assert talk.agent(chunk("user_message", "x" * 40, messageId="a")).absorbed != []
    named = update("tool_call_update", toolCallId="t", title="T" * 200)
    reason = "the bridge would have to remember too much content"
    assert talk.agent(named).dropped == [("/params/update", reason)]
    assert tags(talk.agent(result(1, messageId="a")).to_client) == []
    assert tags(talk.agent(named).to_client) == ["tool_call"]


def test_a_prompt_that_was_acknowledged_gives_its_room_back() -> None:
    talk = Talk("v2", limits=Limits(content=100))
    talk.client(prompt(1, "x" * 40))
    named = update("tool_call", toolCallId="t", title="T" * 50)
    reason = "the bridge would have to remember too much content"
    assert talk.agent(named).dropped == [("/params/update", reason)]
    talk.agent(chunk("agent_message", "y"))
    assert tags(talk.agent(named).to_client) == ["tool_call_update"]


@pytest.mark.parametrize("method", ["session/close", "session/delete"])
def test_ended_sessions_are_forgotten(method: str) -> None:
    talk = Talk("v2")
    talk.agent(chunk("agent_message", "y"))
    talk.client(request(1, method, sessionId="s1"))
    assert list(_memory(talk).sessions) == ["s1"]
    talk.agent(result(1))
    assert _memory(talk).sessions == {}


def test_a_history_that_does_not_come_leaves_what_was_known() -> None:
    talk = Talk("v1")
    talk.agent(update("tool_call_update", toolCallId="t", title="T"))
    talk.client(request(1, "session/load", sessionId="s1", cwd="/w", mcpServers=[]))
    talk.agent({"jsonrpc": "2.0", "id": 1, "error": {"code": -32002, "message": "No"}})
    change = update("tool_call_update", toolCallId="t", status="completed")
    assert tags(talk.agent(change).to_client) == ["tool_call_update"]


def test_a_turn_goes_on_while_its_session_is_loaded() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    talk.agent(result(1, messageId="u1"))
    talk.client(request(2, "session/load", sessionId="s1", cwd="/w", mcpServers=[]))
    user = update("user_message", messageId="u1", content=[text("Go")])
    assert tags(talk.agent(user).to_client) == ["user_message_chunk"]
    talk.agent(result(2))
    assert tags(talk.agent(state("idle", stopReason="end_turn")).to_client) == ["result"]


def test_a_history_whose_end_cannot_be_said_leaves_what_was_known() -> None:
    talk = Talk("v1", limits=Limits(sessions=1))
    talk.agent(update("tool_call_update", toolCallId="t", title="T"))
    talk.client(request(1, "session/load", sessionId="s1", cwd="/w", mcpServers=[]))
    assert tags(talk.agent(result(1, more=1)).to_client) == ["error"]
    change = update("tool_call_update", toolCallId="t", status="completed")
    assert tags(talk.agent(change).to_client) == ["tool_call_update"]
    assert talk.client(prompt(2, "Go", session="s2")).to_agent != []


def test_the_oldest_finished_tool_call_goes_with_all_of_it() -> None:
    talk = Talk("v1", limits=Limits(ids=1, content=100))
    for name in "ab":
        made = update("tool_call_update", toolCallId=name, title="T" * 60, status="completed")
        assert tags(talk.agent(made).to_client) == ["tool_call"]
    change = update("tool_call_update", toolCallId="a", status="failed")
    reason = "the other version needs a title where it first sees a tool call"
    assert talk.agent(change).dropped == [("/params/update/title", reason)]


def test_a_title_is_forgotten_for_want_of_room() -> None:
    talk = Talk("v2", limits=Limits(content=100))
    asks = request(
        1,
        "session/request_permission",
        sessionId="s1",
        options=[{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
        toolCall={"toolCallId": "a"},
    )
    talk.agent(update("tool_call", toolCallId="a", title="T" * 60, status="completed"))
    assert tags(talk.agent(asks).to_client) == ["session/request_permission"]
    talk.agent(update("tool_call", toolCallId="b", title="U" * 60, status="in_progress"))
    assert tags(talk.agent({**asks, "id": 2}).to_agent) == ["error"]
    last = update("tool_call", toolCallId="c", title="U" * 40)
    assert tags(talk.agent(last).to_client) == ["tool_call_update"]
    assert talk.agent(update("tool_call", toolCallId="d", title="U")).dropped != []


def test_a_turn_goes_on_if_its_session_cannot_be_loaded() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    talk.agent(result(1, messageId="u1"))
    talk.client(request(2, "session/load", sessionId="s1", cwd="/w", mcpServers=[]))
    assert tags(talk.agent(failure(2)).to_client) == ["error"]
    assert tags(talk.agent(state("idle", stopReason="end_turn")).to_client) == ["result"]


def test_limits_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Talk("v1", limits=Limits(ids=0))
