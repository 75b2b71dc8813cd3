"""The target ``docs``: reference documentation as Markdown, linked page to page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...protocol.ir import Protocol
from ..model import Job, OptionRule
from ..templating import Templates
from .conversion_views import direction_view, records_of, totals_table
from .feature_views import feature_views
from .markdown import code, comment, line
from .method_views import MethodViews
from .places import (
    CONVERSIONS,
    FEATURES,
    INDEX,
    MESSAGES,
    METHODS,
    TYPES,
    Places,
    page_link,
)
from .type_views import TypeViews


class DocsTarget:
    """Renders pages for each version, and what becomes of values between two versions."""

    name = "docs"
    options: Mapping[str, OptionRule] = {}
    layouts: Mapping[str, frozenset[tuple[str, ...]]] = {
        "package": frozenset({("style", "header")})
    }

    def render(self, job: Job) -> Mapping[str, str]:
        """Return the pages.

        Raises:
            InputError: if a template is at fault.
        """
        return _Pages(job).files()


class _Pages:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._files: dict[str, str] = {}
        self._templates = Templates(job.templates, {"row": _row})
        self._places = Places(job.protocols, job.plan)
        self._records = records_of(job.plan)

    def files(self) -> Mapping[str, str]:
        for version, protocol in self._job.protocols.items():
            self._job.say(f"{version}: pages")
            self._version(version, protocol)
        directions = [
            direction_view(direction, self._job.protocols, self._records, self._places)
            for direction in (self._job.plan.directions if self._job.plan else ())
        ]
        versions = [_version_view(protocol) for protocol in self._job.protocols.values()]
        self._put(INDEX, "index.md.jinja", "", versions=versions, directions=directions)
        if directions:
            self._put(
                CONVERSIONS,
                "conversions.md.jinja",
                "",
                totals=totals_table(self._records),
                directions=directions,
            )
        for direction in directions:
            self._put(direction.path, "direction.md.jinja", "", direction=direction)
        return self._files

    def _version(self, version: str, protocol: Protocol) -> None:
        places = self._places
        shared = [side for side, names in self._job.names.sides.items() if names.shared]
        methods = MethodViews(
            protocol, places, self._job.examples.get(version, {}), self._job.names.errors, shared
        )
        sides = methods.sides()
        self._put(
            f"{version}/{METHODS}",
            "methods.md.jinja",
            version,
            sides=sides,
            errors=methods.errors(),
            errors_link=methods.errors_link(),
        )
        features = feature_views(protocol, places)
        self._put(f"{version}/{FEATURES}", "features.md.jinja", version, features=features)
        index = []
        for page, title in ((MESSAGES, "messages"), (TYPES, "types")):
            views = TypeViews(protocol, self._records, places, f"{version}/{page}")
            names = [
                name
                for name in sorted(protocol.definitions, key=lambda name: (name.lower(), name))
                if places.type_page(version, (name,)) == f"{version}/{page}"
            ]
            sections = [section for name in names for section in views.definition(name)]
            self._put(
                f"{version}/{page}",
                f"{title}.md.jinja",
                version,
                sections=sections,
                contents=[views.summary(name) for name in names],
            )
            here = TypeViews(protocol, self._records, places, f"{version}/{INDEX}")
            index += [here.summary(name) for name in names]
        self._put(
            f"{version}/{INDEX}",
            "version.md.jinja",
            version,
            protocol=_version_view(protocol),
            sides=sides,
            types=sorted(index, key=lambda item: item[0].lower()),
            features=features,
        )

    def _put(self, path: str, template: str, version: str, **values: Any) -> None:
        header = comment(self._job.headers[version])
        self._files[path] = self._templates.render(
            template, header=header, version=line(version), **values
        )


def _version_view(protocol: Protocol) -> dict[str, Any]:
    return {
        "name": line(protocol.version),
        "page": page_link(INDEX, f"{protocol.version}/{INDEX}"),
        "release": line(protocol.release),
        "sha256": code(protocol.sha256),
        "features": [code(feature) for feature in protocol.features],
        "definitions": len(protocol.definitions),
        "methods": len(protocol.methods),
    }


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"
