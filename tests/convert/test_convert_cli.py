"""``acp-codegen convert`` and ``conversions``, run as a user does."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

COMMAND = str(Path(sys.executable).with_name("acp-codegen"))
ROOT = Path(__file__).parents[2]


def run(
    *arguments: str, data: str | bytes = "", cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    raw = data.encode() if isinstance(data, str) else data
    done = subprocess.run(
        [COMMAND, *arguments], cwd=cwd, input=raw, capture_output=True, timeout=300, check=False
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def parsed(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


FORTH = ("convert", "--from", "v1", "--to", "v2")
BACK = ("convert", "--from", "v2", "--to", "v1")


# ---- one definition ----------------------------------------------------------------------------


def test_one_value_gives_one_value() -> None:
    done = run(*FORTH, "--type", "AuthMethodAgent", data='{"id": "oak", "name": "Oak"}')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '{"methodId":"oak","name":"Oak"}\n'


def test_a_value_over_several_lines_is_one_value() -> None:
    text = json.dumps({"id": "oak", "name": "Öak"}, indent=2, ensure_ascii=False)
    done = run(*FORTH, "--type", "AuthMethodAgent", data=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '{\n  "methodId": "oak",\n  "name": "Öak"\n}\n'


def test_several_values_of_one_are_an_array() -> None:
    value = {
        "sessionUpdate": "agent_message",
        "messageId": "m",
        "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
    }
    done = run(*BACK, "--type", "SessionUpdate", data=json.dumps(value))
    assert done.returncode == 0
    assert [made["content"]["text"] for made in json.loads(done.stdout)] == ["a", "b"]
    done = run(*BACK, "--type", "SessionUpdate", "--lines", data=json.dumps(value))
    assert [made["content"]["text"] for made in parsed(done.stdout)] == ["a", "b"]


def test_nothing_of_one_is_an_empty_array() -> None:
    value = {"sessionUpdate": "state_update", "state": "running"}
    done = run(*BACK, "--type", "SessionUpdate", "--lossy", data=json.dumps(value))
    assert (done.returncode, done.stdout) == (0, "[]\n")
    assert (
        done.stderr
        == "line 1: skipped: SessionUpdate: (the value itself): /sessionUpdate: v1 has no state updates\n"
    )


def test_lines_keep_their_numbers_and_order() -> None:
    good = {"toolCallId": "a"}
    data = (
        lines(good, {"toolCallId": "b", "name": None})
        + "\n"
        + lines({"toolCallId": "c", "odd\nkey": 1}, good)
    )
    done = run(*BACK, "--type", "ToolCallUpdate", data=data)
    assert done.returncode == 1
    assert parsed(done.stdout) == [good, good]
    assert done.stderr.splitlines() == [
        "line 2: refused: ToolCallUpdate: /name: the other version cannot clear this member",
        r"line 4: refused: ToolCallUpdate: /odd\nkey: neither version declares this member",
    ]


def test_lossy_says_what_it_gave_up() -> None:
    values = [{"name": "a", "uri": "x:a", "icons": [{"src": "x:i"}]}, {"name": "b", "uri": "x:b"}]
    done = run(*BACK, "--type", "ResourceLink", "--lossy", data=lines(*values))
    assert done.returncode == 0
    assert parsed(done.stdout) == [{"name": "a", "uri": "x:a"}, {"name": "b", "uri": "x:b"}]
    assert done.stderr == "line 1: removed: ResourceLink: /icons: v1 has no icons\n"


def test_context_says_what_the_value_does_not() -> None:
    chunk = '{"content": {"type": "text", "text": "t"}}'
    done = run(*FORTH, "--type", "ContentChunk", data=chunk)
    assert done.returncode == 1 and done.stdout == ""
    assert "/messageId" in done.stderr
    done = run(*FORTH, "--type", "ContentChunk", "--context", '{"messageId": "m-1"}', data=chunk)
    assert json.loads(done.stdout)["messageId"] == "m-1"


# ---- messages ----------------------------------------------------------------------------------


def test_messages_of_both_sides_convert_in_one_stream() -> None:
    """Responses are converted by their request; each side numbers its own."""
    text = {"type": "text", "text": "t"}
    done = run(
        *FORTH,
        data=lines(
            {"jsonrpc": "2.0", "id": 1, "method": "session/load", "params": {"sessionId": "s", "cwd": "/", "mcpServers": []}},
            {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": text}}},
            {"jsonrpc": "2.0", "id": 2, "method": "session/list", "params": {}},
            {"jsonrpc": "2.0", "id": 2, "method": "session/request_permission", "params": {"sessionId": "s", "toolCall": {"toolCallId": "c", "title": "T"}, "options": [{"optionId": "o", "name": "O", "kind": "allow_once"}]}},
            {"jsonrpc": "2.0", "id": 2, "result": {"outcome": {"outcome": "selected", "optionId": "o"}}},
            {"jsonrpc": "2.0", "id": 2, "result": {"sessions": []}},
            {"jsonrpc": "2.0", "id": 1, "result": {}},
            {"jsonrpc": "2.0", "id": 1, "result": {}},
            {"jsonrpc": "2.0", "id": 9, "error": {"code": -32000, "message": "no"}},
            {"jsonrpc": "2.0", "id": 3, "method": "_own/thing", "params": {"any": None}},
            {"jsonrpc": "2.0", "id": 3, "result": {"any": None}},
            {"jsonrpc": "2.0", "id": 4, "method": "fs/read_text_file", "params": {"sessionId": "s", "path": "/p"}},
        ),
    )  # fmt: skip
    made = parsed(done.stdout)
    assert [item.get("method", "-") for item in made] == [
        "session/resume", "session/update", "session/list", "session/request_permission", "-", "-", "-", "-",
        "_own/thing", "-",
    ]  # fmt: skip
    assert made[0]["params"]["replayFrom"] == {"type": "start"}
    assert made[3]["params"]["subject"]["toolCall"]["toolCallId"] == "c"
    assert made[-1]["result"] == {"any": None}
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "line 8: refused: AgentResponse: /result: no open request with this id came before",
        "line 12: refused: AgentRequest: /method: v2 clients do not serve files",
    ]


def test_the_path_of_a_message_leads_into_it() -> None:
    value = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "current_mode_update", "currentModeId": "m"}}}  # fmt: skip
    done = run(*FORTH, "--messages", data=lines(value))
    assert (
        done.stderr
        == "line 1: refused: AgentNotification: /params/update/sessionUpdate: v2 has no modes\n"
    )


def test_a_batch_is_converted_one_by_one() -> None:
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "auth/login", "params": {"methodId": "m"}},
        {"jsonrpc": "2.0", "id": 2, "method": "terminal/cancel", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ]
    refusal = "line 1: refused: ClientRequest: /1/method: v1 agents have no terminals to cancel\n"
    done = run(*BACK, "--json", data=json.dumps(batch))
    assert (done.returncode, done.stderr) == (1, refusal)
    made = json.loads(done.stdout)
    assert [item.get("method") for item in made] == ["authenticate", None]
    done = run(*BACK, "--lines", data=json.dumps(batch))
    assert (parsed(done.stdout), done.stderr) == (made, refusal)


# ---- what is no input --------------------------------------------------------------------------


BAD = [
    ('{"name": "a", "name": "b"}', '/name: duplicate key "name"'),
    ('{"size": NaN}', "/size: NaN is not a JSON value"),
    ('{"size": -Infinity}', "/size: -Infinity is not a JSON value"),
    ('{"size": 1e999}', "/size: the number 1e999 is out of range"),
    ('{"name": "\\ud800"}', "/name: the string has a lone surrogate, which is no character"),
    ("{", "(the value itself): not JSON: expecting property name enclosed in double quotes at line 2 column 1"),
    ("[" * 200 + "]" * 200, "nested deeper than 100 levels"),
]  # fmt: skip


def test_lines_of_bad_json_are_refused_one_by_one() -> None:
    good = '{"name": "a", "uri": "x:a"}'
    data = "".join(f"{good}\n{bad}\n" for bad, _ in BAD)
    done = run(*BACK, "--type", "ResourceLink", data=data)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == len(BAD)
    refused = done.stderr.splitlines()
    assert len(refused) == len(BAD)
    for number, (line, (_, said)) in enumerate(zip(refused, BAD, strict=True), 1):
        assert line.startswith(f"line {2 * number}: refused: -: ") and said in line


@pytest.mark.parametrize("bad", [bad for bad, _ in BAD])
def test_a_value_of_bad_json_is_an_error(bad: str) -> None:
    done = run(*BACK, "--type", "ResourceLink", "--json", data=bad)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("acp-codegen: -") and "--lines" in done.stderr


def test_other_bytes_are_no_reason_to_stop() -> None:
    done = run(
        *BACK, "--type", "TextContent", data=b'\xef\xbb\xbf{"text":"a"}\r\n\xff\n{"text":"b"}'
    )
    assert parsed(done.stdout) == [{"text": "a"}, {"text": "b"}]
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    done = run(*BACK, "--type", "TextContent")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "v1", "--to", "v3"), "there is no version 'v3'"),
        (("--from", "v1", "--to", "v1"), "v1 is both --from and --to"),
        ((*FORTH[1:], "--type", "AuthMethodAgnt"), "Did you mean 'AuthMethodAgent', perhaps"),
        ((*FORTH[1:], "--type", "Error", "--messages"), "contradict"),
        ((*FORTH[1:], "nowhere.json"), "nowhere.json"),
    ],
)  # fmt: skip
def test_wrong_usage_is_said(arguments: tuple[str, ...], said: str) -> None:
    done = run("convert", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_bad_context_is_said() -> None:
    done = run(*FORTH, "--context", "[1]")
    assert done.returncode == 3 and "must be a JSON object" in done.stderr


# ---- how it runs -------------------------------------------------------------------------------


def test_nothing_heavy_is_loaded() -> None:
    code = """
    import sys
    from acp_codegen.cli import main
    sys.argv = ["acp-codegen", "convert", "--from", "v1", "--to", "v2", "--type", "TextContent"]
    try:
        main()
    except SystemExit:
        pass
    heavy = {"black", "datamodel_code_generator", "pydantic"} & set(sys.modules)
    assert not heavy, heavy
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT, input='{"text": "a"}', text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, '{"text":"a"}\n'), done.stderr


