"""The descriptions are written by us: no run of words is upstream's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.descriptions.texts import load_texts
from acp_codegen.schema.walk import iter_schemas

ROOT = Path(__file__).parents[2]
UPSTREAM = ROOT.parent / "shared" / "upstream"
RUN = 8
#: Technical phrases that cannot be said in other words. Better empty.
ALLOWED: frozenset[str] = frozenset()


def words(text: str) -> list[str]:
    """Return the words of ``text`` without case, punctuation and markup."""
    return re.findall(r"[a-z0-9]+", text.lower())


def runs(text: str, length: int = RUN) -> Iterator[str]:
    """Yield each run of ``length`` consecutive words."""
    found = words(text)
    for start in range(len(found) - length + 1):
        yield " ".join(found[start : start + length])


def upstream_texts() -> Iterator[str]:
    """Yield every description of every file of every release."""

    def within(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, child in value.items():
                if key in ("description", "$comment", "title") and isinstance(child, str):
                    yield child
                yield from within(child)
        elif isinstance(value, list):
            for child in value:
                yield from within(child)

    for path in sorted(UPSTREAM.rglob("*.json")):
        yield from within(json.loads(path.read_text(encoding="utf-8")))


def own_texts() -> list[tuple[str, str]]:
    """Return place and text of all that the description files and the overlays say."""
    texts = load_texts(ROOT / "schemas")
    found = [
        (str(text.where), text.text)
        for table in (texts.shared, *texts.versions.values())
        for text in table.values()
    ]
    for path in sorted((ROOT / "schemas" / "overlays").glob("*/*.json")):
        overlay = json.loads(path.read_text(encoding="utf-8"))
        schemas = [*overlay["definitions"].values()]
        schemas += [
            item["schema"] for named in overlay["properties"].values() for item in named.values()
        ]
        schemas += [item["schema"] for item in overlay["members"]]
        found.append((path.name, overlay["description"]))
        found += [
            (f"{path.name}#{pointer}", node["description"])
            for schema in schemas
            for pointer, node in iter_schemas(schema)
            if "description" in node
        ]
    return found


def shared_runs(own: list[tuple[str, str]], upstream: set[str]) -> list[str]:
    """Return place and words of every run of ours that upstream has too."""
    return [
        f"{place}: {run!r}"
        for place, text in own
        for run in runs(text)
        if run in upstream and run not in ALLOWED
    ]


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="upstream's files are not at hand")
def test_no_run_of_words_is_upstreams(capsys: pytest.CaptureFixture[str]) -> None:
    texts, own = list(upstream_texts()), own_texts()
    upstream = {run for text in texts for run in runs(text)}
    compared = sum(1 for _, text in own for _ in runs(text))
    found = shared_runs(own, upstream)
    with capsys.disabled():
        print(
            f"\noverlap: {len(own)} texts of ours, {compared} runs of {RUN} words, "
            f"against {len(texts)} of upstream's with {len(upstream)} runs: {len(found)} findings"
        )
    assert not found, "\n".join(found)
    assert len(own) > 900 and compared > 3000 and len(upstream) > 5000
    # The check can fail: a sentence of upstream's is found.
    copied = next(text for text in texts if len(words(text)) >= RUN)
    assert shared_runs([("planted", copied)], upstream)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It IS the `first` line, of the (file) that **matters** here.", 2),
        ("So it is the first line of the file.", 1),
        ("It is the first line of a file.", 0),
        ("the first line of the file that", 0),
    ],
)
def test_case_and_markup_hide_no_run(text: str, count: int) -> None:
    upstream = set(runs("It is the first line of the file that counts."))
    assert len(shared_runs([("ours", text)], upstream)) == count
