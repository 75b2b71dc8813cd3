"""Properties of the comparison, on the schemas of the project: nothing differs from itself, and
every single change of a known kind is found, with its place, in both directions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from acp_codegen.breaking.compare import compare
from acp_codegen.protocol.build import build_protocol
from acp_codegen.schema.load import parse_document
from acp_codegen.schema.overlay import apply_overlays
from breaking_mutations import MUTATIONS, OPPOSITE
from hypothesis import given, settings
from hypothesis import strategies as st

SCHEMAS = Path(__file__).parents[2] / "schemas"
SIDES = {"agent": False, "client": False, "protocol": True}
VERSIONS = ("v1", "v2")


@cache
def text_of(version):
    return (SCHEMAS / version / "schema.json").read_text("utf-8")


def protocol(schema):
    document = parse_document(json.dumps(schema).encode(), "s")
    return build_protocol(apply_overlays(document, "v", []))


@cache
def bundled(version):
    return protocol(json.loads(text_of(version)))


def key(finding):
    return finding.kind, finding.old, finding.new


@pytest.mark.parametrize("version", VERSIONS)
def test_a_schema_does_not_differ_from_itself(version):
    assert compare(bundled(version), bundled(version), SIDES, texts=True) == ()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_order_of_definitions_and_fields_means_nothing(version):
    def turned(value):
        if isinstance(value, dict):
            return {name: turned(child) for name, child in reversed(value.items())}
        return value

    schema = turned(json.loads(text_of(version)))
    assert compare(bundled(version), protocol(schema), SIDES, texts=True) == ()


def check(name, data):
    sites, apply = MUTATIONS[name]
    fit = [version for version in VERSIONS if sites(json.loads(text_of(version)))]
    version = data.draw(st.sampled_from(fit))
    schema = json.loads(text_of(version))
    mutation = apply(schema, data.draw(st.sampled_from(sites(schema))))
    changed = protocol(mutation.schema)

    findings = compare(bundled(version), changed, SIDES, texts=True)
    found = {key(finding): finding for finding in findings}
    assert (mutation.kind, mutation.old, mutation.new) in found
    level = found[mutation.kind, mutation.old, mutation.new].level
    if mutation.wire is not None:
        assert (level == "wire") == mutation.wire

    back = compare(changed, bundled(version), SIDES, texts=True)
    assert (OPPOSITE[mutation.kind], mutation.new, mutation.old) in {key(item) for item in back}
    assert len(back) == len(findings)


@pytest.mark.parametrize("name", MUTATIONS)
@settings(max_examples=4, deadline=None, derandomize=True, database=None)
@given(data=st.data())
def test_a_single_change_is_found_with_its_kind(name, data):
    check(name, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
@settings(max_examples=40, deadline=None, database=None)
@given(data=st.data())
def test_a_single_change_is_found_with_its_kind_wherever_it_is(name, data):
    check(name, data)
