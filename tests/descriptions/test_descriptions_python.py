"""What descriptions become in Python: docstrings, and nothing else."""

from __future__ import annotations

import ast
import inspect
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any

import mini
import pytest
from acp_codegen.resources import schemas_dir
from acp_codegen.sources import Sources
from acp_codegen.targets.python.formatting import LINE_LENGTH
from acp_codegen.targets.python.literals import docstring

ROOT = Path(__file__).parents[2]
GENERATED = ROOT / "generated" / "python"
HELP = """\
Lists the sessions that the agent knows, a page at a time. Needs the agent's capability
`sessionCapabilities.list`.

Attributes:
    cwd: Lists only sessions that work in this folder, an absolute path. Null and omission list
        those of every folder.
    cursor: The `nextCursor` of the page before. Null and omission ask for the first page.
    archived: True lists archived sessions beside the others. False, null and omission list only
        sessions that are not archived. It has to stay the same from page to page. Needs the
        agent's capability `sessionCapabilities.archive`.
    meta: Implementation-defined metadata, with any values. Readers ignore keys that they do not
        know. Null means the same as leaving it out."""
CONNECTIONS = {"Agent": "ClientSideConnection", "Client": "AgentSideConnection"}
LONG = "word " * 60
HOSTILE = 'a """\nimport builtins; builtins.CANARY = 1\n""" \\' + "\n" + "x\\ " * 60 + '"'


@pytest.fixture(scope="module")
def bindings() -> Any:
    sys.path.insert(0, str(GENERATED))
    try:
        import acp_bindings
    finally:
        sys.path.remove(str(GENERATED))
    return acp_bindings


def test_help_tells_what_a_class_and_its_fields_are(bindings: Any) -> None:
    assert inspect.getdoc(bindings.v1.ListSessionsRequest) == HELP
    shown = pydoc.render_doc(bindings.v1.ListSessionsRequest, renderer=pydoc.plaintext)
    lines = [line.strip(" |") for line in shown.splitlines()]
    wanted = [line.strip() for line in HELP.splitlines()]
    start = lines.index(wanted[0])
    assert lines[start : start + len(wanted)] == wanted


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_class_documents_each_of_its_fields(bindings: Any, version: str) -> None:
    models = bindings and __import__(f"acp_bindings.{version}.models", fromlist=["models"])
    classes = [
        found
        for found in vars(models).values()
        if inspect.isclass(found) and found.__module__ == models.__name__
    ]
    assert len(classes) > 150
    for found in classes:
        doc = inspect.getdoc(found) or ""
        assert not doc.startswith(found.__name__), found
        for field in found.model_fields:
            assert f"\n    {field}: " in doc, (found, field)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_methods_say_what_they_do_on_both_sides(bindings: Any, version: str) -> None:
    package = getattr(bindings, version)
    methods = Sources(schemas_dir()).protocol(version, ("unstable_session_archive",)).methods
    assert len(methods) > 15
    for method in methods:
        side = "Client" if method.side == "client" else "Agent"
        for owner in (getattr(package, side), getattr(package, CONNECTIONS[side])):
            docs = [
                " ".join((inspect.getdoc(found) or "").split()) for found in vars(owner).values()
            ]
            opening = f"{method.wire_name}, a {method.kind} that"
            [doc] = [doc for doc in docs if doc.startswith(opening)]
            assert method.doc in doc
    listed = inspect.getdoc(package.Agent.list_sessions) or ""
    assert "Lists the sessions that the agent knows, a page at a time." in listed


def test_aliases_tell_their_words_and_variants() -> None:
    source = (GENERATED / "acp_bindings" / "v2" / "models.py").read_text(encoding="utf-8")
    assert '\n"""How far a tool call is.\n\nValues:\n    pending: Not begun' in source
    assert "\n    any other: A status that this version does not know. The call counts" in source
    assert '\n"""A piece of content: in prompts' in source
    assert "\n\nVariants:\n    text: Text, read as Markdown." in source


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("module", ["models", "agent", "client"])
def test_docstrings_stay_within_the_line_length(version: str, module: str) -> None:
    source = (GENERATED / "acp_bindings" / version / f"{module}.py").read_text(encoding="utf-8")
    lines = source.split("\n")
    checked = 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            assert node.end_lineno is not None
            for line in lines[node.lineno - 1 : node.end_lineno]:
                checked += 1
                assert len(line) <= LINE_LENGTH, line
    assert checked > 20


