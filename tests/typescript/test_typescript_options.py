"""What an output of the TypeScript target may choose, and what is refused. No Node needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from node_tools import REPOSITORY


def _build(
    folder: Path, *lines: str, target: str = "typescript"
) -> subprocess.CompletedProcess[str]:
    config = folder / "acp-codegen.toml"
    told = [f"schemas = {json.dumps(str(REPOSITORY / 'schemas'))}", "[[outputs]]"]
    told += [f'target = "{target}"', 'out = "out"', *lines]
    config.write_text("\n".join(told) + "\n", encoding="utf-8")
    script = Path(sys.executable).with_name("acp-codegen")
    return subprocess.run(
        [str(script), "build"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_64_bit_integers_are_numbers_or_bigints(tmp_path: Path) -> None:
    found = {}
    for kind in ("number", "bigint"):
        (tmp_path / kind).mkdir()
        done = _build(tmp_path / kind, f'integers = "{kind}"')
        assert done.returncode == 0, done.stderr
        text = (tmp_path / kind / "out" / "v1" / "types.ts").read_text(encoding="utf-8")
        found[kind] = text[text.index("export interface UsageUpdate") :].split("}")[0]
    assert "used: number;" in found["number"]
    assert "used: bigint;" in found["bigint"]


@pytest.mark.parametrize(
    ("line", "target", "said"),
    [
        ('integers = "float"', "typescript", "there is no value of integers 'float'"),
        ('prefix = "1x"', "typescript", "prefix cannot be '1x'"),
        ('prefix = "a-b"', "typescript", "prefix cannot be 'a-b'"),
        ('integers = "bigint"', "python", "there is no option of target python 'integers'"),
        ('integer = "bigint"', "typescript", "Did you mean 'integers'"),
    ],
)
def test_a_wrong_option_is_an_error(tmp_path: Path, line: str, target: str, said: str) -> None:
    done = _build(tmp_path, line, target=target)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_output_is_the_same_for_every_hash_seed(tmp_path: Path) -> None:
    made = []
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        config = tmp_path / seed / "acp-codegen.toml"
        config.write_text(
            f"schemas = {json.dumps(str(REPOSITORY / 'schemas'))}\n"
            '[[outputs]]\ntarget = "typescript"\nout = "out"\n',
            encoding="utf-8",
        )
        done = subprocess.run(
            [str(Path(sys.executable).with_name("acp-codegen")), "build"],
            cwd=tmp_path / seed,
            env={"PYTHONHASHSEED": seed, "PATH": "", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        out = tmp_path / seed / "out"
        files = sorted(path for path in out.rglob("*") if path.is_file())
        made.append({path.relative_to(out): path.read_bytes() for path in files})
    assert made[0] == made[1]
    assert all(b"\r" not in data for data in made[0].values())
