"""The examples in docs/conversion.md: their rules are complete, and do what the text says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from acp_codegen.conversion.plan import make_plan
from acp_codegen.conversion.rules import load_rules
from acp_codegen.resources import schemas_dir, templates_dir
from acp_codegen.sources import RULES_FILE, Sources
from acp_codegen.targets.python.converter import load_converter

TEXT = (Path(__file__).parents[2] / "docs" / "conversion.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"```toml\n(.*?)```\n\n```text\n(.*?)```", re.S)
DEFINITION = re.compile(r"(v[12]) (\w+)(?: for (\S+?))?(?: by (\w+))?(:| =) ?(.*)")
RUN = re.compile(r"(v._to_v.) (\w+) (lossy )?(.*)")


def _scalar(text: str) -> dict[str, Any]:
    kind, _, bound = text.partition(" >= ")
    if kind == "any":
        return {}
    return {"type": kind, **({"minimum": int(bound)} if bound else {})}


def _type(text: str) -> dict[str, Any]:
    if text.endswith("|null"):
        inner = _type(text.removesuffix("|null"))
        if "type" not in inner:
            return {"anyOf": [inner, {"type": "null"}]}
        return {**inner, "type": [inner["type"], "null"]}
    if text[0] in "[{":
        inner, _, least = text[1:].partition("]" if text[0] == "[" else "}")
        if text[0] == "{":
            return {"type": "object", "additionalProperties": _type(inner) or True}
        bound = {"minItems": int(least.removeprefix(" min "))} if least else {}
        return {"type": "array", "items": _type(inner), **bound}
    if text[0].isupper():
        return {"allOf": [{"$ref": f"#/$defs/{text}"}]}
    return _scalar(text)


def _union(tag: str, text: str) -> dict[str, Any]:
    branches: list[dict[str, Any]] = []
    for part in text.split(", "):
        *plain, value, name = part.split(" ")
        payload = {"allOf": [{"$ref": f"#/$defs/{name}"}]}
        if plain:
            branches.append({"title": value, **payload})
        else:
            constant = {"type": "string", "const": value}
            branches.append(
                {"type": "object", "properties": {tag: constant}, "required": [tag], **payload}
            )
    return {"anyOf": branches}


def _definition(found: re.Match[str]) -> dict[str, Any]:
    _, name, method, tag, sign, text = found.groups()
    if tag:
        return _union(tag, text)
    if sign == " =":
        return (
            {}
            if text == "any"
            else {"type": "string", "enum": [w.strip('"') for w in text.split(" | ")]}
        )
    fields = [field.split(": ", 1) for field in text.split(", ") if field]
    made: dict[str, Any] = {
        "type": "object",
        "properties": {key.removesuffix("?"): _type(type_) for key, type_ in fields},
        "required": [key for key, _ in fields if not key.endswith("?")],
    }
    if method:
        made |= {"x-side": "agent", "x-method": method}
    if name in ("Request", "Response"):
        made |= {"x-docs-ignore": True}
    return {key: value for key, value in made.items() if value != []}


def _read(text: str) -> tuple[Any, str]:
    value, end = json.JSONDecoder().raw_decode(text)
    return value, text[end:].strip()


def _outcome(text: str) -> tuple[list[Any], str]:
    """Return the values after the arrow, and the rest of the line."""
    values: list[Any] = []
    if text.startswith("nothing"):
        return values, text.removeprefix("nothing").strip()
    while not text.startswith("refused"):
        value, text = _read(text.removeprefix("and "))
        values.append(value)
        if not text.startswith("and "):
            break
    return values, text


EXAMPLES = EXAMPLE.findall(TEXT)


def _write(folder: Path, rules: str, text: str) -> dict[str, dict[str, Any]]:
    schemas: dict[str, dict[str, Any]] = {"v1": {}, "v2": {}}
    for line in text.splitlines():
        found = DEFINITION.fullmatch(line)
        if found and not RUN.fullmatch(line):
            schemas[found[1]][found[2]] = _definition(found)
    (folder / "conversion").mkdir(parents=True)
    (folder / RULES_FILE).write_text(rules, encoding="utf-8")
    for version, definitions in schemas.items():
        (folder / version).mkdir()
        data = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
        (folder / version / "schema.json").write_text(json.dumps(data), encoding="utf-8")
    return schemas


@pytest.mark.parametrize("index", range(len(EXAMPLES)))
def test_example(index: int, tmp_path: Path) -> None:
    rules, text = EXAMPLES[index]
    schemas = _write(tmp_path / "schemas", rules, text)
    sources = Sources(tmp_path / "schemas")
    old, new = (sources.protocol(version, ()) for version in ("v1", "v2"))
    plan = make_plan(
        old, new, load_rules(tmp_path / "schemas" / RULES_FILE, "rules.toml"), complete=True
    )
    module = load_converter(plan, templates_dir() / "python")

    def valid(version: str, name: str, value: Any) -> None:
        data = {"$ref": f"#/$defs/{name}", "$defs": schemas[version]}
        jsonschema.Draft202012Validator(data).validate(value)

    runs = [found for line in text.splitlines() if (found := RUN.fullmatch(line))]
    assert runs
    for found in runs:
        direction, name, lossy, rest = found.groups()
        value, rest = _read(rest)
        context = None
        if rest.startswith("with "):
            context, rest = _read(rest.removeprefix("with "))
        wanted, said = _outcome(rest.removeprefix("-> "))
        valid(direction[:2], name, value)
        report: list[Any] = []
        if said.startswith("refused at "):
            with pytest.raises(module.ConversionError) as caught:
                module.convert_json(direction, name, value, context, bool(lossy), report)
            place = said.removeprefix("refused at ")
            assert caught.value.path == ("" if place == "the value itself" else place), found[0]
            continue
        made = module.convert_json(direction, name, value, context, bool(lossy), report)
        assert made == wanted, found[0]
        action, _, place = said.partition(" at ")
        losses = [(place.replace("the value itself", ""), action)] if said else []
        assert [(loss.path, loss.action) for loss in report] == losses, found[0]
        target = next(d for d in plan.directions if d.name == direction).targets[name]
        for item in made:
            if "[[choices]]" not in rules:  # where the value decides on the target
                valid(direction[-2:], target, item)


def test_every_word_of_the_format_is_explained() -> None:
    form = json.loads((schemas_dir() / "conversion.schema.json").read_text(encoding="utf-8"))
    words: set[str] = set(form["properties"]) - {"$schema"}
    for name in ("member", "type", "union"):
        words |= set(form["$defs"][name]["properties"])
    words |= {
        "marker",
        "entries",
        "opaque",
        "fan_out",
        "accepts",
        "target",
        *form["properties"]["envelopes"]["properties"],
    }
    missing = {word for word in words if not re.search(rf"\b{word}\b", TEXT)}
    assert not missing
    assert len(EXAMPLES) > 20
    assert TEXT.count("```toml") == TEXT.count("```text") == len(EXAMPLES)
