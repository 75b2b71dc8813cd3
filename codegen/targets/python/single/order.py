"""The order in which one module can define its types, and which names must wait in quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ....errors import InputError, Where
from ....protocol.ir import Protocol, TypeId
from ....style.keys import dotted


@dataclass
class Order:
    """Types in the order of their definitions.

    Args:
        ids: the types.
        late: for a class, the types that its fields name before they are defined.
        open: classes that are complete only at the end of the module.
    """

    ids: list[TypeId] = field(default_factory=list)
    late: dict[TypeId, frozenset[TypeId]] = field(default_factory=dict)
    open: set[TypeId] = field(default_factory=set)


def order_types(
    protocol: Protocol,
    hard: Callable[[TypeId], Iterable[TypeId]],
    soft: Callable[[TypeId], Iterable[TypeId]],
) -> Order:
    """Order the types of ``protocol``.

    Args:
        protocol: whose types.
        hard: what must be defined before a type: its base, or all that an alias names.
        soft: what the fields of a class name; it may be defined later.

    Raises:
        InputError: if a type contains itself with no class between.
    """
    return _Sorter(protocol, hard, soft).sorted()


class _Sorter:
    def __init__(
        self,
        protocol: Protocol,
        hard: Callable[[TypeId], Iterable[TypeId]],
        soft: Callable[[TypeId], Iterable[TypeId]],
    ) -> None:
        self._protocol = protocol
        self._hard = hard
        self._soft = soft
        self._order = Order()
        self._done: set[TypeId] = set()
        self._begun: dict[TypeId, None] = {}

    def sorted(self) -> Order:
        for id_ in self._protocol.types:
            if id_ not in self._done:
                self._place(id_)
        return self._order

    def _place(self, id_: TypeId) -> None:
        self._begun[id_] = None
        for needed in self._hard(id_):
            if needed in self._begun:
                raise InputError(
                    f"{dotted(id_)} contains itself with no class between, which one module of"
                    " plain models cannot say",
                    where=Where(self._protocol.file, self._protocol.types[id_].pointer),
                    remedy="make it a class with root_model, or use the layout package",
                )
            if needed not in self._done:
                self._place(needed)
        late = set()
        for wanted in self._soft(id_):
            if wanted not in self._done:
                if self._can_come_first(wanted):
                    self._place(wanted)
                else:
                    late.add(wanted)
        del self._begun[id_]
        self._done.add(id_)
        self._order.ids.append(id_)
        self._order.late[id_] = frozenset(late)
        named = [*self._hard(id_), *self._soft(id_)]
        if late or any(other in self._order.open for other in named):
            self._order.open.add(id_)

    def _can_come_first(self, id_: TypeId) -> bool:
        """True if nothing that ``id_`` needs is waiting for what is begun."""
        seen, waiting = {id_}, [id_]
        while waiting:
            one = waiting.pop()
            if one in self._begun:
                return False
            fresh = [other for other in self._hard(one) if other not in seen | self._done]
            seen.update(fresh)
            waiting += fresh
        return True
