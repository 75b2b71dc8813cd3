"""The protocol's error codes and its cancelling notification, as the templates need them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import InputError, Where
from ..pointer import join
from ..protocol.ir import Enum, EnumValue, Protocol
from ..protocol.naming import NameData
from .naming import pascal

_ENDING = "Error"
#: What the module of the errors exports beside them.
_OTHERS = ("ERRORS", "CapabilityError", "RpcError")


@dataclass(frozen=True)
class ErrorView:
    """An error code with the exception that stands for it."""

    name: str
    code: int
    title: str
    doc: str


@dataclass(frozen=True)
class CancelView:
    """The notification that cancels a request, and what is answered then."""

    method: str
    parameter: str
    code: int
    message: str


def error_views(protocol: Protocol, data: NameData) -> list[ErrorView]:
    """Return an exception for each error code that has a title.

    Raises:
        InputError: if two would have one name.
    """
    found: dict[str, ErrorView] = {}
    for code, value in _codes(protocol, data).items():
        name = pascal(value.title)
        if not name.isidentifier():
            continue
        name = name if name.endswith(_ENDING) else name + _ENDING
        if name in found or name in _OTHERS:
            raise InputError(
                f"error code {code} would be called {name} like another name",
                where=Where(protocol.file, join("/$defs", data.errors)),
                remedy="give it a title of its own",
            )
        doc = f"{value.title} ({code})." + (f"\n\n{value.doc}" if value.doc else "")
        found[name] = ErrorView(name, code, value.title, doc)
    return list(found.values())


def error_names(errors: list[ErrorView]) -> list[str]:
    """Return the public names of the module of the errors."""
    return [*_OTHERS, *(error.name for error in errors)]


def cancel_view(protocol: Protocol, data: NameData) -> CancelView | None:
    """Return how a request is cancelled; None if the protocol has no way to."""
    said = data.cancel
    methods = {method.wire_name for method in protocol.methods if method.kind == "notification"}
    if said is None or said.method not in methods:
        return None
    value = _codes(protocol, data).get(said.code)
    title = value.title if value else ""
    return CancelView(said.method, said.parameter, said.code, title or "Cancelled")


def _codes(protocol: Protocol, data: NameData) -> Mapping[int, EnumValue]:
    type_ = protocol.types.get((data.errors,))
    values = type_.values if isinstance(type_, Enum) and type_.kind == "integer" else ()
    return {value.value: value for value in values}
