"""The checks, a module for each part of the RFD. The order of the imports is that of the reports."""

# isort: skip_file
from . import (
    advertising,
    results,
    listing,
    restoring,
    identity,
    persistence,
    independence,
    activity,
)

__all__ = [
    "activity",
    "advertising",
    "identity",
    "independence",
    "listing",
    "persistence",
    "restoring",
    "results",
]
