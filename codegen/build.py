"""One output: the tree of its files, or the digest that says whether it is up to date."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version as installed_version
from pathlib import Path

from .conversion.model import Plan
from .conversion.plan import make_plan, unanswered_lines
from .output.inputs import digest_inputs, source_parts
from .output.tree import GENERATED_MARKER, Tree
from .protocol.ir import Protocol
from .protocol.naming import check_names
from .registry import TEMPLATES, origin_of, templates_of
from .resources import code_dir
from .sources import Sources
from .style.check import check_keys
from .style.model import Choices
from .targets.model import Job, Target
from .version import tool_version

#: Packages whose version shapes the output. They are pinned exactly: a looser one would make the
#: same tool drift from one machine to the next.
_SHAPING = ("black", "datamodel-code-generator")


@dataclass(frozen=True)
class Build:
    """One output, with everything decided that shapes it.

    Args:
        target: what renders it.
        out: the folder to write.
        sources: where the schemas come from.
        versions: the protocol versions in it.
        features: the features that are on.
        command: the command that regenerates it, as written into it: no path of this machine.
        mend: the command that regenerates it here and now.
        conversions: what to do about parts that no rule answers: ``complete`` refuses to build,
            ``partial`` makes converters that refuse them, ``off`` makes none.
        choices: layout, names and style.
        options: what the target is told beside that.
        templates: a folder whose templates are used instead of the target's, by name.
    """

    target: Target
    out: Path
    sources: Sources
    versions: tuple[str, ...]
    features: tuple[str, ...]
    command: str
    mend: str
    conversions: str
    options: Mapping[str, str]
    choices: Choices = field(default_factory=Choices)
    templates: Path | None = None

    def inputs(self) -> str:
        """Return the digest of everything that shapes the output. Nothing is parsed.

        Raises:
            CodegenError: if a file cannot be read.
        """
        parts = self.sources.parts(self.versions, self.features)
        # Names of ours, not the folders': an installed tool and a checkout give the same digest.
        for part, folder, patterns in (
            ("code", code_dir(), ("**/*.py", "**/*.jinja2")),
            ("templates", templates_of(self.target), (TEMPLATES,)),
            ("own templates", self.templates, (TEMPLATES,)),
        ):
            found = source_parts(folder, patterns) if folder is not None else {}
            parts.update({f"{part} {name}": data for name, data in found.items()})
        parts["target"] = origin_of(self.target.name)
        parts["tools"] = json.dumps({name: installed_version(name) for name in _SHAPING})
        parts["build"] = json.dumps(
            [
                self.target.name,
                self.versions,
                self.command,
                self.conversions,
                self.options,
                tool_version(),
            ],
            sort_keys=True,
        )
        parts["choices"] = self.choices.text
        return digest_inputs(parts)

    def tree(
        self, say: Callable[[str], None], warn: Callable[[str], None] = lambda _: None
    ) -> Tree:
        """Return the output, rendered.

        Args:
            say: tells of progress.
            warn: tells, a line each, what the converters refuse for want of a rule.

        Raises:
            CodegenError: if an input cannot be used.
        """
        protocols = {}
        for version in self.versions:
            say(f"{version}: schema")
            protocols[version] = self.sources.protocol(version, self.features)
            # Single modules have no gates to lose.
            single = self.choices.layout == "single"
            for fault in () if single else self.sources.unmatched_gates(version):
                warn(f"{fault.where}: the gate is left out: {fault.what}")
        names = self.sources.names()
        if not self.sources.replaced and len(self.versions) == len(self.sources.versions()):
            check_names(names, list(protocols.values()))
        check_keys(self.choices, list(protocols.values()))
        plan = self._plan(protocols, warn)
        headers = {"": self._header(list(protocols.values()))}
        headers.update(
            {version: self._header([protocol]) for version, protocol in protocols.items()}
        )
        job = Job(
            protocols,
            plan,
            names,
            headers,
            self._templates(),
            self.options,
            say,
            self.choices,
            self.sources.examples(),
        )
        files = self.target.render(job)
        return Tree(
            root=self.out,
            files=files,
            inputs=self.inputs(),
            tool=tool_version(),
            facts={
                "target": self.target.name,
                "schemas": _facts(protocols),
                "features": list(self.features),
            },
            command=self.command,
        )

    def _plan(self, protocols: Mapping[str, Protocol], warn: Callable[[str], None]) -> Plan | None:
        if self.conversions == "off" or len(protocols) < 2 or self.choices.layout == "single":
            return None
        old, new = list(protocols.values())[:2]
        plan = make_plan(old, new, self.sources.rules(), complete=self.conversions == "complete")
        for line in unanswered_lines(plan):
            warn(f"{self.out.as_posix()}: {line}")
        return plan

    def _templates(self) -> tuple[Path, ...]:
        usual = templates_of(self.target)
        return (usual,) if self.templates is None else (self.templates, usual)

    def _header(self, protocols: list[Protocol]) -> tuple[str, ...]:
        schemas = [
            f"Protocol {p.version}: schema {p.release}, sha256 {p.sha256}" for p in protocols
        ]
        features = sorted({feature for protocol in protocols for feature in protocol.features})
        return (
            f"{GENERATED_MARKER} {tool_version()}. Do not edit.",
            *schemas,
            f"Features: {', '.join(features) or 'none'}",
            f"Regenerate: {self.command}",
            *self.choices.style.header,
        )


def _facts(protocols: Mapping[str, Protocol]) -> dict[str, dict[str, str]]:
    return {version: {"release": p.release, "sha256": p.sha256} for version, p in protocols.items()}
