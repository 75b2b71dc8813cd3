"""Ratios of two things measured in turns, and the table of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table.

    Args:
        label: what is compared with what.
        ratios: the ratio of each round.
        aim: in words; empty if there is none.
        met: None if there is no aim.
    """

    label: str
    ratios: Sequence[float]
    aim: str = ""
    met: bool | None = None


def at_most(label: str, ratios: Sequence[float], limit: float) -> Row:
    """Return a row whose median should not be above ``limit``."""
    return Row(label, ratios, f"<= {limit:g}", median(ratios) <= limit)


def at_least(label: str, ratios: Sequence[float], limit: float) -> Row:
    """Return a row whose median should not be below ``limit``."""
    return Row(label, ratios, f">= {limit:g}", median(ratios) >= limit)


def in_turns(rounds: int, *measures: Callable[[], float]) -> list[tuple[float, ...]]:
    """Call the measures one after the other, ``rounds`` times; every other round backwards."""
    found = []
    for number in range(rounds):
        order = range(len(measures))
        times = {index: measures[index]() for index in (order if number % 2 else reversed(order))}
        found.append(tuple(times[index] for index in order))
    return found


def geometric_means(rows: Iterable[Sequence[float]]) -> list[float]:
    """Return the geometric mean of each round over all rows."""
    return [
        math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*rows, strict=True)
    ]


def show(title: str, rows: Iterable[Row]) -> None:
    """Print one part of the table."""
    print(f"\n{title:<64}{'median':>8}  {'min..max':<14}  aim")
    for row in rows:
        spread = f"{min(row.ratios):.2f}..{max(row.ratios):.2f}"
        verdict = {None: "", True: "met", False: "MISSED"}[row.met]
        line = f"  {row.label:<62}{median(row.ratios):>8.2f}  {spread:<14}  {row.aim:<7} {verdict}"
        print(line.rstrip(), flush=True)
