"""Plans of JSON-RPC messages: which method becomes which."""

from __future__ import annotations

from collections.abc import Mapping

from ..protocol.ir import (
    Struct,
)
from .model import (
    Choice,
    Envelope,
)
from .unions import UnionPlanning


class EnvelopePlanning(UnionPlanning):
    """Plans the envelopes that the rules name."""

    def _envelopes(self, keys: Mapping[str, str]) -> None:
        said = self._rules.table("envelopes")
        only = self._rules.table("only", self._from, "methods")
        renames = self._rules.table("methods")
        forth = renames if self._from == "v1" else {new: old for old, new in renames.items()}
        methods: dict[str, tuple[str, str, str | None]] = {}
        back: dict[str, str] = {}
        theirs = {method.wire_name: method for method in self._target.methods}
        for other in self._target.methods:
            back[other.params[0]] = other.wire_name
        for method in self._source.methods:
            wire = method.wire_name
            target = wire if wire in theirs else forth.get(wire)
            if wire in only:
                continue
            if target not in theirs or method.params[0] not in keys:
                self._owner = method.params[0]
                self._miss(f"method {wire} is in {self._source.version} only", method.params)
                continue
            result = method.result[0] if method.result else None
            methods[wire] = (target, keys[method.params[0]], keys.get(result) if result else None)
        chosen = {
            plan.cases[tag][0]
            for plan in self._plans.values()
            if isinstance(plan, Choice)
            for tag in plan.cases
        }
        chosen |= {plan.absent[0] for plan in self._plans.values() if isinstance(plan, Choice)}
        back = {name: wire for name, wire in back.items() if name in chosen}
        for kind in ("requests", "notifications", "responses"):
            for name in said.get(kind, ()):
                if name in keys:
                    null_id = self._null_ids(name)
                    error = keys.get(said.get("error", ""))
                    self._plans[name] = Envelope(
                        kind[:-1], methods, dict(only), back, null_id, error
                    )

    def _null_ids(self, name: str) -> bool:
        """True if the target's messages of this kind may have a null id."""
        types = [type_ for id_, type_ in self._target.types.items() if id_[0] == name]
        fields = [
            field for type_ in types if isinstance(type_, Struct) for field in type_.fields[:1]
        ]
        first = fields[0] if fields else None
        if first is None:
            return True
        return first.presence.nullable or self._nodes.allows_null(first.type)
