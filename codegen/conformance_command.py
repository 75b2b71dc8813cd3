"""The command that checks an agent."""

from __future__ import annotations

from typing import Any

import click

from .command_line import guarded
from .conforming import list_checks, run_checks


@click.command(context_settings={"allow_interspersed_args": False})
@click.option("--protocol", default="v1", show_default=True, metavar="VERSION", help="Such as v1.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--only", multiple=True, metavar="NAME", help="Just this check. May be repeated.")
@click.option("--list", "listing", is_flag=True, help="List the checks; run none.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for each step of a check.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    metavar="N",
    help="How many checks run at the same time.",
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@guarded
def conformance(command: tuple[str, ...], as_json: bool, listing: bool, **options: Any) -> int:
    """Check what an agent guarantees about archiving sessions.

    COMMAND starts the agent, which speaks over its standard input and output. Every check starts it
    anew, in a working directory of its own. Exit code 1 says that a check failed.
    """
    if listing:
        return list_checks(as_json, click.echo)
    return run_checks(command, as_json=as_json, say=click.echo, **options)
