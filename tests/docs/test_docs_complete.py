"""Everything in the schemas is on its page: methods, definitions, fields, words, variants."""

from __future__ import annotations

import json
import re

import pytest
from acp_codegen.conversion.plan import make_plan
from acp_codegen.conversion.report import conversion_records
from docs_pages import ROOT, build, methods, page, render, schema, versions

#: Headings of pages and groups, which are no definitions.
_PAGES = ("messages.md", "types.md")


def _sections(version):
    """Return the sections of all types by their headings; a heading is there once."""
    found = {}
    for name in _PAGES:
        for section in page(f"{version}/{name}").sections:
            if section.level > 1:
                assert section.title not in found, section.title
                found[section.title] = section
    return found


def _column(section, head):
    """Return a column of a section's table by its head."""
    heads, *rows = section.rows
    return [row[heads.index(head)] for row in rows]


def _resolved(definitions, node):
    """Yield the schemas that ``node`` is made of."""
    yield node
    if "$ref" in node:
        yield from _resolved(definitions, definitions[node["$ref"].rpartition("/")[2]])
    for inner in node.get("allOf", ()):
        yield from _resolved(definitions, inner)


def _constants(definitions, branch):
    return {
        said["const"]
        for part in _resolved(definitions, branch)
        for said in part.get("properties", {}).values()
        if isinstance(said, dict) and "const" in said
    }


@pytest.mark.parametrize("version", versions())
def test_every_definition_has_its_section_fields_words_and_variants(version, record_property):
    definitions, sections = schema(version)["$defs"], _sections(version)
    fields = words = variants = 0
    for name, said in definitions.items():
        section = sections[name]
        for key, inner in said.get("properties", {}).items():
            # The parent of variants hands its own fields down to each of them.
            holders = [section, *(s for t, s in sections.items() if t.startswith(f"{name} / "))]
            told = [s for s in holders if s.rows and key in [s.rows[0][0], *s.column(0)]]
            assert told, (name, key)
            fields += 1
            doc = inner.get("description", "") if isinstance(inner, dict) else ""
            assert any(_plain(doc) in cell for s in told for row in s.rows for cell in row), (
                name,
                key,
            )
        branches = [*said.get("anyOf", ()), *said.get("oneOf", ())]
        constants = [branch["const"] for branch in branches if "const" in branch]
        for word in [*constants, *said.get("enum", ())]:
            assert json.dumps(word) in _column(section, "Value"), (name, word)
            words += 1
        for branch in branches:
            tags = _constants(definitions, branch)
            if tags and "properties" in branch:
                assert {json.dumps(tag) for tag in tags} & set(section.column(0)), (name, tags)
                variants += 1
    assert fields > 400
    assert words > 50
    assert variants > 40
    record_property(
        "figure",
        f"reference docs: {version}: {len(definitions)} definitions, {fields} fields, "
        f"{words} words, {variants} variants are on their pages",
    )


def _plain(doc):
    return " ".join(doc.replace("`", "").split())


@pytest.mark.parametrize("version", versions())
def test_every_method_is_on_its_page_with_what_it_needs(version):
    shown = page(f"{version}/methods.md")
    wanted = list(methods(version))
    below = [section.title for section in shown.sections if section.level == 3]
    assert sorted(below) == sorted(wire for _, wire, _, _ in wanted)
    gates = build().sources.resolve(version, build().features).gates
    for side, wire, params, result in wanted:
        section = shown.section(wire)
        facts = "\n".join(section.text)
        assert f"Params: {params}" in facts
        assert (f"Result: {result}" in facts) == bool(result)
        assert ("error codes" in facts) == bool(result)
        for gate in gates:
            if (gate.side, gate.method) != (side, wire):
                continue
            paths = " and ".join(".".join(p.path) for p in (gate.capability, *gate.requires))
            if gate.parameter is None and gate.variant is None:
                assert f"Needs the capability {paths}" in facts
            else:
                parameter = gate.parameter or "the params"
                variant = json.dumps(gate.variant) if gate.variant else "any value"
                assert [parameter, variant, paths] in section.rows


