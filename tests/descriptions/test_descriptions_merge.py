"""Where descriptions come from, and which one a place gets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import mini
import pytest
from acp_codegen.descriptions.places import label, places_of
from acp_codegen.errors import InputError
from acp_codegen.resources import schemas_dir
from acp_codegen.schema.walk import rebuild
from acp_codegen.sources import Sources

TEXT = {"type": "string"}


def obj(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


def tagged(tag: str, word: str, **properties: Any) -> dict[str, Any]:
    return obj({tag: {"const": word}, **properties}, required=[tag])


DEFS: dict[str, Any] = {
    "Name": TEXT,
    "Row": obj({"a": TEXT, "b": {"$ref": "#/$defs/Name"}, "_meta": {"type": "object"}}),
    "Word": {"oneOf": [{"const": "x"}, {"const": "y"}]},
    "Code": {
        "anyOf": [
            {"const": -1, "title": "Bad", "type": "integer"},
            {"title": "Other", "type": "integer"},
        ]
    },
    "Shape": {
        "oneOf": [
            tagged("kind", "dot", size={"type": "integer"}),
            {**tagged("kind", "row"), "allOf": [{"$ref": "#/$defs/Row"}]},
        ]
    },
    "Any": True,
}


def sources(folder: Path, versions: dict[str, Any] | None = None, /, **files: str) -> Sources:
    where = mini.write_schemas(folder / "schemas", versions or {"v1": DEFS, "v2": DEFS})
    (where / "descriptions").mkdir()
    for name, text in files.items():
        (where / "descriptions" / f"{name}.toml").write_text(text, encoding="utf-8")
    return Sources(where)


def described(found: Sources, version: str = "v1") -> dict[str, str]:
    data = found.resolve(version, ()).data
    return {label(place): place.own for place in places_of(data) if place.own}


def test_every_kind_of_place_takes_its_text(tmp_path: Path) -> None:
    found = sources(
        tmp_path,
        one="""
[definitions]
Name = "N."
Any = "A."
[definitions.Row]
text = "R."
properties.a = "R a."
[definitions.Word]
words.x = "W x."
[definitions.Code]
words."-1" = "C -1."
variants.Other = "C other."
[definitions.Shape]
variants.row = "S row."
variants.dot.text = "S dot."
variants.dot.properties.size = "S dot size."
""",
    )
    assert described(found) == {
        "definition Name": "N.",
        "definition Any": "A.",
        "definition Row": "R.",
        "property Row.a": "R a.",
        "word Word.x": "W x.",
        "word Code.-1": "C -1.",
        "variant Code.Other": "C other.",
        "variant Shape.row": "S row.",
        "variant Shape.dot": "S dot.",
        "property Shape.dot.size": "S dot size.",
    }


def test_the_nearest_text_counts_and_a_versions_own_before_the_shared(tmp_path: Path) -> None:
    found = sources(
        tmp_path,
        one="""
[members]
kind = "Member."
a = "Member."
_meta = "Member."
[definitions.Row]
properties.a = "Row."
[definitions.Shape]
properties.kind = "Shape."
variants.dot.properties.kind = "Dot."
[v2.members]
_meta = "Member of v2."
""",
        two="""
