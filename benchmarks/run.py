"""Print how fast the generator and the generated packages are, as ratios measured in this run."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from environment import HERE, PACKAGE, Lab, peer_python
from imports import import_rows
from processes import generator_rows
from ratios import Row, at_least, at_most, geometric_means, show
from typescript import show_typescript
from typescript_lab import ready

_AIMS = {
    "decode from dict": 2,
    "decode from text": 2,
    "round trip, dict": 1.5,
    "round trip, text": 1.5,
}


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        help="generator, imports, messages, conversion, typescript; all if none is given",
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument(
        "--package", type=Path, default=PACKAGE, help="measure this copy of acp_bindings"
    )
    options = parser.parse_args()
    parts = options.parts or ["generator", "imports", "messages", "conversion", "typescript"]
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder), options.package)
        if "generator" in parts:
            show("Generator: time / time", generator_rows(lab, 2 if options.quick else 5))
        if "imports" in parts:
            rows = import_rows(lab, peer_python(), 5 if options.quick else 15)
            show("Import beyond pydantic: time / time", rows)
        if "messages" in parts:
            _show_messages(lab, 9 if options.quick else 31)
        if "conversion" in parts:
            _show_conversion(lab, 9 if options.quick else 31)
        if "typescript" in parts:
            if ready():
                show_typescript(Path(folder) / "typescript", options.quick)
            elif options.parts:
                sys.exit("benchmarks: the part typescript needs Node")


def _show_messages(lab: Lab, rounds: int) -> None:
    found = json.loads(lab.run(str(HERE / "fidelity.py"), str(rounds), python=peer_python()))
    names = list(next(iter(found.values())))
    columns = names[:6]  # the rest only in the summary
    title = "Messages: our rate / the peer's, medians"
    print(f"\n{title:<44}" + "".join(f"{name:>18}" for name in columns))
    for label, ratios in found.items():
        print(f"  {label:<42}" + "".join(f"{median(ratios[name]):>18.2f}" for name in columns))
    rows = []
    for name in names:
        means = geometric_means(ratios[name] for ratios in found.values())
        rows.append(at_least(name, means, _AIMS[name]) if name in _AIMS else Row(name, means))
    show("Geometric mean over the messages: our rate / the peer's", rows)


def _show_conversion(lab: Lab, rounds: int) -> None:
    found = json.loads(lab.run(str(HERE / "conversion.py"), str(rounds), python=peer_python()))
    rows = [Row(label, ratios) for label, ratios in found.items()]
    rows.append(at_most("geometric mean", geometric_means(found.values()), 1))
    show("Conversion v1 to v2: time / time to decode once", rows)


if __name__ == "__main__":
    main()
