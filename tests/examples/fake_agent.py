"""An agent that misbehaves, for the client side: it answers ``initialize``, then does FAULT."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

FAULT = sys.argv[1]

CAPABILITIES = {
    1: {
        "agentCapabilities": {
            "loadSession": True,
            "sessionCapabilities": {
                name: {} for name in ("list", "delete", "resume", "close", "archive")
            },
        }
    },
    2: {
        "info": {"name": "fake", "version": "1"},
        "capabilities": {"session": {"delete": {}, "archive": {}}},
    },
}


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(id_: object, result: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "result": result}) + "\n"


def fault(id_: int) -> None:
    ok = answer(id_, {"sessions": [], "sessionId": "s", "stopReason": "end_turn", "messageId": "m"})
    match FAULT:
        case "die":
            sys.exit(3)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "half":
            write(ok[: len(ok) // 2])
            sys.exit(0)
        case "last-words":
            os.close(0)
            time.sleep(0.3)
            write(ok)
            os._exit(0)
        case "silent":
            os.close(1)
            sys.stdin.read()
        case "nan":
            write(f'{{"jsonrpc":"2.0","id":{id_},"result":{{"n":NaN}}}}\n')
        case "long":
            write(f'{{"jsonrpc":"2.0","id":{id_},"result":{{"n":"{"x" * 300_000}"}}}}\n')
        case "both":
            write(f'{{"jsonrpc":"2.0","id":{id_},"result":{{}},"error":{{"code":1}}}}\n' + ok)
        case "no-code":
            write(f'{{"jsonrpc":"2.0","id":{id_},"error":"bad"}}\n')
        case "wrong-type":
            write(answer(id_, [1, 2]))
        case "noise":
            # Garbage, a stranger's answer, an answer twice; the right one is among them.
            write("\n \nnoise\n\\\n[1]\n[]\n{}\nnull\n12\n")
            write(answer(id_ + 1000, {"sessions": [{"sessionId": "wrong", "cwd": "/"}]}))
            for wrong in (str(id_), float(id_) + 0.5, None, True, [id_]):
                write(answer(wrong, {"sessions": [{"sessionId": "wrong", "cwd": "/"}]}))
            write(ok + answer(id_, {"sessions": [{"sessionId": "late", "cwd": "/"}]}))
        case "bytes":
            for character in ok:
                write(character)
        case _:
            raise ValueError(FAULT)


for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        version = message["params"]["protocolVersion"]
        write(answer(message["id"], {"protocolVersion": version, **CAPABILITIES[version]}))
    elif "method" in message and "id" in message:
        fault(message["id"])
