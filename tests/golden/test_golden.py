"""One mini schema per construct of the dialect: the files it gives, and what they do."""

from __future__ import annotations

import ast
import builtins
import difflib
import importlib.util
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mini

HERE = Path(__file__).parent
CASES = sorted(path.parent.name for path in HERE.glob("*/exercise.py"))


class Case:
    """A case folder; its package is built once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = HERE / name
        self.exercise = _module(self.folder / "exercise.py", f"golden_{name}")
        self.features: tuple[str, ...] = getattr(self.exercise, "FEATURES", ())
        self.versions = sorted(
            path.parent.name for path in self.folder.glob("schemas/*/schema.json")
        )
        default = tuple(f"{version}/models.py" for version in self.versions)
        self.expected: tuple[str, ...] = getattr(self.exercise, "EXPECTED", default)
        self._files: dict[str, str] | None = None
        self._package: ModuleType | None = None

    @property
    def files(self) -> dict[str, str]:
        if self._files is None:
            said = self.folder / "output.toml"
            choices = mini.choices_of(said.read_text("utf-8")) if said.is_file() else None
            self._files = mini.render(self.folder / "schemas", self.features, choices)
        return self._files

    def package(self, folder: Path) -> ModuleType:
        if self._package is None:
            self._package = mini.load_package(self.files, folder)
        return self._package


def _module(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_BUILT: dict[str, Case] = {}


def _case(name: str) -> Case:
    if name not in _BUILT:
        _BUILT[name] = Case(name)
    return _BUILT[name]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("golden")


def _exercises() -> list[Any]:
    found = []
    for name in CASES:
        text = (HERE / name / "exercise.py").read_text(encoding="utf-8")
        for function in re.findall(r"^def (check_\w+)\(", text, re.M):
            label = f"{name}-{function.removeprefix('check_')}"
            found.append(pytest.param(name, function, id=label))
    return found


# ---- every case ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_files(name: str, request: pytest.FixtureRequest) -> None:
    case = _case(name)
    stored = case.folder / "expected"
    if request.config.getoption("--update-golden"):
        for path in case.expected:
            (stored / path).parent.mkdir(parents=True, exist_ok=True)
            (stored / path).write_text(case.files[path], encoding="utf-8", newline="\n")
    known = {path.relative_to(stored).as_posix() for path in stored.rglob("*") if path.is_file()}
    known = {path for path in known if "__pycache__" not in path}
    assert known == set(case.expected)
    for path in case.expected:
        wanted = (stored / path).read_bytes()
        made = case.files[path].encode()
        if made != wanted:
            lines = difflib.unified_diff(
                wanted.decode().splitlines(), made.decode().splitlines(), "expected", "made", n=2
            )
            more = "\nIf that is right: pytest tests/golden --update-golden"
            pytest.fail(f"{name}: {path} changed\n" + "\n".join(lines) + more, pytrace=False)


@pytest.mark.parametrize("name", CASES)
def test_compiles_without_warnings(name: str) -> None:
    for path, text in _case(name).files.items():
        if path.endswith(".py"):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                compile(text, path, "exec", dont_inherit=True)


@pytest.mark.parametrize("name", CASES)
def test_no_name_is_numbered(name: str) -> None:
    case = _case(name)
    for version in case.versions:
        schema = (case.folder / "schemas" / version / "schema.json").read_text(encoding="utf-8")
        for made in class_names(case.files, version):
            # A helper for a bounded number ends in a digest of its bounds, which no one imports.
            if made[-1].isdigit() and not made.startswith("Bounded"):
                number = re.search(r"\d+$", made)
                assert number and number.group() in schema, made


@pytest.mark.parametrize(("name", "function"), _exercises())
def test_exercise(name: str, function: str, folder: Path) -> None:
    case = _case(name)
    getattr(case.exercise, function)(case.package(folder))


_IMPORT = """
import importlib, sys, traceback
failed = 0
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
        for value in vars(module).values():
            if getattr(value, "__module__", "") == "pydantic.main":
                continue  # pydantic's own base cannot be rebuilt
            getattr(value, "model_rebuild", lambda: None)()
    except Exception:
        failed += 1
        print(name, traceback.format_exc(limit=-2))
