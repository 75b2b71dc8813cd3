"""Programs written on the generated bindings and the standard library, to learn the bindings from."""

import sys
from importlib.util import find_spec
from pathlib import Path

# The bindings are no installed package: a project keeps the generated folder in its own source
# tree. Here they are in generated/python, which is put on the path so that `python -m
# examples.archive_agent` runs in a bare clone. If there are bindings on the path already, such as
# those of a project that tries the examples on its own output, these are used.
if find_spec("acp_bindings") is None:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "generated" / "python"))
