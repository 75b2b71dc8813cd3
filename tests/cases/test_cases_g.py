"""Reported faults, group g: the command and its files."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from mini import write_schemas
from shapes import TEXT, WHOLE, method, obj

_CONFIG = 'schemas = "schemas"\n[[outputs]]\ntarget = "python"\nout = "out"\n'
_TEA = {
    "Cup": obj({"size": WHOLE, "note": {**TEXT, "description": "Gr\u00f6\u00dfe \u2615"}}, "size"),
    "PourRequest": method("agent", "tea/pour", {"cups": WHOLE}),
    "PourResponse": method("agent", "tea/pour"),
    "SteamNotification": method("client", "tea/steam"),
}


def _project(folder: Path, defs: dict[str, Any] | None = None, names: str = "") -> Path:
    write_schemas(folder / "schemas", {"v1": defs or _TEA}, names=names)
    (folder / "acp-codegen.toml").write_text(_CONFIG)
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        path.as_posix(): (path.lstat().st_mtime_ns, path.lstat().st_ino)
        for path in [folder, *sorted(folder.rglob("*"))]
    }


def test_g01_no_volatile_header(tmp_path: Path, run: Any) -> None:
    one = _project(tmp_path / "one")
    two = _project(tmp_path / "two" / "deeper")
    linked = tmp_path / "linked"
    linked.symlink_to(one, target_is_directory=True)
    runs = [
        run("build", cwd=one),
        run(
            "build",
            "--config",
            two / "acp-codegen.toml",
            "--out",
            two / "out",
            cwd=Path("/"),
            SOURCE_DATE_EPOCH="1",
            TZ="Asia/Tokyo",
        ),
        run(
            "build",
            "--config",
            linked / "acp-codegen.toml",
            "--out",
            tmp_path / "three",
            cwd=tmp_path,
        ),
    ]
    assert [done.returncode for done in runs] == [0, 0, 0], runs
    first = _files(one / "out")
    assert first == _files(two / "out") == _files(tmp_path / "three")
    for path, data in first.items():
        text = data.decode()
        assert str(tmp_path) not in text, path
        assert time.strftime("%Y-%m-%d") not in text and time.strftime("%H:%M") not in text[:600]


def test_g03_formatter_independence(tmp_path: Path, run: Any) -> None:
    calm, odd = _project(tmp_path / "calm"), _project(tmp_path / "odd" / "inner")
    settings = (
        "[tool.black]\nline-length = 40\nskip-string-normalization = true\n"
        "[tool.ruff]\nline-length = 40\n[tool.ruff.format]\nquote-style = 'single'\n"
    )
    for folder in (odd, odd.parent):
        (folder / "pyproject.toml").write_text(settings)
        (folder / ".editorconfig").write_text("root = true\n[*]\nindent_size = 8\n")
    assert run("build", cwd=calm).returncode == 0
    assert run("build", cwd=odd).returncode == 0
    assert _files(calm / "out") == _files(odd / "out")


def test_g04_stale_files_removed(tmp_path: Path, run: Any) -> None:
    project = _project(tmp_path)
    out = project / "out"
    (out / "v1").mkdir(parents=True)
    (out / "handwritten.py").write_text("own = 1\n")
    (out / "README.txt").write_text("mine\n")
    assert run("build").returncode == 0
    assert (out / "v1" / "client.py").is_file()
    _project(project, {name: schema for name, schema in _TEA.items() if "Steam" not in name})
    done = run("build")
    assert done.returncode == 0 and "client.py" in done.stderr
    assert not (out / "v1" / "client.py").exists()
    kept = _files(out)
    assert kept.pop("handwritten.py") == b"own = 1\n" and kept.pop("README.txt") == b"mine\n"
    assert run("build", "--out", "fresh").returncode == 0
    assert kept == _files(project / "fresh")


@pytest.mark.slow
def test_g05_check_mode_is_complete_and_readonly(tmp_path: Path, run: Any) -> None:
    project = _project(tmp_path)
    out = project / "out"
    assert run("check").returncode == 1  # nothing is there yet
    assert not out.exists()
    assert run("build").returncode == 0
    before = _stamps(out)
    assert run("check").returncode == 0 and run("check", "--full").returncode == 0
    assert _stamps(out) == before

    models = out / "v1" / "models.py"
    text = models.read_text()
    models.write_text(text.replace("size", "sise", 1))
    (out / "v1" / "methods.py").unlink()
    (out / "v1" / "stray.py").write_text(text)
    before = _stamps(out)
    for mode in ((), ("--full",)):
        done = run("check", *mode)
        assert done.returncode == 1
        for name in ("models.py", "methods.py", "stray.py", "sise", "acp-codegen build"):
            assert name in done.stderr, name
    assert _stamps(out) == before

    for path in [*out.rglob("*"), out]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert run("check").returncode == 1
    finally:
        for path in [out, *out.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
    (project / "schemas" / "v1" / "schema.json").write_text("{")
    done = run("check")
    assert done.returncode == 3 and "schema.json" in done.stderr


def test_g06_crlf_checkout(tmp_path: Path, run: Any) -> None:
    project = _project(tmp_path)
    assert run("build").returncode == 0
    made = _files(project / "out")
    assert not any(b"\r" in data for data in made.values())
    for path in (project / "out").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for mode in ((), ("--full",)):
        done = run("check", *mode)
        assert done.returncode == 0 or "line end" in done.stderr
    for path in (project / "schemas").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert run("build", "--out", "again").returncode == 0
    again = _files(project / "again")
    manifest = "acp-codegen.manifest.json"
    assert {key: value for key, value in again.items() if key != manifest} == {
        key: value for key, value in made.items() if key != manifest
    }


def test_g07_encoding_and_bom(tmp_path: Path, run: Any) -> None:
    narrow = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    defs = {"Gr\u00f6\u00dfe": obj({"l\u00e4nge": {**TEXT, "description": "\u2764\ufe0f \u9577"}})}
    plain = _project(tmp_path / "plain", defs)
    path = plain / "schemas" / "v1" / "schema.json"
    text = json.dumps(json.loads(path.read_text()), ensure_ascii=False)
    path.write_bytes(text.encode())
    done = run("build", cwd=plain, **narrow)
    assert done.returncode == 0, done.stderr
    assert "l\u00e4nge" in (plain / "out/v1/models.py").read_text(
        encoding="utf-8"
    ) or "l\\xe4nge" in (plain / "out/v1/models.py").read_text(encoding="utf-8")
    assert not any(data.startswith(b"\xef\xbb\xbf") for data in _files(plain / "out").values())

    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    done = run("build", "--out", "bom", cwd=plain, **narrow)
    assert done.returncode == 0, done.stderr

    for encoding in ("utf-16", "utf-16-le", "latin-1"):
        path.write_bytes(text.encode(encoding, "replace"))
        done = run("build", "--out", "none", cwd=plain, **narrow)
        assert done.returncode == 3
        assert "schema.json" in done.stderr and "Traceback" not in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        assert not (plain / "none").exists()

    hidden = {"A": obj({"\u9577": {"$ref": "#/$defs/\u77ed"}})}
    lost = _project(tmp_path / "lost", hidden)
    done = run("build", cwd=lost, **narrow)
    assert done.returncode == 3 and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("names", "near"),
    [
        ('[methods]\n"tea/puor" = "pour_tea"\n', "tea/pour"),
        ('[methods]\n"none/such" = "x"\n', "none/such"),
        ('[sides.agnet]\ninterface = "A"\n', "agent"),
        ('[sides.agent]\ninterfase = "A"\n', "interface"),
        ('[method]\nx = "y"\n', "methods"),
    ],
)
def test_g09_dead_overrides_fail(names: str, near: str, tmp_path: Path, run: Any) -> None:
    _project(tmp_path, names=names)
    done = run("build")
    assert done.returncode in (2, 3) and "Traceback" not in done.stderr
    assert "names.toml" in done.stderr and near in done.stderr
    assert not (tmp_path / "out").exists()


def test_g09_dead_configuration_fails(tmp_path: Path, run: Any) -> None:
    _project(tmp_path)
    config = tmp_path / "acp-codegen.toml"
    for text, near in (
        (_CONFIG.replace("target =", "targte ="), "target"),
        ('features = ["sesions"]\n' + _CONFIG, "sesions"),
        (_CONFIG + 'versions = ["v3"]\n', "v3"),
        (_CONFIG.replace('"python"', '"pyhton"'), "python"),
    ):
        config.write_text(text)
        done = run("build")
        assert done.returncode == 2 and near in done.stderr, done.stderr
    config.write_text(_CONFIG)
    rules = tmp_path / "schemas" / "conversion" / "rules.toml"
    write_schemas(tmp_path / "schemas", {"v2": {"Cup": obj({"size": WHOLE}, "size")}})
    rules.write_text('[[types]]\nv1 = "Cupp"\nv2 = "Cup"\n')
    done = run("build")
    assert done.returncode == 3 and "Cupp" in done.stderr
    assert not (tmp_path / "out").exists()
