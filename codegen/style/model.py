"""What a configuration says about names and style. No language in it, and nothing is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import Where

Layout = Literal["package", "single"]
Extra = Literal["allow", "ignore", "forbid"]
StringEnum = Literal["literal", "open_literal", "enum", "str"]
Tags = Literal["default", "required"]
RootModel = Literal["everywhere", "name_only"]


@dataclass(frozen=True)
class UnionNames:
    """How the variants of a union are called: by a pattern, and exceptions by tag or title."""

    pattern: str = ""
    variants: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Naming:
    """Names by the names of the schema; see schemas/config.schema.json for each."""

    definitions: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    unions: Mapping[str, UnionNames] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    enums: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    base_class: str = "BaseModel"


@dataclass(frozen=True)
class DefinitionStyle:
    """The exceptions of one definition; None for the rule."""

    string_enum: StringEnum | None = None
    extra: Extra | None = None
    root_model: RootModel | None = None


@dataclass(frozen=True)
class UnionStyle:
    """The exceptions of one union; None for the rule."""

    tags: Tags | None = None
    catch_all: Literal["split", "one"] = "split"


@dataclass(frozen=True)
class Style:
    """How the output is written; see schemas/config.schema.json for each.

    ``string_enums`` is None for the schema's own choice: open where it is open.
    ``malformed`` is by ``Type.property``.
    """

    header: tuple[str, ...] = ()
    extra: Extra = "allow"
    string_enums: StringEnum | None = None
    uri: Literal["text", "url"] = "text"
    tags: Tags = "default"
    variants: Literal["subclass", "flat"] = "subclass"
    object_defaults: Literal["instance", "none"] = "instance"
    camel_case_attributes: bool = False
    populate_by_name: bool = True
    frozen: bool = False
    definitions: Mapping[str, DefinitionStyle] = field(default_factory=dict)
    unions: Mapping[str, UnionStyle] = field(default_factory=dict)
    malformed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choices:
    """Layout, names and style of one output.

    Args:
        layout: how the output is laid out.
        models: the file with the types in the single layout, with ``{version}`` in it or not.
        methods: the file with the method tables, likewise.
        names: the names.
        style: the style.
        said: the keys of the configuration, as paths below the output.
        text: all of it as one text, for a digest.
        place: the output's table in the configuration file, for messages.
    """

    layout: Layout = "package"
    models: str = "{version}.py"
    methods: str = "{version}_methods.py"
    names: Naming = Naming()
    style: Style = Style()
    said: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    place: Where = Where("")  # noqa: RUF009 - frozen


def read_choices(table: Mapping[str, Any], place: Where) -> Choices:
    """Return what an output's table says of layout, names and style.

    Args:
        table: the table, of the form that schemas/config.schema.json asks for.
        place: where it is.
    """
    files = table.get("files", {})
    names, style = table.get("names", {}), table.get("style", {})
    mine = {key: table[key] for key in ("layout", "files", "names", "style") if key in table}
    return Choices(
        layout=table.get("layout", "package"),
        models=files.get("models", Choices.models),
        methods=files.get("methods", Choices.methods),
        names=_naming(names),
        style=_style(style),
        said=(
            *((key,) for key in mine if key == "files"),
            *(("names", key) for key in names),
            *(("style", key) for key in style),
        ),
        text=json.dumps(mine, sort_keys=True) if mine else "",
        place=place,
    )


def _naming(table: Mapping[str, Any]) -> Naming:
    known = dict(table)
    known["unions"] = {name: UnionNames(**said) for name, said in table.get("unions", {}).items()}
    for key in ("aliases", "tables"):
        known[key] = {name: tuple(parts) for name, parts in table.get(key, {}).items()}
    return Naming(**known)


def _style(table: Mapping[str, Any]) -> Style:
    known = {key: value for key, value in table.items() if key != "fields"}
    known["header"] = tuple(table.get("header", "").splitlines())
    known["definitions"] = {
        name: DefinitionStyle(**said) for name, said in table.get("definitions", {}).items()
    }
    known["unions"] = {name: UnionStyle(**said) for name, said in table.get("unions", {}).items()}
    known["malformed"] = {
        name: said["malformed"]
        for name, said in table.get("fields", {}).items()
        if "malformed" in said
    }
    return Style(**known)
