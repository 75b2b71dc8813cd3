"""Every pair of neighbouring releases: what is found equals a count made by set arithmetic on the
JSON files, which knows nothing of the representation that the comparison works on."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest
from acp_codegen.breaking.compare import compare
from acp_codegen.protocol.build import build_protocol
from acp_codegen.schema.load import load_document
from acp_codegen.schema.overlay import apply_overlays

PAIRS = [
    (old, new, kind)
    for old, new in (
        ("schema-v1.19.0/v1", "schema-v1.21.0/v1"),
        ("schema-v1.21.0/v1", "sdk-2.4.0/v1"),
        ("schema-v2.0.0-alpha.3/v2", "sdk-2.4.0/v2"),
    )
    for kind in ("schema.json", "schema.unstable.json")
]
SIDES = {"agent": False, "client": False, "protocol": True}
FLAGS = tuple(
    f"x-deserialize-{what}"
    for what in ("default-on-error", "skip-invalid-items", "default-on-null")
)


@cache
def protocol(path):
    return build_protocol(apply_overlays(load_document(path), "v", []))


class Pair:
    """Two releases, raw and compared."""

    def __init__(self, old, new) -> None:
        self.old, self.new = (json.loads(path.read_text("utf-8"))["$defs"] for path in (old, new))
        self.findings = self.compared(old, new)
        self.back = self.compared(new, old)

    @staticmethod
    def compared(*paths):
        return compare(*map(protocol, paths), SIDES, texts=True)

    def of(self, *kinds):
        return [finding for finding in self.findings if finding.kind in kinds]

    def places(self, side, *kinds):
        return {getattr(finding, side) for finding in self.of(*kinds)}

    @property
    def counts(self):
        return Counter(finding.level for finding in self.findings)


@pytest.fixture(scope="module", params=PAIRS, ids=lambda pair: f"{pair[0]} {pair[1]} {pair[2]}")
def pair(request, upstream):
    old, new, kind = request.param
    return Pair(upstream / old / kind, upstream / new / kind)


def test_definitions_by_set_arithmetic(pair):
    renamed = pair.of("definition-renamed")
    gone = pair.places("old", "definition-removed") | {item.old for item in renamed}
    come = pair.places("new", "definition-added") | {item.new for item in renamed}
    assert gone == {f"/$defs/{name}" for name in pair.old.keys() - pair.new.keys()}
    assert come == {f"/$defs/{name}" for name in pair.new.keys() - pair.old.keys()}


def plain(schema):
    """True for an object with fields of its own and nothing else."""
    return "properties" in schema and not {"anyOf", "oneOf", "allOf"} & schema.keys()


def plain_pairs(pair):
    for name in pair.old.keys() & pair.new.keys():
        if plain(pair.old[name]) and plain(pair.new[name]):
            yield name, pair.old[name], pair.new[name]


def below(places, names):
    """Return those of the pointers that are a field of one of the definitions."""
    return {
        place
        for place in places
        if place and place.count("/") == 4 and place.split("/")[2] in names
    }


def test_fields_of_plain_objects_by_set_arithmetic(pair):
    gone, come, names = set(), set(), set()
    for name, old, new in plain_pairs(pair):
        names.add(name)
        was, now = old["properties"].keys(), new["properties"].keys()
        gone |= {f"/$defs/{name}/properties/{key}" for key in was - now}
        come |= {f"/$defs/{name}/properties/{key}" for key in now - was}
    renamed = pair.of("field-renamed")
    lost = pair.places("old", "field-removed") | {item.old for item in renamed}
    found = pair.places("new", "field-added") | {item.new for item in renamed}
    assert below(lost, names) == gone
    assert below(found, names) == come


def test_required_by_set_arithmetic(pair):
    added, dropped, names = set(), set(), set()
    for name, old, new in plain_pairs(pair):
        names.add(name)
        both = old["properties"].keys() & new["properties"].keys()
        was, now = (set(schema.get("required", ())) & both for schema in (old, new))
        added |= {f"/$defs/{name}/properties/{key}" for key in now - was}
        dropped |= {f"/$defs/{name}/properties/{key}" for key in was - now}
    assert below(pair.places("new", "required-added"), names) == added
    assert below(pair.places("new", "required-dropped"), names) == dropped


def test_leniency_by_set_arithmetic(pair):
    lost, gained, names = Counter(), Counter(), set()
    for name, old, new in plain_pairs(pair):
        names.add(name)
        for key in old["properties"].keys() & new["properties"].keys():
            was, now = old["properties"][key], new["properties"][key]
            if not (isinstance(was, dict) and isinstance(now, dict)):
                continue
            for flag in FLAGS:
                before, after = bool(was.get(flag)), bool(now.get(flag))
                (lost if before else gained)[f"/$defs/{name}/properties/{key}"] += before != after
    for kind, expected in (("leniency-lost", lost), ("leniency-gained", gained)):
        found = Counter(item.new for item in pair.of(kind))
        assert {k: v for k, v in found.items() if below({k}, names)} == dict(+expected)


def methods(defs):
    endings = {"Request": "request", "Notification": "notification"}
    return {
        (schema["x-side"], schema["x-method"], endings[ending])
        for name, schema in defs.items()
        for ending in endings
        if "x-method" in schema and name.endswith(ending)
    }


def test_methods_by_set_arithmetic(pair):
    old, new = methods(pair.old), methods(pair.new)
    assert len(pair.of("method-removed")) == len(old - new)
    assert len(pair.of("method-added")) == len(new - old)
    for side, wire, kind in old - new:
        said = f'the {kind} "{wire}" (side {side}) is no longer there'
        assert said in {finding.what for finding in pair.of("method-removed")}


def branches(schema):
    return schema.get("anyOf") or schema.get("oneOf") or []


def words(schema):
    found = set(schema.get("enum", ()))
    if "properties" not in schema:
        found |= {branch["const"] for branch in branches(schema) if "const" in branch}
    return found


def test_enum_words_by_set_arithmetic(pair):
    gone, come = Counter(), Counter()
    for name in pair.old.keys() & pair.new.keys():
        was, now = words(pair.old[name]), words(pair.new[name])
        if was and now:
            gone[f"/$defs/{name}"] = len(was - now)
            come[f"/$defs/{name}"] = len(now - was)
    found = Counter(item.old for item in pair.of("enum-word-removed"))
    assert {k: v for k, v in found.items() if k in gone} == dict(+gone)
    found = Counter(item.new for item in pair.of("enum-word-added"))
    assert {k: v for k, v in found.items() if k in come} == dict(+come)


def tags(name, schema):
    """Return (pointer, constant) of every branch with a required constant, by pointer."""
    for keyword in ("anyOf", "oneOf"):
        for index, branch in enumerate(schema.get(keyword, ())):
            for key, child in branch.get("properties", {}).items():
                if "const" in child and key in branch.get("required", ()):
                    yield f"/$defs/{name}/{keyword}/{index}", child["const"]


def test_union_tags_by_set_arithmetic(pair):
    gone, come, names = set(), set(), set()
    for name in pair.old.keys() & pair.new.keys():
        was, now = (dict(tags(name, defs[name])) for defs in (pair.old, pair.new))
        if was or now:
            names.add(name)
            gone |= {place for place, tag in was.items() if tag not in now.values()}
            come |= {place for place, tag in now.items() if tag not in was.values()}
    for places, expected in (
        (pair.places("old", "union-tag-removed"), gone),
        (pair.places("new", "union-tag-added"), come),
    ):
        # A definition that is an object in one release and a union in the other is told as a whole.
        whole = {item.new for item in pair.of("type-narrowed", "type-widened", "type-changed")}
        rest = {place for place in expected if "/".join(place.split("/")[:3]) not in whole}
        assert {place for place in places if place.split("/")[2] in names} >= rest
        assert {place for place in places if place.split("/")[2] in names} <= expected


def test_swapping_the_two_turns_coming_into_going(pair):
    def there(findings, *kinds):
        return Counter((f.old, f.new) for f in findings if f.kind in kinds)

    for one, other in (
        ("definition-removed", "definition-added"),
        ("field-removed", "field-added"),
        ("method-removed", "method-added"),
        ("union-tag-removed", "union-tag-added"),
        ("union-branch-removed", "union-branch-added"),
        ("enum-word-removed", "enum-word-added"),
        ("required-added", "required-dropped"),
        ("null-added", "null-dropped"),
        ("type-narrowed", "type-widened"),
        ("leniency-lost", "leniency-gained"),
        ("constraint-tightened", "constraint-loosened"),
        ("default-added", "default-removed"),
    ):
        for a, b in ((one, other), (other, one)):
            swapped = Counter({(new, old): n for (old, new), n in there(pair.back, b).items()})
            assert there(pair.findings, a) == swapped, a


def test_the_levels_of_two_stable_releases(upstream):
    """The whole count by level, added up by hand from the sets above and the flags."""
    pair = Pair(
        upstream / "schema-v1.19.0/v1/schema.json", upstream / "schema-v1.21.0/v1/schema.json"
    )
    definitions = len(pair.new.keys() - pair.old.keys())
    fields = sum(
        len(new["properties"].keys() - old["properties"].keys())
        for _, old, new in plain_pairs(pair)
    )
    calls = len(methods(pair.new) - methods(pair.old))
    new_tags = sum(
        len({*dict(tags(n, pair.new[n])).values()} - {*dict(tags(n, pair.old[n])).values()})
        for n in pair.old.keys() & pair.new.keys()
    )
    assert (definitions, fields, calls, new_tags) == (28, 2, 2, 1)
    # One union got its second branch (source), and one description differs.
    expected = {"additive": 28 + 2 + 2 + 1, "source": 1, "documentation": 1}
    assert dict(pair.counts) == expected


def test_the_levels_of_the_next_two_stable_releases(upstream):
    pair = Pair(upstream / "schema-v1.21.0/v1/schema.json", upstream / "sdk-2.4.0/v1/schema.json")
    definitions = len(pair.new.keys() - pair.old.keys())
    fields, lost, gained = 0, 0, 0
    for _, old, new in plain_pairs(pair):
        was, now = old["properties"], new["properties"]
        fields += len(now.keys() - was.keys())
        for key in was.keys() & now.keys():
            flags = [{f for f in FLAGS if p[key].get(f)} for p in (was, now)]
            lost, gained = lost + len(flags[0] - flags[1]), gained + len(flags[1] - flags[0])
    update = [dict(tags("SessionUpdate", defs["SessionUpdate"])) for defs in (pair.old, pair.new)]
    new_tags = set(update[1].values()) - set(update[0].values())
    assert "not" not in json.dumps(pair.old["SessionUpdate"]).split('"')  # no fallback: it breaks
    assert pair.old.keys() <= pair.new.keys()
    assert (definitions, fields, lost, gained, len(new_tags)) == (8, 4, 23, 14, 3)
    texts = described(pair.old, pair.new)
    assert pair.counts == Counter(wire=23 + 3, additive=8 + 4 + 14, documentation=texts)


def described(old, new):
    """Count descriptions that differ: of definitions, their fields, their branches, their words."""
    count = 0
    for name in old.keys() & new.keys():
        was, now = old[name], new[name]
        pairs = [(was, now)]
        for key in was.get("properties", {}).keys() & now.get("properties", {}).keys():
            pairs.append((was["properties"][key], now["properties"][key]))
        # A branch that only refers has no text of its own in the bindings.
        mine, theirs = (
            {branch_key(b): b for b in branches(s) if "properties" in b or "const" in b}
            for s in (was, now)
        )
        pairs += [(mine[key], theirs[key]) for key in mine.keys() & theirs.keys()]
        count += sum(text(one) != text(other) for one, other in pairs)
    return count


def branch_key(branch):
    constants = [c["const"] for c in branch.get("properties", {}).values() if "const" in c]
    return json.dumps([branch.get("const"), constants or branch.get("title")])


def text(schema):
    return schema.get("description", "").split() if isinstance(schema, dict) else []
