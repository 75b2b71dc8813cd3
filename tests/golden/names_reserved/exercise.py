"""Keywords, builtins and BaseModel members as names of fields and definitions."""

import copy
import keyword

from mini import refused, same

WORDS = [
    "class",
    "from",
    "global",
    "None",
    "True",
    "False",
    "async",
    "await",
    "lambda",
    "import",
    "pass",
    "is",
    "not",
    "match",
    "type",
    "print",
    "self",
    "cls",
    "id",
    "def",
    "DELETE",
    "return",
    "yield",
    "nonlocal",
]
MEMBERS = [
    "schema",
    "copy",
    "json",
    "dict",
    "model_config",
    "model_fields",
    "model_dump",
    "model_validate",
    "validate",
    "construct",
    "register",
    "fields",
    "parse_obj",
    "model_computed_fields",
    "model_extra",
    "model_fields_set",
    "update_forward_refs",
]
BUILTINS = [
    "list",
    "str",
    "int",
    "float",
    "bool",
    "object",
    "set",
    "tuple",
    "bytes",
    "len",
    "len_",
    "property",
    "super",
]


def _python(cls, wire):
    [name] = [name for name, field in cls.__acp_wire__.items() if field.name == wire]
    return name


def check_fields(pkg):
    for name, wires in (("Words", WORDS), ("Members", MEMBERS), ("Builtins", BUILTINS)):
        value = {wire: f"value of {wire}" for wire in wires}
        found = same(pkg.v1, name, value)
        names = {wire: _python(type(found), wire) for wire in wires}
        assert len(set(names.values())) == len(wires)
        for wire, python in names.items():
            assert python.isidentifier() and not keyword.iskeyword(python)
            assert getattr(found, python) == value[wire]
        made = type(found)(**{names[wire]: value[wire] for wire in wires})
        assert made == found and pkg.v1.encode(made) == value
        for wire, python in names.items():
            if python != wire and wire != wires[0]:
                assert refused(pkg.v1, name, {python: "x"})


def check_base_methods_still_work(pkg):
    found = pkg.v1.decode("Members", dict.fromkeys(MEMBERS, "v"))
    assert found.model_dump()["model_dump"] == "v"
    assert len(found.model_fields_set) == len(MEMBERS)
    assert found.model_extra == {}
    assert copy.deepcopy(found) == found.model_copy() == found
    assert type(found).model_validate({"schema": "s"}).model_dump() == {"schema": "s"}


def check_case_alone(pkg):
    found = same(pkg.v1, "Words", {"class": "c", "global": "g", "Global": 2})
    assert {getattr(found, _python(type(found), wire)) for wire in ("global", "Global")} == {"g", 2}
