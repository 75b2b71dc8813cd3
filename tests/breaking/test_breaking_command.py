"""The command: exit codes, formats, bad input, and the same bytes every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from acp_codegen.breaking.model import KINDS, LEVELS

TEXT = {"type": "string"}


def obj(*required, **properties):
    made = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made


@pytest.fixture
def changes(make):
    """A pair for each level: the gravest change in it is of that level."""
    base = make({**obj(a={**TEXT, "description": "x"}), "description": "x"}, "DoRequest")
    return {
        "wire": (base, make(obj("a", a=TEXT), "DoRequest")),
        "source": (make(obj(a=TEXT, b=TEXT), "DoRequest"), make(obj(a=TEXT), "DoRequest")),
        "additive": (make(obj(a=TEXT), "DoRequest"), make(obj(a=TEXT, b=TEXT), "DoRequest")),
        "documentation": (
            base,
            make({**obj(a={**TEXT, "description": "y"}), "description": "x"}, "DoRequest"),
        ),
    }


@pytest.mark.parametrize("asked", LEVELS)
@pytest.mark.parametrize("there", LEVELS)
def test_exit_code_100_says_that_something_of_the_level_or_a_graver_one_was_found(
    bench, changes, asked, there
):
    done = bench.compare(*changes[there], "--level", asked)
    graver = LEVELS.index(there) <= LEVELS.index(asked)
    assert done.exit_code == (100 if graver else 0), done.output
    assert done.stderr == ""


def test_the_level_is_wire_unless_said(bench, changes):
    assert bench.compare(*changes["wire"]).exit_code == 100
    assert bench.compare(*changes["source"]).exit_code == 0


OLD = {
    "Thing": obj(
        "id", id=TEXT, colour={"enum": ["red", "green"]}, note={**TEXT, "description": "n"}
    ),
    "Gone": TEXT,
}
NEW = {
    "Thing": obj("id", "colour", id=TEXT, colour={"enum": ["red", "green", "blue"]},
                 note={**TEXT, "description": "m"}),
    "Point": obj(x={"type": "number"}),
}  # fmt: skip

EXPECTED = """\
wire
  enum-word-added Thing.colour: the word "blue" is new; breaks new-client -> old-agent (new #/$defs/Thing/properties/colour)
  required-added Thing.colour: presence was optional and is required; breaks old-client -> new-agent (#/$defs/Thing/properties/colour)

source
  definition-removed Gone: the definition "Gone" is no longer there (old #/$defs/Gone)

additive
  definition-added Point: the definition "Point" is new (new #/$defs/Point)

documentation
  description-changed Thing.note: the description differs (#/$defs/Thing/properties/note)

old.json -> new.json: 2 wire, 1 source, 1 additive, 1 documentation
"""

ANNOTATIONS = """\
::error file=new.json,title=enum-word-added::enum-word-added Thing.colour: the word "blue" is new; breaks new-client -> old-agent (new #/$defs/Thing/properties/colour)
::error file=new.json,title=required-added::required-added Thing.colour: presence was optional and is required; breaks old-client -> new-agent (#/$defs/Thing/properties/colour)
::warning file=old.json,title=definition-removed::definition-removed Gone: the definition "Gone" is no longer there (old #/$defs/Gone)
::notice file=new.json,title=definition-added::definition-added Point: the definition "Point" is new (new #/$defs/Point)
::notice file=new.json,title=description-changed::description-changed Thing.note: the description differs (#/$defs/Thing/properties/note)
"""


@pytest.fixture
def pair(make):
    def one(defs):
        more = {name: schema for name, schema in defs.items() if name != "Thing"}
        return make(defs["Thing"], "DoRequest", **more)

    return one(OLD), one(NEW)


def test_the_text_is_grouped_by_level_and_counted(bench, pair):
    assert bench.compare(*pair).stdout == EXPECTED
    assert bench.compare(*pair, "--format", "text").stdout == EXPECTED


def test_the_annotations(bench, pair):
    done = bench.compare(*pair, "--format", "github")
    assert done.stdout == ANNOTATIONS
    assert done.exit_code == 100


def test_the_json_says_all_that_the_text_says(bench, pair):
    done = bench.compare(*pair, "--json")
    report = json.loads(done.stdout)
    assert done.exit_code == 100
    assert done.stdout == bench.compare(*pair, "--format", "json").stdout
    assert report["version"] == 1
    assert (report["old"]["file"], report["new"]["file"]) == ("old.json", "new.json")
    assert len(report["old"]["sha256"]) == 64
    assert report["descriptions_compared"] is True
    assert report["counts"] == {"wire": 2, "source": 1, "additive": 1, "documentation": 1}
    assert report["findings"][1] == {
        "kind": "required-added",
        "level": "wire",
        "subject": "Thing.colour",
        "what": "presence was optional and is required",
        "old": "/$defs/Thing/properties/colour",
        "new": "/$defs/Thing/properties/colour",
        "breaks": [{"sender": "old-client", "reader": "new-agent"}],
    }
    assert report["stale"] == []


def test_nothing_to_say_is_said(bench, pair):
    old = pair[0]
    assert bench.compare(old, old).stdout == (
        "old.json -> new.json: 0 wire, 0 source, 0 additive, 0 documentation\n"
    )
    assert bench.compare(old, old, "--format", "github").stdout == ""


def test_descriptions_are_not_compared_with_a_schema_that_has_none(bench, make):
    old = make({**obj(a=TEXT), "description": "x"})
    done = bench.compare(old, make(obj(a=TEXT)), "--level", "documentation")
    assert done.exit_code == 0
    assert "not compared" in done.stdout
    report = json.loads(bench.compare(old, make(obj(a=TEXT)), "--json").stdout)
    assert report["descriptions_compared"] is False


HOSTILE = "a::error file=x,y%0A\r\n::error::owned\x1b[31m\u2028\u202e"


def test_hostile_names_break_free_of_no_format(bench, make):
    old = make(obj(**{HOSTILE: TEXT}), "DoRequest", **{HOSTILE: TEXT})
    new = make(obj(HOSTILE, **{HOSTILE: TEXT}), "DoRequest")
    lines = bench.compare(old, new).stdout.splitlines()
    assert all(line.isprintable() for line in lines)
    assert len(lines) == 7
    lines = bench.compare(old, new, "--format", "github").stdout.split("\n")
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", ""]
    assert all(line.isprintable() for line in lines)
    found = json.loads(bench.compare(old, new, "--json").stdout)["findings"]
    assert found[0]["subject"] == f"Thing.{HOSTILE}"


def test_names_in_an_annotation_are_escaped_as_the_format_demands(bench, make):
    bench.write("a%b,c:d.json", make(obj(**{"100%": TEXT}), "DoRequest"))
    bench.write("new.json", make(obj(), "DoRequest"))
    done = bench.run("breaking", "new.json", "a%b,c:d.json", "--format", "github")
    [line] = done.stdout.splitlines()
    head, _, message = line[2:].partition("::")
    assert head == "notice file=a%25b%2Cc%3Ad.json,title=field-added"
    assert message == (
        'field-added Thing.100%25: the optional field "100%25" is new '
        "(new #/$defs/Thing/properties/100%25)"
    )


def test_versions_are_named_and_files_come_second(bench, pair):
    done = bench.run("breaking", "v1", "v1", "--level", "documentation")
    assert (done.exit_code, done.stdout) == (
        0, "v1 -> v1: 0 wire, 0 source, 0 additive, 0 documentation\n",
    )  # fmt: skip
    bench.write("v1", pair[0])
    assert bench.run("breaking", "v1", "v1").stdout == done.stdout
    assert bench.run("breaking", "./v1", "v1").exit_code == 100


def test_features_belong_to_a_version(bench):
    feature = "unstable_session_archive"
    done = bench.run("breaking", "v1", "v1", "--feature", feature, "--json")
    assert json.loads(done.stdout)["new"]["features"] == [feature]
    resolved = bench.run("schema", "v1", "--feature", feature).stdout
    bench.write("with.json", resolved)
    same = bench.run("breaking", "v1", "with.json", "--feature", feature, "--level", "source")
    assert (same.exit_code, "no longer matching" in same.stdout) == (0, False), same.stdout
    done = bench.run("breaking", "with.json", "v1", "--stable", "--json")
    gone = [f["old"] for f in json.loads(done.stdout)["findings"] if f["kind"] == "method-removed"]
    assert gone == ["/$defs/ArchiveSessionRequest", "/$defs/UnarchiveSessionRequest"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("{", "new.json"),
        ('{"$defs": {"A": {"if": {}}}}', "new.json#/$defs/A/if"),
        ('{"$defs": {"A": {"$ref": "#/$defs/B"}}}', "new.json#/$defs/A/$ref"),
        (None, "new.json"),
    ],
    ids=["no JSON", "no keyword of the dialect", "a reference to nowhere", "no file"],
)
def test_a_schema_that_cannot_be_used(bench, pair, content, place):
    bench.write("old.json", pair[0])
    if content is not None:
        bench.write("new.json", content)
    for arguments in (("old.json", "new.json"), ("v1", "new.json"), ("new.json", "v1")):
        done = bench.run("breaking", *arguments)
        assert done.exit_code == 3, done.output
        assert done.stderr.startswith(f"acp-codegen: {place}: ")
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    if content is None:
        assert "versions v1, v2" in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["old.json"],
        ["old.json", "old.json", "--level", "all"],
        ["old.json", "old.json", "--json", "--format", "github"],
        ["v1", "v2", "--feature", "nonsense"],
        ["v1", "v2", "--feature", "nonsense", "--stable"],
    ],
)
def test_wrong_usage(bench, pair, options):
    bench.write("old.json", pair[0])
    done = bench.run("breaking", *options)
    assert (done.exit_code, done.stdout) == (2, "")


def test_the_same_bytes_with_any_hash_seed(bench, pair):
    old, new = pair
    bench.write("old.json", old)
    shuffled = dict(reversed(new["$defs"].items()))
    bench.write("new.json", {"$defs": shuffled})
    command = [
        str(Path(sys.executable).with_name("acp-codegen")),
        "breaking",
        "old.json",
        "new.json",
    ]
    outputs = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            command,
            cwd=bench.root,
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (100, b"")
        outputs.add(done.stdout)
    assert outputs == {EXPECTED.encode()}


def test_every_kind_and_level_is_documented():
    text = (Path(__file__).parents[2] / "docs" / "schema-updates.md").read_text("utf-8")
    for name in (
        *KINDS,
        *LEVELS,
        "rule-stale",
        "name-stale",
        "overlay-refused",
        "configuration-stale",
    ):
        assert f"`{name}`" in text, name
