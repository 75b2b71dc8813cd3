"""Puts the helpers of these tests and those that they share on the import path."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (
    HERE,
    *(HERE.parent / name for name in ("bridge", "fidelity", "golden", "convert_properties")),
    HERE.parents[1] / "generated" / "python",
):
    sys.path.insert(0, str(folder))
