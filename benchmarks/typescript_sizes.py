"""Type-checking and bundling clients: what the compiler and the user's bundle pay."""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path

from ratios import Row, in_turns
from typescript_lab import TESTS, NodeLab

_BUNDLE = ("--bundle", "--format=esm", "--target=es2022", "--platform=neutral")
_NO_ZOD = ("--external:zod", "--external:zod/*")
_METHOD = re.compile(r'^export const (\w+) = \{\n(?:  .*\n)*?  wireName: "(.+?)",', re.MULTILINE)


def compile_rows(lab: NodeLab, rounds: int) -> list[Row]:
    """Return the time to type-check a file that imports both versions against the SDK's.

    Ours is checked as the source that it is, and as declarations, which is what a published
    package holds and what the SDK is.
    """
    declared = lab.ours.parent / "declared"
    declared.mkdir()
    (declared / "node_modules").symlink_to(TESTS / "node_modules")
    (declared / "package.json").write_text('{ "type": "module" }\n')
    emitted: dict[str, object] = {"emitDeclarationOnly": True, "outDir": "../declared"}
    _configure(lab.ours, emitted, "types.ts")
    lab.tool("tsc", "--project", ".", cwd=lab.ours)
    (declared / "types.d.ts").unlink()
    (declared / "types.ts").write_text((lab.ours / "types.ts").read_text())
    for folder in (lab.ours, declared, lab.peers):
        _configure(folder, {"noEmit": True, "declaration": False}, "types.ts")

    def check(folder: Path) -> float:
        return lab.seconds("tsc", "--project", ".", cwd=folder)

    folders = (lab.ours, declared, lab.peers)
    turns = in_turns(rounds + 1, *(lambda at=at: check(at) for at in folders))[1:]
    return [
        Row("our sources / the SDK's declarations", [ours / sdk for ours, _, sdk in turns]),
        Row("our declarations / the SDK's", [ours / sdk for _, ours, sdk in turns]),
    ]


def _configure(folder: Path, options: dict[str, object], *names: str) -> None:
    """Write a configuration with the options of the tests, for these files alone."""
    base = json.loads((TESTS / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]
    config = {"compilerOptions": {**base, "rootDir": ".", **options}, "files": names}
    (folder / "tsconfig.json").write_text(json.dumps(config))


def bundle_rows(lab: NodeLab) -> list[Row]:
    """Return the sizes of minified bundles against each other, as bytes / bytes.

    Raises:
        SystemExit: if a client does not type-check, or a bundle holds a method that it does not use.
    """
    for folder, clients in ((lab.ours, ("five.ts", "namespace.ts")), (lab.peers, ("five.ts",))):
        _configure(folder, {"noEmit": True, "lib": ["es2022", "dom"]}, *clients)
        lab.tool("tsc", "--project", ".", cwd=folder)
    _unused_is_gone(lab)
    five, every = _sizes(lab, lab.ours, "five"), _sizes(lab, lab.ours, "everything")
    named = _sizes(lab, lab.ours, "namespace")
    sdk, sdk_every = _sizes(lab, lab.peers, "five"), _sizes(lab, lab.peers, "everything")
    return [
        Row("five methods / the SDK's client of them, with zod", [five[0] / sdk[0]]),
        Row("the same, compressed by gzip", [five[1] / sdk[1]]),
        Row("the same, without zod", [five[2] / sdk[2]]),
        Row("five methods / all of ours, without zod", [five[2] / every[2]]),
        Row("five methods / all of ours, with zod", [five[0] / every[0]]),
        Row("the SDK's client / all of the SDK, without zod", [sdk[2] / sdk_every[2]]),
        Row("`v1` of the root module / of its own, without zod", [named[2] / five[2]]),
        Row("all of ours / all of the SDK, without zod", [every[2] / sdk_every[2]]),
    ]


def _sizes(lab: NodeLab, folder: Path, client: str) -> tuple[int, int, int]:
    """Return the size of a bundle with zod, the same compressed, and without zod."""
    whole = _bundle(lab, folder, client, "--minify").encode()
    bare = _bundle(lab, folder, client, "--minify", *_NO_ZOD).encode()
    return len(whole), len(gzip.compress(whole, 9, mtime=0)), len(bare)


def _bundle(lab: NodeLab, folder: Path, client: str, *options: str) -> str:
    return lab.tool("esbuild", f"{client}.ts", *_BUNDLE, *options, cwd=folder)


def _unused_is_gone(lab: NodeLab) -> None:
    text = _bundle(lab, lab.ours, "five", *_NO_ZOD)
    source = (lab.ours / "five.ts").read_text(encoding="utf-8")
    records = _METHOD.findall((lab.ours / "acp" / "v1" / "methods.ts").read_text(encoding="utf-8"))
    used = [(name, wire) for name, wire in records if re.search(rf"\b{name}\b", source)]
    left = [wire for name, wire in records if (name, wire) not in used and f'"{wire}"' in text]
    if len(used) != 5 or not all(f'"{wire}"' in text for _, wire in used) or left:
        sys.exit(f"benchmarks: a bundle of {len(used)} methods holds these too: {left}")
