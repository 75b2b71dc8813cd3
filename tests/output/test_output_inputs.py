import pytest
from acp_codegen.errors import InputError
from acp_codegen.output.inputs import digest_inputs, source_parts


def test_digest_does_not_depend_on_order_or_line_ends():
    first = digest_inputs({"a": b"1\r\n2\r\n", "b": "x"})
    assert first == digest_inputs({"b": b"x", "a": "1\n2\n"})
    assert len(first) == 64


def test_digest_depends_on_names_and_contents():
    parts = [{}, {"a": ""}, {"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}, {"a": "", "b": "c"}]
    assert len({digest_inputs(part) for part in parts}) == len(parts)


def test_source_parts_are_relative_and_sorted(tmp_path):
    for name in ("b.jinja", "a/c.jinja", "a/b.txt", "__pycache__/x.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    parts = source_parts(tmp_path, ["**/*.jinja", "**/*.txt", "a/*.jinja"])
    assert list(parts.items()) == [
        ("a/b.txt", b"a/b.txt"),
        ("a/c.jinja", b"a/c.jinja"),
        ("b.jinja", b"b.jinja"),
    ]


def test_missing_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError):
        source_parts(tmp_path / "none", ["*"])
