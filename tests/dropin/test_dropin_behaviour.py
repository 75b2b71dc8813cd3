"""What users of the SDK rely on, beside what its own suite asks for."""

from __future__ import annotations

import re

import pytest
from pydantic import AnyUrl, BaseModel, RootModel, TypeAdapter, ValidationError

TEXT = {"type": "text", "text": "t"}


def classes(schema) -> list[type[BaseModel]]:
    return [
        found
        for found in vars(schema).values()
        if isinstance(found, type)
        and issubclass(found, schema.BaseModel)
        and not issubclass(found, RootModel)
    ]


def test_every_field_can_be_read_by_its_wire_name(schema):
    checked = 0
    for found in classes(schema):
        values = {name: object() for name in found.model_fields}
        made = found.model_construct(**values)
        for name, field in found.model_fields.items():
            if field.alias and not field.alias.startswith("_"):
                assert getattr(made, field.alias) is values[name]
                checked += 1
    assert checked > 200
    with pytest.raises(AttributeError):
        _ = schema.TextContent(text="t").noSuchName


def test_extra_keys_are_ignored(schema):
    found = schema.TextContent.model_validate({"text": "t", "future": 1})
    assert found.model_dump(exclude_unset=True) == {"text": "t"}


def test_models_are_made_by_either_name_and_can_be_changed(schema):
    made = schema.ReadTextFileRequest(session_id="s", path="/p")
    assert made == schema.ReadTextFileRequest(sessionId="s", path="/p")
    made.path = "/q"
    assert made.path == "/q"


def test_required_nullable_fields_must_be_given(schema):
    scope = schema.ElicitationRequestScope
    assert scope.model_validate({"requestId": None}).request_id is None
    with pytest.raises(ValidationError):
        scope.model_validate({})


def test_uris_are_parsed(schema):
    found = schema.ElicitationUrlSessionMode.model_validate(
        {"sessionId": "s", "elicitationId": "e", "url": "https://a.example/x"}
    )
    assert isinstance(found.url, AnyUrl)
    assert found.model_dump(mode="json")["url"] == "https://a.example/x"


def test_a_date_for_a_version_reads_as_one(schema):
    found = schema.InitializeRequest.model_validate({"protocolVersion": "2024-11-05"})
    assert found.protocol_version == 1


def test_default_objects_are_instances_of_their_own(schema):
    one = schema.InitializeRequest(protocol_version=1)
    other = schema.InitializeRequest(protocol_version=1)
    assert type(one.client_capabilities) is schema.ClientCapabilities
    assert type(one.client_capabilities.auth) is schema.AuthCapabilities
    one.client_capabilities.fs.read_text_file = True
    assert other.client_capabilities.fs.read_text_file is False
    assert one.model_dump(exclude_unset=True) == {"protocol_version": 1}


