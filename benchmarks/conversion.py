"""Convert messages and decode them, in one process, in turns.

Prints the ratios as JSON: message -> rounds of time to convert / time to decode once.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from acp_bindings import v1
from acp_bindings.convert import ConversionError, convert_json
from messages import MESSAGES
from ratios import in_turns

_COUNT = 200


def _seconds(action: Callable[[], Any]) -> float:
    start = time.process_time()
    for _ in range(_COUNT):
        action()
    return time.process_time() - start


def measure(rounds: int) -> dict[str, list[float]]:
    """Return the ratios for each message that has a form in the other version."""
    found: dict[str, list[float]] = {}
    for message in MESSAGES:
        convert = partial(convert_json, "v1_to_v2", message.ours, message.data)
        try:
            convert()
        except ConversionError:
            continue
        decode = partial(v1.decode, message.ours, message.data)
        turns = in_turns(rounds, partial(_seconds, convert), partial(_seconds, decode))
        found[message.label] = [mine / theirs for mine, theirs in turns]
    return found


if __name__ == "__main__":
    gc.disable()
    print(json.dumps(measure(int(sys.argv[1]))))
