"""Agents that misbehave below the protocol. Run as ``python bad_agent.py KIND FOLDER``.

Each leaves a file with its process id in FOLDER. They import little, to start quickly.
"""

import json
import os
import signal
import subprocess
import sys
import time

kind, folder = sys.argv[1:]


def note(pid):
    with open(os.path.join(folder, f"{kind}-{pid}"), "w"):  # noqa: PTH118, PTH123
        pass


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(result):
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")


note(os.getpid())
signal.signal(signal.SIGTERM, signal.SIG_IGN)
request = json.loads(sys.stdin.readline())
SLEEP = [sys.executable, "-I", "-S", "-c"]
CAPABILITIES = {"sessionCapabilities": {"list": {}, "archive": {}}}
HELLO = {"protocolVersion": 1, "agentCapabilities": CAPABILITIES}

if kind == "dies":
    sys.stderr.write("no \x1b[31mmore\n")
    sys.exit(3)
if kind == "is-killed":
    os.kill(os.getpid(), signal.SIGKILL)
if kind == "prints-garbage":
    write("Welcome!\x1b[2J\n")
if kind == "prints-binary":
    os.write(1, b"\xff\xfe\n")
if kind == "prints-numbers":
    write("42\n")
if kind == "prints-depth":
    write("[" * 100_000 + "\n")
if kind == "prints-nan":
    write('{"jsonrpc": "2.0", "id": 0, "result": NaN}\n')
if kind == "prints-no-line-end":
    try:
        while True:
            os.write(1, b"x" * 1_000_000)
    except BrokenPipeError:
        sys.exit()
if kind == "closes-output":
    os.close(1)
if kind == "leaves-a-child":
    child = subprocess.Popen([*SLEEP, "import time; time.sleep(600)"])
    note(child.pid)
    sys.exit(4)
if kind == "leaves-a-child-elsewhere":
    subprocess.Popen([*SLEEP, "import time; time.sleep(15)"], start_new_session=True)
    sys.exit(5)
if kind == "answers-null":
    answer(None)
if kind == "answers-an-error":
    error = {"code": -32603, "message": "not \ud800 today\n" * 1000}
    write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}) + "\n")
if kind in ("dies-later", "hangs-later", "lists-for-ever", "wrong-ids"):
    answer(HELLO)
    request = json.loads(sys.stdin.readline())
    if kind == "dies-later":
        sys.exit(0)
    if kind == "wrong-ids":
        request["id"] += 1000
    if kind != "hangs-later":
        answer({"sessionId": "s"})
if kind == "lists-for-ever":
    while True:
        request = json.loads(sys.stdin.readline())
        answer({"sessions": [], "nextCursor": "again"})
while True:
    time.sleep(600)
