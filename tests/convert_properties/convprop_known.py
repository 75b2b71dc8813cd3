"""Faults that are known and not mended yet. Each has a test of its own that fails until it is.

Take an entry out when its test passes: the property tests then hold it for every value.
"""

from __future__ import annotations

import re

_MARKERS = (
    "fs|session|configOptions|boolean|notices|compaction|terminal|image|audio|embeddedContext|http"
    "|stdio|list|resume|close|capabilities|cancel|logout|replayFrom|env/[0-9]+"
)
_WITH_OPTIONS = ".*Config.*|(New|Load|Resume)SessionResponse|AgentResponse|.*Update|.*Notification"
#: (direction or empty, definition pattern, pattern of the complaint, name of the fault)
KNOWN: tuple[tuple[str, str, str, str], ...] = (
    ("", _WITH_OPTIONS, r"lossy: not a .*'name'.*", "lossy-shape"),
    (
        "v2_to_v1",
        "RequestPermission(Response|Outcome)|ClientResponse",
        r"(/result)?(/outcome)?/.* is neither in the output nor reported",
        "lossy-outcome",
    ),
    ("", ".*", rf'comes back as .*wanted .*"({_MARKERS})": {{[^}}]*": null', "null-in-marker"),
    ("", ".*", rf"(.*/)?({_MARKERS})/[^/]* \(null\) is neither", "null-in-marker"),
    (
        "",
        "McpStdio.*|Prompt.*Capabilities|McpCapabilities|FileSystem.*|.*Capabilities",
        r"/[^ ]* \(null\) is neither",
        "null-in-marker",
    ),
)


def known_fault(direction: str, name: str, complaint: str) -> str | None:
    """Return the name of the known fault that ``complaint`` shows, None if it is news."""
    for way, definition, pattern, fault in KNOWN:
        if (
            way in ("", direction)
            and re.fullmatch(definition, name)
            and re.match(pattern, complaint)
        ):
            return fault
    return None
