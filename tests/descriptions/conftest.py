"""Makes the mini schemas of the golden cases available here."""

from __future__ import annotations

import sys
from pathlib import Path

_GOLDEN = Path(__file__).parents[1] / "golden"
if str(_GOLDEN) not in sys.path:
    sys.path.insert(0, str(_GOLDEN))
