"""The keywords that this generator understands. Any other is an error, never a silent loosening."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from typing import Any

from ..pointer import join
from .walk import Fault, iter_schemas

METASCHEMA = "https://json-schema.org/draft/2020-12/schema"

#: Keywords that say nothing about which values are valid.
ANNOTATIONS = (
    "title",
    "description",
    "$comment",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
)

#: Every keyword of JSON Schema that is understood, in the order in which a file shows them.
KEYWORDS = (
    "$schema",
    *ANNOTATIONS,
    "type",
    "format",
    "contentEncoding",
    "contentMediaType",
    "const",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "pattern",
    "minItems",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "discriminator",
    "default",
    "$defs",
)

#: Extension keywords whose value is a non-empty string.
TEXT_EXTENSIONS = ("x-side", "x-method")
#: Extension keywords whose value is a boolean.
FLAG_EXTENSIONS = (
    "x-docs-ignore",
    "x-deserialize-default-on-error",
    "x-deserialize-skip-invalid-items",
    "x-deserialize-default-on-null",
)
EXTENSIONS = TEXT_EXTENSIONS + FLAG_EXTENSIONS
#: Values of ``x-side`` that name no peer: every peer serves and calls the method.
SHARED_SIDES = ("both", "protocol")

_KNOWN = frozenset(KEYWORDS) | frozenset(EXTENSIONS)
_ROOT_ONLY = frozenset({"$schema", "$defs"})
_EXTENSION_PREFIX = "x-"


def keyword_faults(
    schema: Any, pointer: str = "", *, harmless: Collection[str] = (), root: bool = True
) -> Iterator[Fault]:
    """Yield a fault for every keyword that is not understood or has a value that is not.

    Args:
        schema: the schema to look through.
        pointer: its JSON Pointer.
        harmless: ``x-`` keywords to pass over.
        root: whether ``schema`` is a whole document, where ``$schema`` and ``$defs`` may stand.
    """
    for place, node in iter_schemas(schema, pointer):
        at_root = root and place == pointer
        for keyword, value in node.items():
            here = join(place, keyword)
            if keyword.startswith(_EXTENSION_PREFIX) and keyword in harmless:
                continue
            if keyword not in _KNOWN:
                yield _unknown(keyword, here)
            elif keyword in _ROOT_ONLY and not at_root:
                yield Fault(
                    here,
                    f'the keyword "{keyword}" is understood at the top of a schema only',
                    "move it to the top level",
                )
            else:
                yield from _value_faults(keyword, value, here)


def _unknown(keyword: str, pointer: str) -> Fault:
    close = difflib.get_close_matches(keyword, sorted(_KNOWN), n=1, cutoff=0.8)
    hint = f'did you mean "{close[0]}"? Otherwise ' if close else ""
    if keyword.startswith(_EXTENSION_PREFIX):
        return Fault(
            pointer,
            f'unknown extension keyword "{keyword}"',
            f"{hint}list it as harmless in the configuration if it changes nothing on the wire",
        )
    return Fault(
        pointer,
        f'the keyword "{keyword}" is not supported',
        f"{hint}say the same with supported keywords, or teach the generator this one",
    )


def _value_faults(keyword: str, value: Any, pointer: str) -> Iterator[Fault]:
    """Check the values that the metaschema leaves open but the generator does not."""
    if keyword == "$schema" and value != METASCHEMA:
        yield Fault(
            pointer,
            f"the schema is written for {value!r}",
            f"use JSON Schema 2020-12: {METASCHEMA}",
        )
    elif keyword == "unevaluatedProperties" and value is not True:
        yield Fault(
            pointer,
            'only true is supported for "unevaluatedProperties"',
            'use "additionalProperties", or leave it out',
        )
    elif keyword == "discriminator" and not _is_discriminator(value):
        yield Fault(
            pointer,
            '"discriminator" must hold "propertyName" alone, a non-empty string',
            "the tags are read from the consts of the branches, so no mapping is needed",
        )
    elif keyword in FLAG_EXTENSIONS and not isinstance(value, bool):
        yield Fault(pointer, f'"{keyword}" must be true or false', "correct the value")
    elif keyword in TEXT_EXTENSIONS and not (isinstance(value, str) and value):
        yield Fault(pointer, f'"{keyword}" must be a non-empty string', "correct the value")


def _is_discriminator(value: Any) -> bool:
    if not isinstance(value, dict) or set(value) != {"propertyName"}:
        return False
    name = value["propertyName"]
    return isinstance(name, str) and bool(name)
