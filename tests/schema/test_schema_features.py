"""Finding and choosing overlays, and the bundled ones against the schemas they extend."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.errors import InputError, UsageError
from acp_codegen.protocol.build import build_protocol
from acp_codegen.schema.load import Document, check_schema, load_document
from acp_codegen.schema.overlay import (
    ResolvedSchema,
    apply_overlays,
    available_features,
    select_overlays,
)

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "schemas"
SHARED = ROOT.parent / "shared"
FEATURE = "unstable_session_archive"
VERSIONS = ["v1", "v2"]

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")


def place(tmp_path: Path, feature: str, version: str, **parts: Any) -> Path:
    path = tmp_path / "schemas" / "overlays" / feature / f"{version}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"feature": feature, "version": version, "description": "A test.", **parts}
    path.write_text(json.dumps(content))
    return path


def test_features_are_found_by_folder_and_version(tmp_path: Path) -> None:
    one = place(tmp_path, "one", "v1")
    two = place(tmp_path, "two", "v2")
    both = place(tmp_path, "two", "v1")
    found = available_features(tmp_path / "schemas")
    assert found == {"one": {"v1": one}, "two": {"v1": both, "v2": two}}
    assert available_features(tmp_path) == {}


def test_a_feature_without_an_overlay_for_a_version_changes_nothing_there(tmp_path: Path) -> None:
    place(tmp_path, "one", "v1")
    schemas = tmp_path / "schemas"
    assert select_overlays(schemas, "v2", ["one"]) == []
    (chosen,) = select_overlays(schemas, "v1", ["one", "one"])
    assert chosen.file == "schemas/overlays/one/v1.json"


def test_an_unknown_feature_is_a_usage_error_with_the_nearest_name(tmp_path: Path) -> None:
    place(tmp_path, "session_archive", "v1")
    place(tmp_path, "zebra", "v1")
    with pytest.raises(UsageError) as caught:
        select_overlays(tmp_path / "schemas", "v1", ["session_archiv"])
    assert "unknown feature 'session_archiv'" in caught.value.what
    assert "did you mean session_archive?" in caught.value.remedy
    assert "known features: session_archive, zebra" in caught.value.remedy
    with pytest.raises(UsageError, match="Known features: none"):
        select_overlays(tmp_path, "v1", ["x"])


@pytest.mark.parametrize("key", ["conflicts", "requires"])
def test_overlays_may_only_name_features_that_exist(tmp_path: Path, key: str) -> None:
    place(tmp_path, "one", "v1", **{key: ["nope"]})
    with pytest.raises(InputError, match="there is no feature 'nope'") as caught:
        select_overlays(tmp_path / "schemas", "v1", ["one"])
    assert str(caught.value.where) == f"schemas/overlays/one/v1.json#/{key}/0"


@pytest.mark.parametrize("wrong", [{"feature": "other"}, {"version": "v7"}])
def test_an_overlay_in_the_wrong_place_is_refused(tmp_path: Path, wrong: dict[str, str]) -> None:
    path = place(tmp_path, "one", "v1")
    path.write_text(json.dumps({**json.loads(path.read_text()), **wrong}))
    with pytest.raises(InputError, match="lies where"):
        select_overlays(tmp_path / "schemas", "v1", ["one"])


def bundled(version: str) -> ResolvedSchema:
    base = load_document(SCHEMAS / version / "schema.json")
    return apply_overlays(base, version, select_overlays(SCHEMAS, version, [FEATURE]))


@pytest.mark.parametrize("version", VERSIONS)
def test_bundled_archive_overlay_gives_a_sound_schema(version: str) -> None:
    resolved = bundled(version)
    check_schema(Document(resolved.data, "resolved", ""))
    assert len(resolved.origins) == 13
    archive = {gate.capability.path[-1] for gate in resolved.gates}
    assert archive == {"archive"}
    gated = {(gate.method, gate.parameter) for gate in resolved.gates}
    assert gated == {
        ("session/archive", None),
        ("session/unarchive", None),
        ("session/list", "archived"),
    }
    also = {path.path[-1] for gate in resolved.gates for path in gate.requires}
    assert also == ({"list"} if version == "v1" else set())


@pytest.mark.parametrize("version", VERSIONS)
def test_metadata_is_as_in_sibling_types(version: str) -> None:
    definitions = bundled(version).data["$defs"]
    sibling = definitions["DeleteSessionRequest"]["properties"]["_meta"]
    for name in json.loads((SCHEMAS / "overlays" / FEATURE / f"{version}.json").read_text())[
        "definitions"
    ]:
        own = dict(definitions[name]["properties"]["_meta"])
        assert own.pop("description")
        assert own == sibling
    capabilities = definitions["SessionCapabilities"]["properties"]
    own = dict(capabilities["archive"])
    assert own.pop("description")
    own_text = json.dumps(own, sort_keys=True).replace("Archive", "Delete")
    assert own_text == json.dumps(capabilities["delete"], sort_keys=True)


def plain(value: Any) -> Any:
    """Drop what the reference overlay of ../shared leaves out: texts, titles, leniency."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    dropped = ("description", "title", "x-deserialize-default-on-error")
    return {
        key: plain(child)
        for key, child in value.items()
        if key not in dropped or isinstance(child, dict)
    }


@needs_shared
@pytest.mark.parametrize("version", VERSIONS)
def test_bundled_archive_overlay_gives_what_the_reference_gives(version: str) -> None:
    reference = runpy.run_path(str(SHARED / "conversion" / "overlay.py"))["load"](version)
    assert plain(bundled(version).data) == plain(reference)


@needs_shared
@pytest.mark.parametrize("version", VERSIONS)
def test_upstream_unstable_has_another_revision_of_the_feature(version: str) -> None:
    path = SHARED / "upstream" / "sdk-2.4.0" / version / "schema.unstable.json"
    base = load_document(path, file="unstable.json")
    with pytest.raises(InputError) as caught:
        apply_overlays(base, version, select_overlays(SCHEMAS, version, [FEATURE]))
    message = str(caught.value)
    assert f"the schema already has another revision of the feature {FEATURE}" in message
    assert "unstable.json#/$defs/ListSessionsRequest/properties/archived" in message
    assert "unstable.json#/$defs/SessionInfo/properties/archived" in message
    assert f"schemas/overlays/{FEATURE}/{version}.json#/properties/" in message


def test_the_worked_example_of_the_documentation_works(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "overlays.md").read_text("utf-8")
    schema, overlay = (json.loads(part.split("```")[0]) for part in text.split("```json")[1:])
    document = Document(schema, "example.json", "")
    check_schema(document)
    place(tmp_path, "hiding", "v1").write_text(json.dumps(overlay))
    chosen = select_overlays(tmp_path / "schemas", "v1", ["hiding"])
    resolved = apply_overlays(document, "v1", chosen)
    check_schema(Document(resolved.data, "resolved", ""))
    assert list(resolved.origins) == [
        "/$defs/HideRequest",
        "/$defs/HideResponse",
        "/$defs/HideCapability",
        "/$defs/Can/properties/hide",
        "/$defs/ListRequest/properties/hidden",
        "/$defs/Call/properties/params/anyOf/0",
    ]
    protocol = build_protocol(resolved)
    gates = {m.wire_name: [g.parameter for g in m.gates] for m in protocol.methods}
    assert gates == {"hello": [], "thing/list": ["hidden"], "thing/hide": [None]}
    assert protocol.announcements == {"server": "HelloResponse"}
