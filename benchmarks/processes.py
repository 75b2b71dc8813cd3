"""The generator's own speed: whole processes, in turns with what they are compared to."""

from __future__ import annotations

import shutil
from statistics import median

from environment import Lab
from ratios import Row, at_most, in_turns

_CLI = "from acp_codegen.cli import main; main()"
_PYDANTIC = "import pydantic; from pydantic import BaseModel"


def generator_rows(lab: Lab, rounds: int) -> list[Row]:
    """Return cold build and check against the import of pydantic and a bare call of the model generator."""
    out = lab.scratch / "out" / "acp_bindings"

    def build() -> float:
        shutil.rmtree(out.parent, ignore_errors=True)
        return lab.seconds(
            "-c", _CLI, "build", "--target", "python", "--out", str(out), cwd=lab.tool
        )

    def check() -> float:
        return lab.seconds(
            "-c", _CLI, "check", "--target", "python", "--out", str(out), cwd=lab.tool
        )

    def bare() -> float:
        return sum(_bare_call(lab, version) for version in ("v1", "v2"))

    def pydantic() -> float:
        return median(lab.seconds("-c", _PYDANTIC) for _ in range(3))

    in_turns(1, check, build, bare, pydantic)  # writes the byte code
    builds, checks, bares, plains = zip(
        *in_turns(rounds, build, check, bare, pydantic), strict=True
    )
    return [
        Row("cold build of v1 and v2 / python importing pydantic", _by(builds, plains)),
        Row("cold build of v1 and v2 / one bare model generator call each", _by(builds, bares)),
        at_most("check with nothing to do / cold build", _by(checks, builds), 0.1),
        Row("check with nothing to do / python importing pydantic", _by(checks, plains)),
    ]


def _bare_call(lab: Lab, version: str) -> float:
    arguments = {
        "--input": str(lab.tool / "schemas" / version / "schema.json"),
        "--input-file-type": "jsonschema",
        "--output-model-type": "pydantic_v2.BaseModel",
        "--output": str(lab.scratch / f"bare_{version}.py"),
    }
    words = [word for pair in arguments.items() for word in pair]
    return lab.seconds("-m", "datamodel_code_generator", *words)


def _by(these: tuple[float, ...], those: tuple[float, ...]) -> list[float]:
    return [one / other for one, other in zip(these, those, strict=True)]
