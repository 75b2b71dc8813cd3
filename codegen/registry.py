"""The targets that there are: the tool's own, and those that other packages register."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from .errors import UsageError
from .resources import templates_dir
from .targets.docs.target import DocsTarget
from .targets.model import Target
from .targets.python.target import PythonTarget
from .targets.typescript.target import TypeScriptTarget

#: The entry point group of targets. An entry is a class without arguments, or an instance.
GROUP = "acp_codegen.targets"
#: Which files of a folder are templates.
TEMPLATES = "**/*.jinja"
_PARTS = ("name", "options", "layouts", "render")


def targets() -> dict[str, Target]:
    """Return the targets by name.

    Raises:
        UsageError: if a registered target cannot be loaded, is none, or takes the name of another.
    """
    own: tuple[Target, ...] = (PythonTarget(), TypeScriptTarget(), DocsTarget())
    found = {target.name: target for target in own}
    for entry in _entries():
        if entry.name in found:
            raise _fault(entry, f"there is another target {entry.name!r}", "rename one of them")
        found[entry.name] = _load(entry)
    return found


def templates_of(target: Target) -> Path:
    """Return the folder of a target's templates: its own, or the tool's of its name."""
    own = getattr(target, "templates", None)
    return Path(own) if own is not None else templates_dir() / target.name


def origin_of(name: str) -> str:
    """Return package and version that registered a target; empty for one of the tool's own."""
    return next((_package(entry) for entry in _entries() if entry.name == name), "")


def _entries() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _load(entry: EntryPoint) -> Target:
    try:
        loaded: Any = entry.load()
        target = loaded() if isinstance(loaded, type) else loaded
    except Exception as error:
        # Whatever it is, it is that package's, and the user has to know whose.
        what = f"cannot be loaded: {type(error).__name__}: {error}"
        raise _fault(entry, what, "mend or remove that package") from error
    lacking = [part for part in _PARTS if not hasattr(target, part)]
    if lacking:
        raise _fault(entry, f"has no {', '.join(lacking)}", "see docs/targets.md")
    if target.name != entry.name:
        raise _fault(entry, f"calls itself {target.name!r}", "give both the same name")
    found: Target = target
    return found


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _fault(entry: EntryPoint, what: str, remedy: str) -> UsageError:
    return UsageError(f"the target {entry.name!r} of {_package(entry)} {what}", remedy=remedy)
