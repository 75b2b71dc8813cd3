"""The generated bindings, under the one name by which this package knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acp_bindings import v1, v2
else:
    from .bindings import v1, v2

__all__ = ["v1", "v2"]
