"""Makes the mini schemas of the golden cases, and the generated package, available here."""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
for _folder in (_ROOT / "tests" / "golden", _ROOT / "generated" / "python"):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))
