"""From what the user named to a report."""

from __future__ import annotations

from ..config import Config
from ..sources import Sources
from .compare import compare, has_descriptions
from .given import read_pair
from .model import Report
from .stale import stale_keys


def make_report(
    old: str, new: str, sources: Sources, features: tuple[str, ...], config: Config
) -> Report:
    """Compare two schemas.

    Args:
        old: the name of a version of the schemas folder, or the path of a schema file.
        new: the same for the new schema.
        sources: the schemas folder.
        features: the features that are on in versions of the folder.
        config: the configuration, whose keys may stop matching.

    Raises:
        UsageError: if there is no such feature.
        InputError: if a schema, or a file of the schemas folder, cannot be used.
    """
    before, after = read_pair(old, new, sources, features)
    # A schema that was imported without its descriptions has nothing to compare.
    described = has_descriptions(before.protocol), has_descriptions(after.protocol)
    sides = {side: names.shared for side, names in sources.names().sides.items()}
    findings = compare(before.protocol, after.protocol, sides, texts=all(described))
    stale = stale_keys(before, after, sources, features, config)
    alike = described[0] == described[1]
    return Report(before.compared(), after.compared(), findings, stale, alike)
