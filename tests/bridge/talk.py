"""A conversation over a bridge: each message checked against its version's schema, and printed."""

from __future__ import annotations

import copy
import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from acp_codegen.building import Options, sources_of
from acp_codegen.config import load_config
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "generated" / "python"))

from acp_bindings.convert import Limits as Limits  # noqa: E402
from acp_bindings.convert import Outcome, SessionBridge  # noqa: E402

FEATURES = ("unstable_session_archive",)
Message = dict[str, Any]
SESSION = "s1"


@functools.cache
def schema(version: str) -> Any:
    """Return the schema of ``version`` as the command prints it."""
    script = Path(sys.executable).with_name("acp-codegen")
    done = subprocess.run(
        [str(script), "schema", version], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@functools.cache
def validator(version: str, definition: str) -> Draft202012Validator:
    """Return what judges values of a definition; the empty name is a whole message."""
    whole = schema(version)
    if not definition:
        return Draft202012Validator(whole)
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]})


@functools.cache
def methods(version: str) -> dict[tuple[str, str], tuple[str, str | None]]:
    """Return (kind, method) -> definitions of params and result."""
    config = load_config(ROOT / "pyproject.toml", "pyproject.toml")
    protocol = sources_of(config, Options()).protocol(version, FEATURES)
    return {
        (m.kind, m.wire_name): (m.params[0], m.result[0] if m.result else None)
        for m in protocol.methods
    }


def faults(version: str, message: Message, answers: str | None = None) -> list[str]:
    """Return what the schema of ``version`` finds wrong; ``answers`` is the method answered."""
    found = [error.message for error in validator(version, "").iter_errors(message)]
    known = methods(version)
    if str(message.get("method") or answers or "").startswith("_"):
        return found
    if "method" in message:
        kind = "request" if "id" in message else "notification"
        pair = known.get((kind, message["method"]))
        if pair is None:
            return [*found, f"{version} has no {kind} {message['method']}"]
        value, definition = message.get("params", {}), pair[0]
    elif "error" in message:
        value, definition = message["error"], "Error"
    else:
        value, definition = message["result"], known[("request", str(answers))][1] or ""
    found += [error.message for error in validator(version, definition).iter_errors(value)]
    return [f"{definition}: {fault[:300]}" for fault in found]


class Talk:
    """Passes messages through a bridge and checks all that comes out.

    Args:
        client: the version of the client; the agent speaks the other one.
        title: what the printed conversation is called; empty prints nothing.
        more: options of the bridge.
    """

    def __init__(self, client: str = "v2", title: str = "", **more: Any) -> None:
        self.versions = {"client": client, "agent": "v1" if client == "v2" else "v2"}
        numbers = iter(range(1, 100_000))
        more.setdefault("ids", lambda: f"m{next(numbers)}")
        self.bridge = SessionBridge(client=client, agent=self.versions["agent"], **more)
        self.outcome = Outcome.empty()
        self._asked: dict[tuple[str, str, Any], str] = {}
        self._title = title
        self._say(f"\n=== {title}: client {client} | bridge | agent {self.versions['agent']}")

    def client(self, message: Message) -> Outcome:
        """Pass a message of the client."""
        return self._pass("client", message)

    def agent(self, message: Message) -> Outcome:
        """Pass a message of the agent."""
        return self._pass("agent", message)

    def _pass(self, side: str, message: Message) -> Outcome:
        self._say(f"{side} {self.versions[side]} says   {_line(message)}")
        self._check(side, side, message)
        before = copy.deepcopy(message)
        take = self.bridge.from_client if side == "client" else self.bridge.from_agent
        self.outcome = found = take(message)
        assert message == before, "the input was changed"
        assert any(found), "the message left no trace"
        for target, sent in (("client", found.to_client), ("agent", found.to_agent)):
            for made in sent:
                self._say(f"    {target} {self.versions[target]} gets   {_line(made)}")
                self._check(target, _other(target), made)
        for name in ("dropped", "absorbed", "losses"):
            for record in getattr(found, name):
                self._say(f"    {name}: {' | '.join(record)}")
        return found

    def _check(self, at: str, sender: str, message: Message) -> None:
        """Check a message that passes at the side ``at`` of the bridge, sent from ``sender``."""
        answers = None
        if "method" in message:
            if "id" in message:
                self._asked[at, sender, message["id"]] = message["method"]
        else:
            answers = self._asked.get((at, _other(sender), message["id"]))
        assert faults(self.versions[at], message, answers) == [], (self.versions[at], message)

    def _say(self, line: str) -> None:
        if self._title:
            print(line)


def _line(message: Message) -> str:
    text = json.dumps(message, ensure_ascii=False)
    return text if len(text) <= 400 else f"{text[:397]}..."


def _other(side: str) -> str:
    return "agent" if side == "client" else "client"


# ---- messages ---------------------------------------------------------------------------------


def request(id: Any, method: str, **params: Any) -> Message:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def notify(method: str, **params: Any) -> Message:
    """Return a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(id: Any, **members: Any) -> Message:
    """Return a successful answer."""
    return {"jsonrpc": "2.0", "id": id, "result": members}


def failure(id: Any, message: str = "No luck", code: int = -32000) -> Message:
    """Return an answer that is an error."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def update(tag: str, session: str = SESSION, **members: Any) -> Message:
    """Return a session update."""
    return notify("session/update", sessionId=session, update={"sessionUpdate": tag, **members})


def text(words: str) -> Message:
    """Return a block of text."""
    return {"type": "text", "text": words}


def chunk(kind: str, words: str, **members: Any) -> Message:
    """Return a chunk of a message: user_message, agent_message or agent_thought."""
    return update(f"{kind}_chunk", content=text(words), **members)


def prompt(id: Any, words: str, session: str = SESSION) -> Message:
    """Return a prompt."""
    return request(id, "session/prompt", sessionId=session, prompt=[text(words)])


def state(name: str, **members: Any) -> Message:
    """Return a state update."""
    return update("state_update", state=name, **members)


def updates(messages: list[Message]) -> list[Message]:
    """Return what the session updates among ``messages`` hold."""
    return [m["params"]["update"] for m in messages if m.get("method") == "session/update"]


def tags(messages: list[Message]) -> list[str]:
    """Return a word for each message: the tag of an update, the method, result or error."""
    return [
        m["params"]["update"]["sessionUpdate"]
        if m.get("method") == "session/update"
        else m.get("method") or ("result" if "result" in m else "error")
        for m in messages
    ]


def why(message: Message) -> tuple[str, str]:
    """Return path and reason of an error that the bridge made."""
    assert message["error"]["code"] == -32603
    fault = message["error"]["data"]["faults"][0]
    return fault["path"], fault["reason"]
