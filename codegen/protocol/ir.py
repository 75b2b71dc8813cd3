"""The intermediate representation: what a schema means, with no target language in it.

Names are wire names. A type is known by its `TypeId`: the name of its definition and, for a type
that exists only inside another (a variant, an inline object), the tag, title or property that leads
to it. No part of an id is a position, so a new branch never renames another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum as PyEnum
from typing import Any, Final, Literal

#: Version of this representation. It grows by one whenever a target could have to change.
IR_VERSION: Final = 2

TypeId = tuple[str, ...]


class _Absent(PyEnum):
    ABSENT = "absent"


#: Stands for "no such value" where ``None`` means the JSON value null.
ABSENT: Final = _Absent.ABSENT

ScalarKind = Literal["string", "integer", "number", "boolean", "null", "any"]


class Presence(PyEnum):
    """Whether a field may be left out and whether it may be null: two different questions."""

    REQUIRED = "required"
    REQUIRED_NULLABLE = "required, nullable"
    OPTIONAL = "optional"
    OPTIONAL_NULLABLE = "optional, nullable"

    @property
    def required(self) -> bool:
        """True if the field must be there."""
        return self in (Presence.REQUIRED, Presence.REQUIRED_NULLABLE)

    @property
    def nullable(self) -> bool:
        """True if the field may be null."""
        return self in (Presence.REQUIRED_NULLABLE, Presence.OPTIONAL_NULLABLE)

    @staticmethod
    def of(*, required: bool, nullable: bool) -> Presence:
        """Return the presence with these two answers."""
        if required:
            return Presence.REQUIRED_NULLABLE if nullable else Presence.REQUIRED
        return Presence.OPTIONAL_NULLABLE if nullable else Presence.OPTIONAL


# ---- type expressions -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scalar:
    """A JSON scalar, or any JSON value.

    ``constraints`` holds JSON Schema assertions by keyword (``minimum``, ``maxLength`` ...).
    ``format`` and ``encoding`` are annotations: they never reject a value.
    """

    kind: ScalarKind
    constraints: tuple[tuple[str, int | float | str], ...] = ()
    format: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Literals:
    """One of these exact JSON scalars."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """Another type of the same protocol."""

    id: TypeId


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array whose items all have one type."""

    item: TypeExpr
    min_items: int | None = None
    max_items: int | None = None


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with free keys."""

    value: TypeExpr


@dataclass(frozen=True, slots=True)
class Nullable:
    """The inner type, or null."""

    inner: TypeExpr


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of several types without a name of its own; ``exclusive`` if exactly one may match."""

    branches: tuple[TypeExpr, ...]
    exclusive: bool = False


TypeExpr = Scalar | Literals | Ref | ListOf | MapOf | Nullable | AnyOf

ANY: Final = Scalar("any")


# ---- types with a name ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """A property of a struct.

    Args:
        type: the type of a value that is there and is not null.
        default: what omission means, or ABSENT.
        on_error: a malformed value becomes the default, or counts as absent.
        on_null: an explicit null becomes an empty list or map.
        skip_invalid_items: malformed list items are dropped.
        salvage: set when ``on_error`` judges by a wider type than ``type``: only a value outside
            ``salvage`` is malformed. So for a property that a union's branch narrows.
        tag: the constant that this field holds because it tags a variant, or ABSENT.
        excluded: strings that the field must not hold: the tags of the sibling variants.
    """

    wire_name: str
    type: TypeExpr
    presence: Presence
    pointer: str
    default: Any = ABSENT
    on_error: bool = False
    on_null: bool = False
    skip_invalid_items: bool = False
    salvage: TypeExpr | None = None
    tag: Any = ABSENT
    excluded: tuple[Any, ...] = ()
    doc: str = ""
    feature: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """What all named types share. ``title`` is the schema's own, or empty."""

    id: TypeId
    pointer: str
    doc: str = ""
    title: str = ""
    feature: str | None = None
    envelope: bool = False


