"""The checks by name."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .link import Link
    from .scene import Scene

Body = Callable[["Scene", "Link"], Awaitable[None]]


@dataclass(frozen=True)
class Check:
    """One named check.

    Args:
        name: its stable name.
        guarantee: the part of the RFD that it holds the agent to.
        about: what it proves, one sentence.
        advertised: whether it is for agents that advertise archiving; None for both kinds.
        body: does it; raises ``Ended`` for anything but a pass.
    """

    name: str
    guarantee: str
    about: str
    advertised: bool | None
    body: Body


#: Every check, in the order in which they are reported.
CHECKS: dict[str, Check] = {}


def check(name: str, guarantee: str, *, advertised: bool | None = True) -> Callable[[Body], Body]:
    """Register a check; its docstring's first paragraph says what it proves."""

    def register(body: Body) -> Body:
        about = " ".join((inspect.getdoc(body) or "").split("\n\n")[0].split())
        assert name not in CHECKS and about
        CHECKS[name] = Check(name, guarantee, about, advertised, body)
        return body

    return register
