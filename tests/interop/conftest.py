"""Puts the examples and the bindings on the path, as a project that holds both has them."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for folder in (ROOT / "generated" / "python", ROOT, HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
