"""Templates of one's own, and a target that another package registers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

TEMPLATE = "package.py.jinja"
TARGET = """
from pathlib import Path


class Names:
    name = "names"
    options = {}
    layouts = {"package": frozenset()}
    templates = Path(__file__).parent / "names_templates"

    def render(self, job):
        from acp_codegen.targets.templating import Templates

        templates = Templates(job.templates, {})
        return {
            f"{version}.txt": templates.render(
                "names.jinja", header=job.headers[version], names=protocol.definitions
            )
            for version, protocol in job.protocols.items()
        }
"""
NAMES = "{% for line in header %}\n# {{ line }}\n{% endfor %}\n{{ names | join(' ') }}\n"


def use_templates(project: Any, **files: str) -> None:
    text = (project.root / "acp-codegen.toml").read_text("utf-8")
    project.write("acp-codegen.toml", f'{text}templates = "own"\n')
    for name, content in files.items():
        project.write(f"own/{name.replace('__', '.')}", content)


def own(project: Any, extra: str) -> str:
    root = Path(__file__).parents[2]
    return (root / "templates/python" / TEMPLATE).read_text("utf-8") + extra


def test_a_template_of_ones_own_is_used_and_is_an_input(project) -> None:
    use_templates(project, package__py__jinja=own(project, "\n\nMINE = {{ modules | literal }}\n"))
    done = project.run("build")
    assert done.returncode == 0, done.stderr
    assert 'MINE = ["v1", "v2"' in (project.out / "__init__.py").read_text("utf-8")
    assert project.run("check").returncode == 0
    project.write(f"own/{TEMPLATE}", own(project, "\n\nMINE = 1\n"))
    done = project.run("check")
    assert done.returncode == 1 and "made/bindings/__init__.py" in done.stderr


@pytest.mark.parametrize(
    ("files", "code", "said"),
    [
        (
            {"package__py__jinja": "{{ header }}\n{{ nothing }}\n"},
            3,
            ("template package.py.jinja", "line 2", "'nothing' is undefined"),
        ),
        ({"package__py__jinja": "{% if %}\n"}, 3, ("template package.py.jinja", "line 1")),
        (
            {"package__py__jinja": "a = 1\nb = = 2\n"},
            3,
            ("template package.py.jinja", "not Python", "2:4"),
        ),
        (
            {"packages__py__jinja": ""},
            2,
            ("#/outputs/0/templates", "'packages.py.jinja'", "did you mean 'package.py.jinja'"),
        ),
        ({}, 2, ("#/outputs/0/templates", "there is no folder", "own")),
    ],
    ids=["undefined", "syntax", "not python", "unknown", "no folder"],
)
def test_a_template_at_fault_writes_nothing(project, files, code, said) -> None:
    use_templates(project, **files)
    done = project.run("build")
    assert done.returncode == code
    for part in said:
        assert part.lower() in done.stderr.lower(), done.stderr
    assert "Traceback" not in done.stderr and not project.out.exists()


def register(folder: Path, entry: str, code: str = TARGET, version: str = "1.0") -> str:
    """Put an installed package into ``folder`` and return the search path for it."""
    (folder / "names_templates").mkdir(parents=True, exist_ok=True)
    (folder / "names_target.py").write_text(code, "utf-8")
    (folder / "names_templates/names.jinja").write_text(NAMES, "utf-8")
    info = folder / "names_target-1.0.dist-info"
    info.mkdir(exist_ok=True)
    text = f"Metadata-Version: 2.1\nName: names-target\nVersion: {version}\n"
    (info / "METADATA").write_text(text, "utf-8")
    (info / "entry_points.txt").write_text(f"[acp_codegen.targets]\n{entry}\n", "utf-8")
    return str(folder)


def test_a_target_of_another_package(project, tmp_path) -> None:
    path = register(tmp_path / "site", "names = names_target:Names")
    config = 'schemas = "schemas"\n[[outputs]]\ntarget = "names"\nout = "made/names"\n'
    project.write("acp-codegen.toml", config)
    done = project.run("build", PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    made = (project.root / "made/names/v1.txt").read_text("utf-8").splitlines()
    assert made[0].startswith("# ") and made[-1].startswith("Id Can HelloRequest")
    assert project.run("check", PYTHONPATH=path).returncode == 0
    # Without the package there is no such target.
    done = project.run("check")
    assert done.returncode == 2 and "there is no target 'names'" in done.stderr
    # A template and the version are inputs.
    (tmp_path / "site/names_templates/names.jinja").write_text(NAMES + "more\n", "utf-8")
    assert project.run("check", PYTHONPATH=path).returncode == 1
    register(tmp_path / "site", "names = names_target:Names")
    assert project.run("check", PYTHONPATH=path).returncode == 0


@pytest.mark.parametrize(
    ("entry", "code", "said"),
    [
        ("python = names_target:Names", TARGET, "another target 'python'"),
        ("names = names_target:Nowhere", TARGET, "cannot be loaded: AttributeError"),
        ("names = names_target:Names", "class Names: pass\n", "has no name, options, layouts, render"),
        ("other = names_target:Names", TARGET, "calls itself 'names'"),
        ("names = names_target:Names", "1 / 0\n", "cannot be loaded: ZeroDivisionError"),
    ],
)  # fmt: skip
def test_a_registered_target_at_fault_is_named(project, tmp_path, entry, code, said) -> None:
    path = register(tmp_path / "site", entry, code)
    done = project.run("build", PYTHONPATH=path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert said in done.stderr and "names-target 1.0" in done.stderr
    assert not project.out.exists()
