"""The plan: what becomes of every part of a value, in steps that mean the same in every language.

The names and fields here are the vocabulary that each target's converter implements. A ``key`` names
a plan of the same direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .bridge_model import Bridge

# ---- what becomes of a value ------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """Convert as the type with this key."""

    key: str


@dataclass(frozen=True)
class Each:
    """Convert every item of a list, or every value of a map."""

    node: Node


@dataclass(frozen=True)
class Alike:
    """Convert every item of a list by the branch of the union with this key that all items fit."""

    key: str


@dataclass(frozen=True)
class Check:
    """Refuse a value outside these bounds (JSON Schema keywords), then convert."""

    bounds: Mapping[str, Any]
    node: Node


@dataclass(frozen=True)
class NotNull:
    """Refuse null, then convert."""

    node: Node


@dataclass(frozen=True)
class Words:
    """Allow these words only. ``why`` explains some others, ``lossy`` gives their nearest word."""

    allowed: tuple[Any, ...]
    why: Mapping[str, str] = field(default_factory=dict)
    lossy: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kinds:
    """Allow these kinds of JSON only: string, number, boolean, strings (a list of them)."""

    allowed: tuple[str, ...]


@dataclass(frozen=True)
class Marker:
    """A boolean becomes an empty object or nothing."""


@dataclass(frozen=True)
class Unmarker:
    """An object becomes true; what stands in it is refused."""

    why: str
    declared: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToEntries:
    """A map becomes a list of name and value, sorted by name."""


@dataclass(frozen=True)
class FromEntries:
    """A list of name and value becomes a map; a name twice, or anything more, is refused."""

    why: str
    declared: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vanish:
    """The value says nothing if it has this shape; else it is refused."""

    shape: Any
    why: str
    declared: tuple[str, ...] = ()


@dataclass(frozen=True)
class Empty:
    """An empty list or object vanishes; anything else is refused."""

    why: str


@dataclass(frozen=True)
class Constant:
    """The value must be this one, or the one in the context; it vanishes."""

    value: Any
    why: str
    context: str | None = None


@dataclass(frozen=True)
class SameAs:
    """The value must equal the one at this path of the object; it vanishes."""

    path: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Refuse:
    """The value has no counterpart."""

    why: str


@dataclass(frozen=True)
class Skip:
    """Another step takes the value."""


Node = (
    Use | Each | Alike | Check | NotNull | Words | Kinds | Marker | Unmarker | ToEntries | FromEntries
    | Vanish | Empty | Constant | SameAs | Refuse | Skip | None
)  # fmt: skip


# ---- what becomes of an object ------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    """What becomes of a field. ``null`` is drop, keep, refuse, put or value (convert it too)."""

    to: tuple[str, ...]
    node: Node
    null: str = "drop"
    put: Any = None
    merge: bool = False
    optional: bool = True


@dataclass(frozen=True)
class Group:
    """A field whose own members go to places of their own; the rest of it goes to ``then``."""

    members: Mapping[str, Member | Group]
    then: Member | None = None


@dataclass(frozen=True)
class Missing:
    """Where a field is absent or null: ``refuse``, ``put`` a value, or convert ``empty``."""

    path: tuple[str, ...]
    how: str
    to: tuple[str, ...] = ()
    value: Any = None
    context: str | None = None
    node: Node = None
    why: str = ""


@dataclass(frozen=True)
class Emit:
    """A value that the target always has."""

    to: tuple[str, ...]
    value: Any
    context: str | None = None


@dataclass(frozen=True)
class Derive:
    """A target value read from elsewhere in the source, or from the context; else refused."""

    to: tuple[str, ...]
    path: tuple[str, ...]
    context: str | None
    why: str


@dataclass(frozen=True)
class Fold:
    """A source value that joins one the target may have; two different ones are refused."""

    path: tuple[str, ...]
    to: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Implied:
    """A marker of one version that a list which is not empty implies in the other."""

    marker: tuple[str, ...]
    by: str
    why: str
    writes: bool


@dataclass(frozen=True)
class Snapshot:
    """Values to write for what is absent, if the context knows the object already."""

    context: str
    id: str
    values: Mapping[str, Any]


# ---- what becomes of a type ---------------------------------------------------------------------


@dataclass(frozen=True)
class Object:
    """An object. With ``extra`` undeclared keys belong to the value."""

    members: Mapping[str, Member | Group]
    missing: tuple[Missing, ...] = ()
    emit: tuple[Emit, ...] = ()
    derive: tuple[Derive, ...] = ()
    fold: tuple[Fold, ...] = ()
    implied: tuple[Implied, ...] = ()
    snapshot: Snapshot | None = None
    extra: bool = False


@dataclass(frozen=True)
class RefuseAt:
    """The type has no counterpart; ``at`` is the member that shows it, or empty."""

    at: str
    why: str


@dataclass(frozen=True)
class Call:
    """A computed step that each target supplies, by name, and the members that it reads."""

    step: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class FanOut:
    """One object becomes one for each item under ``over``."""

    over: str
    into: str
    key: str
    item: Node
    seen: str
    id: str
    why: str


@dataclass(frozen=True)
class Variant:
    """A branch of a tagged union: its tag there, and the plan of its payload; no key refuses it."""

    tag: Any
    key: str | None = None
    why: str = ""
    fan_out: FanOut | None = None


@dataclass(frozen=True)
class Tagged:
    """A tagged union. ``accepts`` are tags that the untagged branch may carry, None for any."""

    tag: str
    target: str
    variants: Mapping[Any, Variant]
    fallback: Variant | None = None
    untagged: Variant | None = None
    accepts: tuple[str, ...] | None = ()
    skip: bool = False
    lossy: str | None = None
    why: str = ""


@dataclass(frozen=True)
class Wrap:
    """An object that is a variant of a union in the target."""

    tag: str
    value: str
    key: str


@dataclass(frozen=True)
class Unwrap:
    """A union of which the target has one variant only, as a plain object."""

    tag: str
    value: str
    key: str
    why: str


@dataclass(frozen=True)
class Shape:
    """An untagged union: the keys that each branch requires, and its plan.

    If it is ``exclusive``, a value that fits two branches is refused.
    """

    branches: tuple[tuple[tuple[str, ...], str], ...]
    exclusive: bool = False


@dataclass(frozen=True)
class Choice:
    """A type that becomes one of several, by the tag of the object under ``key``."""

    key: str
    tag: str
    absent: tuple[str, str]
    cases: Mapping[str, tuple[str, str]]
    why: str


@dataclass(frozen=True)
class Value:
    """A scalar, a list or a map."""

    node: Node


@dataclass(frozen=True)
class Envelope:
    """A JSON-RPC message; methods map to target method, params plan and result plan."""

    kind: str
    methods: Mapping[str, tuple[str, str, str | None]]
    only: Mapping[str, str]
    back: Mapping[str, str]
    null_id: bool
    error: str | None


TypePlan = (
    Object | RefuseAt | Call | Tagged | Wrap | Unwrap | Shape | Choice | Value | Envelope
)  # fmt: skip


@dataclass(frozen=True)
class Unanswered:
    """A part of a definition that neither structure nor rules answer."""

    direction: str
    definition: str
    what: str
    pointer: str


@dataclass(frozen=True)
class Direction:
    """Everything convertible in one direction.

    Args:
        name: such as ``v1_to_v2``.
        source: the version converted from.
        target: the version converted to.
        targets: source definition -> target definition.
        keys: source definition -> key of its plan.
        plans: the plan of every type that can be met.
        refused: the source definitions that have no counterpart, with why.
        unanswered: what has no answer; refused at run time.
    """

    name: str
    source: str
    target: str
    targets: Mapping[str, str]
    keys: Mapping[str, str]
    plans: Mapping[str, TypePlan]
    refused: Mapping[str, str]
    unanswered: tuple[Unanswered, ...] = ()


@dataclass(frozen=True)
class Plan:
    """Both directions between two versions, older to newer first, and what a bridge must know."""

    directions: tuple[Direction, Direction]
    bridge: Bridge | None = None
