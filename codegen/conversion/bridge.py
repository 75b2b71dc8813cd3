"""What a stateful bridge has to know by name, read from the rules and checked against both IRs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InputError
from ..pointer import join
from ..protocol.ir import Protocol
from .bridge_model import Bridge, BridgeContext, BridgeFields, BridgeUpdates, BridgeWords
from .lookup import fields_of, tags_of, words_of
from .rules import JsonTable, Rules, name_fault

_OLD, _NEW = "v1", "v2"


def make_bridge(rules: Rules, old: Protocol, new: Protocol, *, complete: bool) -> Bridge | None:
    """Return the names of a bridge between ``old`` and ``new``; None if the rules have no bridge.

    Args:
        rules: the rules of the converters.
        old: the older version.
        new: the newer version.
        complete: refuse names that are not there.

    Raises:
        InputError: if ``complete`` and a name is not there, with the nearest match.
    """
    said = rules.table("bridge")
    if not said:
        return None
    if complete:
        for fault in bridge_faults(rules, old, new):
            raise fault
    renames = rules.table("methods")
    names = {_OLD: old.version, _NEW: new.version}
    ours = {action: tuple(wires) for action, wires in said["methods"].items()}
    theirs = {action: tuple(renames.get(wire, wire) for wire in wires) for action, wires in ours.items()}  # fmt: skip
    words: dict[str, Any] = {
        key: tuple(word) if isinstance(word, list) else word for key, word in said["words"].items()
    }
    return Bridge(
        old=old.version,
        new=new.version,
        numbers={names[version]: number for version, number in said["numbers"].items()},
        batches=tuple(names[version] for version in said["batches"]),
        sent=said["sent"],
        methods={old.version: _first(ours), new.version: _first(theirs)},
        actions={old.version: _actions(ours), new.version: _actions(theirs)},
        requests={p.version: _only(p, "request") for p in (old, new)},
        notifications={p.version: _only(p, "notification") for p in (old, new)},
        fields=BridgeFields(**{key: place["name"] for key, place in said["fields"].items()}),
        updates=BridgeUpdates(**{key: tag["name"] for key, tag in said["updates"].items()}),
        wholes=_wholes(rules, said["union"]),
        stops=tuple(sorted(words_of(old, said["stops"]))),
        words=BridgeWords(**words),
        context=BridgeContext(**said["context"]),
    )


def bridge_faults(rules: Rules, old: Protocol, new: Protocol) -> list[InputError]:
    """Return an error for every name of the bridge that is not there, with the nearest match."""
    said = rules.table("bridge")
    if not said:
        return []
    checker = _Checker(rules, said, {_OLD: old, _NEW: new})
    checker.run()
    return checker.faults


def _first(methods: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {action: wires[0] for action, wires in methods.items() if wires}


def _actions(methods: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {wire: action for action, wires in methods.items() for wire in wires}


def _only(protocol: Protocol, kind: str) -> tuple[str, ...]:
    """Return the methods that are of this kind and not also of the other."""
    found = {method.wire_name for method in protocol.methods if method.kind == kind}
    others = {method.wire_name for method in protocol.methods if method.kind != kind}
    return tuple(sorted(found - others))


def _wholes(rules: Rules, union: str) -> dict[str, str]:
    """Return the updates that hold a whole message, each with the chunk that one block of it is."""
    variants = [v for rule in rules.unions() if rule["name"] == union for v in rule["variants"]]
    return {v[_NEW]: v["fan_out"]["into"] for v in variants if "fan_out" in v}


class _Checker:
    def __init__(self, rules: Rules, said: JsonTable, protocols: Mapping[str, Protocol]) -> None:
        self._rules, self._said, self._protocols = rules, said, protocols
        self.faults: list[InputError] = []
        self._missing: dict[str, set[str]] = {}

    def run(self) -> None:
        for version, protocol in self._protocols.items():
            for key in ("union", "statuses") + (("stops",) if version == _OLD else ("states",)):
                self._definition(self._said[key], version, key)
            for side, kinds in self._said["sent"].items():
                for kind, name in kinds.items():
                    self._definition(name, version, "sent", side, kind)
            self._methods(version, protocol)
            self._fields(version, protocol)
            tags = tags_of(protocol, self._said["union"])
            for key, tag in self._said["updates"].items():
                if tag.get(version):
                    self._known(tag["name"], tags, self._said["union"], version, "updates", key)
        self._words()
        self._context()

    def _methods(self, version: str, protocol: Protocol) -> None:
        renames = self._rules.table("methods") if version == _NEW else {}
        known = {method.wire_name for method in protocol.methods}
        for action, wires in self._said["methods"].items():
            for wire in wires:
                self._known(renames.get(wire, wire), known, "", version, "methods", action)

    def _fields(self, version: str, protocol: Protocol) -> None:
        for key, place in self._said["fields"].items():
            for owner in place.get(version, ()):
                self._definition(owner, version, "fields", key, version)
                known = fields_of(protocol, owner)
                self._known(place["name"], known, owner, version, "fields", key)

    def _words(self) -> None:
        said, words = self._said, self._said["words"]
        old, new = self._protocols[_OLD], self._protocols[_NEW]
        states, stops = tags_of(new, said["states"]), words_of(old, said["stops"])
        for state in (words["running"], words["idle"], *words["consumed"]):
            self._known(state, states, said["states"], _NEW, "words")
        self._known(words["cancelled"], stops, said["stops"], _OLD, "words", "cancelled")
        ends = self._tags_with(new, said["fields"]["stop"])
        self._known(words["failed"], ends, "the end of a turn", _NEW, "words", "failed")
        for status in words["finished"]:
            known = words_of(old, said["statuses"])
            self._known(status, known, said["statuses"], _OLD, "words", "finished")
        for tag in words["breaks"]:
            known = tags_of(old, said["union"])
            self._known(tag, known, said["union"], _OLD, "words", "breaks")

    def _tags_with(self, protocol: Protocol, place: JsonTable) -> set[str]:
        unions = (name for name in place.get(_NEW, ()) if (name,) in protocol.types)
        return {tag for name in unions for tag in tags_of(protocol, name)}

    def _context(self) -> None:
        known = set(_context_keys(self._rules.data.get("types", ())))
        known |= set(_context_keys(self._rules.data.get("unions", ())))
        for key, name in self._said["context"].items():
            self._known(name, known, "the context of the rules", "", "context", key)

    def _definition(self, name: str, version: str, *path: str) -> None:
        known = self._protocols[version].definitions
        self._known(name, known, "", version, *path)
        if name not in known:
            self._missing.setdefault(version, set()).add(name)

    def _known(self, name: str, known: Iterable[str], owner: str, version: str, *path: str) -> None:
        if owner in self._missing.get(version, ()):
            return  # told already
        whose = f"{owner} of {version}" if owner and version else owner or version
        fault = name_fault(self._rules.file, join("/bridge", *path), name, set(known), whose)
        if fault is not None:
            self.faults.append(fault)


def _context_keys(value: Any) -> Iterable[str]:
    """Yield the context keys that rules name, wherever they stand."""
    if isinstance(value, list):
        for item in value:
            yield from _context_keys(item)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key in ("context", "seen") and isinstance(item, str):
                yield item
            else:
                yield from _context_keys(item)
