"""A first configuration for a project, from what the project looks like."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .config import OWN_FILE, has_config
from .errors import UsageError, Where
from .output.tree import MANIFEST_NAME
from .resources import templates_dir
from .targets.templating import Templates

#: Folders that hold other people's files.
_FOREIGN = frozenset({"node_modules", "site-packages", "venv", "build", "dist", "target"})


@dataclass(frozen=True)
class Guess:
    """An output of a first configuration.

    Args:
        target: the target of the output.
        out: the folder of the output, relative to the project, ``/`` between segments.
        features: its features.
        why: where the folder comes from, for a comment.
    """

    target: str
    out: str
    features: tuple[str, ...]
    why: str


def start(folder: Path) -> tuple[Path, list[Guess]]:
    """Write a commented configuration file into ``folder``.

    Args:
        folder: the root of the project.

    Returns:
        The file, and the outputs that it configures.

    Raises:
        UsageError: if the folder has a configuration, or the file cannot be written.
    """
    known = has_config(folder)
    if known is not None:
        raise UsageError(
            "there is a configuration already",
            where=Where(known.as_posix()),
            remedy="edit it, or remove it first",
        )
    outputs = look(folder)
    templates = Templates([templates_dir() / "starter"], {"toml": _toml})
    text = templates.render("acp-codegen.toml.jinja", outputs=outputs)
    path = folder / OWN_FILE
    try:
        # "x": a file that appeared meanwhile is not overwritten.
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}",
            where=Where(path.as_posix()),
            remedy="check the folder",
        ) from error
    return path, outputs


def look(folder: Path) -> list[Guess]:
    """Return the outputs that a first configuration of the project in ``folder`` has.

    Outputs that are there already are taken up; else there is one, placed by the project's layout.

    Raises:
        UsageError: if a file of the project cannot be read.
    """
    found = []
    for manifest in _manifests(folder):
        made = _made_by(manifest)
        if made is not None:
            target, features = made
            out = manifest.parent.relative_to(folder).as_posix()
            found.append(Guess(target, out, features, "an output that is there already"))
    return found or [_place(folder)]


def _place(folder: Path) -> Guess:
    package = _package_name(folder)
    for parent in ("src/", ""):
        if package and (folder / parent / package).is_dir():
            return Guess("python", f"{parent}{package}/acp_bindings", (), "inside your package")
    if (folder / "src").is_dir():
        return Guess("python", "src/acp_bindings", (), "beside your packages")
    return Guess("python", "acp_bindings", (), "below this file")


def _manifests(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _FOREIGN and not name.startswith(".")
        )
        if MANIFEST_NAME in files and Path(root) != folder:
            yield Path(root) / MANIFEST_NAME


def _made_by(manifest: Path) -> tuple[str, tuple[str, ...]] | None:
    try:
        facts = json.loads(manifest.read_text(encoding="utf-8"))
        target, features = facts["target"], facts["features"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(target, str) or not isinstance(features, list):
        return None
    return target, tuple(str(feature) for feature in features)


def _package_name(folder: Path) -> str:
    path = folder / "pyproject.toml"
    if not path.is_file():
        return ""
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot be read: {error}", where=Where(path.as_posix()), remedy="mend the file"
        ) from error
    project = data.get("project", {})
    name = project.get("name", "") if isinstance(project, dict) else ""
    return re.sub(r"[-_.]+", "_", name).lower() if isinstance(name, str) else ""


def _toml(value: str | tuple[str, ...]) -> str:
    """Return ``value`` in TOML, where a text is as in JSON but that DEL is escaped too."""
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
