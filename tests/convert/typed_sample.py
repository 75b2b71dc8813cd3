"""What type checkers know of the converters. Checked, and run too."""

from __future__ import annotations

from typing import Any

from acp_bindings import convert, v1, v2
from typing_extensions import assert_type  # noqa: UP035 (Python 3.10)


def classes() -> None:
    archive = v1.ArchiveSessionRequest(session_id="oak")
    assert_type(convert.v1_to_v2(archive), list[v2.ArchiveSessionRequest])
    assert_type(
        convert.v2_to_v1(v2.ArchiveSessionRequest(session_id="oak")), list[v1.ArchiveSessionRequest]
    )
    # A definition with another name there.
    assert_type(convert.v1_to_v2(v1.LogoutRequest(), lossy=True), list[v2.LogoutAuthRequest])
    # The value decides.
    resume = v2.ResumeSessionRequest(session_id="oak", cwd="/")
    assert_type(
        convert.v2_to_v1(resume, context=None),
        list[v1.ResumeSessionRequest | v1.LoadSessionRequest],
    )


def variants() -> None:
    chunk = v1.AgentMessageChunkSessionUpdate(content=v1.TextContentBlock(text="t"), message_id="m")
    made = convert.v1_to_v2(chunk)
    assert_type(made, list[v2.ContentChunk])
    assert type(made[0]) is v2.AgentMessageChunkSessionUpdate
    message = v2.AgentMessageSessionUpdate(
        message_id="m", content=[v2.TextContentBlock(text="a"), v2.TextContentBlock(text="b")]
    )
    several = convert.v2_to_v1(message)
    assert_type(several, list[v1.SessionUpdate])
    assert len(several) == 2


def unions(block: v1.ContentBlock, report: list[convert.Loss]) -> None:
    made = convert.v1_to_v2(block, lossy=True, report=report)
    assert_type(
        made,
        list[v2.TextContent] | list[v2.ImageContent] | list[v2.AudioContent] | list[v2.ResourceLink] | list[v2.EmbeddedResource],
    )  # fmt: skip
    assert isinstance(made[0], v2.TextContentBlock)


def mistakes(anything: Any) -> None:
    """Never run: each of these is an error for a type checker."""
    convert.v1_to_v2(v2.LogoutAuthRequest())  # type: ignore[call-overload]  # pyright: ignore
    convert.v2_to_v1(anything, lossless=True)  # type: ignore[call-overload]  # pyright: ignore
    convert.v1_to_v2(v1.ReadTextFileRequest(session_id="s", path="/p"))  # type: ignore[call-overload]  # pyright: ignore


if __name__ == "__main__":
    classes()
    variants()
    unions(v1.TextContentBlock(text="t"), [])
