"""Data files in TOML, each with a JSON Schema of its format beside the schemas."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..resources import schemas_dir
from .load import read_bytes


def load_toml(path: Path, file: str, format_file: str, remedy: str) -> dict[str, Any]:
    """Read a data file.

    Args:
        path: the file to read.
        file: the name to use in messages.
        format_file: the name of the JSON Schema that its content has to fit.
        remedy: where the format is explained.

    Raises:
        InputError: if it is not TOML, or does not have the format.
    """
    raw = read_bytes(path, file=file)
    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"not TOML: {error}", where=Where(file), remedy="mend the file") from error
    found = sorted(_validator(format_file).iter_errors(data), key=lambda error: list(error.path))
    if found:
        pointer = join("", *found[0].absolute_path)
        raise InputError(found[0].message[:200], where=Where(file, pointer), remedy=remedy)
    return data


def _validator(format_file: str) -> Any:
    # Imported here: they are slow, and not every command reads such a file.
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    # A format may refer to another one by its file name.
    forms = {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(schemas_dir().glob("*.schema.json"))
    }
    known = Registry().with_resources(
        (name, Resource.from_contents(form)) for name, form in forms.items()
    )
    return Draft202012Validator(forms[format_file], registry=known)
