"""Reads mutated messages with two modules of models and prints where they differ, a JSON line each.

    python differential.py OWN OURS MESSAGES

The modules are given by path, the messages as a JSON list of class name and value. Run with the
SDK importable, because its own module needs it.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

JUNK = (None, 5, "x", [], {}, [1, {"a": 1}], True, "1", 1.5)
_GONE = object()


def load(path: str, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside ``value``."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def mutants(value: Any) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """Yield path, what is put there, and the mutant; the first has no path."""
    yield (), None, value
    for path in places(value):
        for junk in (_GONE, *JUNK):
            made = copy.deepcopy(value)
            inner = made
            for key in path[:-1]:
                inner = inner[key]
            if junk is _GONE:
                del inner[path[-1]]
            else:
                inner[path[-1]] = junk
            yield path, "gone" if junk is _GONE else junk, made


def read(module: ModuleType, name: str, value: Any) -> Any:
    """Return what ``value`` is written as after reading, or that it is refused."""
    from pydantic import ValidationError

    try:
        made = getattr(module, name).model_validate(value)
    except ValidationError:
        return "refused"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return made.model_dump(mode="json", by_alias=True, exclude_unset=True)


def main() -> None:
    own, ours = load(sys.argv[1], "own_schema"), load(sys.argv[2], "our_schema")
    count = 0
    for name, value in json.loads(Path(sys.argv[3]).read_text("utf-8")):
        for path, junk, made in mutants(value):
            count += 1
            found = [read(module, name, made) for module in (own, ours)]
            if json.dumps(found[0], sort_keys=True) != json.dumps(found[1], sort_keys=True):
                print(json.dumps([name, path, junk, *found]))
    print(json.dumps(count))


if __name__ == "__main__":
    main()
