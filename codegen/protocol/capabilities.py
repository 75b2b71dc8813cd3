"""Which capability gates which method, parameter or variant, and where a side announces them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..schema import gates as schema_gates
from .ir import Alias, Gate, ListOf, Method, Nullable, Ref, Struct, TaggedUnion, Type, TypeId


def gated(
    methods: Sequence[Method],
    gates: Sequence[schema_gates.Gate],
    types: Mapping[TypeId, Type],
) -> tuple[Method, ...]:
    """Return ``methods``, each with its gates.

    Args:
        methods: the methods of a schema.
        gates: gates that fit the schema, as ``check_gates`` found.
        types: the types of the schema.

    Raises:
        InputError: if a gate names a variant of what is no tagged union or lacks it.
    """
    found: dict[tuple[str, str], list[Gate]] = {}
    for gate in gates:
        for method in methods:
            if (method.side, method.wire_name) == (gate.side, gate.method):
                key = (method.side, method.wire_name)
                found.setdefault(key, []).append(_gate(gate, method, types))
                break
    return tuple(
        replace(method, gates=tuple(found.get((method.side, method.wire_name), ())))
        for method in methods
    )


def announcements(
    methods: Sequence[Method], gates: Sequence[schema_gates.Gate]
) -> Mapping[str, str]:
    """Return, for each side with gated methods, the definition it announces its capabilities in.

    Raises:
        InputError: if that definition is no message that the side sends, or a side has two.
    """
    found: dict[str, str] = {}
    for gate in gates:
        place = join(gate.pointer, "capability", "definition")
        name = gate.capability.definition
        if not _sends(gate.side, name, methods):
            raise InputError(
                f"{name} is neither the result of a method of side {gate.side} nor the params of "
                "a method of another side",
                where=Where(gate.file, place),
                remedy="start the path at the message in which the side announces it",
            )
        for path in (gate.capability, *gate.requires):
            if found.setdefault(gate.side, path.definition) != path.definition:
                raise InputError(
                    f"side {gate.side} announces its capabilities in {found[gate.side]}, "
                    f"not in {path.definition}",
                    where=Where(gate.file, place),
                    remedy="start all paths of a side at the same message",
                )
    return found


def _sends(side: str, name: str, methods: Sequence[Method]) -> bool:
    return any(
        method.result == (name,) if method.side == side else method.params == (name,)
        for method in methods
    )


def _gate(gate: schema_gates.Gate, method: Method, types: Mapping[TypeId, Type]) -> Gate:
    tag = value = None
    if gate.variant is not None:
        union = _union(gate, method, types)
        known = {str(variant.value): variant.value for variant in union.variants}
        if gate.variant not in known:
            near = get_close_matches(gate.variant, known, 1)
            raise InputError(
                f"there is no variant {gate.variant!r}",
                where=Where(gate.file, join(gate.pointer, "variant")),
                remedy=f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(known)}",
            )
        tag, value = union.tag, known[gate.variant]
    return Gate(
        parameter=gate.parameter,
        tag=tag,
        value=value,
        capability=gate.capability.path,
        requires=tuple(path.path for path in gate.requires),
        feature=gate.feature,
    )


def _union(gate: schema_gates.Gate, method: Method, types: Mapping[TypeId, Type]) -> TaggedUnion:
    expr: Any = Ref(method.params)
    if gate.parameter is not None:
        params = _resolved(expr, types)
        fields = params.fields if isinstance(params, Struct) else ()
        expr = next((field.type for field in fields if field.wire_name == gate.parameter), None)
    found = _resolved(expr, types)
    if not isinstance(found, TaggedUnion):
        raise InputError(
            f"{gate.parameter or method.params[0]} is no tagged union, nor a list of one",
            where=Where(gate.file, join(gate.pointer, "variant")),
            remedy="leave the variant out",
        )
    return found


def _resolved(expr: Any, types: Mapping[TypeId, Type]) -> Any:
    """Return what ``expr`` comes down to, lists seen through to their items."""
    while True:
        if isinstance(expr, Nullable):
            expr = expr.inner
        elif isinstance(expr, ListOf):
            expr = expr.item
        elif isinstance(expr, Alias):
            expr = expr.type
        elif isinstance(expr, Ref):
            expr = types[expr.id]
        else:
            return expr
