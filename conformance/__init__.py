"""Conformance suite for session archiving: runs named checks against any agent, as a client would.

The package speaks through the generated bindings, which are shipped inside it as ``bindings``.
"""

from __future__ import annotations

import logging

from . import checks as checks  # which fills CHECKS
from .outcome import CannotStartError, Outcome, Report, Result
from .registry import CHECKS, Check
from .runner import Settings, run_suite
from .versions import VERSIONS

__all__ = [
    "CHECKS",
    "VERSIONS",
    "CannotStartError",
    "Check",
    "Outcome",
    "Report",
    "Result",
    "Settings",
    "run_suite",
]

# What an agent does wrong belongs into the result of a check, not into the log.
logging.getLogger(f"{__name__}.bindings").addHandler(logging.NullHandler())
logging.getLogger(f"{__name__}.bindings").propagate = False
