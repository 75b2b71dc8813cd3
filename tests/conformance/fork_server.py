"""Starts agents by forking a process that has imported them, since an import costs half a second.

``python fork_server.py SOCKET`` serves; ``python fork_server.py SOCKET CHECK [OPTIONS]`` is an agent as
far as whoever starts it can see: the fork has its streams, environment and working directory, and
ends with it. The one difference: after a kill -9 it may live for a moment longer.
"""

import os
import signal
import socket
import sys

_SIZE = 1 << 20


def client(path, arguments):
    """Hand the streams to the server, wait for the exit code and return it."""
    import json  # here and below: an agent imports no more than it needs

    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(path)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SIZE)
        message = json.dumps([arguments, os.getcwd(), dict(os.environ)]).encode()  # noqa: PTH109
        socket.send_fds(connection, [message], [0, 1, 2])
        for descriptor in (0, 1):
            os.close(descriptor)
        answer = connection.recv(8)
    return int(answer or b"1")


def serve(path):
    """Fork a keeper for each connection; the keeper forks the agent."""
    import contextlib

    import faulty_agents

    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(path)
        listener.listen(64)
        print("ready", flush=True)
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                os._exit(_keep(connection, faulty_agents.run))
            connection.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass


def _keep(connection, run):
    """Run an agent until it ends or its client is gone."""
    import contextlib
    import json
    import select

    message, descriptors, _, _ = socket.recv_fds(connection, _SIZE, 3)
    (name, *arguments), folder, environment = json.loads(message)
    agent = os.fork()
    if agent == 0:
        connection.close()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
            os.close(descriptor)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        os._exit(run(name, arguments))
    for descriptor in descriptors:
        os.close(descriptor)
    ends = os.pidfd_open(agent)
    ready, _, _ = select.select([connection, ends], [], [])
    if ends not in ready:
        os.kill(agent, signal.SIGKILL)
    _, status = os.waitpid(agent, 0)
    with contextlib.suppress(BrokenPipeError):  # the client may have been killed meanwhile
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    sys.exit(client(sys.argv[1], sys.argv[2:]))
