"""The commands for schema releases: compare one with another, and take one in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .building import features_of, sources_of
from .command_line import PATH, guarded, input_options, make_options, read_config
from .errors import EXIT_BREAKING, UsageError
from .schema.importing import import_schema
from .schema.release import find_release

_LEVELS = ("wire", "source", "additive", "documentation")
_FORMATS = ("text", "json", "github")


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--level",
    type=click.Choice(_LEVELS),
    default="wire",
    show_default=True,
    help="Exit with 100 if something of this level or a graver one is found.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="How to print the report; github makes annotations of a CI run. Else text.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@input_options
@guarded
def breaking(
    old: str,
    new: str,
    level: str,
    form: str | None,
    as_json: bool,
    config_file: Path | None,
    **inputs: Any,
) -> int:
    """Compare the schemas OLD and NEW by what they mean.

    OLD and NEW are files, or versions of the schemas folder, such as v1, with their features.

    \b
    wire           what a peer of one schema sends, a peer of the other cannot read
    source         code that uses the bindings must change, or a key of this project
    additive       something new that breaks nothing
    documentation  texts only
    """
    # Imported here: no other command needs it.
    from .breaking.model import LEVELS
    from .breaking.render import FORMATS
    from .breaking.report import make_report

    if as_json and form not in (None, "json"):
        raise UsageError(
            f"--json and --format {form} contradict each other", remedy="give one of them"
        )
    config, options = read_config(config_file), make_options(**inputs)
    sources, features = sources_of(config, options), features_of(config, options)
    report = make_report(old, new, sources, features, config)
    text = FORMATS["json" if as_json else form or "text"](report)
    if text:
        click.echo(text)
    chosen = next(known for known in LEVELS if known == level)
    return EXIT_BREAKING if report.reaches(chosen) else 0


@click.command(name="import")
@click.argument("source", type=PATH)
@click.option(
    "--version", "version", required=True, metavar="NAME", help="The protocol version, such as v1."
)
@click.option("--without-descriptions", is_flag=True, help="Drop every description.")
@click.option("--publisher", help="Who published it; else the package's name, or unknown.")
@click.option(
    "--release", help="The publisher's name of the release; else the package's version, or unknown."
)
@click.option("--sha256", metavar="HEX", help="Refuse a schema file with another digest.")
@click.option("--into", type=PATH, help="Schemas folder; else the configured one.")
@click.option(
    "--config", "config_file", type=PATH, help="Configuration file; else the nearest one is found."
)
@guarded
def import_(
    source: Path,
    version: str,
    without_descriptions: bool,
    publisher: str | None,
    release: str | None,
    sha256: str | None,
    into: Path | None,
    config_file: Path | None,
) -> int:
    """Copy a schema into the schemas folder, with its origin.

    SOURCE is a schema file; or a folder with the schema.json of the version, such as an unpacked
    release or npm package, whose package.json then names publisher and release.
    """
    config = read_config(config_file)
    folder = into or config.schemas
    if folder is None:
        raise UsageError(
            "there is no schemas folder to import into", remedy="give --into, or configure schemas"
        )
    found = find_release(source, version, publisher=publisher, release=release)
    changed = import_schema(
        found.file,
        version,
        folder,
        keep_descriptions=not without_descriptions,
        publisher=found.publisher,
        release=found.release,
        harmless=config.harmless,
        sha256=sha256,
    )
    for name in changed or ["nothing: all is up to date"]:
        click.echo(f"imported {name}", err=True)
    return 0
