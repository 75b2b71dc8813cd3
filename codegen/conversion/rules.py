"""The rules file of the converters: what cannot be derived from the two schemas."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from ..protocol.ir import Protocol
from ..schema.toml_file import load_toml
from .lookup import fields_of, first_unknown, payload_of, tags_of, words_of

DIRECTIONS = ("v1_to_v2", "v2_to_v1")
FORMAT_FILE = "conversion.schema.json"
JsonTable = Mapping[str, Any]


@dataclass(frozen=True)
class Rules:
    """The rules as the file states them; ``docs/conversion.md`` says what each word means."""

    file: str
    data: JsonTable

    def table(self, *path: str) -> JsonTable:
        """Return the table at ``path``, empty if the file has none."""
        found: Any = self.data
        for key in path:
            found = found.get(key, {})
        return dict(found)

    def types(self) -> Sequence[JsonTable]:
        """Return the rules for types."""
        return list(self.data.get("types", ()))

    def unions(self) -> Sequence[JsonTable]:
        """Return the rules for unions."""
        return list(self.data.get("unions", ()))

    def choices(self) -> Sequence[JsonTable]:
        """Return the rules for types that become one of several."""
        return list(self.data.get("choices", ()))


def load_rules(path: Path, file: str) -> Rules:
    """Read a rules file.

    Raises:
        InputError: if it is not TOML, or does not have the format of ``conversion.schema.json``.
    """
    return Rules(file, load_toml(path, file, FORMAT_FILE, "see docs/conversion.md"))


def check_rules(rules: Rules, old: Protocol, new: Protocol) -> None:
    """Refuse rules that name a definition, a field, a tag, a word or a method that is not there.

    Raises:
        InputError: naming the rule and the nearest match.
    """
    for fault in rule_faults(rules, old, new):
        raise fault


def rule_faults(rules: Rules, old: Protocol, new: Protocol) -> list[InputError]:
    """Return an error, as ``check_rules`` raises it, for every name that is not there.

    What a rule says of a definition that is not there is not looked at any further.
    """
    checker = _Checker(rules, {"v1": old, "v2": new, old.version: old, new.version: new})
    checker.run()
    return checker.faults


@dataclass(frozen=True)
class _Checker:
    rules: Rules
    protocols: Mapping[str, Protocol]
    faults: list[InputError] = field(default_factory=list)

    def run(self) -> None:
        for version, protocol in self.protocols.items():
            wires = {method.wire_name for method in protocol.methods}
            renames = self.rules.table("methods")
            for wire in renames if version == "v1" else renames.values() if version == "v2" else ():
                self.known(join("/methods", wire), wire, wires, version)
            for wire in self.rules.table("only", version, "methods"):
                self.known(join("/only", version, "methods", wire), wire, wires, version)
            for name in self.rules.table("only", version, "definitions"):
                self.definition(join("/only", version, "definitions", name), name, version)
            for table in ("patch", "merge", "null_as", "words"):
                for name, inner in self.rules.table(table, version).items():
                    pointer = join("", table, version, name)
                    if not self.definition(pointer, name, version):
                        continue
                    names = (
                        words_of(protocol, name) if table == "words" else fields_of(protocol, name)
                    )
                    for item in inner:
                        self.known(join(pointer, item), item, names, f"{name} of {version}")
        for kind in ("requests", "notifications", "responses"):
            for name in self.rules.table("envelopes").get(kind, ()):
                for version in ("v1", "v2"):
                    self.definition(join("/envelopes", kind), name, version)
        for index, rule in enumerate(self.rules.types()):
            self.type(join("/types", index), rule)
        for index, rule in enumerate(self.rules.unions()):
            self.union(join("/unions", index), rule)
        for index, rule in enumerate(self.rules.choices()):
            self.choice(join("/choices", index), rule)

    def type(self, pointer: str, rule: JsonTable) -> None:
        names = {"v1": rule["v1"], "v2": rule.get("v2", rule["v1"])}
        found = [
            self.definition(join(pointer, version), name, version)
            for version, name in names.items()
        ]
        if not all(found):
            return
        for index, member in enumerate(rule.get("members", ())):
            self.member(join(pointer, "members", index), member, names)
        for index, item in enumerate(rule.get("implied", ())):
            place = join(pointer, "implied", index)
            self.path(join(place, "v1"), item["v1"], names["v1"], "v1")
            for version, name in names.items():
                self.path(join(place, "by"), item["by"], name, version)
        if "snapshot" in rule:
            place, said = join(pointer, "snapshot"), rule["snapshot"]
            self.path(join(place, "id"), said["id"], names["v1"], "v1")
            for item in json.loads(said["values"]):
                self.path(join(place, "values"), item, names["v2"], "v2")
        for item in rule.get("reads", ()):
            known = fields_of(self.protocols["v1"], names["v1"])
            self.known(join(pointer, "reads"), item, known, f"{names['v1']} of v1")
        for direction, refusal in rule.get("refuse", {}).items():
            version = direction[:2]
            known = fields_of(self.protocols[version], names[version])
            self.known(
                join(pointer, "refuse", direction, "at"),
                refusal["at"],
                known,
                f"{names[version]} of {version}",
            )

    def member(self, pointer: str, member: JsonTable, names: Mapping[str, str]) -> None:
        for version, name in names.items():
            other = "v1" if version == "v2" else "v2"
            if version in member:
                self.path(join(pointer, version), member[version], name, version)
                if "same_as" in member:
                    self.path(join(pointer, "same_as"), member["same_as"], name, version)
            if version not in member and other in member:
                for word in ("derive", "fold"):
                    if word in member:
                        self.path(join(pointer, word), member[word], name, version)

    def choice(self, pointer: str, rule: JsonTable) -> None:
        self.known(join(pointer, "direction"), rule["direction"], DIRECTIONS, "the rules format")
        source, target = rule["direction"].split("_to_")
        there = self.definition(join(pointer, "name"), rule["name"], source)
        for name in (rule["absent"], *rule["cases"].values()):
            self.definition(join(pointer, "cases"), name, target)
        if not there:
            return
        known = fields_of(self.protocols[source], rule["name"])
        self.known(join(pointer, "key"), rule["key"], known, f"{rule['name']} of {source}")

    def union(self, pointer: str, rule: JsonTable) -> None:
        found = [
            self.definition(join(pointer, "name"), rule["name"], version)
            for version in ("v1", "v2")
        ]
        if not all(found):
            return
        for index, variant in enumerate(rule.get("variants", ())):
            for version in ("v1", "v2"):
                if version in variant:
                    known = tags_of(self.protocols[version], rule["name"])
                    self.known(
                        join(pointer, "variants", index, version), variant[version], known,
                        f"{rule['name']} of {version}",
                    )  # fmt: skip
            if "fan_out" in variant:
                self.fan_out(join(pointer, "variants", index, "fan_out"), rule["name"], variant)

    def fan_out(self, pointer: str, name: str, variant: JsonTable) -> None:
        said, old, new = variant["fan_out"], self.protocols["v1"], self.protocols["v2"]
        self.known(join(pointer, "into"), said["into"], tags_of(old, name), f"{name} of v1")
        places = (
            ("over", new, variant["v2"]),
            ("id", new, variant["v2"]),
            ("key", old, said["into"]),
        )
        for word, protocol, tag in places:
            owner = f"the variant {tag!r} of {name}"
            self.known(join(pointer, word), said[word], payload_of(protocol, name, tag), owner)

    def path(self, pointer: str, path: str, name: str, version: str) -> None:
        wrong = first_unknown(self.protocols[version], name, path.split("."))
        if wrong is not None:
            token, known = wrong
            owner = f"{name} of {version}" if token == path else f"{path} in {name} of {version}"
            self.known(pointer, token, known, owner)

    def definition(self, pointer: str, name: str, version: str) -> bool:
        return self.known(pointer, name, self.protocols[version].definitions, version)

    def known(self, pointer: str, name: str, known: Any, owner: str) -> bool:
        fault = name_fault(self.rules.file, pointer, name, known, owner)
        if fault is not None:
            self.faults.append(fault)
        return fault is None


def name_fault(
    file: str, pointer: str, name: str, known: Collection[str], owner: str
) -> InputError | None:
    """Return the error for a name that ``owner`` lacks: the rule and the nearest match.

    Args:
        file: the rules file.
        pointer: JSON Pointer of the rule.
        name: the name.
        known: the names that ``owner`` has.
        owner: what has them, for people.

    Returns:
        The error, or None if the name is known.
    """
    if name in known:
        return None
    near = get_close_matches(name, list(known), 1)
    return InputError(
        f"{owner} has no {name!r}",
        where=Where(file, pointer),
        remedy=f"did you mean {near[0]!r}?" if near else "remove the rule",
    )
