"""Which feature overlays there are, and picking the ones that are switched on."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from pathlib import Path

from ..errors import InputError, UsageError, Where
from .overlay_model import Overlay, load_overlay

OVERLAYS_DIR = "overlays"


def available_features(schemas_dir: Path) -> dict[str, dict[str, Path]]:
    """Return the overlays under ``schemas_dir``: feature -> version -> file, sorted.

    An overlay is ``<schemas_dir>/overlays/<feature>/<version>.json``.
    """
    found: dict[str, dict[str, Path]] = {}
    for path in sorted((schemas_dir / OVERLAYS_DIR).glob("*/*.json")):
        found.setdefault(path.parent.name, {})[path.stem] = path
    return found


def select_overlays(
    schemas_dir: Path,
    version: str,
    features: Iterable[str],
    *,
    harmless: Collection[str] = (),
) -> list[Overlay]:
    """Load the overlays of ``features`` for one protocol version, sorted by feature.

    A feature without an overlay for ``version`` changes nothing there.

    Args:
        schemas_dir: the folder that holds ``overlays``.
        version: the protocol version.
        features: the features that are on.
        harmless: unknown ``x-`` keywords to accept in overlays.

    Raises:
        UsageError: if there is no such feature in any version.
        InputError: if an overlay cannot be used, lies in the wrong place, or names a feature that
            does not exist.
    """
    known = available_features(schemas_dir)
    selected = []
    for feature in sorted(set(features)):
        if feature not in known:
            raise _unknown(feature, known)
        path = known[feature].get(version)
        if path is not None:
            name = path.relative_to(schemas_dir.parent).as_posix()
            overlay = load_overlay(path, name, harmless=harmless)
            _check_names(overlay, feature, version, known)
            selected.append(overlay)
    return selected


def _unknown(feature: str, known: Collection[str]) -> UsageError:
    close = difflib.get_close_matches(feature, known, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    listed = ", ".join(sorted(known)) or "none"
    return UsageError(f"unknown feature {feature!r}", remedy=f"{hint}known features: {listed}")


def _check_names(overlay: Overlay, feature: str, version: str, known: Collection[str]) -> None:
    for key, said, place in (
        ("feature", overlay.feature, feature),
        ("version", overlay.version, version),
    ):
        if said != place:
            raise InputError(
                f"the overlay says {key} {said!r} but lies where {place!r} belongs",
                where=Where(overlay.file, f"/{key}"),
                remedy=f"an overlay is {OVERLAYS_DIR}/<feature>/<version>.json",
            )
    for key, names in (("conflicts", overlay.conflicts), ("requires", overlay.requires)):
        for index, name in enumerate(names):
            if name not in known:
                raise InputError(
                    f"there is no feature {name!r}",
                    where=Where(overlay.file, f"/{key}/{index}"),
                    remedy=f"known features: {', '.join(sorted(known))}",
                )
