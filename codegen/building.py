"""From configuration and options to trees of files, or to the digest that says none is needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import version as installed_version
from pathlib import Path

from .config import Config, Output
from .conversion.plan import Plan, make_plan
from .conversion.rules import load_rules
from .errors import UsageError
from .output.inputs import digest_inputs, source_parts
from .output.tree import GENERATED_MARKER, Tree
from .protocol.ir import Protocol
from .protocol.naming import check_names, load_names
from .resources import code_dir, schemas_dir, templates_dir
from .sources import NAMES_FILE, RULES_FILE, Sources
from .targets.model import Job, Target
from .targets.python.target import PythonTarget
from .version import tool_version

#: Packages whose version shapes the output.
_SHAPING = ("black", "datamodel-code-generator", "jinja2")


def targets() -> dict[str, Target]:
    """Return the targets by name."""
    return {target.name: target for target in (PythonTarget(),)}


@dataclass(frozen=True)
class Options:
    """What the command line changes in the configuration.

    Args:
        features: instead of the configured ones; None to keep those.
        target: only outputs of this target; None for all.
        out: the folder to write instead of the configured one.
        schemas: version -> schema file to read instead of the configured one.
    """

    features: tuple[str, ...] | None = None
    target: str | None = None
    out: Path | None = None
    schemas: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Build:
    """One output, with everything decided that shapes it."""

    target: Target
    out: Path
    sources: Sources
    versions: tuple[str, ...]
    features: tuple[str, ...]
    command: str

    def inputs(self) -> str:
        """Return the digest of everything that shapes the output. Nothing is parsed.

        Raises:
            CodegenError: if a file cannot be read.
        """
        parts = self.sources.parts(self.versions, self.features)
        for folder, patterns in ((code_dir(), ("**/*.py", "**/*.jinja2")), (self._templates(), ("**/*.jinja",))):
            parts.update({f"{folder.name} {name}": data for name, data in source_parts(folder, patterns).items()})
        parts["tools"] = json.dumps({name: installed_version(name) for name in _SHAPING})
        parts["build"] = json.dumps([self.target.name, self.versions, self.command, tool_version()])
        return digest_inputs(parts)

    def tree(self, say: Callable[[str], None]) -> Tree:
        """Return the output, rendered.

        Args:
            say: tells of progress.

        Raises:
            CodegenError: if an input cannot be used.
        """
        protocols = {}
        for version in self.versions:
            say(f"{version}: schema")
            protocols[version] = self.sources.protocol(version, self.features)
        path, file = self.sources.shared_file(NAMES_FILE)
        names = load_names(path, file)
        if not self.sources.replaced and len(self.versions) == len(self.sources.versions()):
            check_names(names, list(protocols.values()))
        plan = self._plan(protocols)
        headers = {"": self._header(list(protocols.values()))}
        headers.update({version: self._header([protocol]) for version, protocol in protocols.items()})
        job = Job(protocols, plan, names, headers, self._templates(), say)
        files = self.target.render(job)
        return Tree(
            root=self.out,
            files=files,
            inputs=self.inputs(),
            tool=tool_version(),
            facts={"target": self.target.name, "schemas": _facts(protocols), "features": list(self.features)},
            command=self.command,
        )

    def _plan(self, protocols: Mapping[str, Protocol]) -> Plan | None:
        if len(protocols) < 2:
            return None
        path, file = self.sources.shared_file(RULES_FILE)
        old, new = list(protocols.values())[:2]
        # The rules are written for the schemas beside them, not for whatever is given instead.
        return make_plan(old, new, load_rules(path, file), check=not self.sources.replaced)

    def _templates(self) -> Path:
        return templates_dir() / self.target.name

    def _header(self, protocols: list[Protocol]) -> tuple[str, ...]:
        schemas = [f"Protocol {p.version}: schema {p.release}, sha256 {p.sha256}" for p in protocols]
        features = sorted({feature for protocol in protocols for feature in protocol.features})
        return (
            f"{GENERATED_MARKER} {tool_version()}. Do not edit.",
            *schemas,
            f"Features: {', '.join(features) or 'none'}",
            f"Regenerate: {self.command}",
        )


def _facts(protocols: Mapping[str, Protocol]) -> dict[str, dict[str, str]]:
    return {version: {"release": p.release, "sha256": p.sha256} for version, p in protocols.items()}


def sources_of(config: Config, options: Options) -> Sources:
    """Return where the schemas of a build come from."""
    return Sources(config.schemas or schemas_dir(), config.harmless, options.schemas)


def features_of(config: Config, options: Options, output: Output | None = None) -> tuple[str, ...]:
    """Return the features that are on: the options' if given, else the output's, else all outputs'."""
    if options.features is not None:
        return tuple(sorted(set(options.features)))
    own = output.features if output and output.features is not None else config.features
    return tuple(sorted(set(own)))


def plan_builds(config: Config, options: Options) -> list[Build]:
    """Return the builds that configuration and options ask for.

    Raises:
        UsageError: if there is nothing to build, or a target, version or feature is unknown.
    """
    sources = sources_of(config, options)
    outputs = _outputs(config, options)
    known = targets()
    builds = []
    for output in outputs:
        if output.target not in known:
            raise UsageError(f"there is no target {output.target!r}", remedy=_suggest(output.target, known))
        versions = _versions(output, sources)
        features = features_of(config, options, output)
        for feature in features:
            if feature not in sources.known_features():
                raise UsageError(f"there is no feature {feature!r}", remedy=_suggest(feature, sources.known_features()))
        builds.append(Build(known[output.target], output.out, sources, versions, features, _command(options)))
    return builds


def _outputs(config: Config, options: Options) -> list[Output]:
    outputs = [output for output in config.outputs if options.target in (None, output.target)]
    if options.out is None:
        if not outputs:
            wanted = f" for target {options.target!r}" if options.target else ""
            raise UsageError(f"no output is configured{wanted}",
                             remedy="give --out, or write [[tool.acp-codegen.outputs]] in pyproject.toml")
        return outputs
    if len(outputs) > 1:
        raise UsageError("--out fits one output and several are configured", remedy="choose one with --target")
    found = outputs[0] if outputs else Output(options.target or "python", options.out)
    return [Output(found.target, options.out, found.versions, found.features)]


def _versions(output: Output, sources: Sources) -> tuple[str, ...]:
    known = sources.versions()
    for version in output.versions:
        if version not in known:
            raise UsageError(f"there is no version {version!r}", remedy=f"use one of {', '.join(known)}")
    return tuple(version for version in known if version in output.versions) if output.versions else known


def _suggest(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(sorted(known)) or 'none'}"


def _command(options: Options) -> str:
    """Return the command that regenerates an output. Files are not named: they differ by machine."""
    parts = ["acp-codegen", "build"]
    if options.features is not None:
        parts += [f"--feature {feature}" for feature in sorted(set(options.features))] or ["--stable"]
    parts += [f"--schema {version}=FILE" for version in sorted(options.schemas)]
    return " ".join(parts)
