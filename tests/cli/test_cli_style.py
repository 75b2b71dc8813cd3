"""Names and style in the configuration: each key must match something, or nothing is written."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import pytest
from acp_codegen.cli import main
from click.testing import CliRunner

SINGLE = """
schemas = "schemas"

[[outputs]]
target = "python"
layout = "single"
out = "made/one"
versions = ["v1"]
"""


def branch(word: str, definition: str) -> dict:
    return {
        "type": "object",
        "properties": {"kind": {"type": "string", "const": word}},
        "required": ["kind"],
        "allOf": [{"$ref": f"#/$defs/{definition}"}],
    }


@pytest.fixture
def styled(project, make_schema):
    schema = make_schema()
    schema["$defs"]["Dot"] = {"type": "object", "properties": {"xAxis": {"type": "integer"}}}
    schema["$defs"]["Shape"] = {"oneOf": [branch("round_dot", "Dot"), branch("flat", "Dot")]}
    schema["$defs"]["Choice"] = {"anyOf": [{"$ref": "#/$defs/Dot"}, {"$ref": "#/$defs/Can"}]}
    project.write("schemas/v1/schema.json", schema)
    project.write("acp-codegen.toml", SINGLE)
    return project


@dataclass
class Done:
    returncode: int
    stderr: str


def build(styled, more: str = "") -> Done:
    """Run ``build`` in this process, which is quicker than a new one."""
    styled.write("acp-codegen.toml", SINGLE + more)
    with contextlib.chdir(styled.root):
        done = CliRunner().invoke(main, ["build"])
    return Done(done.exit_code, done.stderr)


def test_a_single_module_and_its_methods(styled):
    done = build(styled)
    assert done.returncode == 0, done.stderr
    made = sorted(path.name for path in (styled.root / "made/one").iterdir())
    assert made == ["acp-codegen.manifest.json", "v1.py", "v1_methods.py"]
    assert styled.run("check").returncode == 0


def test_a_change_of_style_is_drift(styled):
    build(styled)
    styled.write("acp-codegen.toml", SINGLE + "style = { frozen = true }\n")
    assert styled.run("check").returncode == 1


def test_a_single_module_for_each_version(styled):
    config = SINGLE.replace('versions = ["v1"]', 'files = { models = "acp/{version}/types.py" }')
    styled.write("acp-codegen.toml", config)
    done = styled.run("build")
    assert done.returncode == 0, done.stderr
    for version in ("v1", "v2"):
        assert (styled.root / f"made/one/acp/{version}/types.py").is_file()
        assert (styled.root / f"made/one/{version}_methods.py").is_file()


@pytest.mark.parametrize(
    ("said", "place", "words"),
    [
        # The form.
        ('layout2 = "x"', "/layout2", "Did you mean 'layout'?"),
        ('style = { extra = "alow" }', "/style/extra", "Did you mean 'allow'?"),
        ("style = { extras = 1 }", "/style/extras", "Did you mean 'extra'?"),
        ("style = { frozen = 1 }", "/style/frozen", "must be true or false"),
        ('names = { definitions = { Dot = "a b" } }', "/names/definitions/Dot", "identifier"),
        ("names = { aliases = { Any2 = [] } }", "/names/aliases/Any2", "cannot be []"),
        (
            'names = { unions = { Shape = { pattern = "X" } } }',
            "/names/unions/Shape/pattern",
            "{Tag}",
        ),
        (
            'names = { unions = { Shape = { pattern = "{Tog}" } } }',
            "/names/unions/Shape/pattern",
            "{Tag}",
        ),
        ('files = { models = "../x.py" }', "/files/models", "relative path"),
        ('files = { models = "{x}.py" }', "/files/models", "relative path"),
        # Keys that match nothing.
        (
            'names = { definitions = { Dott = "X" } }',
            "/names/definitions/Dott",
            "no schema has the definition 'Dott'. Did you mean 'Dot'?",
        ),
        ('names = { fields = { xAxes = "x" } }', "/names/fields/xAxes", "Did you mean 'xAxis'?"),
        (
            'names = { fields = { "Dot.xAxes" = "x" } }',
            "/names/fields/Dot.xAxes",
            "Did you mean 'Dot.xAxis'?",
        ),
        (
            'names = { methods = { "thing/lst" = "x" } }',
            "/names/methods/thing~1lst",
            "the method 'thing/lst'. Did you mean 'thing/list'?",
        ),
        (
            'names = { unions = { Shap = { pattern = "{Tag}" } } }',
            "/names/unions/Shap",
            "the union 'Shap'. Did you mean 'Shape'?",
        ),
        (
            'names = { unions = { Dot = { pattern = "{Tag}" } } }',
            "/names/unions/Dot",
            "the union 'Dot'",
        ),
        (
            'names = { unions = { Shape = { variants = { flt = "X" } } } }',
            "/names/unions/Shape/variants/flt",
            "the variant of Shape 'flt'. Did you mean 'flat'?",
        ),
        ('names = { aliases = { All = ["Shpe"] } }', "/names/aliases/All/Shpe", "'Shape'?"),
        ('names = { tables = { T = ["agnt"] } }', "/names/tables/T/agnt", "'agent'?"),
        (
            'style = { definitions = { Colur = { string_enum = "str" } } }',
            "/style/definitions/Colur",
            "'Colour'?",
        ),
        (
            'style = { definitions = { Dot = { string_enum = "str" } } }',
            "/style/definitions/Dot/string_enum",
            "Dot is no string enum",
        ),
        (
            'style = { definitions = { Dot = { root_model = "everywhere" } } }',
            "/style/definitions/Dot/root_model",
            "Dot is no union or alias",
        ),
        (
            'style = { definitions = { Colour = { extra = "allow" } } }',
            "/style/definitions/Colour/extra",
            "Colour is no object",
        ),
        ('style = { unions = { Shpe = { tags = "required" } } }', "/style/unions/Shpe", "'Shape'?"),
        (
            'style = { unions = { Choice = { tags = "required" } } }',
            "/style/unions/Choice/tags",
            "has no tag",
        ),
        (
            'style = { unions = { Shape = { catch_all = "one" } } }',
            "/style/unions/Shape/catch_all",
            "no catch-all",
        ),
        (
            'style = { fields = { "Dot.yAxis" = { malformed = 1 } } }',
            "/style/fields/Dot.yAxis",
            "'Dot.xAxis'?",
        ),
        # Names that are not free.
        ('names = { definitions = { Dot = "Any" } }', "/names/definitions/Dot", "'Any'"),
        ('names = { definitions = { Dot = "class" } }', "/names/definitions/Dot", "'class'"),
        ('names = { definitions = { Dot = "int" } }', "/names/definitions/Dot", "'int'"),
        ('names = { fields = { xAxis = "copy" } }', "/names/fields/xAxis", "'copy'"),
        ('names = { fields = { xAxis = "_x" } }', "/names/fields/xAxis", "'_x'"),
        ('names = { aliases = { Dot = ["Can"] } }', "/names/aliases/Dot", "'Dot' is taken"),
        ('names = { aliases = { List = ["Can"] } }', "/names/aliases/List", "'List' is taken"),
        (
            'names = { enums = { E = { mro = "x" } } }',
            "/names/enums/E/mro",
            "'mro' is taken",
        ),
        ('names = { tables = { def = ["agent"] } }', "/names/tables/def", "'def' is taken"),
        ('names = { base_class = "Dot" }', "/names/base_class", "'Dot' is taken"),
        (
            'names = { definitions = { Dot = "Can" } }',
            "/names",
            "types would have the same name: Can and Dot (Can)",
        ),
        (
            'names = { unions = { Shape = { pattern = "{Payload}" } } }',
            "/names",
            "Dot and Shape.round_dot and Shape.flat (Dot)",
        ),
        (
            'names = { unions = { Shape = { pattern = "{Title}" } } }',
            "/names/unions/Shape/pattern",
            "Title stands for nothing in variant 'round_dot' of Shape. Name the variant",
        ),
        (
            'names = { fields = { "Id.x" = "x" } }',
            "/names/fields/Id.x",
            "no schema has the property 'Id.x'",
        ),
        (
            'files = { models = "a.py", methods = "a.py" }',
            "/files/methods",
            "two files would be a.py",
        ),
    ],
)
def test_what_does_not_belong_is_an_error(styled, said, place, words):
    before = set(styled.root.rglob("*"))
    done = build(styled, f"{said}\n")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"acp-codegen: acp-codegen.toml#/outputs/0{place}: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert set(styled.root.rglob("*")) == before


def test_all_keys_that_match_nothing_are_named_at_once(styled):
    done = build(
        styled,
        'names.definitions = { Dott = "X", Can = "Y" }\n'
        'names.unions.Shape.variants = { flt = "Z" }\n'
        'style.fields."Dot.q".malformed = 1\n',
    )
    assert done.returncode == 2
    assert "3 keys match nothing: names.definitions.Dott (" in done.stderr
    assert "; 'Dot'?)" in done.stderr
    assert "names.unions.Shape.variants.flt (" in done.stderr
    assert "style.fields.Dot.q (" in done.stderr


def test_a_name_for_one_type_wins_over_that_for_all_types(styled):
    done = build(
        styled, 'names.fields = { after = "later", "ListThingsRequest.after" = "since" }\n'
    )
    assert done.returncode == 0, done.stderr
    text = (styled.root / "made/one/v1.py").read_text("utf-8")
    assert "    since: " in text and "later" not in text


def test_two_fields_with_one_name_are_an_error(styled, make_schema):
    schema = make_schema()
    schema["$defs"]["Pair"] = {"type": "object", "properties": {"one": {}, "two": {}}}
    styled.write("schemas/v1/schema.json", schema)
    done = build(styled, 'names.fields = { one = "same", two = "same" }\n')
    assert done.returncode == 2
    assert "#/outputs/0/names/fields: two fields of Pair would be called same" in done.stderr


def test_a_key_that_one_of_the_versions_has_matches(styled):
    config = SINGLE.replace('versions = ["v1"]\n', "")
    styled.write("acp-codegen.toml", config + 'names.aliases = { Two = ["Shape"] }\n')
    done = styled.run("build")
    assert done.returncode == 0, done.stderr
    assert "Two: TypeAlias" in (styled.root / "made/one/v1.py").read_text("utf-8")
    assert "Two" not in (styled.root / "made/one/v2.py").read_text("utf-8")


@pytest.mark.parametrize(
    "said",
    [
        'names.aliases = { Two = ["Shape"] }',
        'names.base_class = "Base"',
        'style.extra = "ignore"',
        'files = { models = "x.py" }',
        "style.fields = {}",
    ],
)
def test_what_a_layout_has_no_use_for_is_an_error(styled, said):
    styled.write("acp-codegen.toml", SINGLE.replace('layout = "single"\n', "") + f"{said}\n")
    done = styled.run("build")
    assert done.returncode == 2
    key = said.partition(" ")[0].replace(".", "/")
    assert f"#/outputs/0/{key}: " in done.stderr
    assert "has no effect on target python in layout 'package'" in done.stderr


def test_a_type_that_contains_itself_through_no_class_is_an_error(styled, make_schema):
    schema = make_schema()
    leaf, nodes = {"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
    schema["$defs"]["Tree"] = {"anyOf": [{"title": "l", **leaf}, {"title": "n", **nodes}]}
    styled.write("schemas/v1/schema.json", schema)
    done = build(styled)
    assert done.returncode == 3
    assert done.stderr.startswith("acp-codegen: schemas/v1/schema.json#/$defs/Tree: ")
    assert "root_model" in done.stderr
    done = build(styled, 'style.definitions.Tree.root_model = "everywhere"\n')
    assert done.returncode == 0, done.stderr


def test_a_default_that_lacks_what_is_required_is_an_error(styled, make_schema):
    schema = make_schema()
    schema["$defs"]["Needy"] = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
    given = {"allOf": [{"$ref": "#/$defs/Needy"}], "default": {}}
    schema["$defs"]["Holder"] = {"type": "object", "properties": {"needy": given}}
    styled.write("schemas/v1/schema.json", schema)
    done = build(styled)
    assert done.returncode == 3
    assert (
        "#/$defs/Holder/properties/needy: the default lacks the required property 'a'"
        in done.stderr
    )


def test_the_header_is_for_every_target_and_names_are_not(styled):
    config = SINGLE.replace('layout = "single"\n', "").replace('"python"', '"typescript"')
    styled.write("acp-codegen.toml", config + 'style.header = "Licence: MIT"\n')
    done = styled.run("build")
    assert done.returncode == 0, done.stderr
    made = [path.read_text("utf-8") for path in (styled.root / "made/one").rglob("*.ts")]
    assert made and all("Licence: MIT" in text for text in made)
    for said in ('layout = "single"', 'names.fields = { xAxis = "x" }'):
        styled.write("acp-codegen.toml", config + f"{said}\n")
        done = styled.run("build")
        assert done.returncode == 2
        assert "target typescript" in done.stderr
