"""The program: options and commands. Each command is one connection to an agent of its own."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from acp_bindings import v1, v2

from ..peer import spawn
from .client_v1 import ClientV1
from .client_v2 import ClientV2
from .transcript import Transcript

Client = ClientV1 | ClientV2
Info = v1.SessionInfo | v2.SessionInfo

#: The agent that is started if none is named.
AGENT = [sys.executable, "-m", "examples.archive_agent"]


class Failure(Exception):  # noqa: N818 - a message for the user, not a mistake
    """What the user is told before the program ends with exit code 1."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code: 0, or 1 with a message on stderr."""
    options = _parser().parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level="ERROR", format="%(name)s: %(message)s")
    try:
        asyncio.run(_connected(options))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output, such as `head`, has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except v1.CapabilityError as error:
        return _fail(f"the agent does not offer this: {error}")
    except v1.RpcError as error:
        return _fail(f"the agent answered: {error}")
    except (Failure, OSError, v1.DecodeError) as error:
        return _fail(str(error))
    return 0


async def _connected(options: argparse.Namespace) -> None:
    command = AGENT if options.agent is None else shlex.split(options.agent)
    # The example agent is found whatever the working folder is.
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    async with await spawn(command, env={**os.environ, "PYTHONPATH": path}) as peer:
        transcript = Transcript()
        client: Client = (
            ClientV1(peer, transcript) if options.protocol == "v1" else ClientV2(peer, transcript)
        )
        await client.start()
        await options.command(client, options)


async def _list(client: Client, options: argparse.Namespace) -> None:
    cwd = None if options.cwd is None else str(Path(options.cwd).absolute())
    found = [info async for info in client.sessions(cwd=cwd, archived=options.archived)]
    _print(found)


async def _find(client: Client, options: argparse.Namespace) -> None:
    wanted = options.text.casefold()
    everything = client.sessions(archived=client.lists_archived())
    _print([info async for info in everything if wanted in (info.title or "").casefold()])


async def _new(client: Client, options: argparse.Namespace) -> None:
    print(await client.new(str(Path.cwd())))


async def _prompt(client: Client, options: argparse.Namespace) -> None:
    if options.session is None:
        session_id = await client.new(str(Path.cwd()))
        print(f"session {session_id}")
    else:
        session_id = options.session
        await client.resume(session_id, await _cwd(client, session_id), replay=False)
    reason = await client.prompt(session_id, options.text)
    if reason != "end_turn":
        raise Failure(f"the turn ended with {reason}")


async def _archive(client: Client, options: argparse.Namespace) -> None:
    await client.archive(options.session)
    print(f"archived {options.session}")


async def _unarchive(client: Client, options: argparse.Namespace) -> None:
    await client.unarchive(options.session)
    print(f"restored {options.session}")


async def _show(client: Client, options: argparse.Namespace) -> None:
    cwd = await _cwd(client, options.session)
    await client.resume(options.session, cwd, replay=True)


async def _cwd(client: Client, session_id: str) -> str:
    """Return the folder of a session, which opening it takes; the list knows it."""
    async for info in client.sessions(archived=client.lists_archived()):
        if info.session_id == session_id:
            return info.cwd
    raise Failure(f"there is no session {session_id}")


def _print(found: Sequence[Info]) -> None:
    for info in found:
        state = "archived" if info.archived else "-"
        updated = (info.updated_at or "")[:16].replace("T", " ")
        print(f"{info.session_id}  {updated:16}  {state:8}  {info.title or '(no title)'}")
    if not found:
        print("no sessions")


def _fail(message: str) -> int:
    print(f"archive_client: {message}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="archive_client", description="Lists, archives, finds and restores sessions."
    )
    parser.add_argument(
        "--agent", metavar="COMMAND", help="the agent to start; default: the example agent"
    )
    parser.add_argument("--protocol", choices=["v1", "v2"], default="v2", help="default: v2")
    commands = parser.add_subparsers(required=True, metavar="command")

    command = commands.add_parser("list", help="list the sessions")
    command.add_argument("--archived", action="store_true", help="archived ones as well")
    command.add_argument("--cwd", metavar="FOLDER", help="only those of this folder")
    command.set_defaults(command=_list)

    command = commands.add_parser("find", help="list the sessions with this in their title")
    command.add_argument("text", metavar="TEXT")
    command.set_defaults(command=_find)

    command = commands.add_parser("new", help="make a session in the current folder")
    command.set_defaults(command=_new)

    command = commands.add_parser("prompt", help="say something, in a new session if none is named")
    command.add_argument("text", metavar="TEXT")
    command.add_argument("--session", metavar="ID")
    command.set_defaults(command=_prompt)

    for name, function, text in (
        ("archive", _archive, "take a session out of the list"),
        ("unarchive", _unarchive, "put it back"),
        ("show", _show, "print the history of a session"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("session", metavar="ID")
        command.set_defaults(command=function)
    return parser
