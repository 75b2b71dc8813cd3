"""Reported faults, group d: names."""

from __future__ import annotations

import copy
import inspect
import keyword
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any, get_args

from mini import refused, render, same, write_package, write_schemas
from shapes import (
    AGENT_SIDE,
    FLAG,
    META,
    REAL,
    TEXT,
    WHOLE,
    const,
    keyed,
    many,
    method,
    obj,
    ref,
    use,
)


def _python(cls: Any) -> dict[str, str]:
    """Return wire name -> Python name."""
    found = {wire.name: name for name, wire in cls.__acp_wire__.items()}
    assert len(set(found.values())) == len(found)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in found.values())
    return found


def _reads_back(v1: Any, definition: str, value: dict[str, Any]) -> Any:
    found = same(v1, definition, value)
    names = _python(type(found))
    assert {wire: getattr(found, names[wire]) for wire in value} == value
    assert v1.encode(type(found)(**{names[wire]: item for wire, item in value.items()})) == value
    return found


def test_d01_basemodel_members_as_fields(mini: Any) -> None:
    words = [
        "schema",
        "copy",
        "json",
        "dict",
        "model_config",
        "model_fields",
        "model_dump",
        "model_validate",
        "validate",
        "construct",
        "register",
        "fields",
        "parse_obj",
        "model_computed_fields",
        "model_extra",
        "model_post_init",
        "model_rebuild",
        "from_orm",
    ]
    v1 = mini({"Drawer": obj(dict.fromkeys(words, TEXT), "copy")})
    found = _reads_back(v1, "Drawer", {word: f"in {word}" for word in words})
    assert found.model_dump() == {word: f"in {word}" for word in words}
    assert copy.copy(found) == found.model_copy() == found
    assert found.model_extra == {}
    assert refused(v1, "Drawer", {"copy": 1}) == ["/copy"]
    assert refused(v1, "Drawer", {"schema": "s"}) == ["/copy"]
    assert refused(v1, "Drawer", {"copy_": "s"}) == ["/copy"]


def test_d02_keywords_as_fields(mini: Any) -> None:
    words = [
        "class",
        "from",
        "global",
        "None",
        "True",
        "False",
        "async",
        "await",
        "lambda",
        "import",
        "pass",
        "is",
        "not",
        "match",
        "type",
        "print",
        "self",
        "cls",
        "id",
        "def",
        "DELETE",
        "function",
        "var",
        "interface",
    ]
    v1 = mini(
        {
            "Gear": obj({**dict.fromkeys(words, TEXT), "Global": WHOLE}, "class"),
            "True": obj({"n": WHOLE}),
            "None": {"oneOf": [const("or"), const("if"), const("None")], "default": "or"},
            "async": obj({"w": use("None", default="if")}),
        }
    )
    _reads_back(v1, "Gear", {**{word: f"w {word}" for word in words}, "Global": 5})
    assert refused(v1, "Gear", {"class": None}) == ["/class"]
    assert refused(v1, "Gear", {"class_": "c"}) == ["/class"]
    for word in ("or", "if", "None"):
        same(v1, "None", word)
    refused(v1, "None", "OR")
    refused(v1, "None", None)
    assert v1.decode("async", {}).w == "if"
    assert refused(v1, "async", {"w": "xor"}) == ["/w"]
    same(v1, "True", {"n": 1})


def test_d03_leading_underscore(mini: Any) -> None:
    v1 = mini(
        {
            "Page": obj(
                {
                    "_meta": META,
                    "meta": TEXT,
                    "field_meta": TEXT,
                    "__no": WHOLE,
                    "@no": TEXT,
                    "$no": TEXT,
                    "no": TEXT,
                    "_no": TEXT,
                },
                "_no",
            )
        }
    )
    value = {
        "_no": "p",
        "no": "q",
        "@no": "r",
        "$no": "s",
        "__no": 4,
        "_meta": {"z": [2]},
        "meta": "t",
        "field_meta": "u",
    }
    _reads_back(v1, "Page", value)
    assert len(_python(v1.Page)) == 8
    same(v1, "Page", {"_no": "p", "_meta": None})
    assert refused(v1, "Page", {"no": "q"}) == ["/_no"]
    assert refused(v1, "Page", {"_no": "p", "__no": "4"}) == ["/__no"]
    same(v1, "Page", {"_no": "p", "_unknown": {"k": None}})


def test_d04_snake_case_collisions(mini: Any) -> None:
    kinds = {
        "rowNo": WHOLE,
        "row_no": TEXT,
        "RowNo": FLAG,
        "row-no": REAL,
        "TCPPort8Up": TEXT,
        "Row_No_": TEXT,
        "r.n": TEXT,
        "r n": TEXT,
    }
    turned = dict(reversed(kinds.items()))
    value = {
        "rowNo": 1,
        "row_no": "s",
        "RowNo": True,
        "row-no": 0.5,
        "TCPPort8Up": "h",
        "Row_No_": "d",
        "r.n": "1",
        "r n": "2",
    }
    one, two = mini({"Grid": obj(kinds)}), mini({"Grid": obj(turned)})
    _reads_back(one, "Grid", value)
    assert _python(one.Grid) == _python(two.Grid)
    assert _python(one.Grid)["row_no"] == "row_no"
    for key, bad in (("rowNo", "1"), ("row_no", 1), ("RowNo", "x"), ("row-no", "x")):
        assert refused(one, "Grid", {key: bad}) == [f"/{key}"]


