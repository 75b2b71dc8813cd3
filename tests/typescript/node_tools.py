"""Node, the packages of the TypeScript tests, and generated modules compiled for them."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import node_setup
import pytest
from acp_codegen.building import Options, plan_builds
from acp_codegen.config import Config, Output

FEATURE = "unstable_session_archive"
HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
GENERATED = REPOSITORY / "generated" / "typescript"
BUILDS = HERE / "build"


@functools.cache
def _missing() -> str:
    return node_setup.missing() or ("" if node_setup.STAMP.is_file() else "run `make node` first")


def need_node() -> None:
    """Skip the test without Node; under CI that is a failure."""
    missing = _missing()
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"CI has to run the TypeScript tests: {missing}", pytrace=False)
    if missing:
        pytest.skip(f"TypeScript was NOT tested: {missing}")


def run_tool(name: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a tool of the installed packages and return what it said."""
    tool = HERE / "node_modules" / ".bin" / name
    environment = {**os.environ, "ACP_LINTED": str(cwd), "NO_COLOR": "1"}
    return subprocess.run(
        [str(tool), *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that other test processes wait for."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compiled(files: Mapping[str, str], types: Sequence[str] = ()) -> Path:
    """Type-check and compile modules, given by path; return the folder with ``ts`` and ``js``.

    ``types`` names packages of global types. The generated modules need none.

    The result is kept by what it was made from, and shared by all test processes.
    """
    config = (HERE / "tsconfig.json").read_text(encoding="utf-8")
    lock = (HERE / "package-lock.json").read_text(encoding="utf-8")
    parts = json.dumps([config, lock, list(types), sorted(files.items())])
    digest = hashlib.sha256(parts.encode()).hexdigest()[:16]
    folder = BUILDS / digest
    with _locked(BUILDS / f"{digest}.lock"):
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            for path, text in files.items():
                target = folder / "ts" / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8", newline="\n")
            shutil.copy(HERE / "eslint.config.js", folder)
            (folder / "package.json").write_text('{ "type": "module" }\n')
            own = {"extends": "../../tsconfig.json", "include": ["ts"]}
            options = {"rootDir": "ts", "outDir": "js", "types": list(types)}
            (folder / "tsconfig.json").write_text(json.dumps({**own, "compilerOptions": options}))
            done = run_tool("tsc", "--project", ".", cwd=folder)
            assert done.returncode == 0, f"tsc in {folder}:\n{done.stdout[:4000]}"
            (folder / "done").touch()
    return folder


def texts(folder: Path) -> dict[str, str]:
    """Return the modules in a generated folder by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".ts", ".json") and "manifest" not in path.name
    }


def build(folder: Path, *options: str, integers: str = "") -> Path:
    """Build the TypeScript output into ``folder`` and return it."""
    script = Path(sys.executable).with_name("acp-codegen")
    arguments = ["build", "--target", "typescript", "--out", str(folder), *options]
    if integers:
        config = folder.parent / f"{folder.name}.toml"
        config.write_text(
            f"schemas = {json.dumps(str(REPOSITORY / 'schemas'))}\n"
            f"features = {json.dumps([FEATURE])}\n"
            f'[[outputs]]\ntarget = "typescript"\nout = "{folder.name}"\n'
            f'integers = "{integers}"\n'
        )
        arguments += ["--config", str(config)]
    done = subprocess.run(
        [str(script), *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


SHARED = ("codec", "json", "schema", "values", "rpc")


def together(folders: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return several generated folders as one: what they share stands in it once."""
    made: dict[str, str] = {}
    for name, files in folders.items():
        for path, text in files.items():
            stem = path.removesuffix(".ts")
            if stem in SHARED:
                made[path] = text
                text = f'export * from "../{stem}.js";\n'
            made[f"{name}/{path}"] = text
    return made


def render(schemas: Path, features: tuple[str, ...] = (), **options: str) -> dict[str, str]:
    """Return the files that a schemas folder gives; nothing is written."""
    output = Output("typescript", Path("out"), options=options)
    config = Config(schemas=schemas, features=features, outputs=(output,))
    [job] = plan_builds(config, Options())
    return dict(job.tree(lambda _: None).files)


class Harness:
    """A Node process with compiled modules, asked by JSON lines."""

    def __init__(self, folder: Path) -> None:
        node = shutil.which("node")
        assert node is not None
        self._process = subprocess.Popen(
            [node, str(HERE / "harness.js"), str(folder / "js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, requests: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Return the answer to each request."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        answers = []
        for request in requests:
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
            line = stdout.readline()
            assert line, f"Node ended at {request}"
            answers.append(json.loads(line))
        return answers

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
