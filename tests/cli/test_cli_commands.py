"""Each command through the real entry point: exit code, data on stdout, talk on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def test_build_says_what_it_did_and_check_agrees(project):
    first = project.run("build")
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr.startswith("made/bindings: ")
    assert "  + v1/models.py\n" in first.stderr
    before = project.state()

    again = project.run("build")
    assert (again.returncode, again.stdout) == (0, "")
    assert "made/bindings: up to date" in again.stderr

    for option in ([], ["--full"]):
        check = project.run("check", *option)
        assert (check.returncode, check.stdout) == (0, "")
        assert check.stderr == "All outputs are up to date.\n"
    assert project.state() == before


def test_the_result_imports_where_it_was_moved(built, tmp_path):
    moved = tmp_path / "elsewhere" / "vendored"
    moved.parent.mkdir()
    built.out.rename(moved)
    code = (
        "from vendored import v1, v2\n"
        "value = v1.decode('ListThingsRequest', {'hidden': True})\n"
        "assert value.hidden is True\n"
        "print(v1.encode(value), sorted(v2.AGENT_METHODS))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=moved.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "{'hidden': True} ['hello', 'thing/hide', 'thing/list']\n"


def test_a_build_is_found_from_a_folder_below(built):
    below = built.root / "src" / "deep"
    below.mkdir(parents=True)
    done = built.run("build", cwd=below)
    assert done.returncode == 0
    assert done.stderr.startswith("../../made/bindings: up to date")


def test_hand_written_files_stay_and_dropped_ones_go(built):
    mine = built.write("made/bindings/mine.py", "mine = 1\n")
    stamp = mine.stat()
    (built.root / "schemas/v2/schema.json").unlink()
    (built.root / "schemas/overlays/hiding/v2.json").unlink()
    done = built.run("build")
    assert done.returncode == 0, done.stderr
    assert "  - v2/models.py\n" in done.stderr
    assert not (built.out / "v2").exists()
    assert (mine.stat().st_ino, mine.stat().st_mtime_ns) == (stamp.st_ino, stamp.st_mtime_ns)


def test_schema_prints_the_schema_with_its_features(project, make_schema):
    with_feature = project.run("schema", "v1")
    assert (with_feature.returncode, with_feature.stderr) == (0, "")
    assert "HideThingRequest" in json.loads(with_feature.stdout)["$defs"]
    stable = project.run("schema", "v1", "--stable")
    assert json.loads(stable.stdout) == make_schema()


def test_data_is_utf8_in_any_locale(project):
    plain = project.run("schema", "v1")
    assert "wörtlich" in plain.stdout
    odd = project.run(
        "schema",
        "v1",
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
        PYTHONIOENCODING="ascii",
    )
    assert (odd.returncode, odd.stdout) == (0, plain.stdout)


def test_talk_with_odd_names_survives_an_ascii_terminal(project):
    name = "schäma.json"
    project.write(name, "{")
    done = project.run(
        "schema", "v1", "--schema", f"v1={name}", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "ma.json: not JSON" in done.stderr


def test_features_tells_what_each_adds(project):
    done = project.run("features", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    added = json.loads(done.stdout)["hiding"]["v1"]
    assert added["methods"] == ["thing/hide"]
    assert "Can.hide" in added["properties"]
    assert "HideThingResponse" in added["definitions"]
    assert {gate["method"] for gate in added["gates"]} == {"thing/hide", "thing/list"}
    text = project.run("features")
    assert text.stdout.startswith("hiding\n  v1\n    methods: thing/hide\n")


def test_methods_lists_side_kind_types_feature_and_capability(project):
    done = project.run("methods", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    hide = next(method for method in json.loads(done.stdout) if method["method"] == "thing/hide")
    assert hide == {
        "version": "v1",
        "side": "agent",
        "method": "thing/hide",
        "kind": "request",
        "params": "HideThingRequest",
        "result": "HideThingResponse",
        "feature": "hiding",
        "capability": "can.hide",
    }
    table = project.run("methods", "--stable").stdout
    assert "thing/list" in table
    assert "thing/hide" not in table


def test_import_writes_schema_and_origin_once(project, make_schema):
    source = project.write("release.json", json.dumps(make_schema()))
    arguments = ["import", source, "--version", "v3", "--publisher", "us", "--release", "9"]
    done = project.run(*arguments, "--without-descriptions")
    assert (done.returncode, done.stdout) == (0, "")
    assert "imported v3/schema.json\n" in done.stderr
    made = json.loads((project.root / "schemas/v3/schema.json").read_text("utf-8"))
    assert "description" not in made["$defs"]["Id"]
    origin = json.loads((project.root / "schemas/sources.json").read_text("utf-8"))["v3"]
    assert (origin["publisher"], origin["release"]) == ("us", "9")

    before = project.state()
    again = project.run(*arguments, "--without-descriptions")
    assert (again.returncode, again.stderr) == (0, "imported nothing: all is up to date\n")
    assert project.state() == before

    project.run(*arguments)
    made = json.loads((project.root / "schemas/v3/schema.json").read_text("utf-8"))
    assert "description" in made["$defs"]["Id"]


def test_help_names_the_exit_codes(project):
    done = project.run("--help")
    assert done.returncode == 0
    assert "Exit codes: 0 fine, 1 " in done.stdout
    for command in ("build", "check", "schema", "features", "methods", "import"):
        assert command in done.stdout
        assert project.run(command, "-h").returncode == 0


def test_a_reader_that_stops_early_is_no_fault(project, acp):
    command = os.path.join(os.path.dirname(sys.executable), "acp-codegen")  # noqa: PTH118, PTH120
    done = subprocess.run(
        f"'{command}' schema v1 | head -n 1",
        shell=True,
        cwd=project.root,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.stdout, done.stderr) == ("{\n", "")