[v2.definitions.Row]
properties.a = "Row of v2."
""",
    )
    first, second = described(found), described(found, "v2")
    assert first["property Row.a"] == "Row."
    assert first["property Row._meta"] == "Member."
    assert first["property Shape.dot.kind"] == "Dot."
    assert first["property Shape.row.kind"] == "Shape."
    assert second["property Row.a"] == "Row of v2."
    assert second["property Row._meta"] == "Member of v2."
    assert second["property Shape.row.kind"] == "Shape."


def test_line_breaks_fold_and_blank_lines_part_paragraphs(tmp_path: Path) -> None:
    found = sources(tmp_path, one='[definitions]\nName = """\nOne\n  two.\n\n Three.\n"""\n')
    assert described(found) == {"definition Name": "One two.\n\nThree."}


def test_a_description_that_the_schema_has_stays(tmp_path: Path) -> None:
    own = {**DEFS, "Name": {**TEXT, "description": "Its own."}}
    texts = '[definitions]\nName = "Ours."\n[definitions.Row]\ntext = "Ours."\n'
    found = sources(tmp_path, {"v1": own, "v2": DEFS}, one=texts)
    assert described(found) == {"definition Name": "Its own.", "definition Row": "Ours."}
    assert described(found, "v2")["definition Name"] == "Ours."


def test_a_schema_given_instead_takes_no_text(tmp_path: Path) -> None:
    found = sources(tmp_path, one='[definitions]\nName = "Ours."\n')
    given = tmp_path / "given.json"
    given.write_text(mini.schema(DEFS), encoding="utf-8")
    replaced = Sources(found.folder, replaced={"v1": given})
    assert described(replaced) == {}
    assert described(replaced, "v2") == {"definition Name": "Ours."}


def test_the_digest_of_the_inputs_covers_the_files(tmp_path: Path) -> None:
    found = sources(tmp_path, one='[definitions]\nName = "Ours."\n')
    parts = found.parts(("v1",), ())
    assert parts["descriptions/one.toml"] == b'[definitions]\nName = "Ours."\n'


@pytest.mark.parametrize(
    ("text", "pointer", "what"),
    [
        ('[definitions]\nNane = "x"', "/definitions/Nane", "no version has definition 'Nane'. Did you mean 'Name'?"),
        ('[definitions.Row]\nproperties.aa = "x"', "/definitions/Row/properties/aa", "no version has property 'Row.aa'. Did you mean 'a'?"),
        ('[definitions.Word]\nwords.yy = "x"', "/definitions/Word/words/yy", "no version has word 'Word.yy'. Did you mean 'y'?"),
        ('[definitions.Shape]\nvariants.dott = "x"', "/definitions/Shape/variants/dott", "no version has variant 'Shape.dott'. Did you mean 'dot'?"),
        ('[definitions.Shape.variants.dott]\ntext = "x"', "/definitions/Shape/variants/dott/text", "no version has variant 'Shape.dott'. Did you mean 'dot'?"),
        ('[definitions.Name]\nwords.x = "x"', "/definitions/Name/words/x", "no version has word 'Name.x'. Remove the entry."),
        ('[members]\n_mata = "x"', "/members/_mata", "no version has property '_mata'. Did you mean '_meta'?"),
        ('[v2.definitions]\nNane = "x"', "/v2/definitions/Nane", "v2 has no definition 'Nane'. Did you mean 'Name'?"),
        ('[v3.definitions]\nName = "x"', "/v3", "there is no version 'v3'. Use one of v1, v2."),
        ('[v1.definitions]\nOnly = "x"', "/v1/definitions/Only", "v1 has no definition 'Only'"),
        ('[definitions]\nName = ""', "/definitions/Name", "See docs/descriptions.md"),
        ('[definitions]\nName = 1', "/definitions/Name", "See docs/descriptions.md"),
        ('[definitions.Row]\nfields.a = "x"', "/definitions/Row", "See docs/descriptions.md"),
        ('[definitons]\nName = "x"', "/definitons", "See docs/descriptions.md"),
        ("[definitions", "", "not TOML"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_text_that_fits_nowhere_is_refused(
    tmp_path: Path, text: str, pointer: str, what: str, version: str
) -> None:
    found = sources(tmp_path, {"v1": DEFS, "v2": {**DEFS, "Only": TEXT}}, bad=text)
    with pytest.raises(InputError) as caught:
        found.resolve(version, ())
    assert what in str(caught.value)
    assert caught.value.where is not None
    assert caught.value.where.file == "schemas/descriptions/bad.toml"
    assert caught.value.where.pointer == pointer


def test_a_text_for_one_of_the_versions_is_fine(tmp_path: Path) -> None:
    found = sources(
        tmp_path, {"v1": DEFS, "v2": {**DEFS, "Only": TEXT}}, one='[definitions]\nOnly = "x"\n'
    )
    assert described(found) == {}
    assert described(found, "v2") == {"definition Only": "x"}


def test_two_texts_for_one_place_are_refused(tmp_path: Path) -> None:
    texts = '[definitions]\nName = "x"\n'
    found = sources(tmp_path, one=texts, two=texts)
    with pytest.raises(InputError, match=r"two\.toml#/definitions/Name: Name is described twice"):
        found.resolve("v1", ())


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_texts_change_nothing_else_of_the_bundled_schemas(version: str) -> None:
    def without(node: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in node.items() if key != "description"}

    found = Sources(schemas_dir())
    bare = json.loads(found.schema_path(version).read_text(encoding="utf-8"))
    data = found.resolve(version, ()).data
    assert data != bare
    assert rebuild(data, without) == bare


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "descriptions.md").read_text(encoding="utf-8")
    [schema] = re.findall(r"```json\n(.*?)```", text, re.S)
    [texts] = re.findall(r"```toml\n(.*?)```", text, re.S)
    [code] = re.findall(r"```python\n(.*?)```", text, re.S)
    defs = json.loads(schema)["$defs"]
    found = sources(tmp_path, {"v1": defs, "v2": defs}, walls=texts)
    found.require_descriptions(("v1", "v2"), ())
    assert (
        described(found, "v2")["property PaintRequest.colour"] == "The colour. It is never omitted."
    )
    assert code in mini.render(found.folder)["v1/models.py"]
