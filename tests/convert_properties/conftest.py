"""Puts the helpers, the instance maker of the fidelity tests and the bindings on the import path."""

from __future__ import annotations

import sys
from pathlib import Path

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
for _folder in (_ROOT / "generated" / "python", _HERE.parent / "fidelity", _HERE):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))
