"""What the commands print, from facts. No decisions are made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .conversion.report import HOW, totals
from .output.publish import Report
from .pointer import split
from .protocol.ir import Protocol
from .sources import Sources


def published(found: Iterable[Report]) -> list[str]:
    """Return a line for each output folder, and one for each file that changed."""
    lines = []
    for report in found:
        name = report.root.as_posix()
        if report.up_to_date:
            lines.append(f"{name}: up to date, {report.unchanged} files")
            continue
        counts = f"{len(report.added)} added, {len(report.changed)} changed, {len(report.removed)} removed"
        lines.append(f"{name}: {counts}, {report.unchanged} unchanged")
        for sign, paths in (("+", report.added), ("~", report.changed), ("-", report.removed)):
            lines += [f"  {sign} {path}" for path in paths]
    return lines


def feature_report(sources: Sources, only: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what each feature adds to each version that it has an overlay for."""
    found: dict[str, Any] = {}
    for feature, versions in sources.known_features().items():
        if only is None or feature in only:
            found[feature] = {
                version: _additions(sources, feature, version) for version in sorted(versions)
            }
    return found


def _additions(sources: Sources, feature: str, version: str) -> dict[str, Any]:
    resolved = sources.resolve(version, (feature,))
    protocol = sources.protocol(version, (feature,))
    definitions, properties = [], []
    for pointer in resolved.origins:
        tokens = split(pointer)
        if len(tokens) == 2:
            definitions.append(tokens[1])
        elif len(tokens) == 4 and tokens[2] == "properties":
            properties.append(f"{tokens[1]}.{tokens[3]}")
    return {
        "methods": [method.wire_name for method in protocol.methods if method.feature == feature],
        "definitions": definitions,
        "properties": properties,
        "gates": [
            {
                "method": gate.method,
                "parameter": gate.parameter,
                "variant": gate.variant,
                "capability": ".".join(gate.capability.path),
                "requires": [".".join(path.path) for path in gate.requires],
            }
            for gate in resolved.gates
            if gate.feature == feature
        ],
    }


def feature_text(found: dict[str, Any]) -> str:
    """Return the feature report for people."""
    lines = []
    for feature, versions in found.items():
        lines.append(feature)
        for version, added in versions.items():
            lines.append(f"  {version}")
            for kind in ("methods", "definitions", "properties"):
                lines.append(f"    {kind}: {', '.join(added[kind]) or 'none'}")
            for gate in added["gates"]:
                parts = [part for part in (gate["parameter"], gate["variant"]) if part]
                what = gate["method"] + (f" ({' '.join(parts)})" if parts else "")
                lines.append(
                    f"    gate: {what} needs {' and '.join([gate['capability'], *gate['requires']])}"
                )
    return "\n".join(lines) or "There are no features."


def method_report(protocols: Iterable[Protocol]) -> list[dict[str, Any]]:
    """Return a record for each method of each version."""
    return [
        {
            "version": protocol.version,
            "side": method.side,
            "method": method.wire_name,
            "kind": method.kind,
            "params": method.params[0],
            "result": method.result[0] if method.result else None,
            "feature": method.feature,
            "capability": next(
                (".".join(gate.capability) for gate in method.gates if gate.whole), None
            ),
        }
        for protocol in protocols
        for method in protocol.methods
    ]


def method_text(found: Sequence[dict[str, Any]]) -> str:
    """Return the method report as a table."""
    if not found:
        return "There are no methods."
    head = list(found[0])
    rows = [head, *([str(record[key] or "-") for key in head] for record in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in padded)


def conversion_text(found: Sequence[dict[str, Any]]) -> str:
    """Return the conversion report as a table, a line for each definition and part, and totals."""
    width = max((len(record["definition"]) for record in found), default=0)
    lines: list[str] = []
    for record in found:
        direction = record["direction"]
        if direction not in lines:
            lines += ["", direction] if lines else [direction]
        target = record["target"] if record["target"] != record["definition"] else None
        said = record["why"] or (f"-> {target}" if target else "")
        lines.append(
            f"  {record['definition'].ljust(width)}  {record['how'].ljust(9)}  {said}".rstrip()
        )
        for part in record["parts"]:
            place = f"{part['at']}: " if part["at"] else ""
            lines.append(f"      {part['what'].ljust(7)}  {place}{part['why']}")
    for direction, counted in totals(list(found)).items():
        kinds = ", ".join(f"{counted[how]} {how}" for how in HOW)
        lines.append(f"{direction}: {sum(counted.values())} definitions: {kinds}")
    return "\n".join(lines)
