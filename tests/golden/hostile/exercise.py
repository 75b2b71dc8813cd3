"""Texts that try to break out of the generated code, in every place where a schema holds text."""

import builtins
import inspect

from mini import refused, same

EXPECTED = ("v1/models.py", "v1/methods.py", "v1/agent.py", "v1/codec.py")

#: What is tried in each place; the twin has a harmless word of the same place instead.
TEXTS = {
    "quote": "it's \"q\"'; CANARY = 1 #",
    "triple": '"""\nimport builtins; builtins.CANARY = 1\n"""',
    "single_triple": "'''\nCANARY = 1\n'''",
    "backslash": "C:\\new\\users \\N{x} \\u12 \\x",
    "ends_backslash": "ends with \\",
    "ends_quote": 'ends with "',
    "newline": "a\nimport builtins; builtins.CANARY = 1",
    "cr": "a\rimport builtins; builtins.CANARY = 1\r\n# b",
    "separators": "a\u2028CANARY = 1\u2029b\x85c\x0bd\x0ce\x1cf",
    "bidi": "\u202e\u2066reversed\u2069\u200f",
    "nul": "a\x00b\x1bc\x7f",
    "braces": "{{ 7 * 7 }} {% raw %} {# x #} {CANARY} %s ${x}",
    "proto": "__proto__",
    "dunder": "__class__",
    "path": "../../../tmp/CANARY",
    "windows": "a\\..\\b:con.",
    "comment": "*/ # // <!-- CANARY",
    "fstring": "{__import__('builtins')}",
    "astral": "\U0001f600\ufeff\ufffe",
}


def definitions(*, hostile):
    """Return the definitions: with the texts, or with a word in place of each."""

    def at(place, key):
        return TEXTS[key] if hostile else f"{place} {key}".replace("_", " ")

    def const(tag, word):
        return {
            "type": "object",
            "properties": {tag: {"type": "string", "const": word}},
            "required": [tag],
        }

    tag = at("tag", "quote")
    words = [at("word", key) for key in TEXTS]
    union = [const(tag, at("variant", key)) for key in TEXTS]
    open_words = [at("open", key) for key in ("quote", "newline")]
    found = {
        "Fields": {
            "type": "object",
            "description": at("about", "triple"),
            "properties": {
                at("field", key): {
                    "type": "string",
                    "description": at("about", key),
                    "default": at("default", key),
                }
                for key in TEXTS
            },
            "required": [at("field", "newline")],
        },
        "Defaults": {
            "type": "object",
            "description": at("about", "ends_backslash"),
            "properties": {
                "map": {
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                    "default": {at("key", key): at("default", key) for key in TEXTS},
                },
                "list": {"type": "array", "items": {"type": "string"}, "default": words},
            },
        },
        "Words": {"type": "string", "enum": words, "description": at("about", "separators")},
        "Open": {
            "anyOf": [
                *(
                    {
                        "type": "string",
                        "const": word,
                        "title": at("title", "newline"),
                        "description": at("about", "cr"),
                    }
                    for word in open_words
                ),
                {"type": "string", "title": at("title", "braces")},
            ]
        },
        "Union": {
            "oneOf": union,
            "discriminator": {"propertyName": tag},
            "description": at("about", "ends_quote"),
        },
        "Free": {
            "anyOf": [
                const(tag, open_words[0]),
                {
                    "title": at("title", "triple"),
                    "type": "object",
                    "properties": {tag: {"type": "string"}},
                    "required": [tag],
                    "not": {"anyOf": [const(tag, open_words[0])]},
                },
            ]
        },
        "Shapes": {
            "anyOf": [
                {
                    "title": at("title", key),
                    "type": "object",
                    "required": [at("shape", key)],
                    "properties": {at("shape", key): {"type": "integer"}},
                }
                for key in ("quote", "newline", "backslash")
            ]
        },
        "GoRequest": {
            "type": "object",
            "properties": {},
            "x-side": "agent",
            "x-method": at("method", "newline"),
            "description": at("about", "cr"),
        },
        "GoResponse": {
            "type": "object",
            "properties": {},
            "x-side": "agent",
            "x-method": at("method", "newline"),
        },
        "TellNotification": {
            "type": "object",
            "properties": {},
            "x-side": "agent",
            "x-method": at("method", "triple"),
        },
    }
    for key in TEXTS:
        name = at("definition", key)
        found[name] = {
            "type": "object",
            "title": at("title", key),
            "required": ["v"],
            "description": at("about", key),
            "properties": {"v": {"type": "string"}},
        }
    found["Use"] = {
        "type": "object",
        "properties": {
            key: {"$ref": "#/$defs/" + at("definition", key).replace("~", "~0").replace("/", "~1")}
            for key in TEXTS
            if key != "braces"  # percent signs: see the case "references"
        },
    }
    return found


def check_no_canary(pkg):
    assert not hasattr(builtins, "CANARY")
    for module in (pkg, pkg.v1, pkg.v1.codec, pkg.v1.methods, pkg.v1.agent, pkg.v1.models):
        # A definition may well be called that; nothing may have been assigned to it.
        assert not isinstance(vars(module).get("CANARY"), int)


def check_fields(pkg):
    value = {text: f"value of {key}" for key, text in TEXTS.items()}
    found = same(pkg.v1, "Fields", value)
    python = {field.name: name for name, field in type(found).__acp_wire__.items()}
    assert set(python) == set(value) and len(set(python.values())) == len(value)
    assert {wire: getattr(found, name) for wire, name in python.items()} == value
    needed = TEXTS["newline"]
    assert refused(pkg.v1, "Fields", {}) == [f"/{needed}"]
    least = pkg.v1.decode("Fields", {needed: "x"})
    for wire, name in python.items():
        assert getattr(least, name) == ("x" if wire == needed else wire)


def check_defaults(pkg):
    made = pkg.v1.Defaults()
    wires = {field.name: name for name, field in pkg.v1.Defaults.__acp_wire__.items()}
    assert getattr(made, wires["map"]) == {text: text for text in TEXTS.values()}
    assert getattr(made, wires["list"]) == list(TEXTS.values())


def check_words(pkg):
    for text in TEXTS.values():
        same(pkg.v1, "Words", text)
        same(pkg.v1, "Open", text)
        same(pkg.v1, "Union", {TEXTS["quote"]: text, "more": text})
        same(pkg.v1, "Free", {TEXTS["quote"]: text})
        same(pkg.v1, text, {"v": text})
        assert refused(pkg.v1, text, {}) == ["/v"]
    refused(pkg.v1, "Words", "other")
    refused(pkg.v1, "Union", {TEXTS["quote"]: "other"})
    classes = {type(pkg.v1.decode("Union", {TEXTS["quote"]: text})) for text in TEXTS.values()}
    assert len(classes) == len(TEXTS)


def check_references(pkg):
    same(pkg.v1, "Use", {key: {"v": key} for key in TEXTS if key != "braces"})
    assert refused(pkg.v1, "Use", {"path": {}}) == ["/path/v"]


def check_methods(pkg):
    assert set(pkg.v1.AGENT_METHODS) == {TEXTS["newline"], TEXTS["triple"]}


def check_texts_can_still_be_read(pkg):
    said = inspect.getdoc(pkg.v1.Fields)
    assert said is not None and "builtins.CANARY" in said and '"""' in said
    assert "ends with \\" in (inspect.getdoc(pkg.v1.Defaults) or "")