def test_malformed_capabilities_become_the_default_instance(schema):
    found = schema.InitializeRequest.model_validate(
        {"protocolVersion": 1, "clientCapabilities": "everything"}
    )
    assert found.client_capabilities == schema.ClientCapabilities()
    assert type(found.client_capabilities) is schema.ClientCapabilities
    answer = schema.InitializeResponse.model_validate(
        {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": 5, "auth": []}}
    )
    assert type(answer.agent_capabilities.prompt_capabilities) is schema.PromptCapabilities
    assert type(answer.agent_capabilities.auth) is schema.AgentAuthCapabilities


def test_malformed_items_are_dropped(schema):
    found = schema.ToolCallUpdate.model_validate(
        {"toolCallId": "t", "content": [{"type": "content", "content": TEXT}, {"x": 1}, 3]}
    )
    assert [type(item) for item in found.content] == [schema.ContentToolCallContent]


def test_none_is_taken_where_a_field_may_be_left_out(schema):
    made = schema.InitializeResponse(protocol_version=1, agent_capabilities=None)
    assert made.agent_capabilities is None


def test_catch_alls_keep_extra_keys_and_refuse_known_tags(schema):
    requests = TypeAdapter(schema.CreateElicitationRequest)
    found = requests.validate_python({"mode": "x", "message": "m", "sessionId": "s", "n": 1})
    assert type(found) is schema.CreateOtherElicitationRequest
    assert found.model_dump() == {
        "mode": "x", "message": "m", "field_meta": None, "sessionId": "s", "n": 1,
    }  # fmt: skip
    with pytest.raises(ValidationError):
        schema.CreateOtherElicitationRequest(mode="form", message="m")


def test_a_payload_is_a_base_of_its_variant(schema):
    block = schema.TextContentBlock.model_validate(TEXT)
    assert isinstance(block, schema.TextContent)
    assert issubclass(schema.ToolCallStart, schema.ToolCall)
    assert issubclass(schema.UsageUpdate, schema._UsageUpdate)


def test_the_two_resources_keep_their_names(schema):
    content = TypeAdapter(schema.ContentBlock)
    link = content.validate_python({"type": "resource_link", "name": "n", "uri": "file:///x"})
    embedded = content.validate_python(
        {"type": "resource", "resource": {"uri": "file:///x", "text": "t"}}
    )
    assert type(link) is schema.ResourceContentBlock
    assert type(embedded) is schema.EmbeddedResourceContentBlock


def test_content_of_an_answer_is_plain_values(schema):
    found = schema.AcceptElicitationResponse.model_validate(
        {"action": "accept", "content": {"a": True, "b": 2, "c": ["x"]}}
    )
    assert found.content == {"a": True, "b": 2, "c": ["x"]}
    assert [type(value) for value in found.content.values()] == [bool, int, list]


@pytest.mark.parametrize(
    ("release", "lost"),
    [
        (
            "sdk-2.4.0",
            ["names.unions.NesSuggestion", "names.tables.AGENT_METHODS.both",
             "names.tables.CLIENT_METHODS.both"],
        ),
    ],
)  # fmt: skip
def test_a_newer_schema_names_the_keys_that_no_longer_match(
    release, lost, upstream, build, tmp_path
):
    done = build(upstream(f"{release}/v1/schema.unstable.json"), tmp_path / "out")
    assert done.returncode == 2, done.stderr
    [line] = [line for line in done.stderr.splitlines() if "match nothing" in line]
    assert f": {len(lost)} keys match nothing: " in line
    for key in lost:
        assert f"{key} (" in line
    assert not (tmp_path / "out").exists()


def test_a_newer_schema_works_with_the_keys_that_it_asks_for(
    upstream, build, example, loaded, tmp_path
):
    newest = upstream("sdk-2.4.0/v1/schema.unstable.json")
    kept = [line for line in example.splitlines() if not line.startswith("NesSuggestion = ")]
    text = "\n".join(kept).replace(', "both"]', "]")
    config = tmp_path / "acp-codegen.toml"
    config.write_text(text, "utf-8")
    done = build(newest, tmp_path / "out", config)
    assert done.returncode == 2
    assert "types would have the same name: " in done.stderr
    taken = re.findall(r"SessionUpdate\.\w+ and (\w+) \(\1\)", done.stderr)
    assert len(taken) == 6
    moved = "\n".join(f'{name} = "_{name}"' for name in taken)
    table = "[outputs.names.definitions]"
    config.write_text(text.replace(table, f"{table}\n{moved}"), "utf-8")
    done = build(newest, tmp_path / "out", config)
    assert done.returncode == 0, done.stderr
    schema = loaded(tmp_path / "out/schema.py", "newest_schema")
    for name in taken:
        assert issubclass(getattr(schema, name), getattr(schema, f"_{name}"))
    update = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T"}
    found = schema.SessionNotification.model_validate({"sessionId": "s", "update": update})
    assert type(found.update) is schema.ToolCallStart
