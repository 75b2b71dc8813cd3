"""The Python target: protocols and a plan to the files of one package."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from ...conversion.model import Direction
from ...errors import InputError, Where
from ...protocol.ir import Enum, Protocol, TypeId
from ...style.model import Style
from ..error_views import cancel_view, error_names, error_views
from ..model import Job, OptionRule
from ..templating import Templates
from .chosen import check_distinct, check_member_names, chosen_types
from .convert_views import Overloads, bridge_view, direction_view
from .converter import FILTERS
from .flat import type_hints
from .formatting import format_python
from .literals import comment
from .names import Names, name_all
from .overload_views import overload_views
from .single.layout import render_single
from .stub_views import (
    name_methods,
    public_sides,
    side_names,
    side_views,
    table_views,
)
from .views import enum_constants, import_view, type_views

_CONVERT = ("_convert", "_faults", "_paths", "_plan", "_steps")
_BRIDGE = (
    "_bridge",
    "_bridge_link",
    "_bridge_new_agent",
    "_bridge_new_turns",
    "_bridge_old_agent",
    "_bridge_role",
    "_bridge_state",
    "_bridge_words",
)
_SHARED = (
    "_channel",
    "_codec",
    "_errors",
    "_exact",
    "_explain",
    "_gates",
    "_model",
    "_rpc",
    "_salvage",
)
#: What users need of the modules that all versions share, by module.
_SHARED_NAMES = {"._channel": ("Channel",)}
_CODEC_NAMES = (
    "decode",
    "decode_reporting",
    "encode",
    "from_json",
    "to_json",
    "is_set",
    "clear",
    "leave",
    "DecodeError",
    "ErrorDetail",
    "Salvaged",
)
#: What the notification that cancels a request is called in the methods' module.
_CANCEL = "CANCEL"


_BOTH = frozenset(
    {
        ("names", "definitions"),
        ("names", "fields"),
        ("names", "methods"),
        ("names", "unions"),
        ("style", "header"),
    }
)
_SINGLE = frozenset(
    {
        ("files",),
        *(("names", key) for key in ("aliases", "base_class", "enums", "tables")),
        *(("style", item.name) for item in fields(Style) if item.name != "malformed"),
        ("style", "fields"),
    }
)


class PythonTarget:
    """Renders a package, or single modules, that need pydantic and the standard library alone."""

    name = "python"
    options: Mapping[str, OptionRule] = {}
    layouts: Mapping[str, frozenset[tuple[str, ...]]] = {
        "package": _BOTH,
        "single": _BOTH | _SINGLE,
    }

    def render(self, job: Job) -> Mapping[str, str]:
        """Return the package's files.

        Raises:
            InputError: if a schema cannot be said in Python, or a template is at fault.
        """
        return render_single(job) if job.choices.layout == "single" else _Package(job).files()


class _Package:
    def __init__(self, job: Job) -> None:
        own = job.choices.names.methods
        self._job = replace(job, names=replace(job.names, methods={**job.names.methods, **own}))
        self._files: dict[str, str] = {}
        self._templates = Templates(
            job.templates,
            FILTERS,
        )
        self._names: dict[str, Names] = {}
        self._public: dict[str, dict[TypeId, str]] = {}

    def files(self) -> Mapping[str, str]:
        for version, protocol in self._job.protocols.items():
            self._version(version, protocol)
        modules = list(self._job.protocols)
        for name in _SHARED:
            self._put_fixed(name)
        if self._job.plan is not None:
            directions = [
                direction_view(direction, self._overloads(direction))
                for direction in self._job.plan.directions
            ]
            for name in _CONVERT:
                self._put_fixed(name)
            bridge = bridge_view(self._job.plan.bridge)
            for name in _BRIDGE if bridge is not None else ():
                self._put_fixed(name)
            self._put("convert.py", "convert.py.jinja", "", directions=directions, bridge=bridge)
            modules.append("convert")
        self._put("__init__.py", "package.py.jinja", "", modules=modules)
        self._files["py.typed"] = ""
        return self._files

    def _version(self, version: str, protocol: Protocol) -> None:
        self._job.say(f"{version}: type hints")
        choices = self._job.choices
        check_member_names(choices)
        methods = name_methods(protocol, self._job.names)
        errors = error_views(protocol, self._job.names)
        cancel = cancel_view(protocol, self._job.names)
        reserved = {
            *_CODEC_NAMES,
            *(name for names in _SHARED_NAMES.values() for name in names),
            *error_names(errors),
            _CANCEL,
            *side_names(protocol, self._job.names),
        }
        names = name_all(
            protocol,
            methods,
            reserved,
            chosen=chosen_types(protocol, choices, reserved),
            chosen_fields=choices.names.fields,
        )
        check_distinct(names, choices)
        self._names[version] = names
        hints = type_hints(protocol, names)
        self._job.say(f"{version}: models")
        types = type_views(protocol, names, hints)
        tables = table_views(protocol, names)
        sides = side_views(protocol, names, self._job.names)
        self._put(
            f"{version}/models.py",
            "models.py.jinja",
            version,
            hints=hints,
            types=types,
            imports=import_view(types),
        )
        self._job.say(f"{version}: stubs")
        renamed = {
            name: names.types[(name,)]
            for name in protocol.definitions
            if names.types[(name,)] != name
        }
        definitions = sorted(protocol.definitions)
        self._put(
            f"{version}/codec.py",
            "codec.py.jinja",
            version,
            definitions=definitions,
            renamed=renamed,
        )
        self._put(f"{version}/errors.py", "errors.py.jinja", version, errors=errors)
        self._put(
            f"{version}/methods.py", "methods.py.jinja", version, tables=tables, cancel=cancel
        )
        for side in sides:
            self._put(f"{version}/{side.module}.py", "side.py.jinja", version, side=side)
        exports, self._public[version] = _exports(
            protocol,
            names,
            {
                "codec": _CODEC_NAMES,
                "errors": error_names(errors),
                "methods": [*(table.name for table in tables), *([_CANCEL] if cancel else [])],
                **_SHARED_NAMES,
                **public_sides(sides),
            },
            choices.names.definitions,
        )
        public = sorted(name for names_ in exports.values() for _, name in names_)
        self._put(
            f"{version}/__init__.py", "version.py.jinja", version, exports=exports, all=public
        )

    def _overloads(self, direction: Direction) -> Overloads:
        source, target = direction.source, direction.target
        protocol = self._job.protocols[source]
        return overload_views(direction, protocol, self._public[source], self._public[target])

    def _put(self, path: str, template: str, version: str, **values: Any) -> None:
        self._files[path] = format_python(self._render(template, version, **values), template)

    def _put_fixed(self, name: str) -> None:
        """Put a module that is the same in every package.

        The target's own template of it stands as black writes it, which a test holds.
        """
        template = f"{name}.py.jinja"
        if self._templates.replaced(template):
            self._put(f"{name}.py", template, "")
        else:
            self._files[f"{name}.py"] = self._render(template, "")

    def _render(self, template: str, version: str, **values: Any) -> str:
        lines = (f"# {comment(line)}".rstrip() for line in self._job.headers[version])
        header = "\n".join(lines)
        return self._templates.render(template, header=header, version=version, **values)


def _exports(
    protocol: Protocol,
    names: Names,
    modules: Mapping[str, Iterable[str]],
    renamed: Mapping[str, str],
) -> tuple[dict[str, list[tuple[str, str]]], dict[TypeId, str]]:
    """Return module -> (name there, public name), and the public names of the types.

    ``modules`` has the names of the modules beside that of the models.
    Definitions keep their own names in public, but for those ``renamed``.
    """
    exports = {module: [(name, name) for name in found] for module, found in modules.items()}
    taken = {public for pairs in exports.values() for _, public in pairs}
    exports["models"] = []
    models, types = [], {}
    for id_, name in names.types.items():
        own = id_[0] if len(id_) == 1 else ""
        own = renamed.get(own, own)
        usable = own.isidentifier() and not own.startswith("_") and not keyword.iskeyword(own)
        # A submodule takes the attribute of its name, so a type cannot have it.
        plain = own if usable and own not in taken else name
        types[id_] = f"{plain}_" if plain in exports else plain
        models.append((name, types[id_]))
    clash = taken & {public for _, public in models}
    if clash or len({public for _, public in models}) < len(models):
        raise InputError(
            f"two public names would be the same: {', '.join(sorted(clash)) or 'among the models'}",
            where=Where(protocol.file),
            remedy="rename a side or a method in the names file",
        )
    for id_, type_ in protocol.types.items():
        if isinstance(type_, Enum):
            models += [(name, name) for name in enum_constants(names.types[id_], type_)]
    exports["models"] = sorted(models)
    return exports, types
