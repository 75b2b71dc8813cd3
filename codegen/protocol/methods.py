"""Which methods a schema declares: requests paired with their responses, and notifications.

The dialect says it with ``x-side`` and ``x-method`` on the definitions of params and results. Which
of the two a definition is, its name's ending says: Request, Notification or Response.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..schema.overlay import ResolvedSchema
from .ir import Kind, Method
from .shapes import feature_at

PARAMS_ENDINGS: dict[str, Kind] = {"Request": "request", "Notification": "notification"}
RESULT_ENDING = "Response"


@dataclass
class _Group:
    params: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)


def find_methods(schema: ResolvedSchema) -> tuple[Method, ...]:
    """Return the schema's methods in schema order.

    Raises:
        InputError: if a request has no response type or two, a response no request, a side and
            method two request types, or a definition with ``x-method`` another ending. A request
            and a notification may share side and method.
    """
    requests: dict[tuple[str, str], _Group] = {}
    notifications: dict[tuple[str, str], _Group] = {}
    definitions: dict[str, Any] = schema.data["$defs"]
    for name, definition in definitions.items():
        if not isinstance(definition, dict) or "x-method" not in definition:
            continue
        key = (definition.get("x-side", ""), definition["x-method"])
        ending = ending_of(name)
        if ending is not None:
            groups = requests if PARAMS_ENDINGS[ending] == "request" else notifications
            groups.setdefault(key, _Group()).params.append(name)
        elif name.endswith(RESULT_ENDING):
            requests.setdefault(key, _Group()).results.append(name)
        else:
            raise _fault(
                schema,
                name,
                f"{name} has an x-method but its name ends in none of "
                f"{', '.join([*PARAMS_ENDINGS, RESULT_ENDING])}",
                "rename the definition",
            )
    found = [_method(schema, key, "request", group) for key, group in requests.items()]
    found += [_method(schema, key, "notification", group) for key, group in notifications.items()]
    order = {name: index for index, name in enumerate(definitions)}
    return tuple(sorted(found, key=lambda method: order[method.params[0]]))


def ending_of(name: str) -> str | None:
    """Return the ending that makes ``name`` a params type, or None."""
    return next((ending for ending in PARAMS_ENDINGS if name.endswith(ending)), None)


def _method(schema: ResolvedSchema, key: tuple[str, str], kind: Kind, group: _Group) -> Method:
    side, wire = key
    label = f"method {wire} on side {side or '(none)'}"
    if not group.params:
        raise _fault(
            schema,
            group.results[0],
            f"{label} has a response type and no request type",
            "add the request type, or remove the response type",
        )
    name = group.params[0]
    if len(group.params) > 1:
        raise _fault(
            schema,
            group.params[1],
            f"{label} has two {kind} types: {', '.join(group.params)}",
            "keep one",
        )
    if kind == "request" and not group.results:
        raise _fault(
            schema,
            name,
            f"{label} has a request type and no response type",
            "add the response type, or make it a notification",
        )
    if len(group.results) > 1:
        raise _fault(
            schema,
            group.results[1],
            f"{label} has two response types: {', '.join(group.results)}",
            "keep one",
        )
    pointer = join("/$defs", name)
    return Method(
        wire_name=wire,
        side=side,
        kind=kind,
        params=(name,),
        result=(group.results[0],) if group.results else None,
        pointer=pointer,
        doc=schema.data["$defs"][name].get("description", ""),
        feature=feature_at(schema.origins, pointer),
    )


def _fault(schema: ResolvedSchema, name: str, what: str, remedy: str) -> InputError:
    return InputError(what, where=Where(schema.file, join("/$defs", name)), remedy=remedy)
