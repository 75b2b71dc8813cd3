"""The command line: parse, call one function, choose the exit code."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import click

from . import reports
from .building import check_descriptions, features_of, plan_builds, sources_of
from .command_line import guarded, input_options, make_options, output_options, read_config
from .config_format import format_text
from .conformance_command import conformance
from .conversion.report import conversion_records
from .conversions import choose_direction, make_converter, plan_conversions
from .converting import open_document
from .converting import run as run_conversion
from .errors import EXIT_DRIFT, EXIT_REFUSED, UsageError
from .output.compare import compare, describe, is_current
from .output.publish import publish
from .release_commands import breaking, import_
from .schema.importing import dump
from .starter import start
from .version import tool_version


def _use_utf8() -> None:
    """Write UTF-8 with LF, whatever the locale: data must be the same bytes everywhere."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


def _say(text: str) -> None:
    """Show progress to a person; a log does not want it."""
    if sys.stderr.isatty() and not os.environ.get("CI"):
        click.echo(click.style(text, dim=True), err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(tool_version(), prog_name="acp-codegen")
def main() -> None:
    """Generate bindings from the Agent Client Protocol's schemas.

    Exit codes: 0 fine, 1 the output differs from its inputs or, for convert, something was
    refused or, for conformance, a check failed, 2 wrong usage or configuration, 3 an input file cannot be used, 4 a fault in the
    tool itself, 100 breaking found something of the level asked for.
    """
    _use_utf8()


@main.command()
@output_options
@guarded
def build(
    config_file: Path | None,
    out: Path | None,
    target: str | None,
    require_descriptions: bool,
    **inputs: Any,
) -> int:
    """Render every output and publish it as a whole."""
    options = make_options(target=target, out=out, **inputs)
    builds = plan_builds(read_config(config_file), options)
    if require_descriptions:
        check_descriptions(builds)
    trees = [job.tree(_say, lambda line: click.echo(line, err=True)) for job in builds]
    for line in reports.published(publish(trees)):
        click.echo(line, err=True)
    return 0


@main.command()
@click.option("--full", is_flag=True, help="Render even where digests say that nothing changed.")
@output_options
@guarded
def check(
    config_file: Path | None,
    out: Path | None,
    target: str | None,
    full: bool,
    require_descriptions: bool,
    **inputs: Any,
) -> int:
    """Tell whether the outputs are what a build would write. Writes nothing."""
    options = make_options(target=target, out=out, config_file=config_file, **inputs)
    builds = plan_builds(read_config(config_file), options)
    if require_descriptions:
        check_descriptions(builds)
    drifted = False
    for job in builds:
        if not full and is_current(job.out, job.inputs()):
            continue
        drift = replace(compare(job.tree(_say)), command=job.mend)
        if drift:
            drifted = True
            click.echo(describe(drift), err=True, nl=False)
    if not drifted:
        click.echo("All outputs are up to date.", err=True)
    return EXIT_DRIFT if drifted else 0


@main.command()
@click.argument("version")
@input_options
@guarded
def schema(version: str, config_file: Path | None, **inputs: Any) -> int:
    """Print the schema of VERSION with the features applied."""
    config, options = read_config(config_file), make_options(**inputs)
    resolved = sources_of(config, options).resolve(version, features_of(config, options))
    click.echo(dump(resolved.data), nl=False)
    return 0


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@input_options
@guarded
def features(
    as_json: bool, config_file: Path | None, features: tuple[str, ...], **inputs: Any
) -> int:
    """List the features and what each adds to each version."""
    config, options = read_config(config_file), make_options(features=features, **inputs)
    found = reports.feature_report(sources_of(config, options), features or None)
    click.echo(json.dumps(found, indent=2) if as_json else reports.feature_text(found))
    return 0


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@input_options
@guarded
def methods(as_json: bool, config_file: Path | None, **inputs: Any) -> int:
    """List the methods: side, kind, params, result, feature, capability."""
    config, options = read_config(config_file), make_options(**inputs)
    sources = sources_of(config, options)
    chosen = features_of(config, options)
    found = reports.method_report(
        [sources.protocol(version, chosen) for version in sources.versions()]
    )
    click.echo(json.dumps(found, indent=2) if as_json else reports.method_text(found))
    return 0


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--direction", metavar="NAME", help="Only this direction, such as v1_to_v2.")
@input_options
@guarded
def conversions(
    as_json: bool, direction: str | None, config_file: Path | None, **inputs: Any
) -> int:
    """Print what becomes of every definition in each direction.

    \b
    same       copied as it is, all the way down
    rule       converted; the lines below say what differs, what is checked, what is refused
    refuse     has no form in the other version
    only-here  the other version has no such definition
    """
    config, options = read_config(config_file), make_options(**inputs)
    plan = plan_conversions(config, options).plan
    found = conversion_records(plan, choose_direction(plan, direction) if direction else None)
    click.echo(json.dumps(found, indent=2) if as_json else reports.conversion_text(found))
    return 0


@main.command()
@click.option("--from", "source", required=True, metavar="VERSION", help="Such as v1.")
@click.option("--to", "target", required=True, metavar="VERSION", help="Such as v2.")
@click.option("--type", "type_name", metavar="NAME", help="The definition of every value.")
@click.option("--messages", is_flag=True, help="The values are JSON-RPC messages (the default).")
@click.option("--lossy", is_flag=True, help="Leave out what cannot be said, and say so.")
@click.option("--context", metavar="JSON", help="An object: what the values do not say.")
@click.option("--lines", "form", flag_value="lines", help="The input is JSON Lines.")
@click.option("--json", "form", flag_value="json", help="The input is one JSON value.")
@input_options
@click.argument("file", type=click.File("rb"), default="-")
@guarded
def convert(
    file: BinaryIO,
    source: str,
    target: str,
    type_name: str | None,
    messages: bool,
    lossy: bool,
    context: str | None,
    form: str | None,
    config_file: Path | None,
    **inputs: Any,
) -> int:
    """Convert JSON, or JSON Lines, from one protocol version to the other.

    Reads FILE, or standard input. JSON Lines are recognized by their second line; --lines and
    --json say which it is. A line may give several lines, or none. One JSON value gives one;
    where several values or none come of it, and for a list of messages, a JSON array.

    A response is converted by the request that it answers, which must come before it.

    What cannot be said in the other version is refused: one line on standard error with the
    input's line, the definition, the path and the reason. Exit code 1 says that there was such.
    """
    if type_name and messages:
        raise UsageError("--type and --messages contradict each other", remedy="give one of them")
    config, options = read_config(config_file), make_options(**inputs)
    converter = make_converter(
        config, options, source, target, type_name=type_name, context=context, lossy=lossy
    )
    document = open_document(file, file.name if file.name != "<stdin>" else "-", form)
    refused = run_conversion(
        document, converter, sys.stdout, lambda line: click.echo(line, err=True)
    )
    return EXIT_REFUSED if refused else 0


@main.command()
@guarded
def init() -> int:
    """Write a first acp-codegen.toml, with comments, into the working folder.

    It looks at the project: its name and layout, and outputs that are there already.
    """
    path, outputs = start(Path())
    for output in outputs:
        click.echo(f"{path.as_posix()}: {output.target} into {output.out}, {output.why}", err=True)
    return 0


@main.command(name="config-schema")
@guarded
def config_schema() -> int:
    """Print the JSON Schema of the configuration file, for editors."""
    click.echo(format_text(), nl=False)
    return 0


main.add_command(import_)
main.add_command(breaking)
main.add_command(conformance)

__all__ = ["main"]
