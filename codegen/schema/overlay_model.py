"""What a feature overlay says, and reading it from its file."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from .dialect import keyword_faults
from .gates import Gate, read_gates
from .load import Document, load_document, raise_faults

FORMAT_FILE = "overlay.schema.json"


@dataclass(frozen=True)
class PropertyAddition:
    """A property to add to a definition, before the property ``before`` or at the end."""

    definition: str
    name: str
    schema: Any
    required: bool
    before: str | None
    pointer: str


@dataclass(frozen=True)
class MemberAddition:
    """A member to add to a union, before the member with the title ``before`` or at the end."""

    definition: str
    path: tuple[str, ...]
    schema: dict[str, Any]
    before: str | None
    pointer: str

    @property
    def title(self) -> str:
        """The title of the new member, its name within the union."""
        title: str = self.schema["title"]
        return title


@dataclass(frozen=True)
class Overlay:
    """One feature's changes to the schema of one protocol version. Nothing is resolved yet.

    Attributes:
        feature: the name of the feature.
        version: the protocol version whose schema it changes.
        description: what the feature adds, for people.
        conflicts: features that cannot be on together with this one.
        requires: features that must be on as well.
        definitions: new definitions.
        properties: new properties of definitions.
        members: new members of unions.
        gates: which capability gates which method or parameter, in file order.
        file: the name of the overlay file in messages.
        sha256: the digest of the file, as in ``Document``.
    """

    feature: str
    version: str
    description: str
    conflicts: tuple[str, ...]
    requires: tuple[str, ...]
    definitions: Mapping[str, Any]
    properties: tuple[PropertyAddition, ...]
    members: tuple[MemberAddition, ...]
    gates: tuple[Gate, ...]
    file: str
    sha256: str

    def schemas(self) -> list[tuple[str, Any]]:
        """Return every schema that the overlay brings, with its JSON Pointer in the file."""
        brought = [(join("/definitions", name), s) for name, s in self.definitions.items()]
        brought += [(join(item.pointer, "schema"), item.schema) for item in self.properties]
        brought += [(join(item.pointer, "schema"), item.schema) for item in self.members]
        return brought


def load_overlay(path: Path, file: str, *, harmless: Collection[str] = ()) -> Overlay:
    """Read a feature overlay.

    Args:
        path: the file to read.
        file: the name to use in messages.
        harmless: unknown ``x-`` keywords to accept in the schemas it brings.

    Raises:
        InputError: if the file is not an overlay by ``schemas/overlay.schema.json``, or a schema
            in it uses a keyword that is not understood.
    """
    document = load_document(path, file=file)
    _check_format(document)
    overlay = _read(document)
    faults = [
        fault
        for pointer, schema in overlay.schemas()
        for fault in keyword_faults(schema, pointer, harmless=harmless, root=False)
    ]
    raise_faults(faults, file)
    return overlay


@cache
def _format_validator() -> Any:
    # Imported here: it is slow, and a run without overlays does not need it.
    from jsonschema import Draft202012Validator

    text = _format_path().read_text(encoding="utf-8")
    # It refers to the metaschema alone, which comes with jsonschema: nothing is fetched.
    return Draft202012Validator(json.loads(text))


def _format_path() -> Path:
    """Return the overlay format's own schema: in the package, or beside it in a checkout."""
    bundled = Path(str(resources.files(__package__.rpartition(".")[0]))) / "schemas" / FORMAT_FILE
    if bundled.is_file():
        return bundled
    return Path(__file__).parents[2] / "schemas" / FORMAT_FILE


def _check_format(document: Document) -> None:
    errors = list(_format_validator().iter_errors(document.data))
    if not errors:
        return
    # The deepest error is the one that names the slip, not the object around it.
    error = max(errors, key=lambda e: (len(e.absolute_path), e.json_path))
    raise InputError(
        f"not an overlay: {textwrap.shorten(error.message, 200)}",
        where=Where(document.file, join("", *error.absolute_path)),
        remedy=f"the format is described by schemas/{FORMAT_FILE}",
    )


def _read(document: Document) -> Overlay:
    data = document.data
    feature: str = data["feature"]
    return Overlay(
        feature=feature,
        version=data["version"],
        description=data["description"],
        conflicts=tuple(data.get("conflicts", ())),
        requires=tuple(data.get("requires", ())),
        definitions=data.get("definitions", {}),
        properties=tuple(
            PropertyAddition(
                definition=definition,
                name=name,
                schema=item["schema"],
                required=item.get("required", False),
                before=item.get("before"),
                pointer=join("/properties", definition, name),
            )
            for definition, items in data.get("properties", {}).items()
            for name, item in items.items()
        ),
        members=tuple(
            MemberAddition(
                definition=item["definition"],
                path=tuple(item["path"]),
                schema=item["schema"],
                before=item.get("before"),
                pointer=join("/members", index),
            )
            for index, item in enumerate(data.get("members", ()))
        ),
        gates=read_gates(data.get("gates", ()), feature, document.file),
        file=document.file,
        sha256=document.sha256,
    )
