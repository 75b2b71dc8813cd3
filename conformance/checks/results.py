"""What the two methods take and give."""

from __future__ import annotations

from typing import Any

from ..link import Link
from ..outcome import Failed, Refused, printable
from ..registry import check
from ..scene import Scene
from ..steps import new_session, settled

_METHODS = ("session/archive", "session/unarchive")
_METAS: tuple[object, ...] = ({}, None, {"suite": {"values": [1, None, "any"], "nested": {}}})


@check("result-object", "Methods")
async def result_object(scene: Scene, link: Link) -> None:
    """Both methods answer with an object, {} being one, whose _meta, if any, is an object or null."""
    session = await new_session(scene, link)
    for method in _METHODS:
        result = await _change(link, method, session)
        if not isinstance(result, dict):
            raise Failed(f"the result of {method} is {printable(result)}, which is no object")
        if not isinstance(result.get("_meta"), dict | None):
            raise Failed(f"_meta of the result of {method} is {printable(result['_meta'])}")


@check("meta-accepted", "Methods")
async def meta_accepted(scene: Scene, link: Link) -> None:
    """Both methods take _meta with any values, an empty one, and null."""
    session = await new_session(scene, link)
    for meta in _METAS:
        for method in _METHODS:
            try:
                await _change(link, method, session, _meta=meta)
            except Refused as error:
                raise Failed(f"with _meta {printable(meta)}, {error}") from None


async def _change(link: Link, method: str, session: str, **more: Any) -> Any:
    return await settled(link, session, lambda: link.raw(method, {"sessionId": session, **more}))
