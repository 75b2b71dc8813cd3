"""Changes to instances: one fault anywhere, two branches at once, or faults where they are forgiven."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from instances import INTEGERS, KEYS, TEXTS, Maker, Path, Sample, Site, any_json
from reference import SKIP_ITEMS, constants_of, types_of

REMOVE: Any = object()


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every place in ``value`` with what is there, the whole first."""
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def put(value: Any, path: Path, new: Any) -> Any:
    """Return a copy of ``value`` with ``new`` at ``path``, or the place taken out.

    A place whose parent is not there (another change took it) leaves the copy as it is.
    """
    if not path:
        return value if new is REMOVE else new
    made = copy.deepcopy(value)
    parent = made
    for step in path[:-1]:
        parent = _below(parent, step)
    last = path[-1]
    if isinstance(parent, dict) and isinstance(last, str):
        if new is REMOVE:
            parent.pop(last, None)
        else:
            parent[last] = new
    elif isinstance(parent, list) and isinstance(last, int) and last < len(parent):
        if new is REMOVE:
            del parent[last]
        else:
            parent[last] = new
    return made


def _below(value: Any, step: str | int) -> Any:
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def look(value: Any, path: Path) -> Any:
    """Return what is at ``path``; None if nothing is."""
    for step in path:
        value = _below(value, step)
    return value


class Mutator:
    """Changes instances of one schema document."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.rng = maker.rng
        self.words = sorted(set(_words(maker.definitions)))

    def mutate(self, sample: Sample) -> Any:
        """Return the instance with one change at a random place."""
        if sample.unions and self.rng.random() < 0.35:
            return self.cross(sample).value
        path, old = self._place(sample.value)
        return put(sample.value, path, self._wrong(path, old))

    def _place(self, value: Any) -> tuple[Path, Any]:
        found = list(places(value))
        depths = sorted({len(path) for path, _ in found})
        depth = self.rng.choice(depths)
        return self.rng.choice([place for place in found if len(place[0]) == depth])

    def _wrong(self, path: Path, old: Any) -> Any:
        choices: list[Callable[[], Any]] = [lambda: None, lambda: any_json(self.rng)]
        if path:
            choices += [lambda: REMOVE, lambda: REMOVE]
        if isinstance(old, bool):
            choices += [lambda: int(old), lambda: str(old).lower(), lambda: float(old)]
        elif isinstance(old, int | float):
            choices += [lambda: str(old), lambda: old + 0.5, lambda: -abs(old) - 1]
            choices += [lambda: self.rng.random() < 0.5, lambda: self.rng.choice(INTEGERS)]
        elif isinstance(old, str):
            choices += [lambda: [old], lambda: {old: old}, lambda: list(old), lambda: 1]
            choices += [lambda: self.rng.choice(self.words)] * 3
            choices += [lambda: self.rng.choice(TEXTS), lambda: old.upper(), lambda: ""]
        elif isinstance(old, list):
            choices += [lambda: "text", dict, list, lambda: [*old, any_json(self.rng)]]
            choices += [lambda: [*old, None], lambda: dict(enumerate_keys(old))]
        elif isinstance(old, dict):
            choices += [lambda: [old], lambda: [list(pair) for pair in old.items()], lambda: "text"]
            choices += [list, dict]
            choices += [lambda: {**old, self.rng.choice(KEYS): any_json(self.rng)}]
        return self.rng.choice(choices)()

    def cross(self, sample: Sample) -> Sample:
        """Return the instance with what a second branch of one of its unions asks for too."""
        site = self.rng.choice(sample.unions)
        branch = self.rng.choice(site.schema.get("anyOf") or site.schema["oneOf"])
        more = self.maker.make(branch)
        merged = self._merged(look(sample.value, site.path), more.value)
        if isinstance(merged, dict) and self.rng.random() < 0.2:
            for key in constants_of(branch):
                merged[key] = self.rng.choice([self.rng.choice(self.words), "x-unknown", None, 1])
        moved = [Site((*site.path, *s.path), s.schema, s.required) for s in more.lenient]
        value = put(sample.value, site.path, merged)
        return Sample(value, sample.unions, [*sample.lenient, *moved])

    def _merged(self, old: Any, more: Any) -> Any:
        if isinstance(old, dict) and isinstance(more, dict):
            return {**old, **more} if self.rng.random() < 0.5 else {**more, **old}
        if isinstance(old, list) and isinstance(more, list) and old and more:
            return [self._merged(left, right) for left, right in zip(old, more, strict=False)]
        return more

    def aim(self, sample: Sample) -> Any:
        """Return the instance with one to three faults where the schema forgives them."""
        if sample.unions and self.rng.random() < 0.3:
            sample = self.cross(sample)
        value = sample.value
        count = min(len(sample.lenient), self.rng.choice((1, 1, 2, 3)))
        # The deepest last, so that one fault seldom takes away the place of another.
        for site in sorted(self.rng.sample(sample.lenient, count), key=lambda s: len(s.path)):
            value = put(value, site.path, self._forgivable(site, look(value, site.path)))
        return value

    def _forgivable(self, site: Site, old: Any) -> Any:
        kinds = types_of(site.schema)
        choices: list[Callable[[], Any]] = [lambda: None, lambda: any_json(self.rng)]
        choices += [lambda: self._spoilt(site.schema), lambda: self._spoilt(site.schema)]
        if site.required:
            choices.append(lambda: REMOVE)
        if "array" in kinds:
            choices += [lambda: self._bad_items(site, old)] * 4
            choices += [lambda: {}, lambda: "text", lambda: self._bad_items(site, [])]
        return self.rng.choice(choices)()

    def _spoilt(self, schema: Any) -> Any:
        """A value of the property with one change in it."""
        return self.mutate(self.maker.make(schema))

    def _bad_items(self, site: Site, old: Any) -> list[Any]:
        items = list(old) if isinstance(old, list) else []
        schema = site.schema.get("items", True)
        for _ in range(self.rng.randrange(1, 4)):
            sample = self.maker.make(schema)
            new = sample.value
            kind = self.rng.randrange(4)
            if kind == 0:
                new = any_json(self.rng)
            elif kind == 1:
                new = self.mutate(sample)
            elif kind == 2 and sample.lenient and SKIP_ITEMS in site.schema:
                new = self.aim(sample)
            items.insert(self.rng.randrange(len(items) + 1), new)
        return items


def enumerate_keys(items: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the items of a list as if it were an object with numbers for keys."""
    return ((str(index), item) for index, item in enumerate(items))


