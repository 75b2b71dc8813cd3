"""The TypeScript output against the official TypeScript SDK: decoding, compiling, bundling."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median

from messages import MESSAGES
from ratios import Row, at_least, geometric_means, show
from typescript_lab import SDK, NodeLab
from typescript_sizes import bundle_rows, compile_rows

_AIMS = {"decode": 1}


def show_typescript(scratch: Path, quick: bool) -> None:
    """Measure and print all tables of the TypeScript output. Needs Node and its packages."""
    lab = NodeLab(scratch)
    _show_messages(lab, scratch, 9 if quick else 31)
    show("Type-checking a file of both versions: time / time", compile_rows(lab, 2 if quick else 7))
    show("Minified bundles: bytes / bytes", bundle_rows(lab))


def _show_messages(lab: NodeLab, scratch: Path, rounds: int) -> None:
    modules = sorted(path.relative_to(lab.ours).as_posix() for path in lab.ours.glob("acp/**/*.ts"))
    lab.tool("esbuild", *modules, "--outdir=js", "--outbase=.", "--target=es2022", cwd=lab.ours)
    given = scratch / "messages.json"
    given.write_text(json.dumps([message._asdict() for message in MESSAGES]))
    # The SDK does not export its schemas; they are the ones that its connection parses with.
    schemas = SDK / "dist" / "v1" / "schema" / "zod.gen.js"
    folder = lab.ours / "js" / "acp"
    arguments = (str(folder), str(schemas), str(given), str(rounds))
    told = json.loads(lab.node("typescript_messages.js", *arguments))
    for label, places in told["adds"].items():
        if places:
            print(f"The SDK adds to {label}: {', '.join(places)}", file=sys.stderr)
    found = told["ratios"]
    names = list(next(iter(found.values())))
    title = "Messages in TypeScript: our rate / the SDK's"
    print(f"\n{title:<44}" + "".join(f"{name:>18}" for name in names))
    for label, ratios in found.items():
        print(f"  {label:<42}" + "".join(f"{median(ratios[name]):>18.2f}" for name in names))
    rows = []
    for name in names:
        means = geometric_means(ratios[name] for ratios in found.values())
        rows.append(at_least(name, means, _AIMS[name]) if name in _AIMS else Row(name, means))
    show("Geometric mean over the messages: our rate / the SDK's", rows)
