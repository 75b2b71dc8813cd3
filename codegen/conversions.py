"""The plan of the conversions and a converter, for the commands that use them without a build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from .building import Options, features_of, sources_of
from .config import Config
from .conversion.messages import Conversation, message_table
from .conversion.model import Direction, Plan
from .conversion.plan import make_plan
from .converting import Converter, context_from
from .errors import UsageError, Where
from .protocol.build import build_protocol
from .protocol.ir import Protocol
from .resources import templates_dir
from .schema.overlay import ResolvedSchema
from .targets.python.converter import load_converter


@dataclass(frozen=True)
class Planned:
    """A plan, and by version what it was made from."""

    plan: Plan
    protocols: Mapping[str, Protocol]
    schemas: Mapping[str, ResolvedSchema]


def plan_conversions(config: Config, options: Options) -> Planned:
    """Return the plan between the two versions. What has no answer is refused in it.

    Raises:
        UsageError: if there is one version only.
        InputError: if a schema or the rules cannot be used.
    """
    sources, features = sources_of(config, options), features_of(config, options)
    versions = sources.versions()[:2]
    if len(versions) < 2:
        raise UsageError(
            f"there is one version only, {versions[0]}",
            where=Where(config.file) if config.file else None,
            remedy="import another one, or choose another schemas folder",
        )
    schemas = {version: sources.resolve(version, features) for version in versions}
    protocols = {
        version: build_protocol(schema, sources.release(version))
        for version, schema in schemas.items()
    }
    old, new = protocols.values()
    plan = make_plan(old, new, sources.rules(), complete=False)
    return Planned(plan, protocols, schemas)


def choose_direction(plan: Plan, name: str) -> Direction:
    """Return the direction with this name.

    Raises:
        UsageError: if there is none.
    """
    known = {direction.name: direction for direction in plan.directions}
    if name not in known:
        raise _unknown("direction", name, list(known))
    return known[name]


def make_converter(
    config: Config,
    options: Options,
    source: str,
    target: str,
    *,
    type_name: str | None,
    context: str | None,
    lossy: bool,
) -> Converter:
    """Return what converts values of a definition, or messages, from ``source`` to ``target``.

    Args:
        config: the configuration.
        options: what the command line changes in it.
        source: the version converted from.
        target: the version converted to.
        type_name: the definition of every value; None for messages.
        context: a JSON object as text; None for none.
        lossy: give up the smallest optional part around a fault.

    Raises:
        UsageError: if there is no such version or definition.
        InputError: if a schema, the rules or the context cannot be used.
    """
    said = context_from(context) if context is not None else None
    planned = plan_conversions(config, options)
    plan, protocols = planned.plan, planned.protocols
    for version in (source, target):
        if version not in protocols:
            raise _unknown("version", version, list(protocols))
    if source == target:
        raise UsageError(f"{source} is both --from and --to", remedy="give two versions")
    direction = next(item for item in plan.directions if item.source == source)
    conversation = None
    if type_name is None:
        definitions = planned.schemas[source].data["$defs"]
        table = message_table(direction, protocols[source], definitions)
        if not table.usual:
            raise UsageError(
                "the rules name no envelopes, so messages cannot be converted",
                remedy="give --type, or name them under [envelopes]",
            )
        conversation = Conversation(table)
    elif type_name not in protocols[source].definitions:
        raise _unknown("definition", type_name, list(protocols[source].definitions))
    return Converter(
        load_converter(plan, templates_dir() / "python"),
        direction.name,
        definition=type_name,
        conversation=conversation,
        context=said,
        lossy=lossy,
    )


def _unknown(kind: str, name: str, known: list[str]) -> UsageError:
    near = get_close_matches(name, known, 1)
    short = f"use one of {', '.join(known)}" if len(known) <= 8 else "see `acp-codegen conversions`"
    return UsageError(
        f"there is no {kind} {name!r}",
        remedy=f"did you mean {near[0]!r}, perhaps" if near else short,
    )
