"""The two schemas of a comparison: a bundled version by its name, or a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import InputError
from ..protocol.build import build_protocol
from ..protocol.ir import Protocol
from ..schema.load import check_schema, load_document
from ..schema.overlay import apply_overlays
from ..sources import Sources
from .model import Compared


@dataclass(frozen=True)
class Given:
    """One schema of a comparison.

    Attributes:
        name: what the user called it.
        version: the version of the schemas folder that it is, or None for a file.
        protocol: what it means.
        refusals: why overlays of features that are on do not apply to it, if they were tried.
        gates: why gates of the version that it is compared with do not fit it.
    """

    name: str
    version: str | None
    protocol: Protocol
    refusals: tuple[InputError, ...] = ()
    gates: tuple[InputError, ...] = ()

    def compared(self) -> Compared:
        """Return what a report says of it."""
        protocol = self.protocol
        return Compared(self.name, protocol.file, protocol.sha256, protocol.features)


def read_pair(
    old: str, new: str, sources: Sources, features: tuple[str, ...]
) -> tuple[Given, Given]:
    """Return the two schemas of a comparison.

    A file that is compared with a version gets the features of that version, as far as they apply.

    Args:
        old: the name of a version, or the path of a file. A version comes first: ``./v1`` is a file.
        new: the same for the new schema.
        sources: where the versions are.
        features: the features that are on in a version.

    Raises:
        UsageError: if there is no such feature.
        InputError: if a schema cannot be used.
    """
    known = sources.versions()
    versions = [name if name in known else None for name in (old, new)]
    return (
        _read(old, versions[0], versions[1], sources, features),
        _read(new, versions[1], versions[0], sources, features),
    )


def _read(
    name: str, own: str | None, other: str | None, sources: Sources, features: tuple[str, ...]
) -> Given:
    if own is not None:
        return Given(name, own, sources.protocol(own, features))
    path = Path(name)
    try:
        if other is not None:
            replaced = replace(sources, replaced={**sources.replaced, other: path})
            schema, refusals = replaced.resolve_fitting(other, features)
            protocol = build_protocol(schema, path.name)
            gates = replaced.unmatched_gates(other)
            return Given(name, None, protocol, tuple(refusals), gates)
        document = load_document(path, file=path.as_posix())
        check_schema(document, harmless=sources.harmless)
    except InputError as error:
        if path.exists() or error.where is None or error.where.file != path.as_posix():
            raise
        versions = ", ".join(sources.versions())
        raise InputError(
            error.what, where=error.where, remedy=f"give a file, or one of the versions {versions}"
        ) from error
    return Given(name, None, build_protocol(apply_overlays(document, "", []), path.name))
