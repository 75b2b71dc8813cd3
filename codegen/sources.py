"""The schemas of a build: which files, with which overlays, and where they came from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .conversion.rules import Rules, load_rules
from .descriptions.merge import check_keys, describe, require_descriptions
from .descriptions.texts import DESCRIPTIONS_DIR, description_files, load_texts
from .errors import InputError, UsageError, Where
from .pointer import join
from .protocol.build import build_protocol
from .protocol.ir import Protocol
from .protocol.naming import NameData, load_names
from .schema.examples import EXAMPLES_FILE, check_examples, load_examples
from .schema.gates import Gate, gate_faults, gates_file, load_gates
from .schema.importing import SCHEMA_FILE, SOURCES_FILE
from .schema.load import Document, check_schema, load_document
from .schema.overlay import (
    Overlay,
    ResolvedSchema,
    apply_overlays,
    available_features,
    fitting,
    select_overlays,
)

NAMES_FILE = "names.toml"
RULES_FILE = "conversion/rules.toml"


@dataclass(frozen=True)
class Sources:
    """Where schemas, overlays, names and rules are read from.

    Args:
        folder: the schemas folder.
        harmless: unknown x- keywords that may be ignored.
        replaced: version -> a schema file to read instead of the folder's.
    """

    folder: Path
    harmless: tuple[str, ...] = ()
    replaced: Mapping[str, Path] = field(default_factory=dict)

    def versions(self) -> tuple[str, ...]:
        """Return the versions that there are, in order.

        Raises:
            UsageError: if there is none.
        """
        found = self.found_versions()
        if not found | set(self.replaced):
            raise UsageError(
                "there is no schema",
                where=Where(self.folder.name),
                remedy="import one with `acp-codegen import`",
            )
        return tuple(sorted(found | set(self.replaced), key=_age))

    def found_versions(self) -> set[str]:
        """Return the versions that the folder has a schema of."""
        return {path.parent.name for path in self.folder.glob(f"*/{SCHEMA_FILE}")}

    def schema_path(self, version: str) -> Path:
        """Return the schema file of ``version``."""
        return self.replaced.get(version, self.folder / version / SCHEMA_FILE)

    def label(self, version: str) -> str:
        """Return what messages call the schema file of ``version``."""
        replaced = self.replaced.get(version)
        return replaced.as_posix() if replaced else f"{self.folder.name}/{version}/{SCHEMA_FILE}"

    def release(self, version: str) -> str:
        """Return publisher and release of the schema, or the name of a file given instead."""
        if version in self.replaced:
            return self.replaced[version].name
        path = self.folder / SOURCES_FILE
        if not path.is_file():
            return "unknown"
        file = f"{self.folder.name}/{SOURCES_FILE}"
        entry = load_document(path, file=file).data.get(version, {})
        if not isinstance(entry, dict):
            raise InputError(
                "must be an object",
                where=Where(file, join("", version)),
                remedy="import the version again with `acp-codegen import`",
            )
        return f"{entry.get('publisher', 'unknown')} {entry.get('release', '')}".strip()

    def known_features(self) -> dict[str, dict[str, Path]]:
        """Return feature -> version -> overlay file."""
        return available_features(self.folder)

    def resolve(self, version: str, features: tuple[str, ...]) -> ResolvedSchema:
        """Return the schema of ``version`` with its descriptions and ``features`` applied.

        Descriptions are written for the schemas of the folder: a file given instead takes none.

        Raises:
            UsageError: if there is no such version or feature.
            InputError: if a file cannot be used.
        """
        document, version, overlays = self._read(version, features)
        gates, _ = self._fitting_gates(document, version)
        return apply_overlays(document, version, overlays, gates)

    def resolve_fitting(
        self, version: str, features: tuple[str, ...]
    ) -> tuple[ResolvedSchema, list[InputError]]:
        """Return the schema of ``version`` with those of ``features`` that apply to it.

        Returns:
            The schema, and why each overlay that is left out does not apply.

        Raises:
            UsageError: if there is no such version or feature.
            InputError: if a file cannot be used for another reason.
        """
        document, version, overlays = self._read(version, features)
        kept, faults = fitting(document, version, overlays)
        gates, _ = self._fitting_gates(document, version)
        return apply_overlays(document, version, kept, gates), faults

    def _read(self, version: str, features: tuple[str, ...]) -> tuple[Document, str, list[Overlay]]:
        if version not in self.versions():
            raise UsageError(
                f"there is no version {version!r}",
                remedy=f"use one of {', '.join(self.versions())}",
            )
        document = load_document(self.schema_path(version), file=self.label(version))
        check_schema(document, harmless=self.harmless)
        overlays = select_overlays(self.folder, version, features, harmless=self.harmless)
        return self._described(version, document), version, overlays

    def gates(self, version: str) -> tuple[Gate, ...]:
        """Return the gates of a version's own schema; none if there is no gates file.

        Raises:
            InputError: if the file cannot be used.
        """
        found = self.shared_file(gates_file(version))
        return load_gates(*found) if found else ()

    def unmatched_gates(self, version: str) -> tuple[InputError, ...]:
        """Return why gates do not fit a schema that is given instead of the folder's.

        For the folder's own schema such a gate is an error; see ``resolve``.

        Raises:
            InputError: if a file cannot be used.
        """
        if version not in self.replaced:
            return ()
        return self._fitting_gates(*self._read(version, ())[:2])[1]

    def _fitting_gates(
        self, document: Document, version: str
    ) -> tuple[tuple[Gate, ...], tuple[InputError, ...]]:
        """Return the gates to apply, and why those that a given schema lacks are left out."""
        gates = self.gates(version)
        if version not in self.replaced:
            return gates, ()
        faults = {gate: tuple(gate_faults(document.data, document.file, [gate])) for gate in gates}
        kept = tuple(gate for gate, found in faults.items() if not found)
        return kept, tuple(fault for found in faults.values() for fault in found)

    def _described(self, version: str, document: Document) -> Document:
        if version in self.replaced or not description_files(self.folder):
            return document
        texts = load_texts(self.folder)
        check_keys(texts, version, document.data, lambda: self._others(version))
        return replace(document, data=describe(document.data, version, texts))

    def _others(self, version: str) -> dict[str, Any]:
        """Return the schemas of the folder but that of ``version``."""
        found = {}
        for path in self.folder.glob(f"*/{SCHEMA_FILE}"):
            name = path.parent.name
            if name != version:
                file = f"{self.folder.name}/{name}/{SCHEMA_FILE}"
                found[name] = load_document(path, file=file).data
        return dict(sorted(found.items()))

    def require_descriptions(self, versions: tuple[str, ...], features: tuple[str, ...]) -> None:
        """Refuse schemas with a definition, member or method that nothing describes.

        Raises:
            InputError: listing every one of them; else as ``resolve`` does.
        """
        schemas = {version: self.resolve(version, features).data for version in versions}
        require_descriptions(
            schemas, f"describe them in {self.folder.name}/{DESCRIPTIONS_DIR}, or in the schema"
        )

    def protocol(self, version: str, features: tuple[str, ...]) -> Protocol:
        """Return what the schema of ``version`` means with ``features`` applied; see ``resolve``."""
        return build_protocol(self.resolve(version, features), self.release(version))

    def shared_file(self, name: str) -> tuple[Path, str] | None:
        """Return a data file of the folder with its name in messages; None if it has none."""
        own = self.folder / name
        return (own, f"{self.folder.name}/{name}") if own.is_file() else None

    def names(self) -> NameData:
        """Return the names file's exceptions; none if there is no such file.

        Raises:
            InputError: if the file cannot be used.
        """
        found = self.shared_file(NAMES_FILE)
        return load_names(*found) if found else NameData(NAMES_FILE)

    def examples(self) -> dict[str, Mapping[tuple[str, ...], Any]]:
        """Return values for example messages of each version; see ``ExampleData``.

        They are written for the schemas of the folder: a file given instead takes none.

        Raises:
            InputError: if the file cannot be used, or a value in it is for nothing or does not fit.
        """
        found = self.shared_file(EXAMPLES_FILE)
        if found is None:
            return {}
        data, schemas = load_examples(*found), self._others("")
        check_examples(data, schemas)
        return {version: data.of(version) for version in schemas if version not in self.replaced}

    def rules(self) -> Rules:
        """Return the conversion rules; none if there is no such file.

        Raises:
            InputError: if the file cannot be used.
        """
        found = self.shared_file(RULES_FILE)
        return load_rules(*found) if found else Rules(f"{self.folder.name}/{RULES_FILE}", {})

    def parts(self, versions: tuple[str, ...], features: tuple[str, ...]) -> dict[str, bytes | str]:
        """Return the contents of every file that a build of ``versions`` reads, by name.

        Raises:
            InputError: if a file cannot be read.
            UsageError: if there is no such feature.
        """
        files = {f"schema {version}": self.schema_path(version) for version in versions}
        known = self.known_features()
        for feature in features:
            for version in versions:
                overlay = known.get(feature, {}).get(version)
                if overlay is not None:
                    files[f"overlay {feature} {version}"] = overlay
        for name in (NAMES_FILE, RULES_FILE, EXAMPLES_FILE, *map(gates_file, versions)):
            found = self.shared_file(name)
            if found is not None:
                files[name] = found[0]
        for path in description_files(self.folder):
            files[f"{DESCRIPTIONS_DIR}/{path.name}"] = path
        parts: dict[str, bytes | str] = {name: _bytes(path, name) for name, path in files.items()}
        parts["releases"] = json.dumps({version: self.release(version) for version in versions})
        parts["harmless"] = json.dumps(sorted(self.harmless))
        parts["features"] = json.dumps(sorted(features))
        return parts


def _age(version: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key that puts v2 before v10."""
    parts = re.findall(r"\d+|\D+", version)
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)


def _bytes(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}",
            where=Where(path.as_posix()),
            remedy=f"check the path of {name}",
        ) from error
