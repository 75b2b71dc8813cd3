"""Texts of docstrings: what a type is, and below it a section on each of its parts."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from ...protocol.graph import all_variants
from ...protocol.ir import (
    ABSENT,
    Enum,
    Protocol,
    Ref,
    TaggedUnion,
    Type,
    TypeExpr,
    Union,
    Variant,
)
from ..prose import wrapped
from .formatting import LINE_LENGTH
from .literals import json_text

_INDENT = "    "
_OTHERS = "any other"


def class_doc(name: str, doc: str, fields: Iterable[tuple[str, str]]) -> str:
    """Return the docstring of a class.

    Args:
        name: the class, which stands for a text that it lacks.
        doc: what the schema says of it.
        fields: name and description of each field, inherited ones first.
    """
    return _with_section(doc or name, "Attributes", fields, len(_INDENT))


def alias_doc(protocol: Protocol, type_: Type) -> str:
    """Return the text below an alias; empty if the schema says nothing of it or its parts."""
    if isinstance(type_, Enum):
        parts = [(_word(value.value), value.doc) for value in type_.values]
        parts += [(_OTHERS, type_.other)] if type_.open else []
        return _with_section(type_.doc, "Values", parts, 0)
    if isinstance(type_, TaggedUnion):
        variants = [
            (_variant(type_, variant), protocol.types[variant.type].doc)
            for variant in all_variants(type_)
        ]
        return _with_section(type_.doc, "Variants", variants, 0)
    if isinstance(type_, Union):
        branches = [
            (_word(branch.title), branch.doc or _referred(protocol, branch.type))
            for branch in type_.branches
        ]
        return _with_section(type_.doc, "Variants", branches, 0)
    return type_.doc


def _variant(union: TaggedUnion, variant: Variant) -> str:
    if variant is union.fallback:
        return _OTHERS
    return _word(variant.title if variant.value is ABSENT else variant.value)


def _referred(protocol: Protocol, expr: TypeExpr) -> str:
    return protocol.types[expr.id].doc if isinstance(expr, Ref) else ""


def _with_section(doc: str, title: str, parts: Iterable[tuple[str, str]], indent: int) -> str:
    lines = [
        line
        for name, text in parts
        if name and text.strip()
        for line in _entry(f"{name}: {inspect.cleandoc(text)}", LINE_LENGTH - indent)
    ]
    section = "\n".join([f"{title}:", *lines]) if lines else ""
    return "\n\n".join(part for part in (inspect.cleandoc(doc), section) if part)


def _entry(text: str, width: int) -> Iterable[str]:
    """Yield the lines of one part, those after the first indented below it."""
    first, *rest = text.split("\n")
    yield from wrapped(_INDENT + first, width, len(_INDENT)).split("\n")
    for line in wrapped("\n".join(rest), width - 2 * len(_INDENT)).split("\n") if rest else ():
        yield 2 * _INDENT + line if line.strip() else ""


def _word(value: Any) -> str:
    """Return a wire value for people: as JSON where it would not stay on its line."""
    return value if isinstance(value, str) and value.isprintable() else json_text(value)
