"""Which keys of the project match the old schema and no longer match the new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..config import Config
from ..conversion.bridge import bridge_faults
from ..conversion.rules import rule_faults
from ..errors import CodegenError, InputError
from ..protocol.ir import Protocol
from ..protocol.naming import name_faults
from ..schema.load import load_document
from ..schema.walk import iter_schemas
from ..sources import Sources
from .given import Given
from .model import Stale


def stale_keys(
    old: Given, new: Given, sources: Sources, features: tuple[str, ...], config: Config
) -> tuple[Stale, ...]:
    """Return the keys that stop matching when the file ``new`` takes the place of a version.

    Args:
        old: a version of the schemas folder. Where it is none, there is nothing to tell.
        new: a file that could replace it.
        sources: the schemas folder: its rules, names and overlays.
        features: the features that are on.
        config: the configuration.

    Raises:
        InputError: if a file of the schemas folder cannot be used.
    """
    if old.version is None or new.version is not None:
        return ()
    before = {
        version: old.protocol if version == old.version else sources.protocol(version, features)
        for version in sources.versions()
    }
    after = {**before, old.version: replace(new.protocol, version=old.version)}
    found = [_of("overlay-refused", fault) for fault in new.refusals]
    found += [_of("gate-stale", fault) for fault in new.gates]
    found += _configuration(old, new, sources, config)
    names = sources.names()
    found += _lost(
        "name-stale",
        name_faults(names, list(before.values())),
        name_faults(names, list(after.values())),
    )
    found += _lost("rule-stale", _rules(sources, before), _rules(sources, after))
    return tuple(found)


def _rules(sources: Sources, protocols: Mapping[str, Protocol]) -> list[InputError]:
    pair = list(protocols.values())[:2]
    if len(pair) < 2:
        return []
    rules = sources.rules()
    return [*rule_faults(rules, *pair), *bridge_faults(rules, *pair)]


def _lost(kind: str, before: Iterable[CodegenError], after: Iterable[CodegenError]) -> list[Stale]:
    """Return the faults that were not there before, each once."""
    known = {(fault.where, fault.what) for fault in before}
    fresh = {(f.where, f.what): f for f in after if (f.where, f.what) not in known}
    return [_of(kind, fault) for fault in fresh.values()]


def _configuration(old: Given, new: Given, sources: Sources, config: Config) -> list[Stale]:
    assert old.version is not None
    refused = {Path(fault.where.file).parent.name for fault in new.refusals if fault.where}
    found = [
        Stale(
            "configuration-stale",
            config.file,
            config.pointer("features", index),
            f"the feature {feature!r} does not apply to {old.version} any more",
            "bring its overlay to the new schema, or switch it off",
        )
        for index, feature in enumerate(config.features)
        if feature in refused
    ]
    used = _keywords(sources.schema_path(old.version))
    still = _keywords(Path(new.name))
    found += [
        Stale(
            "configuration-stale",
            config.file,
            config.pointer("harmless", index),
            f"the new schema has no {keyword!r}",
            "remove the keyword, unless another schema has it",
        )
        for index, keyword in enumerate(config.harmless)
        if keyword in used - still
    ]
    return found


def _keywords(path: Path) -> set[str]:
    schema: Any = load_document(path).data
    return {keyword for _, node in iter_schemas(schema) for keyword in node}


def _of(kind: str, fault: CodegenError) -> Stale:
    where = fault.where
    return Stale(
        kind, where.file if where else "", where.pointer if where else "", fault.what, fault.remedy
    )
