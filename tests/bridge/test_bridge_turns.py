"""Prompts, the ends of turns, cancelling, and the version numbers."""

from __future__ import annotations

from typing import Any

import pytest
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
    why,
)  # fmt: skip

WORK = [{"type": "terminal", "terminalId": "t"}]


def _prompted(**more: Any) -> Talk:
    """Return a v1 client whose prompt the v2 agent took."""
    talk = Talk("v1", **more)
    talk.client(prompt(1, "Go"))
    talk.agent(result(1, messageId="u1"))
    return talk


def test_echo_after_the_acknowledgement_is_not_shown() -> None:
    talk = _prompted()
    for message in (
        update("user_message", messageId="u1", content=[text("Go")]),
        chunk("user_message", "Go", messageId="u1"),
    ):
        outcome = talk.agent(message)
        assert (outcome.to_client, outcome.dropped) == ([], [])


def test_what_another_client_says_is_shown_once_the_id_of_the_prompt_is_known() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    for id_ in ("u0", "u1"):
        talk.agent(update("user_message", messageId=id_, content=[text(id_)]))
    found = updates(talk.agent(result(1, messageId="u1")).to_client)
    assert [one["messageId"] for one in found] == ["u0"]


def test_idle_without_a_reason_ends_no_turn() -> None:
    talk = _prompted()
    assert talk.agent(state("idle")).to_client == []
    assert talk.agent(state("idle", stopReason=None)).to_client == []
    assert tags(talk.agent(state("idle", stopReason="refusal")).to_client) == ["result"]


def test_an_old_snapshot_before_the_acknowledgement_ends_no_turn() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    assert talk.agent(state("idle", stopReason="end_turn")).to_client == []
    talk.agent(result(1, messageId="u1"))
    assert tags(talk.agent(state("idle", stopReason="end_turn")).to_client) == ["result"]


def test_a_turn_may_end_before_its_acknowledgement() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    talk.agent(state("running"))
    assert tags(talk.agent(state("idle", stopReason="end_turn")).to_client) == ["result"]
    assert talk.agent(result(1, messageId="u1")).to_client == []
    talk.client(prompt(1, "Go on"))
    assert tags(talk.outcome.to_agent) == ["session/prompt"]


@pytest.mark.parametrize("reason", ["later", "_mine"])
def test_unknown_stop_reasons_are_refused_and_the_client_is_not_left_waiting(reason: str) -> None:
    talk = _prompted()
    outcome = talk.agent(state("idle", stopReason=reason))
    [answer] = outcome.to_client
    assert answer["id"] == 1
    assert why(answer)[0] == outcome.dropped[0].path == "/params/update/stopReason"


def test_an_error_without_an_object_has_the_usual_code() -> None:
    talk = _prompted()
    [answer] = talk.agent(state("idle", stopReason="error")).to_client
    assert answer["error"]["code"] == -32603


def test_background_work_is_refused_and_given_up_in_lossy_mode() -> None:
    talk = _prompted()
    outcome = talk.agent(state("running", background=WORK))
    assert [fault.path for fault in outcome.dropped] == ["/params/update/background"]
    [answer] = talk.agent(state("idle", stopReason="end_turn", background=WORK)).to_client
    assert why(answer)[0] == "/params/update/background"

    talk = _prompted(lossy=True)
    outcome = talk.agent(state("idle", stopReason="end_turn", background=WORK))
    assert outcome.to_client == [result(1, stopReason="end_turn")]
    assert [loss.action for loss in outcome.losses] == ["removed"]


def test_metadata_of_an_acknowledgement_is_reported() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    outcome = talk.agent(result(1, messageId="u1", _meta={"a": 1}))
    assert [fault.path for fault in outcome.dropped] == ["/result/_meta"]


@pytest.mark.parametrize("client", ["v1", "v2"])
def test_a_second_prompt_is_refused_while_one_runs(client: str) -> None:
    talk = Talk(client)
    talk.client(prompt(1, "Go"))
    [answer] = talk.client(prompt(2, "And")).to_client
    assert (answer["id"], why(answer)[0]) == (2, "/params/sessionId")
    assert talk.client(prompt(3, "Other", session="s2")).to_agent != []


def test_a_v1_result_that_v2_cannot_say_ends_the_turn_with_an_error() -> None:
    talk = Talk("v2")
    talk.client(prompt(1, "Go"))
    talk.agent(chunk("agent_message", "x"))
    outcome = talk.agent(result(1, stopReason="end_turn", more=1))
    [idle] = updates(outcome.to_client)
    assert (idle["state"], idle["stopReason"]) == ("idle", "error")
    assert outcome.dropped[0].path == "/result/more"
    assert talk.client(prompt(2, "Go")).to_agent != []


