"""Our client, on the bindings and examples.peer, with other people's agents over real pipes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from acp_bindings import v1, v2
from interop_setting import OurClientV1, OurClientV2, connected

V1 = pytest.mark.parametrize("peer", ["v1-stable", "v1-unstable", "v1-python"])
V2 = pytest.mark.parametrize("peer", ["v2-stable", "v2-unstable"])
META = {"sessionId": "evil", "deep": {"n": [1, None]}}


async def start_v1(client: OurClientV1) -> v1.InitializeResponse:
    answer: v1.InitializeResponse = await client.agent.initialize(
        v1.InitializeRequest(
            protocol_version=1,
            client_info=v1.Implementation(name="ours", version="1"),
            client_capabilities=v1.ClientCapabilities(
                fs=v1.FileSystemCapabilities(read_text_file=True)
            ),
            meta=META,
        )
    )
    return answer


async def start_v2(client: OurClientV2) -> v2.InitializeResponse:
    answer: v2.InitializeResponse = await client.agent.initialize(
        v2.InitializeRequest(
            protocol_version=2, info=v2.Implementation(name="ours", version="1"), meta=META
        )
    )
    return answer


async def failure(call: Any) -> v1.RpcError:
    """The error of a call that fails."""
    with pytest.raises(v1.RpcError) as caught:
        await call
    return caught.value


@V1
def test_v1_turns(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, _):
            answer = await start_v1(client)
            assert answer.protocol_version == 1
            assert answer.agent_info.name == "interop" and answer.meta == META
            assert answer.agent_capabilities.load_session is True
            session = await client.new("/garden")

            # All updates, in order, before the answer.
            done = await client.prompt(session, "one two three", meta=META)
            words = ["agent_message_chunk"] * 3
            assert client.kinds() == [
                *("agent_thought_chunk", "tool_call", "tool_call_update", "plan", *words)
            ]
            assert client.said() == ["one", "two", "three"]
            assert done.stop_reason == "end_turn" and done.meta == META
            assert client.updates[0].meta == {"deep": {"n": [1, None]}}
            assert client.updates[1].kind == "read" and client.updates[1].status is None
            assert client.updates[3].entries[0].priority == "high"
            assert {note.session_id for note in client.notes} == {session}
            if peer == "v1-python":
                # The SDK's session_update puts what it does not know into _meta.
                assert client.notes[0].meta == {"beside": True}

            client.answers = [
                v1.RequestPermissionResponse(
                    outcome=v1.SelectedRequestPermissionOutcome(option_id="no"), meta={"by": "us"}
                ),
                v1.RequestPermissionResponse(outcome=v1.CancelledRequestPermissionOutcome()),
            ]
            await client.prompt(session, "may I")
            assert json.loads("".join(client.said())) == {
                "outcome": {"outcome": "selected", "optionId": "no"},
                "_meta": {"by": "us"},
            }
            await client.prompt(session, "may I")
            assert json.loads("".join(client.said())) == {"outcome": {"outcome": "cancelled"}}
            for question in client.asked:
                assert question.tool_call.title == "Water the plants"
                assert [option.kind for option in question.options] == [
                    "allow_once",
                    "reject_always",
                ]
                assert question.meta == {"why": ["dry"]}

            await client.prompt(session, "read")
            assert client.said() == ["line 2 of /garden/note"]

            turn = client.begin(session, "endless")
            await client.until(client.said)
            await client.agent.cancel(v1.CancelNotification(session_id=session))
            assert (await turn).stop_reason == "cancelled"

            client.updates.clear()
            again = {"session_id": session, "cwd": "/garden", "mcp_servers": []}
            await client.agent.load_session(v1.LoadSessionRequest(**again))
            assert client.kinds()[:6] == [
                *("user_message_chunk", "agent_thought_chunk", "tool_call"),
                *("tool_call_update", "plan", "agent_message_chunk"),
            ]
            assert client.kinds().count("user_message_chunk") == 5
            client.updates.clear()
            await client.agent.resume_session(v1.ResumeSessionRequest(**again))
            assert client.updates == []

    asyncio.run(story())


@pytest.mark.parametrize("peer", ["v1-stable", "v1-unstable"])
def test_v1_a_prompt_is_withdrawn(peer: str) -> None:
    # The Python SDK does not serve $/cancel_request: it logs "method not found", and its agent goes on.
    async def story() -> None:
        async with connected(peer) as (client, _):
            await start_v1(client)
            session = await client.new("/garden")
            turn = client.begin(session, "endless")
            await client.until(client.said)
            turn.cancel()
            with pytest.raises(asyncio.CancelledError):
                await turn
            # The agent tells that its handler was stopped.
            told = [("_interop/withdrawn", {"sessionId": session})]
            assert await client.until(lambda: client.heard) == told
            await client.prompt(session, "four five")
            assert client.said()[-2:] == ["four", "five"]

    asyncio.run(story())


@V1
def test_v1_lists(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, _):
            await start_v1(client)
            ids = [await client.new(cwd) for cwd in ("/a", "/a", "/b", "/a", "/b")]
            pages = await client.pages(v1.ListSessionsRequest())
            assert pages == [ids[:2], ids[2:4], ids[4:]]
            assert await client.pages(v1.ListSessionsRequest(cwd="/b")) == [[ids[2], ids[4]]]
            (info, *_) = (await client.agent.list_sessions(v1.ListSessionsRequest())).sessions
            assert (info.cwd, info.title) == ("/a", "In /a")

            delete = v1.DeleteSessionRequest(session_id=ids[0])
            if peer == "v1-python":
                # The release has the capability and the name of the method, but serves no
                # session/delete: even an agent that announces it answers like this.
                error = await failure(client.agent.delete_session(delete))
                assert isinstance(error, v1.MethodNotFoundError)
                assert error.data == {"method": "session/delete"}
            else:
                assert await client.agent.delete_session(delete) == v1.DeleteSessionResponse()
                assert await client.pages(v1.ListSessionsRequest()) == [ids[1:3], ids[3:]]
                assert (await failure(client.agent.delete_session(delete))).code == -32002
            await client.agent.close_session(v1.CloseSessionRequest(session_id=ids[4]))

    asyncio.run(story())


@V1
def test_v1_archive(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, child):
            await start_v1(client)
            ids = [await client.new(cwd) for cwd in ("/a", "/b", "/c")]
            archive = v1.ArchiveSessionRequest(session_id=ids[1], meta={"a": 1})
            unarchive = v1.UnarchiveSessionRequest(session_id=ids[1])
            both = v1.ListSessionsRequest(archived=True)

            if peer == "v1-python":
                # The release knows nothing of archiving, and serves no method that it does not
                # know: it cannot announce the capability, and the gate holds the call back.
                for call in (
                    client.agent.archive_session(archive),
                    client.agent.unarchive_session(unarchive),
                    client.agent.list_sessions(both),
                ):
                    with pytest.raises(v1.CapabilityError) as caught:
                        await call
                    path = "agentCapabilities.sessionCapabilities.archive"
                    assert caught.value.capability == path
                ungated = v1.ClientSideConnection(child.channel, gated=False)
                error = await failure(ungated.archive_session(archive))
                assert isinstance(error, v1.MethodNotFoundError)
                return

            assert client.agent.supports("session/list", "archived")
            assert (await client.agent.archive_session(archive)).meta == {"a": 1}
            # Told before the answer, and taken before it too.
            assert [update.archived for update in client.updates] == [True]
            assert await client.pages(v1.ListSessionsRequest()) == [[ids[0], ids[2]]]
            if peer == "v1-stable":
                assert await client.pages(both) == [ids[:2], ids[2:]]
                listed = (await client.agent.list_sessions(both)).sessions
                assert [info.archived for info in listed] == [False]
                listed = (
                    await client.agent.list_sessions(v1.ListSessionsRequest(archived=True))
                ).sessions
                assert [info.archived for info in listed] == [False, True]
            else:
                # Upstream's later revision: the filter is a string there, and a boolean is
                # refused by the SDK before the agent sees it. Nothing more can be tested.
                error = await failure(client.agent.list_sessions(both))
                assert isinstance(error, v1.InvalidParamsError)
            for _ in range(2):
                await client.agent.unarchive_session(unarchive)
            assert [update.archived for update in client.updates] == [True, False, False]
            assert await client.pages(v1.ListSessionsRequest()) == [ids[:2], ids[2:]]

    asyncio.run(story())


@V1
def test_v1_errors_and_extensions(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, _):
            await start_v1(client)
            session = await client.new("/garden")
            again = {"cwd": "/garden", "mcp_servers": []}
            for call in (
                client.agent.load_session(v1.LoadSessionRequest(session_id="none", **again)),
                client.agent.resume_session(v1.ResumeSessionRequest(session_id="none", **again)),
                client.agent.close_session(v1.CloseSessionRequest(session_id="none")),
                client.prompt("none", "x"),
            ):
                error = await failure(call)
                assert isinstance(error, v1.ResourceNotFoundError)
                assert error.data == {"sessionId": "none"}
            error = await failure(client.prompt(session, "file"))
            assert isinstance(error, v1.ResourceNotFoundError)
            assert error.data == {"uri": "file:///none"}
            error = await failure(client.prompt(session, "login"))
            assert isinstance(error, v1.AuthenticationRequiredError)
            assert error.data == {"methods": ["x"]}
            error = await failure(client.prompt(session, "own"))
            assert (type(error), error.code, str(error.message)) == (v1.RpcError, 7, "Seven")
            assert error.data == [1]
            error = await failure(client.prompt(session, "fault"))
            assert isinstance(error, v1.InternalError)
            mode = v1.SetSessionModeRequest(session_id=session, mode_id="x")
            error = await failure(client.agent.set_session_mode(mode))
            assert isinstance(error, v1.MethodNotFoundError)

            await extensions(client)

    asyncio.run(story())


async def extensions(client: Any) -> None:
    """Use the extensions that every agent here has."""
    params = {"a": [1, {"b": None}], "_meta": {"c": "ü"}}
    assert await client.agent.ext_method("_interop/echo", params) == {"echo": params}
    assert await client.agent.ext_method("_interop/ask_back", params) == {
        "theySaid": {"echo": params}
    }
    assert (await failure(client.agent.ext_method("_interop/none", {}))).code == -32601
    await client.agent.ext_notification("_interop/tell", params)
    assert await client.until(lambda: client.heard) == [("_interop/heard", params)]


@V2
def test_v2_turns(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, _):
            answer = await start_v2(client)
            assert answer.protocol_version == 2
            assert answer.info.name == "interop" and answer.meta == META
            session = await client.new("/garden")

            done = await client.prompt(session, "one two three", meta=META)
            assert done.meta == META
            # The message is in the conversation before the answer says so.
            assert client.updates[0].session_update == "user_message"
            assert client.updates[0].message_id == done.message_id
            assert await client.idle() == "end_turn"
            words = ["agent_message_chunk"] * 3
            assert client.kinds() == [
                *("user_message", "state_update", "agent_thought", "tool_call_update"),
                *("tool_call_update", "plan_update", *words, "state_update"),
            ]
            assert client.said() == ["one", "two", "three"]
            assert client.updates[1].state == "running" and client.updates[-1].state == "idle"
            assert client.updates[2].meta == {"deep": {"n": [1, None]}}
            assert client.updates[3].kind == "read" and client.updates[4].status == "completed"
            assert client.updates[5].plan.entries[0].priority == "high"

            client.answers = [
                v2.RequestPermissionResponse(
                    outcome=v2.SelectedRequestPermissionOutcome(option_id="no"), meta={"by": "us"}
                ),
                v2.RequestPermissionResponse(outcome=v2.CancelledRequestPermissionOutcome()),
            ]
            for told in (
                {"outcome": {"outcome": "selected", "optionId": "no"}, "_meta": {"by": "us"}},
                {"outcome": {"outcome": "cancelled"}},
            ):
                await client.prompt(session, "may I")
                await client.idle()
                assert json.loads("".join(client.said())) == told
                states = [u.state for u in client.updates if u.session_update == "state_update"]
                assert states == ["running", "requires_action", "running", "idle"]
            for question in client.asked:
                assert question.title == "Water the plants?" and question.meta == {"why": ["dry"]}
                assert isinstance(question.subject, v2.CommandRequestPermissionSubject)
                assert question.subject.command == "water plants"

            await client.prompt(session, "endless")
            await client.until(client.said)
            await client.agent.cancel(v2.CancelSessionNotification(session_id=session))
            assert await client.idle() == "cancelled"

            # A prompt that has no answer yet can be withdrawn, and the agent tells that its handler
            # was stopped. From the answer on only session/cancel ends the turn.
            waiting = asyncio.create_task(client.prompt(session, "never"))
            await client.until(lambda: client.heard)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            told = {"sessionId": session}
            await client.until(lambda: ("_interop/withdrawn", told) in client.heard)
            await client.prompt(session, "four five")
            assert await client.idle() == "end_turn" and client.said() == ["four", "five"]

            client.updates.clear()
            again = v2.ResumeSessionRequest(session_id=session, cwd="/garden")
            await client.agent.resume_session(again)
            assert [update.state for update in client.updates] == ["idle"]
            client.updates.clear()
            again.replay_from = v2.StartReplayFrom()
            await client.agent.resume_session(again)
            assert client.kinds()[:3] == ["user_message", "agent_thought", "agent_message_chunk"]
            assert client.kinds().count("user_message") == 5
            assert client.kinds()[-1] == "state_update"

    asyncio.run(story())


@V2
def test_v2_lists_and_archive(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, _):
            await start_v2(client)
            ids = [await client.new(cwd) for cwd in ("/a", "/a", "/b", "/a", "/b")]
            pages = await client.pages(v2.ListSessionsRequest())
            assert pages == [ids[:2], ids[2:4], ids[4:]]
            assert await client.pages(v2.ListSessionsRequest(cwd="/b")) == [[ids[2], ids[4]]]
            delete = v2.DeleteSessionRequest(session_id=ids[0])
            assert await client.agent.delete_session(delete) == v2.DeleteSessionResponse()
            assert (await failure(client.agent.delete_session(delete))).code == -32002
            await client.agent.close_session(v2.CloseSessionRequest(session_id=ids[4]))

            archive = v2.ArchiveSessionRequest(session_id=ids[1], meta={"a": 1})
            unarchive = v2.UnarchiveSessionRequest(session_id=ids[1])
            both = v2.ListSessionsRequest(archived=True)
            agent = client.agent
            # The capability passes through the stable entry point too, which does not know it.
            assert agent.supports("session/archive")
            assert (await agent.archive_session(archive)).meta == {"a": 1}
            assert [update.archived for update in client.updates] == [True]
            assert await client.pages(v2.ListSessionsRequest()) == [ids[2:4], ids[4:]]
            # The filter cannot be tested: the stable entry point does not know it and leaves it
            # out, and in the unstable one it is a string, so that a boolean is refused.
            if peer == "v2-stable":
                page = await agent.list_sessions(both)
                assert [info.session_id for info in page.sessions] == ids[2:4]
            else:
                listed = (await agent.list_sessions(v2.ListSessionsRequest())).sessions
                assert [info.archived for info in listed] == [False, False]
                error = await failure(agent.list_sessions(both))
                assert isinstance(error, v2.InvalidParamsError)
            for _ in range(2):
                await agent.unarchive_session(unarchive)
            assert [update.archived for update in client.updates] == [True, False, False]
            assert await client.pages(v2.ListSessionsRequest()) == [ids[1:3], ids[3:]]
            error = await failure(
                agent.archive_session(v2.ArchiveSessionRequest(session_id="none"))
            )
            assert isinstance(error, v2.ResourceNotFoundError)

    asyncio.run(story())


@V2
def test_v2_errors_and_extensions(peer: str) -> None:
    async def story() -> None:
        async with connected(peer) as (client, _):
            await start_v2(client)
            session = await client.new("/garden")
            for call in (
                client.agent.resume_session(v2.ResumeSessionRequest(session_id="none", cwd="/a")),
                client.agent.close_session(v2.CloseSessionRequest(session_id="none")),
                client.prompt("none", "x"),
            ):
                error = await failure(call)
                assert isinstance(error, v2.ResourceNotFoundError)
                assert error.data == {"sessionId": "none"}
            error = await failure(client.prompt(session, "file"))
            assert isinstance(error, v2.ResourceNotFoundError)
            assert error.data == {"uri": "file:///none"}
            error = await failure(client.prompt(session, "login"))
            assert isinstance(error, v2.AuthenticationRequiredError)
            error = await failure(client.prompt(session, "own"))
            assert (type(error), error.code, error.data) == (v2.RpcError, 7, [1])
            error = await failure(client.prompt(session, "fault"))
            assert isinstance(error, v2.InternalError)

            await extensions(client)

    asyncio.run(story())