def _size(value: Any) -> int:
    return len(value) if isinstance(value, dict) else 0


def _words(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("const"), str):
            yield node["const"]
        for child in node.values():
            yield from _words(child)
    elif isinstance(node, list):
        for child in node:
            yield from _words(child)


def sweep(rng: random.Random, value: Any) -> Iterator[Any]:
    """Yield ``value`` with each of its keys in turn left out, null and of another JSON type."""
    if not isinstance(value, dict):
        return
    others: list[Any] = [True, 1, 1.5, "text", [1], {"a": 1}]
    for key, old in value.items():
        yield put(value, (key,), REMOVE)
        yield put(value, (key,), None)
        yield put(value, (key,), rng.choice([new for new in others if type(new) is not type(old)]))


def stream(maker: Maker, schema: Any, count: int) -> Iterator[tuple[str, Any]]:
    """Yield ``count`` instances of ``schema`` of each kind, each with the kind it was meant to be."""
    rng: random.Random = maker.rng
    mutator = Mutator(maker)
    for probe in (None, True, 0, 1.5, "", [], {}):
        yield "probe", probe
    for changed in sweep(rng, max((maker.make(schema).value for _ in range(4)), key=_size)):
        yield "swept", changed
    for _ in range(count):
        sample = maker.make(schema)
        yield "valid", sample.value
        yield "mutated", mutator.mutate(maker.make(schema) if rng.random() < 0.5 else sample)
        target = sample if sample.lenient else maker.make(schema)
        if target.lenient:
            yield "lenient", mutator.aim(target)
