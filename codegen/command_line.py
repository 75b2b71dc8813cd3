"""What the commands share: common options, the configuration, and faults made exit codes."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from .building import Options
from .config import Config, find_config, load_config
from .errors import EXIT_INTERNAL, CodegenError, UsageError

PATH = click.Path(path_type=Path)
_EXIT_INTERRUPTED = 130  # as a shell says it; 1 would mean drift


def guarded(command: Callable[..., int]) -> Callable[..., None]:
    """Turn a fault of the input into a message and its exit code."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        try:
            code = command(**arguments)
        except CodegenError as error:
            click.echo(f"acp-codegen: {error}", err=True)
            code = error.exit_code
        except KeyboardInterrupt:
            click.echo("acp-codegen: interrupted.", err=True)
            code = _EXIT_INTERRUPTED
        except Exception:
            # A crash must not pass for drift, which is exit code 1.
            click.echo(traceback.format_exc(), err=True, nl=False)
            click.echo("acp-codegen: a fault in the tool itself; please report it.", err=True)
            code = EXIT_INTERNAL
        sys.exit(code)

    return run


def read_config(path: Path | None) -> Config:
    """Return the configuration in ``path``, or in the nearest file; an empty one if there is none.

    Raises:
        UsageError: if the file cannot be used.
    """
    found = path or find_config()
    return load_config(found, found.as_posix()) if found else Config()


def _schema_option(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> dict[str, Path]:
    found = {}
    for value in values:
        version, separator, file = value.partition("=")
        if not (version and separator and file):
            raise click.BadParameter(f"{value!r} is not VERSION=FILE, such as v1=schema.json")
        found[version] = Path(file)
    return found


def input_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which schemas and features a command works on."""
    for option in (
        click.option(
            "--config",
            "config_file",
            type=PATH,
            help="Configuration file; else the nearest one is found.",
        ),
        click.option(
            "--schema",
            "schemas",
            multiple=True,
            metavar="VERSION=FILE",
            callback=_schema_option,
            help="Read this schema file for a version. May be repeated.",
        ),
        click.option("--stable", is_flag=True, help="Switch every feature off."),
        click.option(
            "--feature",
            "features",
            multiple=True,
            metavar="NAME",
            help="Switch on just the features named. May be repeated.",
        ),
    ):
        command = option(command)
    return command


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose an output, and those of the inputs."""
    for option in (
        click.option(
            "--require-descriptions",
            is_flag=True,
            help="Fail if a definition, a member or a method has no description.",
        ),
        click.option("--out", type=PATH, help="Write this folder instead of the configured one."),
        click.option("--target", metavar="NAME", help="Only outputs of this target."),
    ):
        command = option(command)
    return input_options(command)


def make_options(
    features: tuple[str, ...],
    stable: bool,
    schemas: dict[str, Path],
    target: str | None = None,
    out: Path | None = None,
    config_file: Path | None = None,
) -> Options:
    """Return what the command line changes in the configuration.

    Raises:
        UsageError: if --stable and --feature are both given.
    """
    if stable and features:
        raise UsageError("--stable and --feature contradict each other", remedy="give one of them")
    chosen = () if stable else features or None
    return Options(chosen, target, out, schemas, config_file)