def _bare(source: str) -> str:
    """Return the syntax tree without strings that stand alone."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                item
                for item in body
                if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
            ] or [ast.Pass()]
    return ast.dump(tree)


def _defs() -> dict[str, Any]:
    text = {"type": "string"}
    call = {"x-side": "agent", "x-method": "row/add"}
    return {
        "AddRequest": {"type": "object", "properties": {"a": text, "b": {}}, **call},
        "AddResponse": {"type": "object", "additionalProperties": False, **call},
        "Word": {"anyOf": [{"const": "x", "type": "string"}, {"title": "other", **text}]},
        "Either": {"anyOf": [{"title": "Text", **text}, {"title": "Flag", "type": "boolean"}]},
        "Shape": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": word}, "size": {"type": ["integer", "null"]}},
                    "required": ["kind"],
                }
                for word in ("dot", "row")
            ]
        },
        "Anything": {},
        "Name": {"allOf": [{"$ref": "#/$defs/Word"}]},
    }


def _texts(text: str) -> str:
    said = '"""' + "".join(
        char if char.isalnum() or char in " ." else f"\\u{ord(char):04x}" for char in text
    ) + '"""'  # fmt: skip
    return f"""
[definitions]
Anything = {said}
Name = {said}
AddResponse = {said}
[definitions.AddRequest]
text = {said}
properties.a = {said}
properties.b = {said}
[definitions.Word]
text = {said}
words.x = {said}
variants.other = {said}
[definitions.Either]
text = {said}
variants.Text = {said}
variants.Flag = {said}
[definitions.Shape]
text = {said}
properties.kind = {said}
variants.dot.text = {said}
variants.dot.properties.size = {said}
variants.row = {said}
"""


@pytest.mark.parametrize("text", [LONG, HOSTILE], ids=["long", "hostile"])
def test_texts_change_nothing_but_docstrings(tmp_path: Path, text: str) -> None:
    plain = mini.render(mini.write_schemas(tmp_path / "plain", {"v1": _defs()}))
    folder = mini.write_schemas(tmp_path / "schemas", {"v1": _defs()})
    (folder / "descriptions").mkdir()
    (folder / "descriptions" / "all.toml").write_text(_texts(text), encoding="utf-8")
    files = mini.render(folder)
    assert sorted(files) == sorted(plain)
    assert files["v1/models.py"] != plain["v1/models.py"]
    for path, source in files.items():
        if path.endswith(".py"):
            assert _bare(source) == _bare(plain[path]), path
    package = mini.write_package(files, tmp_path, "told")
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-c",
            "import builtins, inspect\nfrom told import v1\n"
            "assert not hasattr(builtins, 'CANARY')\nprint(inspect.getdoc(v1.AddRequest))",
        ],
        cwd=package.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    folded = " ".join(text.split())
    assert " ".join(done.stdout.split()) == f"{folded} Attributes: a: {folded} b: {folded}"


@pytest.mark.parametrize("indent", [0, 4, 8])
def test_a_docstring_is_wrapped_below_its_indentation(indent: int) -> None:
    made = docstring(f"{LONG}\n\n    - {LONG}\n\n```\n{LONG.strip()}\n```\n", indent)
    lines = made.split("\n")
    assert [len(line) > LINE_LENGTH for line in lines].count(True) == 1  # the fenced one
    assert lines[1].startswith(" " * indent + "word")
    assert any(line.startswith(" " * indent + "    word") for line in lines)
    assert lines[-1] == " " * indent + '"""'
    assert made.count("word") == 180
