"""Puts the additions of one overlay into a schema, or tells why they do not fit."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, Where
from ..pointer import join
from . import address
from .overlay_model import MemberAddition, Overlay, PropertyAddition
from .shape import is_reference, same_shape


@dataclass(frozen=True)
class AddedMember:
    """A union member that was put into a schema: ``schema`` is the very object that is there."""

    addition: MemberAddition
    schema: dict[str, Any]
    feature: str

    def pointer_in(self, data: dict[str, Any]) -> str:
        """Return the JSON Pointer of the member in ``data`` as it is now."""
        siblings, pointer = address.union(data, self.addition.definition, self.addition.path)
        position = next(i for i, sibling in enumerate(siblings) if sibling is self.schema)
        return join(pointer, position)


@dataclass
class _Clash:
    """Something that an overlay adds and the schema has in another shape."""

    pointer: str
    place: str
    owner: str | None


class Application:
    """One overlay being applied: it changes ``data``, ``origins`` and ``members``.

    Args:
        data: the schema to extend in place.
        file: the name of the schema in messages.
        overlay: what to add.
        origins: gets the JSON Pointer of each new definition and property -> the feature.
        members: gets each new union member.
    """

    def __init__(
        self,
        data: dict[str, Any],
        file: str,
        overlay: Overlay,
        origins: dict[str, str],
        members: list[AddedMember],
    ) -> None:
        self.data = data
        self.file = file
        self.overlay = overlay
        self.origins = origins
        self.members = members
        self.clashes: list[_Clash] = []
        self.present = 0

    def run(self) -> None:
        """Add everything that the overlay brings.

        Raises:
            InputError: if it extends what is not there, or adds what is there in another shape;
                the latter names every such place.
        """
        for fault in self.faults():
            raise fault

    def faults(self) -> list[InputError]:
        """Add what can be added; return an error, as ``run`` raises it, for all that cannot."""
        found: list[InputError] = []
        for name, schema in self.overlay.definitions.items():
            self._add_definition(name, schema)
        additions: list[PropertyAddition | MemberAddition] = [
            *self.overlay.properties,
            *self.overlay.members,
        ]
        for addition in additions:
            try:
                self._add(addition)
            except address.NotThereError as error:
                found.append(address.nowhere(self.overlay.file, addition.pointer, self.file, error))
        if self.clashes:
            found.append(self._clash_error())
        return found

    def _add(self, addition: PropertyAddition | MemberAddition) -> None:
        if isinstance(addition, PropertyAddition):
            self._add_property(addition)
        else:
            self._add_member(addition)

    def _add_definition(self, name: str, schema: Any) -> None:
        place = join("/$defs", name)
        if name in self.data["$defs"]:
            self._compare(join("/definitions", name), place, self.data["$defs"][name], schema)
        else:
            self.data["$defs"][name] = copy.deepcopy(schema)
            self.origins[place] = self.overlay.feature

    def _add_property(self, item: PropertyAddition) -> None:
        owner, pointer = address.definition(self.data, item.definition)
        if not isinstance(owner.get("properties"), dict) and owner.get("type") != "object":
            raise address.NotThereError("the definition is no object with properties", pointer)
        properties = owner.get("properties", {})
        place = join(pointer, "properties", item.name)
        required = owner.get("required", [])
        if item.name in properties:
            same_presence = (item.name in required) == item.required
            existing = properties[item.name]
            self._compare(item.pointer, place, existing, item.schema, same=same_presence)
            return
        owner["properties"] = _insert(properties, item, pointer)
        if item.required:
            owner["required"] = [*required, item.name]
        self.origins[place] = self.overlay.feature

    def _add_member(self, member: MemberAddition) -> None:
        siblings, pointer = address.union(self.data, member.definition, member.path)
        for index, sibling in enumerate(siblings):
            if _is_same_member(sibling, member):
                self._compare(member.pointer, join(pointer, index), sibling, member.schema)
                return
        added = copy.deepcopy(member.schema)
        siblings.insert(_position(siblings, member, pointer), added)
        self.members.append(AddedMember(member, added, self.overlay.feature))

    def _compare(
        self, pointer: str, place: str, existing: Any, wanted: Any, *, same: bool = True
    ) -> None:
        if same and same_shape(existing, wanted):
            self.present += 1
        else:
            owners = (m.feature for m in self.members if m.schema is existing)
            owner = self.origins.get(place) or next(owners, None)
            self.clashes.append(_Clash(pointer, place, owner))

    def _clash_error(self) -> InputError:
        first = self.clashes[0]
        places = ", ".join(f"{self.file}#{clash.place}" for clash in self.clashes)
        feature = self.overlay.feature
        if first.owner:
            what = f"the feature {first.owner} adds this in another shape than {feature}: {places}"
            remedy = "switch one of the two features off, or name them under conflicts"
        elif self.present or any(
            clash.pointer.startswith("/definitions/") for clash in self.clashes
        ):
            what = f"the schema already has another revision of the feature {feature}, at {places}"
            remedy = "build that schema with the feature off, or bring the overlay to its revision"
        else:
            what = f"the schema already has what {feature} adds, in another shape, at {places}"
            remedy = "give it another name in the overlay, or the same shape"
        return InputError(what, where=Where(self.overlay.file, first.pointer), remedy=remedy)


def _is_same_member(sibling: Any, member: MemberAddition) -> bool:
    """Return whether ``sibling`` stands where ``member`` would: by title, or by what it is.

    Titles tell members of one shape apart, but not two references to one definition.
    """
    if not isinstance(sibling, dict):
        return False
    title = sibling.get("title")
    if title == member.title:
        return True
    nameless = title is None or is_reference(member.schema)
    return nameless and same_shape(sibling, member.schema)


def _insert(properties: dict[str, Any], item: PropertyAddition, pointer: str) -> dict[str, Any]:
    schema = copy.deepcopy(item.schema)
    if item.before is None:
        return {**properties, item.name: schema}
    if item.before not in properties:
        raise address.NotThereError(
            f"there is no property {item.before!r} to put it before", pointer
        )
    extended: dict[str, Any] = {}
    for name, existing in properties.items():
        if name == item.before:
            extended[item.name] = schema
        extended[name] = existing
    return extended


def _position(siblings: list[Any], member: MemberAddition, pointer: str) -> int:
    if member.before is None:
        return len(siblings)
    titles = [sibling.get("title") if isinstance(sibling, dict) else None for sibling in siblings]
    if titles.count(member.before) != 1:
        raise address.NotThereError(
            f"there is no one member titled {member.before!r} to put it before", pointer
        )
    return titles.index(member.before)