def test_d06_defs_named_like_imports(mini: Any) -> None:
    words = [
        "Field",
        "BaseModel",
        "Any",
        "Literal",
        "Optional",
        "Annotated",
        "Union",
        "List",
        "datetime",
        "Error",
        "object",
        "Record",
        "Array",
        "Promise",
        "Date",
        "RootModel",
        "TypeAdapter",
        "ConfigDict",
    ]
    box = obj({"in": TEXT}, "in")
    v1 = mini(
        {
            **dict.fromkeys(words, box),
            "All": obj(
                {
                    "one": use("Field"),
                    "two": {"anyOf": [ref("Error"), {"type": "null"}]},
                    "three": many(ref("Any")),
                    "four": const("f"),
                    "five": keyed(ref("Record")),
                    "six": {"type": "integer", "minimum": 1},
                    "seven": {},
                },
                "one",
            ),
        }
    )
    for word in words:
        assert same(v1, word, {"in": "1"}).__acp_definition__ == word
        assert getattr(v1, word).__acp_definition__ == word
    same(
        v1,
        "All",
        {
            "one": {"in": "1"},
            "two": None,
            "three": [{"in": "a"}],
            "four": "f",
            "five": {"k": {"in": "r"}},
            "six": 1,
            "seven": [None],
        },
    )
    assert refused(v1, "All", {"one": {}}) == ["/one/in"]
    assert refused(v1, "All", {"one": {"in": "1"}, "three": ["a"]}) == ["/three/0"]
    assert refused(v1, "All", {"one": {"in": "1"}, "four": "g"}) == ["/four"]


_WORDS = [
    "4d",
    "4D",
    "+2",
    "-2",
    "6+",
    "6-",
    "",
    " ",
    "mro",
    "name",
    "value",
    "count",
    "index",
    "None",
    "__init__",
    "on sale",
    "on-sale",
    "m",
    "\u03bcm",
    "\u00b5m",
    "/v2/x",
    "b",
    "B",
    "_sunder_",
    "class",
]


def test_d07_enum_member_names(mini: Any) -> None:
    v1 = mini(
        {
            "Mark": {"type": "string", "enum": _WORDS},
            "Sign": {"oneOf": [const(word) for word in _WORDS]},
            "Score": {"type": "integer", "enum": [0, 1, -1, 20]},
        }
    )
    for name in ("Mark", "Sign"):
        for word in _WORDS:
            assert same(v1, name, word) == word
        assert list(get_args(getattr(v1, name))) == _WORDS
        for bad in ("4", "MRO", "none", None, 4):
            refused(v1, name, bad)
    for number in (0, 1, -1, 20):
        same(v1, "Score", number)
    for bad in (2, "0", True, False):
        refused(v1, "Score", bad)


def test_d09_unicode_and_odd_names(mini: Any) -> None:
    keys = {
        "2nd": WHOLE,
        "": TEXT,
        " ": TEXT,
        "\ufb02ag": TEXT,
        "flag": TEXT,
        "\U0001f6a9": FLAG,
        "caf\u00e9": TEXT,
        "\u212bt": TEXT,
        "\u00c5t": TEXT,
    }
    v1 = mini(
        {
            "\u65d7": obj({"\u8272": TEXT}, "\u8272", title="\u65d7"),
            "3sails": obj(keys),
            "Mast": obj({"a": use("\u65d7"), "b": use("3sails")}),
        }
    )
    value = {
        "2nd": 1,
        "": "e",
        " ": "s",
        "\ufb02ag": "lig",
        "flag": "plain",
        "\U0001f6a9": True,
        "caf\u00e9": "c",
        "\u212bt": "sign",
        "\u00c5t": "letter",
    }
    found = _reads_back(v1, "3sails", value)
    names = _python(type(found)).values()
    assert len({unicodedata.normalize("NFKC", name) for name in names}) == len(keys)
    same(v1, "Mast", {"a": {"\u8272": "x"}, "b": value})
    assert refused(v1, "Mast", {"a": {}}) == ["/a/\u8272"]
    assert refused(v1, "Mast", {"b": {"2nd": "x"}}) == ["/b/2nd"]
    assert refused(v1, "Mast", {"b": {"\U0001f6a9": 1}}) == ["/b/\U0001f6a9"]


def test_d10_method_called_list(tmp_path: Path) -> None:
    defs: dict[str, Any] = {}
    for words, wire in (
        ("List", "list"),
        ("Ses", "x/list"),
        ("Type", "type"),
        ("Dict", "x/dict"),
        ("Str", "x/str"),
        ("Import", "x/import"),
        ("Class", "class"),
    ):
        defs[f"{words}Request"] = method(
            "agent", wire, {"dirs": many(TEXT), "opts": keyed(TEXT), "none": TEXT}, "dirs"
        )
        defs[f"{words}Response"] = method("agent", wire, {"items": many(TEXT)})
    files = render(write_schemas(tmp_path / "schemas", {"v1": defs}, names=AGENT_SIDE))
    write_package(files, tmp_path, "stubs_d10")
    sys.path.insert(0, str(tmp_path))
    try:
        from stubs_d10 import v1  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(tmp_path))
    for side in (v1.Agent, v1.ClientSideConnection):
        own = [name for name in vars(side) if not name.startswith("_")]
        assert len(own) == 7
        for name in own:
            assert not keyword.iskeyword(name)
            shown = inspect.signature(getattr(side, name), eval_str=True)
            assert shown.return_annotation.__name__.endswith("Response")
    assert refused(v1, "ListRequest", {"opts": {}}) == ["/dirs"]
    assert refused(v1, "ListRequest", {"dirs": [1]}) == ["/dirs/0"]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--cache-dir",
            tmp_path / "cache",
            "-p",
            "stubs_d10",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
