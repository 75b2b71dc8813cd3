"""What a user of the bindings writes. It is type-checked in strict mode and run."""

from __future__ import annotations

import asyncio
import copy
import pickle
from typing import Any

from acp_bindings import v1, v2
from acp_bindings.convert import ConversionError, convert_json, v1_to_v2


def describe(block: v1.ContentBlock) -> str:
    match block:
        case v1.TextContentBlock(text=text):
            return text
        case v1.ImageContentBlock(mime_type=mime_type):
            return f"image {mime_type}"
        case v1.ResourceLinkContentBlock():
            return block.uri
        case _:
            return block.type


def build() -> v1.PromptRequest:
    return v1.PromptRequest(
        session_id="s-1",
        prompt=[
            v1.TextContentBlock("hello"),
            v1.ResourceLinkContentBlock(name="readme", uri="file:///r"),
        ],
    )


class EchoAgent(v1.Agent):
    """Serves two methods; the others answer that they are not found."""

    async def list_sessions(self, params: v1.ListSessionsRequest) -> v1.ListSessionsResponse:
        info = v1.SessionInfo(session_id="s-1", cwd=params.cwd or "/", archived=params.archived)
        return v1.ListSessionsResponse([info])

    async def prompt(self, params: v1.PromptRequest) -> v1.PromptResponse:
        raise RuntimeError(f"no model for {len(params.prompt)} blocks")


class Wire:
    """A peer that hands every message to a dispatcher as JSON."""

    def __init__(self, dispatcher: v1.AgentDispatcher) -> None:
        self._dispatcher = dispatcher

    async def request(self, method: str, params: Any) -> Any:
        return await self._dispatcher.request(method, params)

    async def notify(self, method: str, params: Any) -> None:
        await self._dispatcher.notify(method, params)


async def talk() -> list[v1.SessionInfo]:
    agent = v1.ClientSideConnection(Wire(v1.AgentDispatcher(EchoAgent())), gated=False)
    found = await agent.list_sessions(v1.ListSessionsRequest(archived=True))
    return found.sessions


def patch(title: str | None) -> dict[str, Any]:
    update = v2.SessionInfoUpdate()
    if title is None:
        v2.clear(update, "title")
    else:
        update.title = title
    assert v2.is_set(update, "title") and not v2.is_set(update, "updated_at")
    encoded: dict[str, Any] = v2.encode(update)
    return encoded


def convert() -> list[Any]:
    try:
        convert_json("v1_to_v2", "SetSessionModeRequest", {"sessionId": "s", "modeId": "m"})
    except ConversionError as error:
        assert error.path == ""
    return v1_to_v2(v1.ArchiveSessionRequest("s-1"))


def main() -> None:
    request = build()
    assert [describe(block) for block in request.prompt] == ["hello", "file:///r"]
    assert v1.decode(v1.PromptRequest, v1.encode(request)) == request
    assert v1.from_json("PromptRequest", v1.to_json(request)) == request
    for again in (copy.copy(request), copy.deepcopy(request), pickle.loads(pickle.dumps(request))):
        assert again == request
    sessions = asyncio.run(talk())
    assert [(info.session_id, info.archived) for info in sessions] == [("s-1", True)]
    assert patch(None) == {"title": None} and patch("t") == {"title": "t"}
    assert convert() == [v2.ArchiveSessionRequest("s-1")]


if __name__ == "__main__":
    main()
