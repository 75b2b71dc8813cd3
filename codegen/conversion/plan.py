"""Two protocols and the rules, turned into a plan for each direction, with what has no answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..errors import InputError, Where
from ..protocol.ir import Protocol
from .bridge import make_bridge
from .direction import Planner
from .model import Direction, Plan, Unanswered
from .rules import Rules, check_rules

#: What to do about what has no answer: fail, or refuse it at run time, or make no converter.
MODES = ("complete", "partial", "off")


def make_plan(old: Protocol, new: Protocol, rules: Rules, *, complete: bool) -> Plan:
    """Return what converts between ``old`` and ``new``.

    Args:
        old: the older version.
        new: the newer version.
        rules: what cannot be derived.
        complete: refuse rules that match nothing, and parts that nothing answers.

    Raises:
        InputError: if ``complete`` and a rule names something that is not there, or a definition, a
            field, a variant or a word has no answer.
    """
    if complete:
        check_rules(rules, old, new)
    forth = Planner(old, new, rules, forth=True).plan()
    back = Planner(new, old, rules, forth=False).plan()
    missing = [*forth.unanswered, *back.unanswered]
    if complete and missing:
        raise InputError(
            _listing(missing),
            where=Where(rules.file),
            remedy='add a rule, or set conversions = "partial"',
        )
    return Plan((forth, back), make_bridge(rules, old, new, complete=complete))


def _listing(missing: Collection[Unanswered]) -> str:
    shown = [f"{item.direction} {item.definition}: {item.what}" for item in list(missing)[:10]]
    more = f" (and {len(missing) - 10} more)" if len(missing) > 10 else ""
    return f"nothing says how to convert {'; '.join(shown)}{more}"


def unanswered_lines(plan: Plan) -> list[str]:
    """Return a line for every part without an answer, and one with their number if there are any."""
    found = [item for direction in plan.directions for item in direction.unanswered]
    lines = [
        f"no rule: {item.direction} {item.definition}: {item.what} ({item.pointer})"
        if item.pointer
        else f"no rule: {item.direction} {item.definition}: {item.what}"
        for item in found
    ]
    if found:
        parts = "1 part is" if len(found) == 1 else f"{len(found)} parts are"
        lines.append(f"{parts} without a rule; the converters refuse such values")
    return lines


def counts(direction: Direction) -> Mapping[str, int]:
    """Return how many definitions convert, are refused, and have parts without an answer."""
    return {
        "converted": len(direction.targets),
        "refused": len(direction.refused),
        "unanswered": len({item.definition for item in direction.unanswered}),
    }
