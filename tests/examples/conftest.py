"""Puts the examples and the bindings on the path, as a project that holds both has them."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
for folder in (ROOT / "generated" / "python", ROOT):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
