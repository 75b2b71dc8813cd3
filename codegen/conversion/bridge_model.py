"""The protocol words of a stateful bridge. A target's bridge names none itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class BridgeFields:
    """The members that a bridge reads or writes."""

    meta: str
    number: str
    session: str
    request: str
    prompt: str
    update: str
    tag: str
    message: str
    content: str
    tool: str
    title: str
    status: str
    call: str
    commands: str
    state: str
    stop: str
    error: str


@dataclass(frozen=True)
class BridgeUpdates:
    """The tags of the session updates that a bridge treats specially."""

    user: str
    create: str
    change: str
    append: str
    commands: str
    state: str


@dataclass(frozen=True)
class BridgeWords:
    """States, stop reasons and statuses that say something to a bridge, and what ends a message."""

    running: str
    idle: str
    consumed: tuple[str, ...]
    failed: str
    cancelled: str
    finished: tuple[str, ...]
    breaks: tuple[str, ...]


@dataclass(frozen=True)
class BridgeContext:
    """The context keys of the rules that a bridge fills."""

    message: str
    title: str
    seen: str
    delivered: str


@dataclass(frozen=True)
class Bridge:
    """Every protocol word that a stateful bridge between two versions needs.

    Args:
        old: the older version.
        new: the newer version.
        numbers: version -> the number by which its peers know it.
        batches: the versions that allow several messages at once.
        sent: side -> kind of message -> its definition.
        methods: version -> action -> its method.
        actions: version -> method -> action.
        requests: version -> the methods that are requests only.
        notifications: version -> the methods that are notifications only.
        fields: members.
        updates: tags of session updates.
        wholes: tag of a whole message -> tag of its chunks.
        stops: the stop reasons that the older version knows.
        words: states, stop reasons and statuses.
        context: context keys.
    """

    old: str
    new: str
    numbers: Mapping[str, int]
    batches: tuple[str, ...]
    sent: Mapping[str, Mapping[str, str]]
    methods: Mapping[str, Mapping[str, str]]
    actions: Mapping[str, Mapping[str, str]]
    requests: Mapping[str, tuple[str, ...]]
    notifications: Mapping[str, tuple[str, ...]]
    fields: BridgeFields
    updates: BridgeUpdates
    wholes: Mapping[str, str]
    stops: tuple[str, ...]
    words: BridgeWords
    context: BridgeContext
