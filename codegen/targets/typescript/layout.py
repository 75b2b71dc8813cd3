"""Line breaking as prettier does it, for the few shapes that the target writes.

Prettier leaves its own output alone. So what is generated has to be what prettier would make of it,
with the options it has when nobody configures it. The algebra is the usual one: a group stands on
one line if it fits, else each of its lines breaks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

WIDTH = 80
_STEP = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A place to break: ``flat`` is what stands there if the group is on one line."""

    flat: str = ""


@dataclass(frozen=True, slots=True)
class IfBroken:
    """A text that is there only if the group breaks."""

    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that break together or not at all."""

    parts: tuple[Doc, ...]
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Indent:
    """Parts whose lines stand one step further in."""

    parts: tuple[Doc, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """A part that goes below what precedes it if not even its start has room beside that."""

    part: Doc


Doc = str | Line | IfBroken | Group | Indent | Beside

SOFT = Line()
SPACE = Line(" ")


def group(*parts: Doc, broken: bool = False) -> Group:
    """Return ``parts`` as one group."""
    return Group(parts, broken)


def indent(*parts: Doc) -> Indent:
    """Return ``parts``, one step further in."""
    return Indent(parts)


def joined(items: Iterable[Doc], between: Iterable[Doc]) -> list[Doc]:
    """Return ``items`` with ``between`` between each two."""
    found: list[Doc] = []
    glue = tuple(between)
    for item in items:
        found += [*(glue if found else ()), item]
    return found


def call(name: str, *arguments: Doc) -> Doc:
    """Return a call. An array or object at the end stays beside the parentheses."""
    if arguments and isinstance(arguments[-1], Group) and arguments[-1].parts[0] in ("[", "{"):
        return group(f"{name}(", *joined(arguments, (", ",)), ")")
    inner = joined(arguments, (",", SPACE))
    return group(f"{name}(", indent(SOFT, *inner, IfBroken(",")), SOFT, ")")


def array(*items: Doc, broken: bool = False) -> Doc:
    """Return an array, on one line if it fits and is not ``broken``."""
    if not items:
        return "[]"
    inner = joined(items, (",", SPACE))
    return group("[", indent(SOFT, *inner, IfBroken(",")), SOFT, "]", broken=broken)


def record(*items: tuple[str, Doc]) -> Doc:
    """Return an object, on one line if it fits."""
    if not items:
        return "{}"
    inner = joined((prop(key, value) for key, value in items), (",", SPACE))
    return group("{", indent(SPACE, *inner), IfBroken(","), SPACE, "}")


def prop(key: str, value: Doc) -> Doc:
    """Return a property of an object."""
    # With a key as short as an indent nothing is won below it; nor with words and numbers.
    stays = isinstance(value, str) and (len(key) <= _STEP + 2 or value[0] not in "\"'n")
    return group(f"{key}: ", value) if stays else group(f"{key}:", Beside(value))


def pairs(*items: tuple[str, Doc]) -> Doc:
    """Return an object, one member a line, as prettier keeps it when it starts on a new line."""
    if not items:
        return "{}"
    members = [group(f"{key}: ", value, ",") for key, value in items]
    inner = joined(members, (SPACE,))
    return group("{", indent(SPACE, *inner), SPACE, "}", broken=True)


def imported(names: Iterable[str], module: str, *, types: bool = False) -> str:
    """Return the statement that imports ``names``; empty if there are none."""
    found = list(names)
    if not found:
        return ""
    head = "import type {" if types else "import {"
    inner = indent(SPACE, *joined(found, (",", SPACE)), IfBroken(","))
    return render(group(head, inner, SPACE, f'}} from "{module}";'))


def render(doc: Doc, *, column: int = 0, depth: int = 0) -> str:
    """Return ``doc`` as text.

    Args:
        doc: what to write.
        column: where on its line the text starts.
        depth: how many steps in the line is.
    """
    out: list[str] = []
    pending: list[tuple[int, bool, Doc]] = [(depth, True, doc)]
    while pending:
        level, broken, item = pending.pop()
        if isinstance(item, str):
            out.append(item)
            column += len(item)
        elif isinstance(item, Line):
            if broken:
                out.append("\n" + " " * (_STEP * level))
                column = _STEP * level
            else:
                out.append(item.flat)
                column += len(item.flat)
        elif isinstance(item, IfBroken):
            if broken:
                out.append(item.text)
                column += len(item.text)
        elif isinstance(item, Indent):
            pending += [(level + 1, broken, part) for part in reversed(item.parts)]
        elif isinstance(item, Beside):
            rest = [*pending, (level, True, item.part)]
            below = broken and not _fits(Group((" ",)), rest, WIDTH - column)
            level += below
            pending += [(level, broken, item.part), (level, below, SPACE)]
        else:
            flat = not _has_broken(item) and _fits(item, pending, WIDTH - column)
            pending += [(level, not flat, part) for part in reversed(item.parts)]
    return "".join(out)


def _has_broken(doc: Doc) -> bool:
    if isinstance(doc, Group):
        return doc.broken or any(map(_has_broken, doc.parts))
    if isinstance(doc, Beside):
        return _has_broken(doc.part)
    return isinstance(doc, Indent) and any(map(_has_broken, doc.parts))


def _fits(item: Group, rest: list[tuple[int, bool, Doc]], room: int) -> bool:
    """True if ``item`` on one line, and what follows up to the next break, has room."""
    pending: list[tuple[bool, Doc]] = [(broken, doc) for _, broken, doc in rest]
    pending.append((False, item))
    while pending and room >= 0:
        broken, doc = pending.pop()
        if isinstance(doc, str):
            room -= len(doc)
        elif isinstance(doc, Line):
            if broken:
                return True
            room -= len(doc.flat)
        elif isinstance(doc, IfBroken):
            room -= len(doc.text) if broken else 0
        elif isinstance(doc, Beside):
            pending += [(broken, doc.part), (broken, SPACE)]
        else:
            pending += [(broken, part) for part in reversed(doc.parts)]
    return room >= 0
