"""Instances for conversion: plain ones that mostly convert, wild ones that mostly do not."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import convprop_schemas as schemas
from instances import Maker, Path, Sample, any_json

ENVELOPES = {
    f"{sender}{kind}"
    for sender in ("Agent", "Client")
    for kind in ("Request", "Response", "Notification")
}
NO_RANGE = (float("-inf"), float("inf"))
RANGES: Mapping[str, tuple[float, float]] = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint16": (0, 2**16 - 1),
    "uint32": (0, 2**32 - 1),
    "uint64": (0, 2**64 - 1),
}


class PlainMaker(Maker):
    """A maker that adds undeclared members only where the schema has a place for them."""

    wild = False

    def _others(
        self,
        nodes: list[Mapping[str, Any]],
        path: Path,
        sample: Sample,
        declared: Mapping[str, Any],
        made: dict[str, Any],
    ) -> None:
        if self.wild or any("additionalProperties" in node for node in nodes):
            super()._others(nodes, path, sample, declared, made)

    def _number(self, nodes: list[Mapping[str, Any]], kind: str) -> int | float:
        """Integers of a format stay within it: JSON Schema does not check that, senders do."""
        low, high = next(
            (RANGES[n["format"]] for n in nodes if n.get("format") in RANGES), NO_RANGE
        )
        while not low <= (found := super()._number(nodes, kind)) <= high:
            pass
        return found


class Samples:
    """Valid instances of one version, each with the context that its conversion may need."""

    def __init__(self, version: str, rng: random.Random) -> None:
        self.version = version
        self.rng = rng
        self.maker = PlainMaker(schemas.document(version), rng)

    def make(self, name: str) -> tuple[Any, dict[str, Any]] | None:
        """Return a valid instance and a context, or None if luck is against it."""
        self.maker.wild = self.rng.random() < 0.1
        for _ in range(8):
            value, context = self._draw(name)
            if schemas.valid(self.version, name, value):
                return value, context
        return None

    def _draw(self, name: str) -> tuple[Any, dict[str, Any]]:
        if name in ENVELOPES:
            return self._message(name)
        value = self.maker.make({"$ref": f"#/$defs/{name}"}).value
        return self._likely(value), self._context()

    def _context(self) -> dict[str, Any]:
        said = {"messageId": "m-said", "permissionTitle": "said"}
        return {key: value for key, value in said.items() if self.rng.random() < 0.25}

    def _message(self, name: str) -> tuple[Any, dict[str, Any]]:
        known = schemas.methods(self.version)
        wanted = name.replace("Response", "Request").replace(
            "Agent" if name.endswith("Response") else "-", "Client"
        )
        if name == "ClientResponse":
            wanted = "AgentRequest"
        method = self.rng.choice([m for m, (_, _, envelope) in known.items() if envelope == wanted])
        params, result, _ = known[method]
        made: dict[str, Any] = {"jsonrpc": "2.0"} if self.rng.random() < 0.5 else {}
        if not name.endswith("Notification"):
            made["id"] = self.rng.choice([0, 7, "r-1", "", -3])
        context = self._context()
        if name.endswith("Response"):
            context["method"] = method
            if self.rng.random() < 0.15:
                made["error"] = self._draw("Error")[0]
            else:
                made["result"] = self._draw(result or "")[0]
            return made, context
        if self.rng.random() < 0.05:
            return {**made, "method": "_own/thing", "params": any_json(self.rng)}, context
        return {**made, "method": method, "params": self._draw(params)[0]}, context

    def _likely(self, value: Any) -> Any:
        """Make some of what conversion asks for true more often than chance does."""
        if isinstance(value, list):
            return [self._likely(item) for item in value]
        if not isinstance(value, dict):
            return value
        made = {
            key: item if key in ("_meta", "rawInput", "rawOutput") else self._likely(item)
            for key, item in value.items()
        }
        if self.rng.random() < 0.7:
            (_likely_v1 if self.version == "v1" else _likely_v2)(made)
        return made


def _likely_v1(made: dict[str, Any]) -> None:
    if {"protocolVersion", "agentCapabilities"} <= set(made):
        auth = {"logout": {}} if made.get("authMethods") else {}
        made["agentCapabilities"] = {**(made["agentCapabilities"] or {}), "auth": auth}
        made["agentInfo"] = made.get("agentInfo") or {"name": "a", "version": "1"}
    if {"protocolVersion", "clientCapabilities"} <= set(made):
        made["clientInfo"] = made.get("clientInfo") or {"name": "c", "version": "1"}
    if "sessionCapabilities" in made or "loadSession" in made:
        made["loadSession"] = True
        held = made.get("sessionCapabilities") or {}
        made["sessionCapabilities"] = {**held, "list": {}, "resume": {}, "close": {}}
    if {"toolCall", "options"} <= set(made) and isinstance(made["toolCall"], dict):
        made["toolCall"]["title"] = made["toolCall"].get("title") or "Titled"
    if {"resume", "close"} & set(made):
        made.update({"list": {}, "resume": {}, "close": {}})
    for flag in ("readTextFile", "writeTextFile", "terminal", "sse"):
        if made.get(flag) is True:
            made[flag] = False
    if made.get("modes"):
        made["modes"] = None
    if "content" in made and "messageId" in made:
        made["messageId"] = made["messageId"] or "m-1"


def _likely_v2(made: dict[str, Any]) -> None:
    if {"protocolVersion", "capabilities", "info"} <= set(made) and made["capabilities"]:
        made["capabilities"].setdefault("session", {})
    if {"title", "options", "sessionId"} <= set(made) and "toolCall" not in (
        made.get("subject") or {}
    ):
        made["subject"] = {"type": "tool_call", "toolCall": {"toolCallId": "t-1"}}
    subject = made.get("subject")
    if isinstance(subject, dict) and isinstance(subject.get("toolCall"), dict):
        subject["toolCall"]["title"] = made["title"]
        subject.pop("_meta", None)
        made.pop("description", None)
        for option in made.get("options", ()):
            option["kind"] = "allow_once"
    plan = made.get("plan")
    if isinstance(plan, dict) and "planId" in plan:
        plan["planId"] = "main"
        made.pop("_meta", None)
    if made.get("icons"):
        made["icons"] = []
    if made.get("availableCommands") and "sessionUpdate" not in made:
        made["availableCommands"] = []
    if "toolCallId" in made:
        for key in ("title", "name", "rawInput", "rawOutput", "_meta"):
            if made.get(key, 0) is None:
                del made[key]
        if made.get("capabilities"):
            made["capabilities"] = {}