assert not hasattr(__import__("builtins"), "CANARY")
sys.exit(failed)
"""


def test_every_package_imports_with_warnings_as_errors(tmp_path: Path) -> None:
    names, broken = [], []
    for name in CASES:
        try:
            files = _case(name).files
        except Exception:
            broken.append(name)
            continue
        mini.write_package(files, tmp_path, f"golden_{name}")
        names += [
            f"golden_{name}." + path.removesuffix(".py").replace("/", ".")
            for path in files
            if path.endswith(".py") and not path.endswith("__init__.py")
        ]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _IMPORT, *names],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert broken == []


#: What one module of plain models cannot say; see test_cli_style.
UNSAID = {"recursion_lists", "style_root_models"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if name not in UNSAID])
def test_every_construct_loads_in_the_single_layout(name: str, tmp_path: Path) -> None:
    schemas = HERE / name / "schemas"
    files = mini.render(schemas, (), mini.choices_of('layout = "single"'))
    for path, text in files.items():
        (tmp_path / path).write_text(text, encoding="utf-8", newline="\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            module = _module(tmp_path / path, f"single_{name}")
        assert not hasattr(builtins, "CANARY")
        for value in vars(module).values():
            if getattr(value, "__module__", "") == module.__name__ and isinstance(value, type):
                getattr(value, "model_json_schema", dict)()


# ---- names stay ----------------------------------------------------------------------------------


def class_names(files: dict[str, str], version: str = "v1") -> set[str]:
    """Return the names that a models module defines."""
    found = set()
    layouts = (f"{version}/models.py", f"{version}.py", "names.py")
    for node in ast.parse(files[next(path for path in layouts if path in files)]).body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def _branch(tag: str, value: str, definition: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {tag: {"type": "string", "const": value}},
        "required": [tag],
        "allOf": [{"$ref": f"#/$defs/{definition}"}],
    }


def _harbour(*, inserted: bool) -> dict[str, Any]:
    tide = {"type": "object", "properties": {"height": {"type": "number"}}, "required": ["height"]}
    signals = [_branch("signal", word, "Tide") for word in ("flood_tide", "ebb_tide")]
    free = {
        "title": "other",
        "type": "object",
        "properties": {"signal": {"type": "string"}},
        "required": ["signal"],
        "not": {
            "anyOf": [
                {
                    "type": "object",
                    "required": ["signal"],
                    "properties": {"signal": {"type": "string", "const": word}},
                }
                for word in ("flood_tide", "ebb_tide")
            ]
        },
    }
    pilots = [
        {"title": "aboard", **_branch("pilot", "aboard", "Tide")},
        {"title": "ashore", "allOf": [{"$ref": "#/$defs/Tide"}]},
    ]
    plain: list[Any] = [{"$ref": "#/$defs/Buoy"}, {"$ref": "#/$defs/Tide"}]
    if inserted:
        signals.insert(1, _branch("signal", "slack_tide", "Tide"))
        case = {"properties": {"signal": {"type": "string", "const": "slack_tide"}}}
        free["not"]["anyOf"].insert(1, {"type": "object", "required": ["signal"], **case})
        pilots.insert(1, {"title": "waiting", **_branch("pilot", "waiting", "Tide")})
        plain.insert(1, {"$ref": "#/$defs/Lamp"})
    return {
        "Tide": tide,
        "Lamp": {"type": "object", "properties": {"lit": {"type": "boolean"}}, "required": ["lit"]},
        "Buoy": {"type": "object", "properties": {"no": {"type": "integer"}}, "required": ["no"]},
        "Closed": {"oneOf": [*signals], "discriminator": {"propertyName": "signal"}},
        "Open": {"anyOf": [*signals, free]},
        "Pilot": {"anyOf": pilots},
        "Mark": {"anyOf": plain},
        "Log": {"type": "object", "properties": {"entry": {"oneOf": [*signals]}}},
    }


def test_an_inserted_branch_renames_nothing(tmp_path: Path) -> None:
    made = {}
    for inserted in (False, True):
        where = mini.write_schemas(tmp_path / str(inserted), {"v1": _harbour(inserted=inserted)})
        made[inserted] = class_names(mini.render(where))
    assert made[False] - made[True] == set()
    assert made[True] - made[False] == {
        "SlackTideClosed",
        "SlackTideOpen",
        "WaitingPilot",
        "SlackTideLogEntry",
    }


def test_the_order_of_definitions_and_fields_changes_no_name(tmp_path: Path) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(child) for key, child in reversed(value.items())}
        return value

    defs = {
        "Mast": {
            "type": "object",
            "properties": {
                word: {"type": "integer"}
                for word in ("sailArea", "sail_area", "SailArea", "sail-area")
            },
        },
        "mast": {"type": "string"},
        **_harbour(inserted=False),
    }
    names, fields = [], []
    for index, found in enumerate((defs, turned(defs))):
        files = mini.render(mini.write_schemas(tmp_path / str(index), {"v1": found}))
        names.append(class_names(files))
        [mast] = [
            node
            for node in ast.parse(files["v1/models.py"]).body
            if isinstance(node, ast.ClassDef) and node.name == "Mast"
        ]
        [wire] = [
            node.value
            for node in mast.body
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__acp_wire__"
        ]
        assert isinstance(wire, ast.Dict)
        fields.append(
            {
                ast.unparse(key): ast.unparse(value)
                for key, value in zip(wire.keys, wire.values, strict=True)
                if key
            }
        )
    assert names[0] == names[1]
    assert fields[0] == fields[1]


# ---- hostile texts -------------------------------------------------------------------------------


class _Skeleton(ast.NodeTransformer):
    """Leaves nothing of a module but its shape: constants and names become placeholders."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        kept = node.id in vars(builtins) or node.id.startswith("_")
        known = kept and isinstance(node.ctx, ast.Load)
        return ast.Name(node.id if known else "name", node.ctx)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("name", "attr", "arg", "asname", "module"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, "name")
        return super().generic_visit(node)


