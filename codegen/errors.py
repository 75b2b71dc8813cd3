"""The one family of errors: each says where, what, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

EXIT_OK = 0
EXIT_DRIFT = 1
EXIT_REFUSED = 1
EXIT_NONCONFORMING = 1
EXIT_USAGE = 2
EXIT_INPUT = 3
EXIT_INTERNAL = 4
EXIT_BREAKING = 100  # as far from the others as other tools of this kind have it


@dataclass(frozen=True, slots=True)
class Where:
    """A place in an input: a file and, inside it, a JSON Pointer (RFC 6901).

    ``file`` is the path as the user gave it, or a name such as ``schemas/v1/schema.json`` for a
    bundled file. ``pointer`` is empty for the whole file.
    """

    file: str
    pointer: str = ""

    def __str__(self) -> str:
        return f"{self.file}#{self.pointer}" if self.pointer else self.file


class CodegenError(Exception):
    """A fault that the user can mend. The command line prints it and exits with ``exit_code``.

    Args:
        what: what is wrong, one sentence without a full stop at its end.
        where: the file and JSON Pointer of the fault, when it has one.
        remedy: what to do about it, one sentence without a full stop at its end.
    """

    exit_code: ClassVar[int] = EXIT_INPUT

    def __init__(self, what: str, *, where: Where | None = None, remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f". {self.remedy[:1].upper()}{self.remedy[1:]}" if self.remedy else ""
        return f"{place}{self.what}{remedy}."


class UsageError(CodegenError):
    """A wrong option, configuration, feature name or output folder (exit code 2)."""

    exit_code = EXIT_USAGE


class InputError(CodegenError):
    """A schema, overlay, rules or template file that cannot be used (exit code 3)."""

    exit_code = EXIT_INPUT
