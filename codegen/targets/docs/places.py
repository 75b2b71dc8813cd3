"""Where everything is documented: pages, anchors, and links from one page to another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, relpath
from urllib.parse import quote

from ...conversion.model import Plan
from ...protocol.ir import Method, Protocol, TypeId
from .markdown import code

INDEX = "README.md"
CONVERSIONS = "conversions.md"
METHODS = "methods.md"
MESSAGES = "messages.md"
TYPES = "types.md"
FEATURES = "features.md"

_UNSAFE = re.compile(r"[^a-z0-9_.-]+")


def anchor_tag(anchor: str) -> str:
    """Return the HTML that links to ``anchor`` lead to."""
    return f'<a id="{anchor}"></a>'


class Places:
    """The pages of one build and what is on them.

    Args:
        protocols: the versions, by name.
        plan: what converts between them; None if nothing does.
    """

    def __init__(self, protocols: Mapping[str, Protocol], plan: Plan | None) -> None:
        self._at: dict[tuple[str, ...], tuple[str, str]] = {}
        self._taken: set[tuple[str, str]] = set()
        for version, protocol in protocols.items():
            self._version(version, protocol)
        for direction in plan.directions if plan else ():
            page = f"{direction.name}.md"
            for name in sorted([*direction.targets, *direction.refused]):
                self._add(("conversion", direction.name, name), page, name)

    def _version(self, version: str, protocol: Protocol) -> None:
        messages = {id_ for method in protocol.methods for id_ in (method.params, method.result)}
        for side in dict.fromkeys(method.side for method in protocol.methods):
            self._add(("side", version, side), f"{version}/{METHODS}", f"side-{side}")
        for method in protocol.methods:
            name = f"method-{method.side}-{method.wire_name}"
            self._add(_method_key(version, method), f"{version}/{METHODS}", name)
        for id_ in protocol.types:
            owner = protocol.types[id_[:1]]
            page = MESSAGES if id_[:1] in messages or owner.envelope else TYPES
            self._add(("type", version, *id_), f"{version}/{page}", ".".join(("type", *id_)))
        for feature in protocol.features:
            self._add(("feature", version, feature), f"{version}/{FEATURES}", feature)

    def _add(self, key: tuple[str, ...], page: str, name: str) -> None:
        """Give ``key`` an anchor that no other one on its page has, in any case of letters."""
        plain = _UNSAFE.sub("-", name.lower()).strip("-.") or "x"
        anchor, number = plain, 2
        while (page, anchor) in self._taken:
            anchor, number = f"{plain}-{number}", number + 1
        self._taken.add((page, anchor))
        self._at[key] = page, anchor

    # ---- where ------------------------------------------------------------------------------------

    def type_page(self, version: str, id_: TypeId) -> str:
        """Return the page of a type."""
        return self._at["type", version, *id_][0]

    def type_anchor(self, version: str, id_: TypeId) -> str:
        """Return the anchor of a type."""
        return self._at["type", version, *id_][1]

    def side_anchor(self, version: str, side: str) -> str:
        """Return the anchor of the methods that a side serves."""
        return self._at["side", version, side][1]

    def method_anchor(self, version: str, method: Method) -> str:
        """Return the anchor of a method."""
        return self._at[_method_key(version, method)][1]

    def feature_anchor(self, version: str, feature: str) -> str:
        """Return the anchor of a feature."""
        return self._at["feature", version, feature][1]

    def conversion_anchor(self, direction: str, name: str) -> str:
        """Return the anchor of what becomes of a definition."""
        return self._at["conversion", direction, name][1]

    # ---- links ------------------------------------------------------------------------------------

    def type_link(self, page: str, version: str, id_: TypeId) -> str:
        """Return a link from ``page`` to a type."""
        return self._link(page, ("type", version, *id_), code(type_name(id_)))

    def method_link(self, page: str, version: str, method: Method) -> str:
        """Return a link from ``page`` to a method."""
        return self._link(page, _method_key(version, method), code(method.wire_name))

    def feature_link(self, page: str, version: str, feature: str) -> str:
        """Return a link from ``page`` to a feature."""
        return self._link(page, ("feature", version, feature), code(feature))

    def conversion_link(self, page: str, direction: str, name: str, label: str) -> str:
        """Return a link from ``page`` to what becomes of a definition; just the label without one."""
        key = ("conversion", direction, name)
        return self._link(page, key, label) if key in self._at else label

    def _link(self, page: str, key: tuple[str, ...], label: str) -> str:
        to, anchor = self._at[key]
        return f"[{label}]({page_link(page, to)}#{anchor})"


def page_link(page: str, to: str) -> str:
    """Return the address of the page ``to`` as seen from ``page``; empty for itself."""
    return "" if page == to else quote(relpath(to, dirname(page) or "."))


def type_name(id_: TypeId) -> str:
    """Return what people call a type: the steps to it from its definition."""
    return " / ".join(id_)


def _method_key(version: str, method: Method) -> tuple[str, ...]:
    return ("method", version, method.side, method.kind, method.wire_name)
