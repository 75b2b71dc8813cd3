"""Jinja as the targets use it: strict, without escaping, LF only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, Where


class Templates:
    """The templates of one target.

    Args:
        folders: where they are; names are file names below. The first that has one gives it.
        filters: functions that the templates may apply, by name.
    """

    def __init__(self, folders: Sequence[Path], filters: Mapping[str, Callable[..., Any]]) -> None:
        import jinja2

        self._jinja = jinja2
        self._folders = tuple(folders)
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(list(folders), encoding="utf-8"),
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            keep_trailing_newline=True,
            lstrip_blocks=True,
            newline_sequence="\n",
            trim_blocks=True,
        )
        self._environment.filters.update(filters)

    def render(self, name: str, **values: Any) -> str:
        """Return the text of the template ``name``.

        Raises:
            InputError: if the template is missing, does not parse, or uses an undefined variable;
                it names the template and the line.
        """
        try:
            return self._environment.get_template(name).render(values)
        except self._jinja.TemplateSyntaxError as error:
            where = Where(f"template {error.name or name}", f"line {error.lineno}")
            raise InputError(str(error.message), where=where, remedy="mend the template") from error
        except self._jinja.TemplateNotFound as error:
            raise InputError(
                f"there is no template {error.name}", remedy="add it to the template folder"
            ) from error
        except self._jinja.UndefinedError as error:
            line = _line(error, name)
            raise InputError(
                str(error.message),
                where=Where(f"template {name}", line),
                remedy="use a variable that the target gives",
            ) from error

    def replaced(self, name: str) -> bool:
        """Tell whether a folder before the last one, which is the target's, gives ``name``."""
        return any((folder / name).is_file() for folder in self._folders[:-1])


def _line(error: BaseException, name: str) -> str:
    trace = error.__traceback__
    found = ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(name):
            found = f"line {trace.tb_lineno}"
        trace = trace.tb_next
    return found
