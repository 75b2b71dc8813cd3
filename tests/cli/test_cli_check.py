"""`check`: what it finds, what it says, and that it writes nothing."""

from __future__ import annotations

import pytest

FILE = "made/bindings/v1/models.py"


@pytest.mark.parametrize("option", [[], ["--full"]])
def test_an_edited_file_is_named_with_a_diff_and_the_remedy(built, option):
    path = built.root / FILE
    path.write_bytes(path.read_bytes() + b"edited = True\n")
    before = built.state()
    done = built.run("check", *option)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"modified: {FILE}\n" in done.stderr
    assert "    -edited = True\n" in done.stderr
    assert done.stderr.endswith("To mend it, run: acp-codegen build\n")
    assert len(done.stderr.splitlines()) < 20
    assert built.state() == before

    assert built.run("build").returncode == 0
    assert built.run("check").returncode == 0


def test_a_missing_file_is_named(built):
    (built.root / FILE).unlink()
    before = built.state()
    done = built.run("check")
    assert done.returncode == 1
    assert f"missing: {FILE}\n" in done.stderr
    assert built.state() == before


def test_a_stray_file_is_named(built):
    head = (built.root / FILE).read_text("utf-8").splitlines(keepends=True)[0]
    built.write("made/bindings/v1/old.py", head)
    before = built.state()
    done = built.run("check")
    assert done.returncode == 1
    assert "stray: made/bindings/v1/old.py" in done.stderr
    assert built.state() == before


def test_an_edited_manifest_is_drift(built):
    manifest = built.out / "acp-codegen.manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"python"', b'"pythoon"'))
    done = built.run("check")
    assert done.returncode == 1
    assert "modified: made/bindings/acp-codegen.manifest.json\n" in done.stderr


def test_all_is_missing_before_the_first_build(project):
    before = project.state()
    done = project.run("check")
    assert done.returncode == 1
    assert done.stderr.count("missing: ") > 10
    assert project.state() == before


@pytest.mark.parametrize(
    ("edited", "old", "new"),
    [
        ("schemas/v*/schema.json", '"red"', '"blue"'),
        ("schemas/overlays/hiding/*.json", '"#/$defs/Id"', '"#/$defs/Colour"'),
        ("schemas/names.toml", "[methods]", '[methods]\n"thing/list" = "things"'),
        ("acp-codegen.toml", '["hiding"]', "[]"),
    ],
)
def test_an_edited_input_is_drift(built, edited, old, new):
    for path in built.root.glob(edited):
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    done = built.run("check")
    assert done.returncode == 1, done.stderr
    assert "modified: made/bindings/v" in done.stderr


def test_a_crlf_checkout_is_no_drift(built):
    for path in [*built.out.rglob("*.py"), *built.out.rglob("*.json")]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for path in (built.root / "schemas").rglob("*.json"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for option in ([], ["--full"]):
        done = built.run("check", *option)
        assert done.returncode == 0, done.stderr


def test_a_fault_of_the_input_is_not_called_drift(built):
    built.write("schemas/v1/schema.json", "{")
    done = built.run("check")
    assert done.returncode == 3
    assert "schemas/v1/schema.json" in done.stderr


def test_the_remedy_mends_the_folder_that_was_checked(built):
    out = built.root / "other place"
    options = ["--out", out.name, "--feature", "hiding"]
    assert built.run("build", *options).returncode == 0
    (out / "py.typed").unlink()
    done = built.run("check", *options)
    assert done.returncode == 1
    remedy = "acp-codegen build --out 'other place' --feature hiding"
    assert done.stderr.endswith(f"To mend it, run: {remedy}\n")


@pytest.mark.slow
def test_two_outputs_are_checked_and_published_together(project):
    config = project.root / "acp-codegen.toml"
    more = (
        '\n[[outputs]]\ntarget = "python"\nout = "made/plain"\nversions = ["v1"]\nfeatures = []\n'
    )
    project.write("acp-codegen.toml", config.read_text("utf-8") + more)
    assert project.run("build").returncode == 0
    assert not (project.root / "made/plain/v2").exists()
    for out in ("bindings", "plain"):
        (project.root / f"made/{out}/v1/models.py").write_text("", "utf-8")
    done = project.run("check")
    assert done.returncode == 1
    assert "modified: made/bindings/v1/models.py" in done.stderr
    assert "modified: made/plain/v1/models.py" in done.stderr


def test_another_version_of_the_tool_is_named(built):
    path = built.out / "acp-codegen.manifest.json"
    text = path.read_text("utf-8")
    [line] = [line for line in text.splitlines() if line.startswith('  "version"')]
    path.write_text(text.replace(line, '  "version": "0.0.7\\u001b[31m",'), "utf-8")
    done = built.run("check")
    assert done.returncode == 1
    assert "made/bindings was made by acp-codegen 0.0.7\\x1b[31m, and this is " in done.stderr
    assert built.run("build").returncode == 0
    assert "was made by" not in built.run("check").stderr
