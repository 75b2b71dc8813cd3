"""A report as text for people, as JSON, and as annotations of a CI run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from .model import LEVELS, STALE_LEVEL, Finding, Level, Report, Stale

#: Version of the JSON report. It grows by one whenever a reader could have to change.
JSON_VERSION: Final = 1

_COMMANDS: Mapping[Level, str] = {
    "wire": "error",
    "source": "warning",
    "additive": "notice",
    "documentation": "notice",
}


def as_text(report: Report) -> str:
    """Return the report for people: grouped by level, a line for each finding, counts at the end."""
    lines: list[str] = []
    for level in LEVELS:
        found = [finding for finding in report.findings if finding.level == level]
        if found:
            lines += [level, *(f"  {_line(finding)}" for finding in found), ""]
    if report.stale:
        lines += ["no longer matching"]
        lines += [f"  {item.kind} {_place(item)}: {_advice(item)}" for item in report.stale]
        lines += [""]
    counts = ", ".join(f"{count} {level}" for level, count in report.counts().items())
    keys = f"; {len(report.stale)} no longer matching" if report.stale else ""
    lines.append(f"{report.old.name} -> {report.new.name}: {counts}{keys}")
    if not report.descriptions:
        lines.append("Descriptions are not compared: one of the two schemas has none.")
    return "\n".join(map(printable, lines))


def as_json(report: Report) -> str:
    """Return the report as JSON text. Everything that the text says is in it."""
    data = {
        "version": JSON_VERSION,
        **{
            key: {
                "name": side.name,
                "file": side.file,
                "sha256": side.sha256,
                "features": list(side.features),
            }
            for key, side in (("old", report.old), ("new", report.new))
        },
        "descriptions_compared": report.descriptions,
        "counts": report.counts(),
        "findings": [_record(finding) for finding in report.findings],
        "stale": [
            {
                "kind": item.kind,
                "level": STALE_LEVEL,
                "file": item.file,
                "pointer": item.pointer,
                "what": item.what,
                "remedy": item.remedy,
            }
            for item in report.stale
        ],
    }
    return json.dumps(data, indent=2)


def as_github(report: Report) -> str:
    """Return a workflow command for each finding, as GitHub Actions makes annotations of them."""
    lines = []
    for finding in report.findings:
        file = report.old.file if finding.new is None else report.new.file
        lines.append(_annotation(finding.level, file, finding.kind, _line(finding)))
    for item in report.stale:
        text = f"{_place(item)}: {_advice(item)}"
        lines.append(_annotation(STALE_LEVEL, item.file, item.kind, text))
    return "\n".join(lines)


FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
}


def printable(text: str) -> str:
    """Return ``text`` with everything that could steer a terminal or end the line escaped."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def _line(finding: Finding) -> str:
    breaks = f"; breaks {', '.join(map(str, finding.breaks))}" if finding.breaks else ""
    return f"{finding.kind} {finding.subject}: {finding.what}{breaks} ({_pointers(finding)})"


def _pointers(finding: Finding) -> str:
    if finding.old == finding.new:
        return f"#{finding.old}"
    places = (("old", finding.old), ("new", finding.new))
    return ", ".join(f"{side} #{pointer}" for side, pointer in places if pointer is not None)


def _place(item: Stale) -> str:
    return f"{item.file}#{item.pointer}" if item.pointer else item.file


def _advice(item: Stale) -> str:
    return f"{item.what}. {item.remedy[:1].upper()}{item.remedy[1:]}" if item.remedy else item.what


def _record(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "level": finding.level,
        "subject": finding.subject,
        "what": finding.what,
        "old": finding.old,
        "new": finding.new,
        "breaks": [{"sender": item.sender, "reader": item.reader} for item in finding.breaks],
    }


def _annotation(level: Level, file: str, title: str, message: str) -> str:
    place = f"file={_property(file)},title={_property(title)}"
    return printable(f"::{_COMMANDS[level]} {place}::{_data(message)}")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
