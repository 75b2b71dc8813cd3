"""A bundler drops what a program does not use: other methods, their validators, most of zod."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from node_tools import GENERATED, HERE, need_node, run_tool

_ZOD = ("--external:zod", "--external:zod/*")
_USED = {"v1": ["agentNewSession", "agentCancel"], "v2": ["agentNewSession", "clientSessionUpdate"]}
_RECORD = re.compile(
    r'^export const (?P<name>\w+) = \{\n(?:  .*\n)*?  wireName: "(?P<wire>.+?)",\n(?:  .*\n)*?'
    r"  params: v\.(?P<params>\w+),\n(?:  result: v\.(?P<result>\w+),\n)?",
    re.MULTILINE,
)


def _records(version: str) -> dict[str, dict[str, str | None]]:
    text = (GENERATED / version / "methods.ts").read_text(encoding="utf-8")
    return {found["name"]: found.groupdict() for found in _RECORD.finditer(text)}


def _bundle(folder: Path, text: str, *options: str) -> str:
    """Return a bundle of a module with this text, which is not minified, so that names stay."""
    if not (folder / "acp").exists():
        shutil.copytree(GENERATED, folder / "acp")
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    entry = folder / "entry.ts"
    entry.write_text(text, encoding="utf-8")
    chosen = ("--bundle", "--format=esm", "--target=es2022", "--log-level=error", *options)
    done = run_tool("esbuild", entry.name, *chosen, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _client(version: str, names: list[str]) -> str:
    exported = ", ".join(["Connection", "Dispatcher", *names])
    return f'export {{ {exported} }} from "./acp/{version}/index.js";\n'


def _left(text: str, records: dict[str, dict[str, str | None]], used: list[str]) -> set[str]:
    """Return what of methods that are not used stands in a bundle."""
    needed = {name for one in used for name in (records[one]["params"], records[one]["result"])}
    unused = [record for name, record in records.items() if name not in used]
    names = {one[part] for one in unused for part in ("name", "params", "result")} - needed
    words = set(re.findall(r"\w+", text))
    wires = {str(one["wire"]) for one in unused}
    return {str(name) for name in names if name in words} | {
        wire for wire in wires if f'"{wire}"' in text
    }


@pytest.mark.parametrize("version", _USED)
def test_only_the_methods_that_are_used_are_in_a_bundle(version: str, tmp_path: Path) -> None:
    need_node()
    records, used = _records(version), _USED[version]
    assert len(records) > 15
    text = _bundle(tmp_path, _client(version, used), *_ZOD)
    for name in used:
        assert f'"{records[name]["wire"]}"' in text
        assert f"var {records[name]['params']} = " in text
    assert not _left(text, records, used)


@pytest.mark.parametrize("version", _USED)
def test_a_bundle_of_the_tables_holds_all(version: str, tmp_path: Path) -> None:
    """The search finds what is there."""
    need_node()
    records = _records(version)
    tables = ["AGENT_METHODS", "CLIENT_METHODS", "PROTOCOL_METHODS"]
    left = _left(_bundle(tmp_path, _client(version, tables), *_ZOD), records, [])
    wanted = {record[part] for record in records.values() for part in record}
    assert left == wanted - {None}


def test_the_modules_do_nothing_when_they_are_imported(tmp_path: Path) -> None:
    """Without the word of the package file: each statement is one that may be dropped."""
    need_node()
    shutil.copytree(GENERATED, tmp_path / "acp", ignore=shutil.ignore_patterns("package.json"))
    text = _bundle(tmp_path, 'import "./acp/index.js";\n', *_ZOD)
    lines = [line for line in text.splitlines() if line and not line.startswith("//")]
    assert lines and all(re.fullmatch(r'import .*"zod[/\w]*";', line) for line in lines), text


def test_a_bundle_holds_the_zod_that_is_used(tmp_path: Path) -> None:
    """Not its texts in all languages, nor its way to make schemas from JSON Schema."""
    need_node()
    text = _bundle(tmp_path, _client("v1", _USED["v1"]))
    modules = set(re.findall(r"^// .*node_modules/zod/(\S+)\.js$", text, re.MULTILINE))
    assert "v4/core/core" in modules
    assert {name for name in modules if "/locales/" in name} <= {"v4/locales/en"}
    assert "v4/classic/from-json-schema" not in modules


def test_converting_json_needs_no_validators(tmp_path: Path) -> None:
    need_node()
    text = _bundle(tmp_path, 'export { convertJson } from "./acp/convert.js";\n', *_ZOD)
    assert "function convertJson(" in text
    assert not re.search(r'^import .*"zod', text, re.MULTILINE)
    assert "class BridgeBase" not in text