@dataclass(frozen=True, slots=True)
class Struct(Named):
    """An object with declared fields.

    ``base`` is the struct whose fields this one repeats and extends. ``open`` says that undeclared
    keys are allowed (their values are any JSON).
    """

    fields: tuple[Field, ...] = ()
    base: TypeId | None = None
    open: bool = True


@dataclass(frozen=True, slots=True)
class Variant:
    """A branch of a union. ``value`` is its tag, or ABSENT for a branch without one."""

    value: Any
    title: str
    type: TypeId
    pointer: str
    feature: str | None = None


@dataclass(frozen=True, slots=True)
class TaggedUnion(Named):
    """Objects told apart by the constant under ``tag``.

    ``fallback`` takes the tags that no variant has. ``untagged`` branches are tried, in order, when
    neither the tag nor the fallback decides.
    """

    tag: str = ""
    variants: tuple[Variant, ...] = ()
    fallback: Variant | None = None
    untagged: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of an untagged union."""

    title: str
    type: TypeExpr
    pointer: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Union(Named):
    """One of several types, told apart by shape only; ``exclusive`` if exactly one may match."""

    branches: tuple[Branch, ...] = ()
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A constant of an enum."""

    value: Any
    title: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Enum(Named):
    """Constants of one scalar kind; ``open`` if others of that kind are allowed too.

    ``other`` describes those others.
    """

    kind: ScalarKind = "string"
    values: tuple[EnumValue, ...] = ()
    open: bool = False
    other: str = ""


@dataclass(frozen=True, slots=True)
class Alias(Named):
    """Another name for a type expression."""

    type: TypeExpr = ANY


Type = Struct | TaggedUnion | Union | Enum | Alias


# ---- the protocol ---------------------------------------------------------------------------

Side = str  # the schema's own word: agent, client, protocol, ...
Kind = Literal["request", "notification"]


@dataclass(frozen=True, slots=True)
class Gate:
    """What of a method may be used only where the side that serves it announced a capability.

    A capability is announced by a value other than null, false and the empty list. Paths are
    property names, outermost first, in the definition that ``Protocol.announcements`` names.

    Args:
        parameter: the gated property of the params; None for the params as a whole.
        tag: the property that tells the variants apart; None if any value is gated.
        value: the tag of the gated variant, of the value itself or of an item of a list.
        capability: what must be announced.
        requires: what must be announced besides, for the announcement to count.
        feature: the feature that adds the gate.
    """

    parameter: str | None
    tag: str | None
    value: Any
    capability: tuple[str, ...]
    requires: tuple[tuple[str, ...], ...] = ()
    feature: str | None = None

    @property
    def whole(self) -> bool:
        """True if it gates the method itself."""
        return self.parameter is None and self.tag is None

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """All that must be announced."""
        return (self.capability, *self.requires)


@dataclass(frozen=True, slots=True)
class Method:
    """A JSON-RPC method. ``side`` is who serves it; ``result`` is None for a notification."""

    wire_name: str
    side: Side
    kind: Kind
    params: TypeId
    result: TypeId | None
    pointer: str
    doc: str = ""
    feature: str | None = None
    gates: tuple[Gate, ...] = ()


@dataclass(frozen=True, slots=True)
class Protocol:
    """One version of the protocol with some features on.

    ``types`` is in schema order, each definition followed by the types that exist inside it.
    ``announcements`` names, for each side with gated methods, the definition of the message in
    which it announces its capabilities. ``feature_docs`` says what the features are for.
    """

    version: str
    release: str
    sha256: str
    file: str
    features: tuple[str, ...]
    types: Mapping[TypeId, Type]
    methods: tuple[Method, ...]
    announcements: Mapping[Side, str] = field(default_factory=dict)
    feature_docs: Mapping[str, str] = field(default_factory=dict)

    @property
    def definitions(self) -> tuple[str, ...]:
        """The names of the schema's own definitions, in schema order."""
        return tuple(id_[0] for id_ in self.types if len(id_) == 1)
