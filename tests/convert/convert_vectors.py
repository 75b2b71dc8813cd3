"""The generated converter as a top-level module, for scripts that import it by one name:

    PYTHONPATH=tests/convert python ../shared/conversion/check_vectors.py \\
        --against convert_vectors:convert_json
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "python"))

from acp_bindings.convert import ConversionError, Loss, convert_json, v1_to_v2, v2_to_v1

__all__ = ["ConversionError", "Loss", "convert_json", "v1_to_v2", "v2_to_v1"]