def test_cancel_request_follows_the_request() -> None:
    talk = Talk("v2")
    talk.client(request(5, "session/list"))
    talk.client(notify("$/cancel_request", requestId=5))
    assert talk.outcome.to_agent == [notify("$/cancel_request", requestId=5)]
    outcome = talk.client(notify("$/cancel_request", requestId="5"))
    assert (outcome.to_agent, outcome.dropped[0].path) == ([], "/params/requestId")


def test_an_id_used_again_is_mapped() -> None:
    talk = Talk("v2")
    talk.client(prompt(1, "Go"))
    talk.agent(chunk("agent_message", "x"))
    [sent] = talk.client(request(1, "session/list")).to_agent
    assert sent["id"] != 1
    talk.client(notify("$/cancel_request", requestId=1))
    assert talk.outcome.to_agent[0]["params"]["requestId"] == sent["id"]
    assert talk.agent(result(sent["id"], sessions=[])).to_client == [result(1, sessions=[])]
    assert tags(talk.agent(result(1, stopReason="end_turn")).to_client) == ["state_update"]


def test_cancelling_a_prompt_of_v1_that_v2_took_cancels_the_turn() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    talk.client(notify("$/cancel_request", requestId=1))
    assert tags(talk.outcome.to_agent) == ["$/cancel_request"]
    talk.agent(result(1, messageId="u1"))
    talk.client(notify("$/cancel_request", requestId=1))
    assert talk.outcome.to_agent == [notify("session/cancel", sessionId=SESSION)]


def test_requests_of_the_agent_can_be_cancelled() -> None:
    talk = Talk("v2")
    talk.agent(
        request(
            "e",
            "elicitation/create",
            sessionId=SESSION,
            mode="url",
            message="?",
            url="u",
            elicitationId="1",
        )
    )
    talk.agent(notify("$/cancel_request", requestId="e"))
    assert talk.outcome.to_client == [notify("$/cancel_request", requestId="e")]


def test_a_closed_session_ends_its_turn() -> None:
    talk = _prompted()
    talk.client(request(2, "session/close", sessionId=SESSION))
    assert talk.agent(result(2)).to_client == [result(1, stopReason="cancelled"), result(2)]


def test_a_refusal_that_cannot_be_said_lets_what_was_held_go() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    talk.agent(chunk("user_message", "x", messageId="u0"))
    refusal = failure(1)
    refusal["error"]["more"] = 1
    outcome = talk.agent(refusal)
    assert tags(outcome.to_client) == ["error", "user_message_chunk"]
    assert outcome.dropped[0].path == "/error/more"


def test_a_prompt_of_a_closed_session_is_answered_once() -> None:
    talk = Talk("v1")
    talk.client(prompt(1, "Go"))
    talk.client(request(2, "session/close", sessionId=SESSION))
    assert talk.agent(result(2)).to_client == [result(1, stopReason="cancelled"), result(2)]
    outcome = talk.agent(failure(1))
    assert outcome.to_client == []
    assert outcome.absorbed == [("/error", "the prompt is answered already")]


def test_version_numbers() -> None:
    info = {"name": "p", "version": "1"}
    talk = Talk("v2")
    [answer] = talk.client(request(1, "initialize", protocolVersion=1, info=info)).to_client
    assert why(answer)[0] == "/params/protocolVersion"
    talk.client(request(2, "initialize", protocolVersion=3, info=info))
    assert talk.outcome.to_agent[0]["params"]["protocolVersion"] == 1
    [answer] = talk.agent(result(2, protocolVersion=0)).to_client
    assert (answer["id"], why(answer)[0]) == (2, "/result/protocolVersion")


def test_an_answer_that_cannot_be_said_is_an_error_for_the_one_who_asked() -> None:
    talk = Talk("v2")
    talk.client(request(1, "session/new", cwd="/w"))
    modes = {"currentModeId": "a", "availableModes": [{"id": "a", "name": "A"}]}
    outcome = talk.agent(result(1, sessionId=SESSION, modes=modes))
    assert why(outcome.to_client[0])[0] == outcome.dropped[0].path == "/result/modes"
    talk = Talk("v2", lossy=True)
    talk.client(request(1, "session/new", cwd="/w"))
    assert talk.agent(result(1, sessionId=SESSION, modes=modes)).to_client == [
        result(1, sessionId=SESSION)
    ]


def test_extensions_pass_both_ways() -> None:
    talk = Talk("v1")
    call = request(1, "_my/call", anything={"sessionUpdate": 1})
    assert talk.client(call).to_agent == [call]
    answer = result(1, anything=None)
    assert talk.agent(answer).to_client == [answer]


def test_errors_pass_both_ways() -> None:
    talk = Talk("v2")
    talk.client(request(1, "session/list"))
    assert talk.agent(failure(1)).to_client == [failure(1)]


def test_both_sides_must_differ() -> None:
    with pytest.raises(ValueError, match="one side must speak"):
        Talk("v2").bridge.__class__(client="v1", agent="v1")
