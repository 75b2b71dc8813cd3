"""Compares what is written for people."""

from __future__ import annotations

from .sink import Place, Sink


def compare_texts(old: str, new: str, place: Place, sink: Sink, *, of: str = "") -> None:
    """Report that a description came, went or changed. White space does not matter.

    Args:
        old: the old description.
        new: the new description.
        place: what is described.
        sink: gets what is found.
        of: the part of ``place`` that is described; empty for all of it.
    """
    if old.split() == new.split():
        return
    how = "differs" if old and new else "is gone" if old else "is new"
    sink.add("description-changed", place, f"the description{of and ' of '}{of} {how}")
