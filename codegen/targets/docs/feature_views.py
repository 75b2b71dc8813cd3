"""What each feature adds to a version, as the templates need it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...protocol.ir import Protocol, Struct, TaggedUnion
from .capabilities import capability_link, paths_text
from .markdown import code, json_code, prose, wrap
from .places import FEATURES, Places, anchor_tag


@dataclass(frozen=True)
class FeatureView:
    """A feature: its name, what it is for, and lists of what it adds by kind; all Markdown."""

    name: str
    anchor: str
    doc: str
    additions: Sequence[tuple[str, Sequence[str]]]


def feature_views(protocol: Protocol, places: Places) -> list[FeatureView]:
    """Return the features that are on, by name."""
    return [_Feature(protocol, places, feature).view() for feature in protocol.features]


class _Feature:
    def __init__(self, protocol: Protocol, places: Places, feature: str) -> None:
        self._protocol, self._places, self._feature = protocol, places, feature
        self._page, self._version = f"{protocol.version}/{FEATURES}", protocol.version

    def view(self) -> FeatureView:
        kinds = (
            ("Methods", self._methods()),
            ("Types", self._types()),
            ("Fields", self._fields()),
            ("Variants", self._variants()),
            ("Capabilities needed", self._gates()),
        )
        made = [(kind, [wrap(item, "- ", "  ") for item in items]) for kind, items in kinds]
        return FeatureView(
            name=code(self._feature),
            anchor=anchor_tag(self._places.feature_anchor(self._version, self._feature)),
            doc=prose(self._protocol.feature_docs.get(self._feature, "")),
            additions=[(kind, items) for kind, items in made if items],
        )

    def _methods(self) -> Iterator[str]:
        for method in self._protocol.methods:
            if method.feature == self._feature:
                link = self._places.method_link(self._page, self._version, method)
                yield f"{link}, a {method.kind}"

    def _types(self) -> Iterable[str]:
        for id_, type_ in self._protocol.types.items():
            if len(id_) == 1 and type_.feature == self._feature:
                yield self._places.type_link(self._page, self._version, id_)

    def _fields(self) -> Iterable[str]:
        for id_, type_ in self._protocol.types.items():
            if type_.feature == self._feature or not isinstance(type_, Struct):
                continue
            base = self._protocol.types.get(type_.base or ())
            theirs = {field.wire_name for field in getattr(base, "fields", ())}
            for field in type_.fields:
                if field.feature == self._feature and field.wire_name not in theirs:
                    link = self._places.type_link(self._page, self._version, id_)
                    yield f"{code(field.wire_name)} of {link}"

    def _variants(self) -> Iterable[str]:
        for id_, type_ in self._protocol.types.items():
            if type_.feature == self._feature or not isinstance(type_, TaggedUnion):
                continue
            for variant in type_.variants:
                if variant.feature == self._feature:
                    link = self._places.type_link(self._page, self._version, id_)
                    yield f"{json_code(variant.value)} of {link}"

    def _gates(self) -> Iterable[str]:
        for method in self._protocol.methods:
            for gate in method.gates:
                if gate.feature != self._feature:
                    continue
                what = self._places.method_link(self._page, self._version, method)
                if gate.parameter is not None:
                    what = f"{code(gate.parameter)} of {what}"
                if gate.tag is not None:
                    what = f"{json_code(gate.value)} in {what}"
                needs = paths_text(
                    capability_link(self._protocol, self._places, self._page, method.side, path)
                    for path in gate.paths
                )
                yield f"{what} needs {needs}"
