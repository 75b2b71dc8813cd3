"""The generated converter as a module of this process: rendered, not formatted, nothing written."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ...conversion.model import Plan
from ..naming import upper
from ..templating import Templates
from .convert_views import direction_view
from .literals import comment, docstring, literal

FILTERS = {"comment": comment, "docstring": docstring, "literal": literal, "upper": upper}
_PARTS = ("_errors", "_faults", "_paths", "_plan", "_steps", "_convert")
_NUMBERS = count()


def load_converter(plan: Plan, templates: Path) -> Any:
    """Return the module ``convert`` of the bindings, without models.

    Its ``v1_to_v2`` and ``v2_to_v1`` need models and do not work; ``convert_json`` does.

    Args:
        plan: what converts.
        templates: the folder of the target's templates.

    Raises:
        InputError: if a template is at fault.
    """
    renderer = Templates([templates], FILTERS)
    texts = {part: renderer.render(f"{part}.py.jinja", header="", version="") for part in _PARTS}
    directions = [direction_view(direction) for direction in plan.directions]
    texts["convert"] = renderer.render(
        "convert.py.jinja", header="", version="", directions=directions, bridge=None
    )
    name = f"_acp_codegen_converter_{next(_NUMBERS)}"
    finder = _Finder(name, texts)
    sys.meta_path.append(finder)
    try:
        __import__(f"{name}.convert")
    finally:
        sys.meta_path.remove(finder)
    return sys.modules[f"{name}.convert"]


class _Finder(MetaPathFinder, InspectLoader):
    """Finds and loads the modules of one package from texts."""

    def __init__(self, name: str, texts: Mapping[str, str]) -> None:
        self._texts = {name: "", **{f"{name}.{part}": text for part, text in texts.items()}}
        self._name = name

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self._texts:
            return None
        return spec_from_loader(name, self, is_package=name == self._name)

    def is_package(self, name: str) -> bool:
        return name == self._name

    def get_source(self, name: str) -> str:
        return self._texts[name]

    def get_code(self, name: str) -> CodeType:
        return compile(self._texts[name], f"<{name}>", "exec", dont_inherit=True)
