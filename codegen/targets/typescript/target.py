"""The TypeScript target: protocols and a plan to the files of one folder of ES modules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ...protocol.ir import Protocol
from ..error_views import error_names, error_views
from ..model import Job, OptionRule
from ..templating import Templates
from .expressions import Expressions
from .layout import SPACE, array, group, imported, indent, render
from .literals import block, comment, entry, string
from .names import name_all, name_methods
from .plans import bridge_view, direction_view
from .schemas import schema_views
from .stubs import public_names, record_name, side_views, table_views
from .types import type_views, uses

_SHARED = ("codec", "json", "rpc", "schema", "values")
_CONVERT = (
    "diff",
    "faults",
    "paths",
    "plan",
    "steps",
    "walk",
    "walk-messages",
    "walk-objects",
    "walk-unions",
    "walk-values",
    "walker",
)
_BRIDGE = (
    "bridge",
    "bridge-job",
    "bridge-link",
    "bridge-new-agent",
    "bridge-new-turns",
    "bridge-old-agent",
    "bridge-role",
    "bridge-size",
    "bridge-state",
    "bridge-words",
)
#: Names that the version's index exports beside those of the schema.
_CODEC_NAMES = frozenset(
    [
        "Awaitable",
        "CapabilityError",
        "Connection",
        "ConnectionOptions",
        "DEFINITIONS",
        "Dispatcher",
        "ERRORS",
        "ErrorMaker",
        "Gate",
        "Handler",
        "INTERNAL_ERROR",
        "INVALID_PARAMS",
        "INVALID_REQUEST",
        "METHOD_NOT_FOUND",
        "Method",
        "NotificationMethod",
        "PARSE_ERROR",
        "Peer",
        "RequestMethod",
        "RpcError",
        "DecodeError",
        "DecodeOptions",
        "ErrorDetail",
        "Json",
        "JsonObject",
        "Salvaged",
        "Unknown",
        "UnknownNumber",
        "decode",
        "decodeReporting",
        "encode",
        "fromJson",
        "toJson",
        "unlisted",
    ]
)
_FILTERS: Mapping[str, Callable[..., Any]] = {
    "block": block,
    "comment": comment,
    "entry": entry,
    "string": string,
}


class TypeScriptTarget:
    """Renders ES modules that depend on zod alone."""

    name = "typescript"
    options: Mapping[str, OptionRule] = {
        "integers": OptionRule("number", ("number", "bigint")),
        "prefix": OptionRule("unstable_", pattern=r"[A-Za-z_$][\w$]*|"),
    }

    layouts: Mapping[str, frozenset[tuple[str, ...]]] = {
        "package": frozenset({("style", "header")})
    }

    def render(self, job: Job) -> Mapping[str, str]:
        """Return the folder's files.

        Raises:
            InputError: if a schema cannot be said in TypeScript, or a template is at fault.
        """
        return _Folder(job).files()


class _Folder:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._bigint = job.options["integers"] == "bigint"
        self._files: dict[str, str] = {}
        self._templates = Templates(job.templates, _FILTERS)

    def files(self) -> Mapping[str, str]:
        for version, protocol in self._job.protocols.items():
            self._version(version, protocol)
        for name in _SHARED:
            self._put(f"{name}.ts", f"{name}.ts.jinja", "")
        self._convert()
        converts = self._job.plan is not None
        modules = list(self._job.protocols)
        self._put("index.ts", "index.ts.jinja", "", modules=modules, converts=converts)
        package = {"type": "module", "sideEffects": False}
        self._files["package.json"] = json.dumps(package, indent=2) + "\n"
        return self._files

    def _version(self, version: str, protocol: Protocol) -> None:
        self._job.say(f"{version}: types")
        methods = name_methods(protocol, self._job.names, self._job.options["prefix"])
        errors = error_views(protocol, self._job.names)
        records = (record_name(method, methods) for method in protocol.methods)
        reserved = {*_CODEC_NAMES, *error_names(errors)}
        reserved |= public_names(protocol, records, self._job.names)
        names = name_all(protocol, methods, reserved)
        write = Expressions(protocol, names, self._bigint)
        types = type_views(protocol, names, write)
        imports = imported(uses(types), "../values.js", types=True)
        self._put(f"{version}/types.ts", "types.ts.jinja", version, types=types, imports=imports)
        self._job.say(f"{version}: validators")
        schemas = schema_views(protocol, names, write)
        blocks = sorted({name for schema in schemas for name in schema.blocks}, key=str.lower)
        self._put(
            f"{version}/validators.ts",
            "validators.ts.jinja",
            version,
            schemas=schemas,
            imports=imported([*blocks, "type Schema"], "../schema.js"),
        )
        found = [_definition(name, names.schemas[(name,)]) for name in protocol.definitions]
        self._put(f"{version}/definitions.ts", "definitions.ts.jinja", version, definitions=found)
        self._job.say(f"{version}: stubs")
        sides = side_views(protocol, names, self._job.names)
        tables = table_views(protocol, names)
        rows = [render(array(str(e.code), e.name), column=4, depth=2) for e in errors]
        self._put(f"{version}/errors.ts", "errors.ts.jinja", version, errors=errors, rows=rows)
        self._put(f"{version}/methods.ts", "methods.ts.jinja", version, tables=tables)
        for side in sides:
            self._put(f"{version}/{side.module}.ts", "side.ts.jinja", version, side=side)
        own = ["definitions", "errors", "methods", "types", "validators"]
        modules = sorted([*own, *(side.module for side in sides)])
        self._put(f"{version}/index.ts", "version.ts.jinja", version, modules=modules)

    def _convert(self) -> None:
        plan = self._job.plan
        if plan is None:
            return
        bridge = bridge_view(plan.bridge)
        for name in (*_CONVERT, *(_BRIDGE if bridge is not None else ())):
            self._put(f"{name}.ts", f"{name}.ts.jinja", "")
        directions = [direction_view(direction) for direction in plan.directions]
        self._put("convert.ts", "convert.ts.jinja", "", directions=directions, bridge=bridge)

    def _put(self, path: str, template: str, version: str, **values: Any) -> None:
        header = "\n".join(f"// {comment(line)}" for line in self._job.headers[version])
        self._files[path] = self._templates.render(
            template, header=header, version=version, bigint=self._bigint, **values
        )


def _definition(name: str, schema: str) -> str:
    # Nothing but the key gives way where the two are too long for one line.
    return render(group(f"{entry(name)}:", indent(SPACE, f"v.{schema}"), ","), column=2, depth=1)