@pytest.mark.parametrize("version", versions())
def test_gated_parameters_say_so_where_they_are_declared(version):
    sections = _sections(version)
    params = {(side, wire): name for side, wire, name, _ in methods(version)}
    for gate in build().sources.resolve(version, build().features).gates:
        if gate.parameter is None:
            continue
        section = sections[params[gate.side, gate.method]]
        [meaning] = [row[3] for row in section.rows if row[0] == gate.parameter]
        paths = " and ".join(".".join(p.path) for p in (gate.capability, *gate.requires))
        named = f' for "{gate.variant}"' if gate.variant else ""
        assert f"Capability{named}: {paths}." in meaning


@pytest.mark.parametrize("version", versions())
def test_error_codes_are_told_with_their_names(version):
    rows = page(f"{version}/methods.md").section("Error codes").rows
    branches = schema(version)["$defs"]["ErrorCode"]["anyOf"]
    titled = [[str(b["const"]), b["title"]] for b in branches if "const" in b]
    assert len(titled) > 5
    assert [row[:2] for row in rows[1:]][: len(titled)] == titled


@pytest.mark.parametrize("version", versions())
def test_what_a_feature_adds_is_told(version):
    [feature] = build().features
    section = page(f"{version}/features.md").section(feature)
    for pointer in build().sources.resolve(version, (feature,)).origins:
        tokens = pointer.split("/")[2:]
        if "anyOf" in tokens:
            continue  # what a JSON-RPC envelope may carry: it is told at the methods
        wanted = f"{tokens[2]} of {tokens[0]}" if len(tokens) > 1 else tokens[0]
        assert wanted in section.text, pointer
        owner = _sections(version)[tokens[0]]
        said = " ".join([*owner.text, *(cell for row in owner.rows for cell in row)])
        assert f"Feature: {feature}." in said
    for wire in ("session/archive", "session/unarchive"):
        assert f"{wire}, a request" in section.text
        assert f"Feature: {feature}" in page(f"{version}/methods.md").section(wire).text


def test_without_features_the_pages_say_that_none_is_on(tmp_path):
    files = render(ROOT / "schemas")
    assert "None is on." in files["v1/features.md"]
    assert "session/archive" not in "".join(files.values())


def test_every_conversion_is_told_with_its_parts():
    features = build().features
    sources = build().sources
    plan = make_plan(
        *(sources.protocol(v, features) for v in versions()), sources.rules(), complete=True
    )
    counted = 0
    for record in conversion_records(plan):
        shown = page(f"{record['direction']}.md")
        name, (old, new) = record["definition"], record["direction"].split("_to_")
        if record["how"] == "rule":
            section = shown.section(name)
            assert section.text[0] == f"{name} of {old} becomes {record['target']} of {new}."
            rows = [[part["at"] or "the value itself", part["what"]] for part in record["parts"]]
            assert [row[:2] for row in section.rows[1:]] == rows
            for row, part in zip(section.rows[1:], record["parts"], strict=True):
                assert row[2] == _plain(part["why"])
                counted += 1
        elif record["how"] == "same":
            assert name in shown.section("Copied as they are").text
        else:
            assert [name, _plain(record["why"])] in shown.section("Refused").rows
    assert counted > 300


def test_lossy_words_and_skipped_values_are_told():
    rows = page("conversions.md").section("From v2 to v1").rows
    assert ["ToolCallStatus", "the value itself", '"paused"', '"in_progress"'] in rows
    assert [
        "SessionUpdate", "sessionUpdate", "any that is refused", "nothing: it is skipped whole",
    ] in rows  # fmt: skip
    rules = (ROOT / "schemas/conversion/rules.toml").read_text(encoding="utf-8")
    lossy = set(re.findall(r'lossy = "(\w+)"', rules))
    assert lossy
    assert lossy <= {cell.strip('"') for row in rows for cell in row}


@pytest.mark.parametrize("version", versions())
def test_what_unknown_values_become_is_told(version):
    sections = _sections(version)
    said = {title: " ".join(section.text) for title, section in sections.items()}
    assert "any other" in str(sections["ErrorCode"].rows)
    assert "which is kept as it is." in said["ErrorCode"]
    assert "Any other is an error." in said["ElicitationSchemaType"]
    assert "Other keys are kept." in said["InitializeRequest"]
    [update] = [
        row
        for row in sections["ToolCall" if version == "v1" else "ToolCallUpdate"].rows
        if row[0] == "content"
    ]
    assert "Malformed items are dropped." in update[3]
