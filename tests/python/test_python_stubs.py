"""Stubs of the generated package: dispatch, errors, connections, lazy imports."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGES = Path(__file__).parents[2] / "generated" / "python"
sys.path.insert(0, str(PACKAGES))

from acp_bindings import v1, v2  # noqa: E402
from acp_bindings._rpc import RpcError  # noqa: E402


class Recorder:
    """A peer that records what is sent and answers from a table."""

    def __init__(self, answers: dict[str, Any] | None = None) -> None:
        self.answers = answers or {}
        self.sent: list[tuple[str, str, Any]] = []

    async def request(self, method: str, params: Any) -> Any:
        self.sent.append(("request", method, params))
        return self.answers[method]

    async def notify(self, method: str, params: Any) -> None:
        self.sent.append(("notify", method, params))


class Agent(v1.Agent):
    async def archive_session(self, params: v1.ArchiveSessionRequest) -> v1.ArchiveSessionResponse:
        if params.session_id == "gone":
            raise RpcError(-32002, "Resource not found", {"sessionId": "gone"})
        if params.session_id == "crash":
            raise KeyError("crash")
        return v1.ArchiveSessionResponse(meta={"seen": params.session_id})

    async def cancel(self, params: v1.CancelNotification) -> None:
        self.cancelled = params.session_id

    async def ext_method(self, method: str, params: Any) -> Any:
        return {"method": method, "params": params}


def request(method: str, params: Any = None) -> Any:
    return asyncio.run(v1.AgentDispatcher(Agent()).request(method, params))


def test_request_is_decoded_served_and_encoded() -> None:
    assert request("session/archive", {"sessionId": "s"}) == {"_meta": {"seen": "s"}}


def test_unknown_method_is_not_found() -> None:
    with pytest.raises(RpcError) as caught:
        request("session/nonsense", {})
    assert caught.value.to_json() == {
        "code": -32601,
        "message": "Method not found",
        "data": {"method": "session/nonsense"},
    }


def test_method_that_is_not_overridden_is_not_found() -> None:
    with pytest.raises(RpcError) as caught:
        request("session/unarchive", {"sessionId": "s"})
    assert caught.value.code == -32601


def test_params_that_do_not_fit_name_their_path() -> None:
    with pytest.raises(RpcError) as caught:
        request("session/archive", {"sessionId": 5})
    assert caught.value.code == -32602
    assert caught.value.data["errors"][0]["path"] == "/sessionId"
    assert caught.value.data["method"] == "session/archive"


def test_exception_in_a_handler_is_an_internal_error() -> None:
    with pytest.raises(RpcError) as caught:
        request("session/archive", {"sessionId": "crash"})
    assert caught.value.code == -32603
    assert caught.value.data == {
        "method": "session/archive",
        "exception": "KeyError",
        "detail": "'crash'",
    }


def test_error_of_a_handler_passes_through() -> None:
    with pytest.raises(RpcError) as caught:
        request("session/archive", {"sessionId": "gone"})
    assert (caught.value.code, caught.value.data) == (-32002, {"sessionId": "gone"})


def test_extension_method_reaches_its_hook() -> None:
    assert request("_vendor/x", [1, 2]) == {"method": "_vendor/x", "params": [1, 2]}


def test_extension_method_without_a_hook_is_not_found() -> None:
    with pytest.raises(RpcError) as caught:
        asyncio.run(v1.AgentDispatcher(v1.Agent()).request("_vendor/x"))
    assert caught.value.code == -32601


def test_notification_is_served_and_an_unknown_one_ignored() -> None:
    agent = Agent()
    dispatcher = v1.AgentDispatcher(agent)
    asyncio.run(dispatcher.notify("session/cancel", {"sessionId": "s"}))
    assert agent.cancelled == "s"
    asyncio.run(dispatcher.notify("$/nonsense", {"a": 1}))


def test_connection_sends_wire_names_and_reads_the_result() -> None:
    peer = Recorder({"session/list": {"sessions": [{"sessionId": "s", "cwd": "/"}]}})
    agent = v1.ClientSideConnection(peer, gated=False)
    found = asyncio.run(agent.list_sessions(v1.ListSessionsRequest(archived=True)))
    assert found.sessions[0].session_id == "s"
    assert peer.sent == [("request", "session/list", {"archived": True})]


def test_connection_reads_a_null_result_as_empty() -> None:
    agent = v1.ClientSideConnection(Recorder({"session/close": None}), gated=False)
    assert (
        asyncio.run(agent.close_session(v1.CloseSessionRequest("s"))) == v1.CloseSessionResponse()
    )


def test_agent_side_connection_notifies_the_client() -> None:
    peer = Recorder()
    update = v2.SessionInfoUpdateSessionUpdate(archived=False)
    sent = v2.UpdateSessionNotification(session_id="s", update=update)
    asyncio.run(v2.AgentSideConnection(peer).session_update(sent))
    params = {
        "sessionId": "s",
        "update": {"archived": False, "sessionUpdate": "session_info_update"},
    }
    assert peer.sent == [("notify", "session/update", params)]


def test_meta_is_data_and_cannot_reach_a_parameter() -> None:
    seen: list[v1.ArchiveSessionRequest] = []

    class Spy(v1.Agent):
        async def archive_session(
            self, params: v1.ArchiveSessionRequest
        ) -> v1.ArchiveSessionResponse:
            seen.append(params)
            return v1.ArchiveSessionResponse()

    message = {"sessionId": "mine", "_meta": {"sessionId": "theirs", "session_id": "theirs"}}
    asyncio.run(v1.AgentDispatcher(Spy()).request("session/archive", message))
    assert seen[0].session_id == "mine"
    assert seen[0].meta == {"sessionId": "theirs", "session_id": "theirs"}


def test_method_tables_say_side_feature_and_capability() -> None:
    method = v1.AGENT_METHODS["session/archive"]
    assert (method.name, method.side, method.kind) == ("archive_session", "agent", "request")
    assert method.feature == "unstable_session_archive"
    assert method.capability == "agentCapabilities.sessionCapabilities.archive"
    assert v2.AGENT_METHODS["session/archive"].capability == "capabilities.session.archive"
    assert v1.CLIENT_METHODS["session/update"].name == "session_update"
    assert "$/cancel_request" in v1.PROTOCOL_METHODS


@pytest.mark.parametrize("version", [v1, v2], ids=["v1", "v2"])
def test_every_stub_has_a_signature_that_evaluates(version: Any) -> None:
    for name in ("Agent", "Client", "ClientSideConnection", "AgentSideConnection"):
        methods = inspect.getmembers(getattr(version, name), inspect.iscoroutinefunction)
        assert len(methods) > 5
        for _, method in methods:
            inspect.signature(method, eval_str=True)


def test_importing_the_package_imports_no_version_and_no_pydantic() -> None:
    code = (
        "import sys, acp_bindings; dir(acp_bindings);"
        "assert not [m for m in sys.modules if m.startswith(('pydantic', 'acp_bindings.'))], sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGES, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_definition_is_a_public_name() -> None:
    for version in (v1, v2):
        from importlib import import_module

        codec = import_module(f"{version.__name__}.codec")
        for name in codec._DEFINITIONS:
            assert getattr(version, name) is not None
            assert name in version.__all__