def skeleton(source: str) -> list[str]:
    """Return the shapes of a module's statements; those of one class or table are sorted."""
    tree = _Skeleton().visit(ast.parse(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict | ast.List | ast.Tuple):
            for field in ("keys", "values", "elts"):
                if hasattr(node, field):
                    getattr(node, field).sort(key=lambda child: ast.dump(child) if child else "")
        elif isinstance(node, ast.ImportFrom | ast.Import):
            node.names.sort(key=ast.dump)
    return sorted(ast.dump(node) for node in tree.body)


@pytest.mark.parametrize("layout", ["package", "single"])
def test_hostile_texts_change_nothing_but_constants_and_names(layout: str, tmp_path: Path) -> None:
    choices = mini.choices_of(f'layout = "{layout}"')
    twins = _module(HERE / "hostile" / "exercise.py", "golden_hostile_twins")
    made = []
    for hostile in (True, False):
        versions = {"v1": twins.definitions(hostile=hostile)}
        where = mini.write_schemas(tmp_path / str(hostile), versions)
        made.append(mini.render(where, (), choices))
    assert sorted(made[0]) == sorted(made[1])
    for path in made[0]:
        if path.endswith(".py"):
            assert skeleton(made[0][path]) == skeleton(made[1][path]), path


def test_the_hostile_schema_is_the_one_of_the_twins() -> None:
    twins = _module(HERE / "hostile" / "exercise.py", "golden_hostile_twins")
    stored = (HERE / "hostile" / "schemas" / "v1" / "schema.json").read_text(encoding="utf-8")
    assert stored == mini.schema(twins.definitions(hostile=True))
