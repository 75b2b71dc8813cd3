"""Reported faults, group e: texts of a schema that become code."""

from __future__ import annotations

import builtins
import inspect
import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError
from mini import refused, render, same, schema, write_package, write_schemas
from shapes import REAL, TEXT, WHOLE, branch, closed, keyed, many, obj


def _imports_cleanly(files: dict[str, str], folder: Path, name: str) -> None:
    """Import everything in a process of its own, warnings as errors; no canary may come of it."""
    write_package(files, folder, name)
    modules = [
        f"{name}." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in files
        if path.endswith(".py") and path != "__init__.py"
    ]
    program = (
        "import importlib, sys, builtins\n"
        "for name in sys.argv[1:]:\n"
        "    module = importlib.import_module(name)\n"
        "    assert not hasattr(module, 'CANARY')\n"
        "assert not hasattr(builtins, 'CANARY')"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *modules],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not hasattr(builtins, "CANARY")


_DESCRIPTIONS = [
    'Fine "things"',
    'has """ inside\nand \'\'\' too\n"""',
    "\\",
    "ends with \\",
    'ends with "',
    "C:\\new\\x \\N{y} \\u34 \\x",
    "two\r\nlines\ttab\x0cff\x00nul \u2028sep",
    '"""\nCANARY = 1\n"""',
    "\n  # no comment\n",
    '"',
    '""',
    '"""',
    '\\"',
    "",
]


def _described(text: str) -> dict[str, Any]:
    return {
        "Desk": obj({"a": {**TEXT, "description": text}, "b": WHOLE}, "a", description=text),
        "Either": {
            "description": text,
            "anyOf": [
                {"title": "p", "description": text, **TEXT},
                {"title": "q", "description": text, **WHOLE},
            ],
        },
    }


@pytest.mark.parametrize("text", _DESCRIPTIONS)
def test_e01_docstring_escapes(text: str, tmp_path: Path, mini: Any) -> None:
    files = render(write_schemas(tmp_path / "schemas", {"v1": _described(text)}))
    _imports_cleanly(files, tmp_path, "docs_e01")
    v1 = mini(_described(text))
    same(v1, "Desk", {"a": "x"})
    same(v1, "Either", 1)
    refused(v1, "Either", None)
    wanted = " ".join(text.replace("\r\n", "\n").split())
    if wanted:
        whole = f"{wanted} Attributes: a: {wanted}"
        assert " ".join((inspect.getdoc(v1.Desk) or "").split()) == whole


def test_e01_texts_of_fields_are_kept(tmp_path: Path) -> None:
    defs = {
        "Desk": obj(
            {
                "a": {**TEXT, "description": "What lies left."},
                "b": {**WHOLE, "description": "What lies right."},
            },
            "a",
        )
    }
    source = render(write_schemas(tmp_path / "schemas", {"v1": defs}))["v1/models.py"]
    assert "What lies left." in source and "What lies right." in source


def test_e02_ts_comment_terminator(tmp_path: Path, mini: Any) -> None:
    defs = {
        "Globs": obj(
            {
                "one": {**TEXT, "description": "fits */bar and lib/**/*.ts"},
                "two": {**TEXT, "description": "y */ ; globalThis.CANARY = 2; /*"},
                "three": {**TEXT, "description": "b\u2028CANARY = 2\rCANARY = 2"},
                "four": {"type": "string", "pattern": "^(?:\\S+|/.*/[a-z]*)$"},
            },
            description="*/ CANARY = 2; /** \" # '",
            title="Q */ r\nCANARY = 2",
        )
    }
    _imports_cleanly(render(write_schemas(tmp_path / "schemas", {"v1": defs})), tmp_path, "p_e02")
    v1 = mini(defs)
    same(v1, "Globs", {"one": "o", "four": "/y/g"})
    assert refused(v1, "Globs", {"four": " "}) == ["/four"]
    assert "CANARY = 2; /**" in (inspect.getdoc(v1.Globs) or "")


