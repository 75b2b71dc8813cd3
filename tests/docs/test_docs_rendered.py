"""The committed pages as a reader sees them: headings in order, whole tables, code as code."""

from __future__ import annotations

import itertools
import re

import pytest
from docs_pages import DOCS, Page, page, page_names, render_page


@pytest.mark.parametrize("name", page_names())
def test_headings_are_nested_and_every_table_is_whole(name):
    text, shown = (DOCS / name).read_text(encoding="utf-8"), page(name)
    levels = [section.level for section in shown.sections[1:]]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    # A row that the renderer did not take for one would be text.
    wanted = [line for line in text.split("\n") if line.startswith("|") and set(line) - set("|- ")]
    rows = [row for section in shown.sections for row in section.rows]
    assert len(rows) == len(wanted)
    for row, line in zip(rows, wanted, strict=True):
        assert len(row) == len(re.findall(r"(?<!\\)\|", line)) - 1, line
    assert not any("|" in said for section in shown.sections for said in section.text)
    # An unfinished link or emphasis would show its signs.
    words = " ".join(said for section in shown.sections for said in section.text)
    assert "](" not in words
    assert "**" not in words


def test_a_page_of_methods_reads_as_it_should():
    shown = page("v1/methods.md")
    titles = [section.title for section in shown.sections if section.level < 3]
    assert titles == [
        "", "v1: methods", "Served by the client", "Served by the agent", "Served by every side",
        "Error codes",
    ]  # fmt: skip
    [agent] = [s for s in shown.sections if s.title == "Served by the agent"]
    assert agent.rows[0] == ["Method", "Kind", "What it does", "Capability", "Feature"]
    [client] = [s for s in shown.sections if s.title == "Served by the client"]
    assert client.rows[0] == ["Method", "Kind", "What it does", "Capability"]
    section = shown.section("session/archive")
    assert section.text == [
        "Takes a session out of the default history, in a way that can be undone. Needs the "
        "agent's capability sessionCapabilities.archive.",
        "Kind: request",
        "Params: ArchiveSessionRequest with sessionId, _meta (optional)",
        "Result: ArchiveSessionResponse with _meta (optional)",
        "Errors: any of the error codes",
        "Needs the capability agentCapabilities.sessionCapabilities.archive and "
        "agentCapabilities.sessionCapabilities.list",
        "Feature: unstable_session_archive",
        "Example:",
        "Answer:",
    ]
    assert section.json == [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "session/archive",
            "params": {"sessionId": "sess_1"},
        },
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ]


def test_a_type_reads_as_it_should():
    section = page("v1/messages.md").section("ListSessionsRequest")
    assert section.rows[0] == ["Field", "Type", "Presence", "Meaning"]
    [archived] = [row for row in section.rows if row[0] == "archived"]
    assert archived[1:3] == ["boolean", "optional, nullable"]
    assert archived[3].endswith(
        "Capability: agentCapabilities.sessionCapabilities.archive and "
        "agentCapabilities.sessionCapabilities.list. Feature: unstable_session_archive."
    )
    assert "Params of session/list." in section.text
    assert "To v2: copied as it is." in section.text


def test_no_page_is_too_long_to_be_shown():
    # GitHub shows Markdown up to 512 KiB.
    for path in DOCS.rglob("*.md"):
        assert path.stat().st_size < 400_000


def test_lines_of_prose_are_wrapped():
    for path in DOCS.rglob("*.md"):
        fenced = False
        for line in path.read_text(encoding="utf-8").split("\n")[8:]:
            fenced ^= line.startswith("```")
            long = len(line) > 101 and " " in line.strip("- ")
            assert fenced or not long or line[0] in "|#" or "](" in line, (path.name, line)


def test_the_reader_of_the_tests_sees_what_is_broken():
    shown = Page(render_page("# A\n\n| a | b |\n|---|---|\n| `x | y` | z |\n"))
    assert shown.section("A").rows[1] != ["x | y", "z"]
