"""Wire names to names of a target language: what the languages share.

A collision is never settled by order. The wire name that spells the target's name already keeps it;
every other one gets an ending computed from its own wire name, so what is added later to a schema
cannot rename what is there.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

from ..protocol.ir import Field, Protocol, Struct, TaggedUnion, TypeId, Union

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+|[^\W_A-Za-z0-9]+")


def words(name: str) -> list[str]:
    """Split ``name`` into words at case changes and at everything that no identifier can hold."""
    text = unicodedata.normalize("NFKC", name)
    return _WORDS.findall(text)


def snake(name: str) -> str:
    """Return ``name`` in snake_case, made an identifier but not yet checked for reserved words."""
    return _identifier("_".join(word.lower() for word in words(name)), name, "field")


def pascal(name: str) -> str:
    """Return ``name`` in PascalCase, made an identifier."""
    return _identifier("".join(word[:1].upper() + word[1:] for word in words(name)), name, "Type")


def upper(name: str) -> str:
    """Return ``name`` in UPPER_SNAKE_CASE, made an identifier."""
    return _identifier("_".join(word.upper() for word in words(name)), name, "VALUE")


def _identifier(text: str, name: str, prefix: str) -> str:
    kept = "".join(char for char in text if char == "_" or ("a" + char).isidentifier())
    if not kept.strip("_"):
        return f"{prefix}_{digest(name)}"
    return kept if kept.isidentifier() else f"{prefix}_{kept}"


def digest(name: str) -> str:
    """Return a short ending that depends on ``name`` alone."""
    # Letters only: a name that ends in a digit looks like a count.
    found = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:2]
    return "x" + "".join(chr(ord("a") + half) for byte in found for half in (byte >> 4, byte & 15))


def distinct(
    names: Iterable[str],
    spell: Callable[[str], str],
    *,
    taken: Iterable[str] = (),
    same: Callable[[str], str] = str,
) -> dict[str, str]:
    """Give each wire name a name of its own.

    Args:
        names: the wire names.
        spell: the rule for one name.
        taken: names that are in use already.
        same: what makes two names collide, such as case folding.

    Returns:
        wire name -> name, all different; independent of the order of ``names``.
    """
    wires = list(names)
    used = {same(name) for name in taken}
    groups: dict[str, list[str]] = {}
    for wire in wires:
        groups.setdefault(same(spell(wire)), []).append(wire)
    made: dict[str, str] = {}
    for key, group in groups.items():
        for wire in group:
            plain = key not in used and (len(group) == 1 or wire == spell(wire))
            made[wire] = spell(wire) if plain else f"{spell(wire)}_{digest(wire)}"
    return {wire: made[wire] for wire in wires}


def name_types(
    protocol: Protocol,
    spell: Callable[[str], str],
    chosen: Mapping[TypeId, str] | None = None,
) -> dict[TypeId, str]:
    """Name the types of ``protocol``.

    Args:
        protocol: whose types.
        spell: the rule for the name of a definition.
        chosen: names that are no matter of rules; two types may still get one name.
    """
    chosen = chosen or {}
    plain = distinct((name for name in protocol.definitions if (name,) not in chosen), spell)
    made: dict[TypeId, str] = {(name,): found for name, found in plain.items()}
    made.update(chosen)
    # The type nearer to its definition keeps a name; one deeper inside that would spell it too is
    # called a variant of it.
    for depth in sorted({len(id_) for id_ in protocol.types} - {1}):
        inner = {
            "\0".join(id_): id_ for id_ in protocol.types if len(id_) == depth and id_ not in chosen
        }
        taken = set(made.values())
        spelled = {text: _inner_name(protocol, id_) for text, id_ in inner.items()}
        spelled = {
            text: f"{name}Variant" if name in taken else name for text, name in spelled.items()
        }
        for text, name in distinct(inner, spelled.__getitem__, taken=taken).items():
            made[inner[text]] = name
    return {id_: made[id_] for id_ in protocol.types}


def _inner_name(protocol: Protocol, id_: TypeId) -> str:
    """A variant is named tag first, union last; an inline type owner first, property last."""
    name = pascal(id_[0])
    for end in range(2, len(id_) + 1):
        outer = protocol.types.get(id_[: end - 1])
        token = pascal(id_[end - 1])
        name = token + name if isinstance(outer, TaggedUnion | Union) else name + token
    return name


def own_fields(protocol: Protocol, struct: Struct) -> list[Field]:
    """Return the fields that a subclass of the struct's base has to declare itself."""
    if struct.base is None:
        return list(struct.fields)
    base = protocol.types[struct.base]
    assert isinstance(base, Struct)
    inherited = {field.wire_name: meaning(field) for field in base.fields}
    return [field for field in struct.fields if inherited.get(field.wire_name) != meaning(field)]


def meaning(field: Field) -> tuple[object, ...]:
    """Return all that decides which values ``field`` takes and what becomes of them."""
    return (
        field.type,
        field.presence,
        repr(field.default),
        field.on_error,
        field.on_null,
        field.skip_invalid_items,
        field.salvage,
        repr(field.tag),
        field.excluded,
    )
