"""The two schemas with the archive feature: documents, validators, and which methods name what."""

from __future__ import annotations

import functools
import os
import random
from typing import Any

from acp_codegen.protocol.ir import Protocol
from acp_codegen.resources import schemas_dir
from acp_codegen.sources import Sources
from jsonschema import Draft202012Validator

FEATURES = ("unstable_session_archive",)
SEED = os.environ.get("ACP_SEED", "20260729")
#: Direction -> source and target version.
DIRECTIONS = {"v1_to_v2": ("v1", "v2"), "v2_to_v1": ("v2", "v1")}
BACK = {"v1_to_v2": "v2_to_v1", "v2_to_v1": "v1_to_v2"}


def rng(*parts: object) -> random.Random:
    """Return a generator that depends on the seed of this run and on ``parts`` only."""
    return random.Random("/".join([SEED, *map(str, parts)]))


@functools.cache
def sources() -> Sources:
    """Return the project's own schemas."""
    return Sources(schemas_dir())


@functools.cache
def document(version: str) -> Any:
    """Return the schema document of ``version``."""
    return sources().resolve(version, FEATURES).data


@functools.cache
def protocol(version: str) -> Protocol:
    """Return what the schema of ``version`` means, for the planner."""
    return sources().protocol(version, FEATURES)


def definitions(version: str) -> dict[str, Any]:
    """Return the definitions of ``version``."""
    return dict(document(version)["$defs"])


@functools.cache
def validator(version: str, name: str) -> Draft202012Validator:
    """Return the validator of a definition; formats are annotations."""
    return Draft202012Validator(
        {"$ref": f"#/$defs/{name}", "$defs": document(version)["$defs"]}, format_checker=None
    )


def valid(version: str, name: str, value: Any) -> bool:
    """Say whether ``value`` satisfies the definition."""
    return validator(version, name).is_valid(value)


def problems(version: str, name: str, value: Any) -> list[str]:
    """Say what is wrong with ``value``."""
    found = validator(version, name).iter_errors(value)
    return [f"/{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in found]


@functools.cache
def methods(version: str) -> dict[str, tuple[str, str | None, str]]:
    """Return method -> definition of its params, of its result, and the envelope of its sender."""
    found: dict[str, tuple[str, str | None, str]] = {}
    defs = document(version)["$defs"]
    for name, schema in defs.items():
        wire = schema.get("x-method")
        if wire is None or name.endswith("Response"):
            continue
        result = next(
            (n for n, s in defs.items() if s.get("x-method") == wire and n.endswith("Response")),
            None,
        )
        kind = "Request" if result else "Notification"
        sender = "Client" if schema.get("x-side") == "agent" else "Agent"
        found[wire] = (name, result, sender + kind)
    return found