def peak(path: Path) -> tuple[int, int]:
    """Return the peak memory of a conversion in bytes, and how many lines came out."""
    code = f"""
    import resource, subprocess, sys
    with open({str(path)!r}, "rb") as given, open({str(path) + ".out"!r}, "wb") as made:
        done = subprocess.run({[COMMAND, *FORTH]!r}, stdin=given, stdout=made)
    print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=True,
    )
    code_, size = done.stdout.split()
    assert code_ == "0", done.stderr
    with Path(f"{path}.out").open("rb") as made:
        count = sum(1 for _ in made)
    return int(size) * (1 if sys.platform == "darwin" else 1024), count


def write_stream(path: Path, size: int) -> int:
    """Write about ``size`` bytes of requests, updates and responses; return the number of lines."""
    count = 0
    with path.open("w", encoding="utf-8") as out:
        while out.tell() < size:
            session = f"s-{count % 50}"
            update = {
                "sessionUpdate": "agent_message_chunk",
                "messageId": f"m-{count}",
                "content": {"type": "text", "text": f"{count} " * 100},
            }
            params = {"sessionId": session, "update": update}
            out.write(lines({"jsonrpc": "2.0", "method": "session/update", "params": params}))
            request = {"method": "session/close", "params": {"sessionId": session}}
            out.write(lines({"jsonrpc": "2.0", "id": count, **request}))
            # A third of the requests is never answered.
            if count % 3:
                out.write(lines({"jsonrpc": "2.0", "id": count, "result": {}}))
            count += 2 + bool(count % 3)
    return count


@pytest.mark.parametrize("size", [4_000_000, pytest.param(50_000_000, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_input(tmp_path: Path, size: int) -> None:
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    write_stream(small, 10_000)
    base, _ = peak(small)
    assert base > 0 and resource.getpagesize() > 0
    write_stream(large, size)
    grown, count = peak(large)
    with large.open("rb") as given:
        assert count == sum(1 for _ in given)
    assert grown - base < 8_000_000, (base, grown)


def test_output_comes_as_input_does() -> None:
    process = subprocess.Popen(
        [COMMAND, *FORTH, "--lines"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )  # fmt: skip
    assert process.stdin and process.stdout
    for id_ in range(3):
        request = {"jsonrpc": "2.0", "id": id_, "method": "logout", "params": {}}
        process.stdin.write(lines(request).encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {**request, "method": "auth/logout"}
    process.stdin.close()
    process.stdout.close()
    assert process.wait(timeout=30) == 0


# ---- the plan ----------------------------------------------------------------------------------


def test_conversions_cover_every_definition() -> None:
    done = run("conversions", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    records = json.loads(done.stdout)
    per = {
        name: [r for r in records if r["direction"] == name] for name in ("v1_to_v2", "v2_to_v1")
    }
    assert {name: len(found) for name, found in per.items()} == {"v1_to_v2": 183, "v2_to_v1": 202}
    assert {r["how"] for r in records} == {"same", "rule", "refuse", "only-here"}
    by_name = {(r["direction"], r["definition"]): r for r in records}
    same = by_name["v1_to_v2", "ArchiveSessionRequest"]
    assert (same["how"], same["target"], same["parts"]) == ("same", "ArchiveSessionRequest", [])
    assert by_name["v1_to_v2", "ReadTextFileRequest"]["how"] == "only-here"
    assert by_name["v1_to_v2", "ReadTextFileRequest"]["why"] == "v2 clients do not serve files"
    assert by_name["v1_to_v2", "PromptResponse"]["how"] == "refuse"
    assert by_name["v1_to_v2", "LogoutRequest"]["target"] == "LogoutAuthRequest"
    parts = by_name["v2_to_v1", "ToolCallStatus"]["parts"]
    assert [part["what"] for part in parts] == ["checked"]
    assert "paused: v1 tool calls cannot be paused" in parts[0]["why"]
    # What is called the same is copied; what has parts is not.
    assert all(not r["parts"] for r in records if r["how"] == "same")


def test_what_is_the_same_is_copied() -> None:
    """The report is checked against the converter: same means same."""
    records = {
        (r["direction"], r["definition"]): r["how"]
        for r in json.loads(run("conversions", "--json").stdout)
    }
    vectors = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))
    seen = 0
    for vector in vectors:
        if records[vector["direction"], vector["type"]] == "same" and not vector.get("lossy"):
            seen += 1
            if "error" in vector:  # nothing but a member that no version declares
                assert vector["error"].rpartition("/")[2] in json.dumps(vector["input"])
                assert vector["id"].startswith("undeclared/")
            else:
                [made], given = vector["expect"], vector["input"]
                assert made == given or made.items() <= given.items()
    assert seen > 20


def test_conversions_as_a_table() -> None:
    done = run("conversions", "--direction", "v2_to_v1")
    assert done.returncode == 0
    rows = done.stdout.splitlines()
    assert rows[0] == "v2_to_v1"
    assert rows[-1].startswith("v2_to_v1: 202 definitions: ") and rows[-1].endswith(" 0 unanswered")
    assert "      refused  sessionUpdate state_update: v1 has no state updates" in rows
    assert not any("v1_to_v2" in row for row in rows)
    done = run("conversions", "--direction", "v2_to_v3")
    assert done.returncode == 2 and "Did you mean 'v2_to_v1'" in done.stderr


# ---- complete, partial, off --------------------------------------------------------------------

CONFIG = """
features = ["unstable_session_archive"]
{top}
[[outputs]]
target = "python"
out = "made"
{own}
"""


def project(folder: Path, top: str = "", own: str = "") -> Path:
    (folder / "acp-codegen.toml").write_text(CONFIG.format(top=top, own=own), encoding="utf-8")
    return folder


def other_schema(folder: Path) -> Path:
    """Write a v1 schema with a field, a word and a definition that no rule answers."""
    data = json.loads((ROOT / "schemas/v1/schema.json").read_text(encoding="utf-8"))
    data["$defs"]["TextContent"]["properties"]["colour"] = {"type": "string"}
    data["$defs"]["Sketch"] = {"type": "object", "properties": {}}
    path = folder / "other.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.slow
def test_partial_lists_what_has_no_answer_and_refuses_it(tmp_path: Path) -> None:
    schema = other_schema(tmp_path)
    done = run("build", "--schema", f"v1={schema}", cwd=project(tmp_path))
    assert done.returncode == 0, done.stderr
    said = [
        line for line in done.stderr.splitlines() if line.startswith("made: ") and "rule" in line
    ]
    assert any("v1_to_v2 TextContent: field colour is in v1 only" in line for line in said)
    assert any("v1_to_v2 Sketch: Sketch has no counterpart" in line for line in said)
    assert said[-1] == "made: 3 parts are without a rule; the converters refuse such values"
    assert len(said) == 4  # the field is in the union of content blocks too
    done = run("conversions", "--schema", f"v1={schema}", cwd=tmp_path)
    assert "v1_to_v2: 184 definitions: " in done.stdout and " 3 unanswered\n" in done.stdout
    arguments = (*FORTH, "--schema", f"v1={schema}", "--type", "TextContent")
    done = run(*arguments, data='{"text": "t", "colour": "red"}', cwd=tmp_path)
    assert done.stderr == "line 1: refused: TextContent: /colour: no rule says what becomes of it\n"
    assert run(*arguments, data='{"text": "t"}', cwd=tmp_path).stdout == '{"text":"t"}\n'


def test_complete_refuses_what_has_no_answer(tmp_path: Path) -> None:
    schema = other_schema(tmp_path)
    done = run(
        "build", "--schema", f"v1={schema}", cwd=project(tmp_path, 'conversions = "complete"')
    )
    assert done.returncode == 3
    assert "nothing says how to convert v1_to_v2" in done.stderr and "TextContent" in done.stderr
    assert not (tmp_path / "made").exists()


@pytest.mark.slow
def test_off_makes_no_converter(tmp_path: Path) -> None:
    folder = project(tmp_path, 'conversions = "complete"', 'conversions = "off"')
    done = run("build", cwd=folder)
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (tmp_path / "made").iterdir()}
    assert {"v1", "v2"} <= made and not made & {"convert.py", "_convert.py", "_steps.py"}
    assert run("check", cwd=folder).returncode == 0
    project(tmp_path)
    assert run("check", cwd=folder).returncode == 1  # the switch is one of the inputs


@pytest.mark.parametrize(
    ("top", "own", "place", "said"),
    [
        ('conversions = "partal"', "", "#/conversions", "conversions cannot be \"partal\". Did you mean 'partial'?"),
        ("", 'conversions = "always"', "#/outputs/0/conversions", "Use one of complete, off, partial."),
        ("conversions = true", "", "#/conversions", "conversions cannot be true"),
    ],
)  # fmt: skip
def test_a_wrong_mode_is_said(tmp_path: Path, top: str, own: str, place: str, said: str) -> None:
    done = run("build", cwd=project(tmp_path, top, own))
    assert done.returncode == 2
    assert place in done.stderr and said in done.stderr
