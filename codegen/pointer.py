"""JSON Pointers (RFC 6901)."""

from __future__ import annotations

from typing import Any


def escape(token: str | int) -> str:
    """Return one reference token, escaped (``~`` as ``~0``, ``/`` as ``~1``)."""
    return str(token).replace("~", "~0").replace("/", "~1")


def join(base: str, *tokens: str | int) -> str:
    """Return ``base`` extended by ``tokens``, each escaped."""
    return base + "".join(f"/{escape(token)}" for token in tokens)


def split(pointer: str) -> list[str]:
    """Return the unescaped reference tokens of ``pointer``; the empty pointer has none.

    Raises:
        ValueError: if ``pointer`` is neither empty nor starts with ``/``.
    """
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"not a JSON Pointer: {pointer!r}")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def resolve(document: Any, pointer: str) -> Any:
    """Return the value at ``pointer`` in ``document``.

    Raises:
        LookupError: if a token names nothing.
    """
    value = document
    for token in split(pointer):
        if isinstance(value, dict):
            value = value[token]
        elif isinstance(value, list) and token.isascii() and token.isdecimal():
            value = value[int(token)]
        else:
            raise LookupError(pointer)
    return value