def test_e03_default_value_injection(tmp_path: Path, mini: Any) -> None:
    texts = {
        "a": "'; CANARY = 3 #",
        "b": '"); CANARY = 3\nCANARY = 3\n(',
        "c": "`${globalThis.CANARY = 3}`",
        "d": "{__import__('builtins')}",
        "e": "\\",
        "f": "{{ 3 * 3 }}",
    }
    tree = {"j'] + [": "\\'", '"""': "{x}"}
    defs = {
        "Seeds": obj(
            {
                **{key: {**TEXT, "default": text} for key, text in texts.items()},
                "tree": keyed(TEXT, default=tree),
                "list": many(TEXT, default=["\\", '"""']),
            }
        )
    }
    _imports_cleanly(render(write_schemas(tmp_path / "schemas", {"v1": defs})), tmp_path, "p_e03")
    v1 = mini(defs)
    names = {wire.name: name for name, wire in v1.Seeds.__acp_wire__.items()}
    for seeds in (v1.Seeds(), v1.decode("Seeds", {})):
        assert {key: getattr(seeds, names[key]) for key in texts} == texts
        assert getattr(seeds, names["tree"]) == tree
        assert getattr(seeds, names["list"]) == ["\\", '"""']
        assert v1.encode(seeds) == {}
    same(v1, "Seeds", {"a": "'; CANARY = 3 #"})
    refused(v1, "Seeds", {"a": 3})


def test_e04_enum_const_key_injection(tmp_path: Path, mini: Any) -> None:
    words = ["fine", "y'\nCANARY = 4\n'", "\\", '"]); CANARY = 4 #', "`;globalThis.CANARY=4;`"]
    keys = ['p"); CANARY = 4 #', "q\n    CANARY = 4", "r'", "__class__", "__proto__"]
    tag = "u'\""
    defs = {
        "Word": {"type": "string", "enum": words},
        "Keys": obj(dict.fromkeys(keys, TEXT)),
        "Kind": closed(tag, branch(tag, "v']\nCANARY = 4 #"), branch(tag, "w")),
    }
    _imports_cleanly(render(write_schemas(tmp_path / "schemas", {"v1": defs})), tmp_path, "p_e04")
    v1 = mini(defs)
    for word in words:
        same(v1, "Word", word)
    refused(v1, "Word", "y'")
    refused(v1, "Word", None)
    found = same(v1, "Keys", {key: f"at {key}" for key in keys})
    names = {wire.name: name for name, wire in type(found).__acp_wire__.items()}
    assert {key: getattr(found, names[key]) for key in keys} == {key: f"at {key}" for key in keys}
    assert refused(v1, "Keys", {"r'": 1}) == ["/r'"]
    same(v1, "Kind", {tag: "v']\nCANARY = 4 #"})
    refused(v1, "Kind", {tag: "x"})


def _listing(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


def test_e07_output_path_escape(tmp_path: Path, run: Any) -> None:
    names = ("../../escape", "/abs/olute", "CON", "a\\..\\b", "trail.", "models")
    data = json.loads(schema({name: obj({"v": TEXT}) for name in names}))
    data["title"] = "../../../tmp/evil"
    write_schemas(tmp_path / "schemas", {"v1": {"X": REAL}})
    (tmp_path / "schemas/v1/schema.json").write_text(json.dumps(data))
    config = 'schemas = "schemas"\n[[outputs]]\ntarget = "python"\nout = "out"\n'
    (tmp_path / "acp-codegen.toml").write_text(config)
    before = _listing(tmp_path)
    done = run("build")
    assert done.returncode == 0, done.stderr
    made = {path for path in _listing(tmp_path) if path not in before}
    assert all(path == "out" or path.startswith("out/") for path in made)
    assert not any(Path(path).stem.lower() == "con" or "escape" in path for path in made)

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "keep.py").write_text("mine\n")
    (elsewhere / "models.py").write_text("mine\n")
    second = tmp_path / "second"
    second.mkdir()
    (second / "v1").symlink_to(elsewhere, target_is_directory=True)
    outside = _listing(elsewhere)
    done = run("build", "--out", "second")
    assert done.returncode in (0, 2, 3) and "Traceback" not in done.stderr
    assert _listing(elsewhere) == outside
    for feature in ("../x", "/etc", "a/../../x"):
        done = run("build", "--feature", feature)
        assert done.returncode == 2 and "Traceback" not in done.stderr


def test_e08_remote_and_file_refs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", never)
    monkeypatch.setattr(socket, "create_connection", never)
    for bad in (
        "http://127.0.0.1:1/x",
        "file:///etc/passwd",
        "../y.json#/$defs/Z",
        "y.json",
        "#/$defs/None",
        "#/definitions/Here",
        "#",
        "#Here",
    ):
        defs = {"Here": obj({"ok": {"$ref": "#/$defs/There"}, "bad": {"$ref": bad}}), "There": TEXT}
        where = write_schemas(tmp_path / "schemas", {"v1": defs})
        with pytest.raises(InputError) as caught:
            render(where)
        message = str(caught.value)
        assert "/$defs/Here/properties/bad" in message and json.dumps(bad)[1:-1] in message
