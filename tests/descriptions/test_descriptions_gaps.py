"""``--require-descriptions``: nothing of ours lacks a text, and a gap is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = str(Path(sys.executable).with_name("acp-codegen"))
METASCHEMA = "https://json-schema.org/draft/2020-12/schema"
CALL = {"x-side": "agent", "x-method": "row/add"}
DEFS = {
    "AddRequest": {"type": "object", "properties": {"a": {"type": "string"}}, **CALL},
    "AddResponse": {"type": "object", **CALL},
    "Word": {"oneOf": [{"const": "x"}, {"const": "y", "description": "Why."}]},
    "Kind": {
        "anyOf": [
            {"title": "add", "allOf": [{"$ref": "#/$defs/AddRequest"}]},
            {"title": "text", "type": "string"},
        ],
    },
}


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def project(folder: Path) -> Path:
    (folder / "schemas" / "v1").mkdir(parents=True)
    schema = json.dumps({"$schema": METASCHEMA, "$defs": DEFS})
    (folder / "schemas" / "v1" / "schema.json").write_text(schema, encoding="utf-8")
    config = 'schemas = "schemas"\n[[outputs]]\ntarget = "python"\nout = "out"\n'
    (folder / "acp-codegen.toml").write_text(config, encoding="utf-8")
    return folder


def test_nothing_of_the_project_lacks_a_description() -> None:
    done = run("check", "--require-descriptions", cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "All outputs are up to date.\n")


def test_nothing_lacks_one_with_every_feature_off() -> None:
    from acp_codegen.resources import schemas_dir
    from acp_codegen.sources import Sources

    Sources(schemas_dir()).require_descriptions(("v1", "v2"), ())


def test_every_gap_is_listed_and_nothing_is_written(tmp_path: Path) -> None:
    folder = project(tmp_path)
    for command in ("build", "check"):
        done = run(command, "--require-descriptions", cwd=folder)
        assert done.returncode == 3
        assert done.stderr == (
            "acp-codegen: no description for:\n"
            "  v1 method row/add (definition AddRequest)\n"
            "  v1 property AddRequest.a\n"
            "  v1 definition AddResponse\n"
            "  v1 definition Word\n"
            "  v1 word Word.x\n"
            "  v1 definition Kind\n"
            "  v1 variant Kind.text\n"
            "7 in all. Describe them in schemas/descriptions, or in the schema.\n"
        )
    assert not (folder / "out").exists()


def test_a_build_without_the_option_does_not_ask(tmp_path: Path) -> None:
    folder = project(tmp_path)
    assert run("build", cwd=folder).returncode == 0
    (folder / "schemas" / "descriptions").mkdir()
    texts = folder / "schemas" / "descriptions" / "rows.toml"
    texts.write_text('[definitions]\nWord = "A word."\n', encoding="utf-8")
    drift = run("check", cwd=folder)
    assert drift.returncode == 1
    assert '+"""A word.' in drift.stderr
