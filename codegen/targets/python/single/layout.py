"""The single layout: modules of plain pydantic models that need nothing but pydantic."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ....errors import UsageError, Where
from ....pointer import join
from ....protocol.ir import Protocol
from ....style.model import Choices
from ...model import Job
from ...naming import distinct, snake, upper
from ...templating import Templates
from ..chosen import check_distinct, check_member_names, chosen_types
from ..converter import FILTERS
from ..formatting import format_python
from ..literals import comment
from ..names import Names, name_all
from .reshape import reshape
from .views import module_view

_TYPING = frozenset(
    {"Annotated", "Any", "Dict", "List", "Literal", "Optional", "TypeAlias", "Union"}
)
#: What to import from pydantic, by what the module uses.
_PYDANTIC = {
    "AfterValidator": {"_other_than"},
    "AnyUrl": {"AnyUrl"},
    "BeforeValidator": {"_needs", "_null_is_empty"},
    "ConfigDict": {"ConfigDict"},
    "Field": {"Field"},
    "RootModel": {"RootModel"},
    "ValidationError": {"_or_else", "_or_else_unless"},
    "WrapValidator": {"_or_else", "_or_else_unless"},
}


class _AnEnum(StrEnum):
    """Has the attributes that a member of a generated enum must not replace."""


#: Names that the module defines or imports for itself.
RESERVED = (
    _TYPING
    | set(_PYDANTIC).union(*_PYDANTIC.values())
    | {
        "Enum",
        "_BaseModel",
        "_SKIPPED",
        "_Skipped",
        "_core_schema",
    }
)
#: Lists and maps are spelt List and Dict, so that a field may be called list or dict.
_HIDDEN = frozenset({"bool", "float", "int", "str"})


def render_single(job: Job) -> Mapping[str, str]:
    """Return a module with the types and one with the method tables for each version.

    Raises:
        UsageError: if a name of the configuration is not free, or two files have one path.
        InputError: if a schema cannot be said in this layout, or a template is at fault.
    """
    check_member_names(job.choices)
    _check_new_names(job)
    files: dict[str, str] = {}
    templates = Templates(job.templates, FILTERS)
    for version, given in job.protocols.items():
        job.say(f"{version}: models")
        protocol = reshape(given, job.choices.style)
        header = "\n".join(f"# {comment(line)}" for line in job.headers[version])
        for kind, pattern, values in (
            ("models", job.choices.models, _models(protocol, job.choices)),
            ("methods", job.choices.methods, _methods(protocol, job.choices, version)),
        ):
            path = pattern.replace("{version}", version)
            if path in files:
                raise UsageError(
                    f"two files would be {path}",
                    where=_where(job.choices, ("files", kind)),
                    remedy="put {version} into the path, or choose one version",
                )
            template = f"single/{kind}.py.jinja"
            text = templates.render(template, header=header, version=version, **values)
            files[path] = format_python(text, template)
    return files


def _models(protocol: Protocol, choices: Choices) -> dict[str, Any]:
    """Return what the template of the types sees."""
    view = module_view(protocol, _names(protocol, choices), choices)
    used = view.used | {"Any", "ConfigDict"}
    imports = {name for name, causes in _PYDANTIC.items() if causes & used}
    return {
        "base": choices.names.base_class,
        "pydantic": ["BaseModel as _BaseModel", *sorted(imports)],
        "rebuilt": view.rebuilt,
        "style": choices.style,
        "types": view.types,
        "typing": sorted(_TYPING & used),
        "used": used,
    }


def _methods(protocol: Protocol, choices: Choices, version: str) -> dict[str, Any]:
    """Return what the template of the method tables sees."""
    return {"tables": _tables(protocol, choices), "number": _number(version)}


def _check_new_names(job: Job) -> None:
    """Refuse names that the configuration adds to the modules where they are not free."""
    names = job.choices.names
    types = {name for protocol in job.protocols.values() for name in protocol.definitions}
    added = [
        *((("names", "aliases", name), name) for name in names.aliases),
        *((("names", "enums", name), name) for name in names.enums),
        *((("names", "tables", name), name) for name in names.tables),
        *(
            (("names", "enums", enum, name), name)
            for enum in names.enums
            for name in names.enums[enum]
        ),
    ]
    if ("names", "base_class") in job.choices.said:
        added.append((("names", "base_class"), names.base_class))
    for path, name in added:
        used = hasattr(builtins, name) or name in RESERVED or name in types
        # A member of an enum is in a namespace of its own.
        taken = name in {*dir(_AnEnum), "mro"} if len(path) == 4 else used
        if keyword.iskeyword(name) or taken:
            raise UsageError(
                f"{name!r} is taken",
                where=_where(job.choices, path),
                remedy="choose a name that neither Python nor the schema uses",
            )


def _names(protocol: Protocol, choices: Choices) -> Names:
    extra = {choices.names.base_class, *choices.names.aliases, *choices.names.enums}
    taken = RESERVED | extra
    chosen = chosen_types(protocol, choices, taken)
    names = name_all(
        protocol,
        {},
        taken,
        chosen=chosen,
        chosen_fields=choices.names.fields,
        hidden=_HIDDEN,
    )
    check_distinct(names, choices)
    return names


def _tables(protocol: Protocol, choices: Choices) -> dict[str, dict[str, str]]:
    """Return table -> method's name -> wire name."""
    sides = dict.fromkeys(method.side for method in protocol.methods)
    wanted = choices.names.tables or {f"{upper(side)}_METHODS": (side,) for side in sides}
    tables = {}
    for table, served in wanted.items():
        wires = [method.wire_name for method in protocol.methods if method.side in served]
        given = {
            wire: choices.names.methods[wire] for wire in wires if wire in choices.names.methods
        }
        rest = distinct(
            (wire for wire in dict.fromkeys(wires) if wire not in given),
            snake,
            taken=given.values(),
        )
        named = {wire: given.get(wire) or rest[wire] for wire in dict.fromkeys(wires)}
        tables[table] = {name: wire for wire, name in named.items()}
        if len(tables[table]) < len(named):
            raise UsageError(
                f"two methods of {table} would have one name",
                where=_where(choices, ("names", "methods")),
                remedy="give one of them another name",
            )
    return tables


def _number(version: str) -> int | str:
    """Return the protocol's version as its messages say it, from a name such as v1."""
    digits = version.removeprefix("v")
    return int(digits) if digits.isdecimal() else version


def _where(choices: Choices, path: tuple[str, ...]) -> Where:
    return Where(choices.place.file, join(choices.place.pointer, *path))
