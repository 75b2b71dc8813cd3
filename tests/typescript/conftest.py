"""Puts the helpers of these tests, and the maker of instances, on the import path."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "fidelity", HERE.parent / "golden"):
    sys.path.insert(0, str(folder))
