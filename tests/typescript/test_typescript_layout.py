"""Line breaking and literals, where the schemas at hand do not reach. No Node needed."""

from __future__ import annotations

import pytest
from acp_codegen.targets.typescript.layout import (
    array,
    call,
    group,
    imported,
    pairs,
    render,
)
from acp_codegen.targets.typescript.literals import block, comment, entry, key, literal, string

LONG = [f'"{letter * 20}"' for letter in "abcd"]


def test_a_group_breaks_only_when_it_is_too_long() -> None:
    assert render(call("f", "a", "b")) == "f(a, b)"
    assert render(call("f", *LONG)) == "f(\n  " + ",\n  ".join(LONG) + ",\n)"
    assert render(call("f", array(*LONG))) == "f([\n  " + ",\n  ".join(LONG) + ",\n])"
    assert render(call("f", "x", array(*LONG))) == "f(x, [\n  " + ",\n  ".join(LONG) + ",\n])"
    assert render(array()) == "[]"


def test_what_follows_counts_up_to_the_next_break() -> None:
    fits = group(call("f", "a" * 70))
    assert "\n" not in render(group(fits, ";"))
    assert "\n" in render(group(fits, ";" * 9))


def test_an_object_has_a_line_for_each_member() -> None:
    assert render(pairs(("a", "1"), ("b", pairs()))) == "{\n  a: 1,\n  b: {},\n}"


def test_imports() -> None:
    assert imported([], "m") == ""
    assert imported(["a", "b"], "m") == 'import { a, b } from "m";'
    assert imported(["a"], "m", types=True) == 'import type { a } from "m";'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1.0, "1"),
        (-0.5, "-0.5"),
        (1e300, "1e300"),
        (1e-9, "1e-9"),
        (2**53 - 1, "9007199254740991"),
        (2**53, "9007199254740992n"),
        ("a\u2028*/`${x}\\", '"a\\u2028*/`${x}\\\\"'),
        ('say "hi"', "'say \"hi\"'"),
        ("it's \"q\"'", '"it\'s \\"q\\"\'"'),
        ("\U0001f600", '"\\ud83d\\ude00"'),
    ],
)
def test_literals(value: object, text: str) -> None:
    assert literal(value) == text


def test_keys() -> None:
    assert [key("a_$1"), key("a-b"), key("été"), key("__proto__")] == [
        "a_$1",
        '"a-b"',
        '"\\u00e9t\\u00e9"',
        "__proto__",
    ]
    assert entry("__proto__") == '["__proto__"]'
    assert string("") == '""'


def test_comments_end_where_they_should() -> None:
    assert block("", 0) == ""
    assert block("a */ b", 1) == "  /** a *\\/ b */\n"
    assert block("*/\u2028/*\n/", 0) == "/**\n * *\\/\\u2028/*\n * /\n */\n"
    assert comment("a\nb\u2028c") == "a b c"


def test_comments_are_wrapped_and_make_no_tags() -> None:
    line = f"   * {' '.join(['word'] * 15)}\n"
    assert block("word " * 30 + "@word", 1) == f"  /**\n{line}{line}   * \\@word\n   */\n"
    assert block("@deprecated", 0) == "/** \\@deprecated */\n"
    assert block("a\n@param b @c", 0) == "/**\n * a\n * \\@param b @c\n */\n"
