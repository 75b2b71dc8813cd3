"""Wire names to TypeScript names: one rule for each kind."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Mapping
from dataclasses import dataclass

from ...errors import InputError, Where
from ...protocol.ir import Enum, Method, Protocol, TypeId
from ...protocol.naming import NameData, method_words
from ..naming import distinct, name_types, pascal, snake, upper, words

#: Words that no declaration may be called, predefined types, and the values that scripts share.
RESERVED = frozenset(
    [
        "any",
        "arguments",
        "as",
        "async",
        "await",
        "bigint",
        "boolean",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "constructor",
        "continue",
        "debugger",
        "declare",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "eval",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "from",
        "function",
        "get",
        "global",
        "globalThis",
        "if",
        "implements",
        "import",
        "in",
        "infer",
        "instanceof",
        "interface",
        "intrinsic",
        "keyof",
        "let",
        "module",
        "namespace",
        "never",
        "new",
        "null",
        "number",
        "object",
        "of",
        "out",
        "override",
        "package",
        "private",
        "protected",
        "public",
        "readonly",
        "require",
        "return",
        "satisfies",
        "set",
        "static",
        "string",
        "super",
        "switch",
        "symbol",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "typeof",
        "undefined",
        "unique",
        "unknown",
        "using",
        "var",
        "void",
        "while",
        "with",
        "yield",
        "Object",
        "Record",
        "Schema",
        "Unknown",
        "UnknownNumber",
        "Promise",
    ]
)


def camel(name: str) -> str:
    """Return ``name`` in camelCase, made an identifier."""
    made = "".join(part[:1].upper() + part[1:] for part in snake(name).split("_"))
    return made[:1].lower() + made[1:]


def type_name(name: str, reserved: Container[str] = ()) -> str:
    """Return the name of a definition: the name itself wherever TypeScript allows it.

    A reserved word, a name that the generated modules need and one in ``reserved`` get a trailing
    underscore.
    """
    plain = name.isidentifier() and unicodedata.normalize("NFKC", name) == name
    made = name if plain and not name.startswith("_") else pascal(name)
    return f"{made}_" if made in RESERVED or made in reserved else made


@dataclass(frozen=True)
class Names:
    """All TypeScript names of one protocol version.

    Args:
        types: the types.
        schemas: their validators.
        methods: the methods.
        constants: for each enum whose values speak by their titles: name -> value.
    """

    types: Mapping[TypeId, str]
    schemas: Mapping[TypeId, str]
    methods: Mapping[Method, str]
    constants: Mapping[TypeId, Mapping[str, object]]


def name_all(protocol: Protocol, methods: Mapping[Method, str], reserved: Container[str]) -> Names:
    """Name the types of ``protocol`` and what goes with them.

    Args:
        protocol: whose names.
        methods: the names of its methods, which are chosen before.
        reserved: public names of the version beside its types.
    """
    types = name_types(protocol, lambda name: type_name(name, reserved))
    constants = {
        id_: enum_constants(types[id_], type_)
        for id_, type_ in protocol.types.items()
        if isinstance(type_, Enum) and type_.kind != "string"
    }
    # No type starts with a small z before a capital but one that is called so.
    taken = {*types.values(), *(name for found in constants.values() for name in found)}
    schemas = {id_: f"z{name}" for id_, name in types.items()}
    for id_, name in schemas.items():
        if name in taken:
            schemas[id_] = f"{name}_"
    return Names(types, schemas, methods, constants)


def enum_constants(name: str, enum: Enum) -> dict[str, object]:
    """Return the constants of an enum whose values speak only by their titles: name -> value."""
    titled = {value.title: value.value for value in enum.values if value.title}
    spelled = distinct(titled, lambda title: f"{upper(name)}_{upper(title)}")
    return {constant: titled[title] for title, constant in spelled.items()}


def name_methods(protocol: Protocol, data: NameData, prefix: str) -> dict[Method, str]:
    """Name the methods of ``protocol``. A notification beside a request of its name says so.

    Args:
        protocol: whose methods.
        data: the exceptions from the rule.
        prefix: what stands before a method that a feature adds.

    Raises:
        InputError: if two methods of one side have one name.
    """
    named: dict[Method, str] = {}
    taken: dict[tuple[str, str], Method] = {}
    for method in sorted(protocol.methods, key=lambda method: method.kind == "notification"):
        first = prefix if method.feature else ""
        name = first + camel(method_words(method, data, snake))
        other = taken.get((method.side, name))
        if other is not None and other.wire_name == method.wire_name and other.kind != method.kind:
            name = f"{first}notify{''.join(w[:1].upper() + w[1:] for w in words(name))}"
            other = taken.get((method.side, name))
        name = f"{name}_" if name in _INHERITED else name
        if other is not None:
            raise InputError(
                f"methods {other.wire_name} and {method.wire_name} would both be called {name}",
                where=Where(protocol.file, method.pointer),
                remedy=f"name one of them in {data.file}",
            )
        taken[method.side, name] = method
        named[method] = name
    return {method: named[method] for method in protocol.methods}


#: Members that the interfaces and connections have beside the protocol's own methods.
_INHERITED = frozenset(
    [
        "announcement",
        "codec",
        "constructor",
        "errors",
        "extMethod",
        "extNotification",
        "handler",
        "hasOwnProperty",
        "hear",
        "isPrototypeOf",
        "learn",
        "methods",
        "notify",
        "propertyIsEnumerable",
        "request",
        "supports",
        "then",
        "toLocaleString",
        "toString",
        "valueOf",
    ]
)
