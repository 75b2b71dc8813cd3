"""The form of the configuration: checked by its JSON Schema, said in the words of a TOML file."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .errors import UsageError, Where
from .pointer import join
from .resources import schemas_dir

FORMAT_FILE = "config.schema.json"

_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "object": "a table",
    "string": "a text",
}


def format_text() -> str:
    """Return the JSON Schema of the configuration file."""
    return (schemas_dir() / FORMAT_FILE).read_text(encoding="utf-8")


def check_format(table: Mapping[str, Any], file: str, base: Sequence[str] = ()) -> None:
    """Check the form of a configuration.

    Args:
        table: the configuration.
        file: the file's name in messages.
        base: the keys that lead to the table in the file.

    Raises:
        UsageError: for the first key or value that does not belong where it is.
    """
    # Imported here: it is slow, and not every command needs a configuration.
    from jsonschema import Draft202012Validator

    errors = list(Draft202012Validator(json.loads(format_text())).iter_errors(table))
    if errors:
        raise _fault(min(errors, key=_order), file, tuple(base))


def nearest(name: str, known: Collection[str]) -> str:
    """Return a remedy for a name that is not one of ``known``."""
    near = get_close_matches(name, sorted(known), 1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"use one of {', '.join(sorted(known))}" if known else "remove it"


def _order(error: Any) -> tuple[list[str], bool, str]:
    """A misspelt key comes before the key that is missing because of it."""
    path = [str(token) for token in error.absolute_path]
    return path, error.validator != "additionalProperties", error.message


def _fault(error: Any, file: str, base: tuple[str, ...]) -> UsageError:
    path = (*base, *error.absolute_path)
    key = _label(path)
    value, wanted = error.instance, error.validator_value
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        path = (*path, next(name for name in value if name not in known))
        what, remedy = f"unknown key {path[-1]!r}", nearest(str(path[-1]), known)
    elif error.validator == "required":
        path = (*path, next(name for name in wanted if name not in value))
        what, remedy = f"{path[-1]} must be given", f'write {path[-1]} = "..."'
    elif error.validator == "propertyNames":
        what, remedy = error.message, _hint(error, "rename the key")
    elif error.validator == "type":
        what, remedy = _wrong_kind(key, error, path)
    elif error.validator == "minLength":
        what, remedy = f"{key} must be a text that is not empty", f'write {key} = "..."'
    elif error.validator == "enum":
        what = f"{key} cannot be {json.dumps(value, default=str)}"
        remedy = nearest(str(value), [str(word) for word in wanted])
    else:
        what = f"{key} cannot be {json.dumps(value, default=str)}"
        remedy = _hint(error, "see the schema of the configuration")
    return UsageError(what, where=Where(file, join("", *path)), remedy=remedy)


def _label(path: Sequence[str | int]) -> str:
    """Return what to call the value at ``path``: its key, or an item of it."""
    if path and isinstance(path[-1], int):
        return f"an item of {path[-2]}"
    return str(path[-1]) if path else "the configuration"


def _wrong_kind(key: str, error: Any, path: Sequence[str | int]) -> tuple[str, str]:
    wanted = error.validator_value
    if wanted == "array":
        items = error.schema.get("items", {})
        if items.get("type") == "string":
            return f"{key} must be a list of texts", f'write {key} = ["..."]'
        if "$ref" in items:
            name = ".".join(str(token) for token in path)
            return f"{key} must be tables", f"write [[{name}]]"
    kinds = [wanted] if isinstance(wanted, str) else wanted
    words = " or ".join(_KINDS[kind] for kind in kinds)
    example = f'write {key} = "..."' if wanted == "string" else _hint(error, f"make it {words}")
    return f"{key} must be {words}", example


def _hint(error: Any, otherwise: str) -> str:
    """Return the remedy that the schema itself gives."""
    said = error.schema.get("description", "")
    return str(said).rstrip(".") or otherwise
