"""black, the same everywhere: no configuration file is read."""

from __future__ import annotations

from ...errors import InputError, Where

LINE_LENGTH = 100


def format_python(text: str, template: str) -> str:
    """Return ``text`` formatted.

    Args:
        text: a Python module.
        template: what rendered it, for the message.

    Raises:
        InputError: if ``text`` is not Python.
    """
    from black import Mode, format_str
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    mode = Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY310})
    try:
        return format_str(text, mode=mode)
    except InvalidInput as error:
        raise InputError(
            f"the template rendered something that is not Python: {error}",
            where=Where(f"template {template}"),
            remedy="mend the template",
        ) from error
