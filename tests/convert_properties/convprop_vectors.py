"""Vectors: an input, and what becomes of it. Ours always, the shared ones where they are at hand."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import convprop_schemas as schemas
from convprop_checks import Outcome, Subject
from convprop_forms import same

OWN = Path(__file__).parent / "vectors"
SHARED = Path(__file__).parents[3] / "shared" / "conversion" / "vectors.json"


@functools.cache
def own() -> tuple[dict[str, Any], ...]:
    """Return our vectors.

    A line has a direction, a type, an input, and ``gives`` (a list) or ``refuses`` (the path);
    perhaps ``context``, ``lossy`` with the reported paths, and the rule.
    """
    found = []
    for file in sorted(OWN.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            vector = json.loads(line)
            way, _, name = vector["type"].partition(" ")
            found.append(
                {**vector, "id": f"{file.stem}:{number}", "direction": WAYS[way], "type": name}
            )
    return tuple(found)


WAYS = {"12": "v1_to_v2", "21": "v2_to_v1"}


@functools.cache
def shared() -> tuple[dict[str, Any], ...]:
    """Return the shared vectors of values in our form; none where the folder is not at hand."""
    if not SHARED.is_file():
        return ()
    found = []
    for vector in json.loads(SHARED.read_text(encoding="utf-8")):
        if vector.get("level") == "connection":
            continue
        made = {key: vector[key] for key in ("id", "direction", "type", "input")}
        made["context"] = vector.get("context", {})
        if "error" in vector:
            made["refuses"] = vector["error"]["path"]
        else:
            wanted = vector["expect"]
            made["gives"] = wanted if isinstance(wanted, list) else [wanted]
            made["target"] = vector["target"]
        if vector.get("mode") == "lossy":
            made["lossy"] = vector.get("dropped", [])
        if not vector.get("ambiguous"):
            found.append(made)
    return tuple(found)


def differences(subject: Subject, vectors: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """Yield what is not as the vectors say."""
    for vector in vectors:
        try:
            found = subject.run(
                vector["direction"],
                vector["type"],
                vector["input"],
                vector.get("context"),
                lossy="lossy" in vector,
            )
        except Exception as error:
            yield f"{vector['id']}: {type(error).__name__}: {error}"
            continue
        wrong = _difference(subject, vector, found)
        if wrong:
            yield f"{vector['id']} {vector['type']}: {wrong}"


def _difference(subject: Subject, vector: Mapping[str, Any], found: Outcome) -> str:
    if "refuses" in vector:
        paths = [path for path, _ in found.faults]
        if found.values is not None:
            return (
                f"gives {json.dumps(found.values)[:300]}, wanted a refusal at {vector['refuses']!r}"
            )
        return "" if paths[0] == vector["refuses"] else f"refuses at {paths}"
    if found.values is None:
        return f"refuses {found.faults}, wanted {json.dumps(vector['gives'])[:300]}"
    target = schemas.DIRECTIONS[vector["direction"]][1]
    name = vector.get("target") or found.target
    forms = subject.exact[target]
    wanted = [forms.normal(name, item) for item in vector["gives"]]
    got = [forms.normal(name, item) for item in found.values]
    if not same(wanted, got):
        return f"gives {json.dumps(got)[:300]}, wanted {json.dumps(wanted)[:300]}"
    if vector.get("target") and vector["target"] != found.target:
        return f"gives a {found.target}, wanted a {vector['target']}"
    if "lossy" in vector and sorted(vector["lossy"]) != sorted(loss.path for loss in found.losses):
        return f"reports {[loss.path for loss in found.losses]}, wanted {vector['lossy']}"
    return ""
