"""Small schemas through the real pipeline: build, import, and look at the result.

Used by the golden cases and by tests/cases.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
import tomllib
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from acp_codegen.building import Options, plan_builds
from acp_codegen.config import Config, Output
from acp_codegen.config_format import check_format
from acp_codegen.errors import Where
from acp_codegen.style.model import Choices, read_choices

METASCHEMA = "https://json-schema.org/draft/2020-12/schema"
_COUNTER = itertools.count()


def schema(defs: Mapping[str, Any]) -> str:
    """Return the text of a schema with these definitions."""
    return json.dumps({"$schema": METASCHEMA, "$defs": defs}, indent=2) + "\n"


def write_schemas(
    folder: Path,
    versions: Mapping[str, Mapping[str, Any]],
    *,
    names: str = "",
    rules: str = "",
    overlays: Mapping[tuple[str, str], Mapping[str, Any]] | None = None,
) -> Path:
    """Write a schemas folder: version -> definitions, (feature, version) -> overlay."""
    for version, defs in versions.items():
        (folder / version).mkdir(parents=True, exist_ok=True)
        (folder / version / "schema.json").write_text(schema(defs), encoding="utf-8")
    for (feature, version), overlay in (overlays or {}).items():
        (folder / "overlays" / feature).mkdir(parents=True, exist_ok=True)
        said = {"feature": feature, "version": version, "description": "A feature.", **overlay}
        path = folder / "overlays" / feature / f"{version}.json"
        path.write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    (folder / "names.toml").write_text(names, encoding="utf-8")
    (folder / "conversion").mkdir(exist_ok=True)
    (folder / "conversion" / "rules.toml").write_text(rules, encoding="utf-8")
    return folder


def choices_of(text: str) -> Choices:
    """Return what the text of an output's table says of layout, names and style."""
    table = tomllib.loads(text)
    check_format({"outputs": [{"target": "python", "out": "out", **table}]}, "output.toml")
    return read_choices(table, Where("output.toml"))


def render(
    schemas: Path, features: tuple[str, ...] = (), choices: Choices | None = None
) -> dict[str, str]:
    """Return the files of the package that the schemas folder gives; nothing is written."""
    output = Output("python", Path("out"), choices=choices or Choices())
    config = Config(schemas=schemas, features=features, outputs=(output,))
    [job] = plan_builds(config, Options())
    return dict(job.tree(lambda _: None).files)


def write_package(files: Mapping[str, str], folder: Path, name: str) -> Path:
    """Write the files of a package called ``name`` into ``folder``; return its path."""
    for path, text in files.items():
        place = folder / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
    return folder / name


def load_package(files: Mapping[str, str], folder: Path) -> ModuleType:
    """Write and import a package under a name of its own, with warnings as errors."""
    name = f"acp_mini_{next(_COUNTER)}"
    write_package(files, folder, name)
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            package = importlib.import_module(name)
            for path in sorted(files):
                if path.endswith(".py"):
                    module = path.removesuffix(".py").removesuffix("__init__").strip("/")
                    importlib.import_module(
                        ".".join(part for part in (name, *module.split("/")) if part)
                    )
    finally:
        sys.path.remove(str(folder))
    return package


Mini = Callable[..., Any]


def build_mini(folder: Path, defs: Mapping[str, Any], **more: Any) -> Any:
    """Return the module of the version v1 made of ``defs``."""
    features = more.pop("features", ())
    schemas = write_schemas(folder / f"s{next(_COUNTER)}" / "schemas", {"v1": defs}, **more)
    return load_package(render(schemas, features), folder).v1


# ---- what a test says of a value -----------------------------------------------------------------


def text(value: Any) -> str:
    """Return the JSON text that tells 1 from true and 1.0; key order does not matter."""
    return json.dumps(value, sort_keys=True)


def same(version: Any, type_: Any, value: Any) -> Any:
    """Assert that ``value`` passes both verdicts and comes back unchanged; return it decoded."""
    for strict in (True, False):
        found = version.decode(type_, value, strict=strict)
        assert text(version.encode(found)) == text(value)
        assert text(json.loads(version.to_json(found))) == text(value)
    return found


def faults(version: Any, type_: Any, value: Any, *, strict: bool = False) -> list[str]:
    """Return the wire pointers of the faults in ``value``; it must have some."""
    try:
        found = version.decode(type_, value, strict=strict)
    except version.DecodeError as error:
        assert isinstance(error, ValueError)
        assert error.errors
        return [pointer for pointer, _, _ in error.errors]
    raise AssertionError(f"{value!r} was accepted as {found!r}")


def refused(version: Any, type_: Any, value: Any) -> list[str]:
    """As ``faults``; both verdicts must refuse."""
    faults(version, type_, value, strict=True)
    return faults(version, type_, value)


def salvaged(version: Any, type_: Any, value: Any, wanted: Any) -> Any:
    """Assert that only the lenient verdict takes ``value``, as ``wanted``; return it decoded."""
    faults(version, type_, value, strict=True)
    found = version.decode(type_, value)
    assert text(version.encode(found)) == text(wanted)
    return found
