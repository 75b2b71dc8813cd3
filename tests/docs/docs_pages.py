"""Reads the generated pages as a browser would: rendered to HTML, then taken apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from acp_codegen.building import Options, plan_builds
from acp_codegen.config import Config, Output, load_config
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "generated" / "docs"
_VOID = {"br", "hr", "img", "meta"}


@dataclass
class Section:
    """What stands below a heading, up to the next one."""

    level: int
    title: str
    text: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    json: list[Any] = field(default_factory=list)

    def column(self, number: int) -> list[str]:
        """Return a column of its tables."""
        return [row[number] for row in self.rows]


class Page(HTMLParser):
    """A page in HTML: its anchors, links, tags and sections."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.comments: list[str] = []
        self.sections = [Section(0, "")]
        self._open: list[str] = []
        self._text: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, tuple(given)))
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        if tag == "tr":
            self.sections[-1].rows.append([])
        if tag in ("td", "th", "h1", "h2", "h3", "h4", "pre", "p", "li"):
            self._text = []
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        text = "".join(self._text)
        if tag in ("td", "th"):
            self.sections[-1].rows[-1].append(text.strip())
        elif tag in ("h1", "h2", "h3", "h4"):
            self.sections.append(Section(int(tag[1]), text.strip()))
        elif tag == "pre":
            self.sections[-1].json.append(json.loads(text))
        elif tag in ("p", "li"):
            self.sections[-1].text.append(" ".join(text.split()))
            self._text = []

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def section(self, title: str) -> Section:
        """Return the only section with this heading."""
        [found] = [section for section in self.sections if section.title == title]
        return found


def render_page(text: str) -> str:
    """Return Markdown as HTML, as GitHub reads it: tables, and HTML let through."""
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


@cache
def page(name: str) -> Page:
    """Return a page of the committed docs."""
    return Page(render_page((DOCS / name).read_text(encoding="utf-8")))


def page_names() -> list[str]:
    return sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def versions() -> list[str]:
    return sorted(path.parent.name for path in DOCS.glob("*/methods.md"))


@cache
def build() -> Any:
    """Return the build of the committed docs."""
    config = load_config(ROOT / "pyproject.toml", "pyproject.toml")
    [found] = [job for job in plan_builds(config, Options()) if job.target.name == "docs"]
    return found


@cache
def schema(version: str) -> dict[str, Any]:
    """Return the schema of a version with the features of the committed docs."""
    data: dict[str, Any] = build().sources.resolve(version, build().features).data
    return data


def render(schemas: Path, features: tuple[str, ...] = (), **more: Any) -> Mapping[str, str]:
    """Return the pages that a schemas folder gives; nothing is written."""
    output = Output("docs", Path("out"))
    config = Config(schemas=schemas, features=features, outputs=(output,), **more)
    [job] = plan_builds(config, Options())
    return dict(job.tree(lambda _: None).files)


def methods(version: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield side, wire name, params and (or empty) result of each method, from the schema alone."""
    definitions = schema(version)["$defs"]
    found = {
        (said["x-side"], said["x-method"], name)
        for name, said in definitions.items()
        if isinstance(said, dict) and "x-method" in said
    }
    for side, wire, name in sorted(found):
        if name.endswith("Response"):
            continue
        answers = [n for s, w, n in found if (s, w) == (side, wire) and n.endswith("Response")]
        yield side, wire, name, answers[0] if answers and name.endswith("Request") else ""
