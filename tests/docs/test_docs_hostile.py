"""Texts that try to break out of the pages, in every place where a schema holds text."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest
from acp_codegen.version import tool_version
from docs_pages import Page, render, render_page
from mini import write_schemas

GOLDEN = Path(__file__).parent / "hostile"
SHOWN = ("README.md", "v1/README.md", "v1/methods.md", "v1/types.md", "v1_to_v2.md")

#: What is tried; each goes into every place.
TEXTS = {
    "comment": "--> <script>alert(1)</script> --!>",
    "tag": '</code></td></table><img src=x onerror="alert(1)"> &lt;b&gt;',
    "table": "a | b || `c | d` \\| \\",
    "code": "`` ` ``` a`b",
    "link": "[a](javascript:alert(1)) ![i](x) <https://a.example> https://b.example www.c.example d@e.example",
    "block": "a\n# head\n> quote\n1. one\n---\n===\n| x | y |\n|---|---|\n    indented\n```\nfence\n~~~\n",
    "marks": "*bold* __strong__ ~~gone~~ $x$ [^1] :-: &amp;copy; {{ 7 * 7 }} {% raw %} {# c #}",
    "unseen": "a\u202eb\u2066c\u0000d\u001be\u2028f\u0085g\ufeffh\U0001f600",
    "start": "1) - + # = end",
    "path": "../../../etc/passwd?x#y",
}

#: What of a text is code also to a reader: its harmless twin has as much of it.
CODE = {"table": " `c d`", "code": " `a` `b`"}


def definitions(*, hostile: bool):
    """Return the definitions: with the texts, or with a word in place of each."""

    def at(place: str, key: str) -> str:
        return TEXTS[key] if hostile else f"{place} {key}{CODE.get(key, '')}"

    def constant(key: str):
        # No reference beside the tag: each variant is a type of its own.
        properties = {at("tag", "table"): {"type": "string", "const": at("variant", key)}}
        return {"type": "object", "properties": properties, "required": [at("tag", "table")]}

    return {
        "Fields": {
            "type": "object",
            "description": at("about", "block"),
            "properties": {
                at("field", key): {
                    "type": "string",
                    "description": at("about", key),
                    "default": at("default", key),
                    "pattern": ".*" + "".join(f"\\u{ord(c):04x}" for c in "|`<")
                    if hostile
                    else ".*",
                }
                for key in TEXTS
            },
        },
        "Words": {
            "oneOf": [
                {
                    "type": "string",
                    "const": at("word", key),
                    "title": at("title", key),
                    "description": at("about", key),
                }
                for key in TEXTS
            ],
            "description": at("about", "start"),
        },
        "Choice": {
            "oneOf": [constant(key) for key in TEXTS],
            "discriminator": {"propertyName": at("tag", "table")},
            "description": at("about", "link"),
        },
        "GoRequest": {
            "type": "object",
            "required": [at("param", "tag"), "choice"],
            "properties": {
                at("param", "tag"): {"$ref": "#/$defs/Words"},
                "choice": {"$ref": "#/$defs/Choice"},
            },
            "description": at("about", "comment"),
            "x-side": "agent",
            "x-method": at("method", "block"),
        },
        "GoResponse": {
            "type": "object",
            "properties": {},
            "x-side": "agent",
            "x-method": at("method", "block"),
        },
        "TellNotification": {
            "type": "object",
            "properties": {"f": {"$ref": "#/$defs/Fields"}},
            "x-side": at("side", "tag"),
            "x-method": at("method", "link"),
        },
        **{
            # Numbered, so that twins are in the same order on their pages.
            f"{number} {at('type', key)}": {
                "type": "object",
                "description": at("about", key),
                "properties": {"v": {"type": "string"}},
            }
            for number, key in enumerate(TEXTS)
        },
    }


def _files(folder: Path, *, hostile: bool):
    defs = definitions(hostile=hostile)
    schemas = write_schemas(folder / "schemas", {"v1": defs, "v2": defs})
    release = {"publisher": TEXTS["comment"] if hostile else "publisher", "release": "1"}
    (schemas / "sources.json").write_text(json.dumps({"v1": release, "v2": release}))
    return render(schemas, conversions="partial")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return _files(tmp_path_factory.mktemp("hostile"), hostile=True)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory):
    return _files(tmp_path_factory.mktemp("harmless"), hostile=False)


def test_the_pages_are_as_expected(hostile, request):
    update = request.config.getoption("--update-golden")
    for name in SHOWN:
        made = hostile[name].replace(tool_version(), "VERSION", 1)
        place = GOLDEN / name
        if update:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(made, encoding="utf-8", newline="\n")
        wanted = place.read_text(encoding="utf-8")
        assert made == wanted, "\n".join(
            difflib.unified_diff(wanted.split("\n"), made.split("\n"), name, "made", lineterm="")
        )


def test_hostile_texts_make_the_very_tags_that_words_make(hostile, harmless):
    assert hostile.keys() == harmless.keys()
    for name, text in hostile.items():
        tried, plain = Page(render_page(text)), Page(render_page(harmless[name]))
        assert _shape(tried) == _shape(plain), name
        assert len(tried.comments) == 1
        assert tried.comments[0].startswith("\nGenerated by acp-codegen")
        assert {tag for tag, _ in tried.tags} <= {
            "a", "br", "code", "em", "h1", "h2", "h3", "li", "p", "pre", "strong", "table", "tbody",
            "td", "th", "thead", "tr", "ul",
        }  # fmt: skip
        assert {attr for _, attrs in tried.tags for attr in attrs} <= {"class", "href", "id"}


def _shape(page: Page):
    """Return the tags of a page; code is one thing however it is written, and lines may break."""
    return [(tag, attrs) for tag, attrs in page.tags if tag != "br"]


def test_links_lead_to_pages_of_ours_alone(hostile):
    for name, text in hostile.items():
        for link in Page(render_page(text)).links:
            assert not link.partition("#")[0] or link.partition("#")[0].endswith(".md"), (
                name,
                link,
            )
            assert ":" not in link


def test_what_was_tried_is_shown_as_it_stands(hostile):
    shown = Page(render_page(hostile["v1/types.md"]))
    values = {json.loads(row[0]) for row in shown.section("Words").rows[1:]}
    assert values == set(TEXTS.values())
    meanings = [row[2] for row in shown.section("Words").rows[1:]]
    said = dict(zip(TEXTS, meanings, strict=True))
    assert said["comment"] == TEXTS["comment"]
    assert said["tag"] == TEXTS["tag"]
    assert said["marks"] == TEXTS["marks"]
    assert said["link"] == TEXTS["link"]
    # Code between backticks is kept, and so loses them; what cannot be seen is written out.
    assert said["table"] == TEXTS["table"].replace("`", "")
    assert said["unseen"] == "a\\u202eb\\u2066c\\x00d\\x1be f g\\ufeffh\U0001f600"


def test_no_line_of_the_pages_starts_what_the_page_did_not(hostile):
    for text in hostile.values():
        assert "\r" not in text
        assert text.endswith("\n")
        assert not any(line != line.rstrip() for line in text.split("\n"))
        assert all(char == "\n" or char.isprintable() for char in text)


def test_lists_and_paragraphs_of_a_description_are_kept(tmp_path):
    said = "One.\n\n- first\n- second\n  goes on\n\nTwo `a  b`, 2 * 3."
    defs = {
        "A": {
            "type": "object",
            "description": said,
            "properties": {"f": {"type": "string", "description": said}},
        }
    }
    schemas = write_schemas(tmp_path / "schemas", {"v1": defs})
    made = render(schemas)["v1/types.md"]
    assert "\n\nOne.\n\n- first\n- second goes on\n\nTwo `a b`, 2 \\* 3.\n\n" in made
    assert "| One.<br>• first<br>• second goes on<br>Two `a b`, 2 \\* 3. |" in made


def test_prose_is_wrapped_and_nothing_in_it_starts_a_block(tmp_path):
    said = " ".join(["word - + 1. # = ---"] * 40) + " `a code span with - in it`" * 20
    defs = {"A": {"type": "object", "description": said, "properties": {}}}
    made = render(write_schemas(tmp_path / "schemas", {"v1": defs}))["v1/types.md"]
    prose = made.partition("</a>`A`\n\n")[2].partition("\n\n")[0].split("\n")
    assert len(prose) > 10
    assert max(map(len, prose)) <= 101
    section = Page(render_page(made)).section("A")
    assert section.text[0] == said.replace("`", "")
