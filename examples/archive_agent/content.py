"""Content blocks of the other protocol version: sessions outlive the connection that wrote them."""

from __future__ import annotations

from typing import Any

from acp_bindings import convert

from .model import Block


def in_protocol(block: Block, protocol: int, note: Any) -> Any:
    """Return the content of ``block`` as JSON of ``protocol``; ``note`` where it has no form there."""
    if block.protocol == protocol:
        return block.content
    try:
        # A content block becomes one content block.
        return convert.convert_json(
            "v1_to_v2" if block.protocol == 1 else "v2_to_v1", "ContentBlock", block.content
        )[0]
    except convert.ConversionError:
        return note
