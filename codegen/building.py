"""From configuration and options to builds."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from .build import Build
from .config import Config, Output
from .config_format import nearest
from .errors import UsageError, Where
from .pointer import join
from .registry import TEMPLATES, targets, templates_of
from .resources import schemas_dir
from .sources import Sources
from .style.check import check_layout
from .targets.model import Target


@dataclass(frozen=True)
class Options:
    """What the command line changes in the configuration.

    Args:
        features: instead of the configured ones; None to keep those.
        target: only outputs of this target; None for all.
        out: the folder to write instead of the configured one.
        schemas: version -> schema file to read instead of the configured one.
        config_file: the configuration file if one was named.
    """

    features: tuple[str, ...] | None = None
    target: str | None = None
    out: Path | None = None
    schemas: Mapping[str, Path] = field(default_factory=dict)
    config_file: Path | None = None


def sources_of(config: Config, options: Options, output: Output | None = None) -> Sources:
    """Return where the schemas of a build come from: the options', else the output's own files,
    else the schemas folder."""
    replaced = {**(output.schemas if output else {}), **options.schemas}
    return Sources(config.schemas or schemas_dir(), config.harmless, replaced)


def features_of(config: Config, options: Options, output: Output | None = None) -> tuple[str, ...]:
    """Return the features that are on: the options', else the output's, else the configured ones."""
    if options.features is not None:
        return tuple(sorted(set(options.features)))
    own = output.features if output and output.features is not None else config.features
    return tuple(sorted(set(own)))


def plan_builds(config: Config, options: Options) -> list[Build]:
    """Return the builds that configuration and options ask for.

    Raises:
        UsageError: if there is nothing to build, or a target, version or feature is unknown.
    """
    known = targets()
    if options.target is not None and options.target not in known:
        raise _unknown("target", options.target, known, config)
    outputs = _outputs(config, options)
    builds = []
    for output in outputs:
        if output.target not in known:
            raise _unknown("target", output.target, known, config)
        sources = sources_of(config, options, output)
        versions = _versions(output, sources, config)
        features = features_of(config, options, output)
        for feature in features:
            if feature not in sources.known_features():
                raise _unknown("feature", feature, sources.known_features(), config)
        target, command, mend = known[output.target], _command(options), _command_here(options)
        # The rules are written for the schemas beside them, not for whatever is given instead.
        usual = "partial" if sources.replaced else "complete"
        mode = output.conversions or config.conversions or usual
        _check_layout(target, output)
        told = _target_options(target, output, config)
        builds.append(
            Build(
                target,
                output.out,
                sources,
                versions,
                features,
                command,
                mend,
                mode,
                told,
                output.choices,
                _own_templates(target, output),
            )
        )
    return builds


def _check_layout(target: Target, output: Output) -> None:
    layout = output.choices.layout
    if layout not in target.layouts:
        raise UsageError(
            f"target {target.name} has no layout {layout!r}",
            where=Where(output.place.file, join(output.place.pointer, "layout")),
            remedy=f"use one of {', '.join(sorted(target.layouts))}",
        )
    check_layout(output.choices, target.layouts[layout], target.name)


def _own_templates(target: Target, output: Output) -> Path | None:
    """Return the folder of templates to use instead of the target's, all of its files checked."""
    folder, usual = output.templates, templates_of(target)
    if folder is None:
        return None
    where = Where(output.place.file, join(output.place.pointer, "templates"))
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {folder.as_posix()}", where=where, remedy="correct the path"
        )
    known = {path.relative_to(usual).as_posix() for path in usual.glob(TEMPLATES)}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in known:
            raise UsageError(
                f"target {target.name} has no template {name!r}",
                where=where,
                remedy=nearest(name, known),
            )
    return folder


def _target_options(target: Target, output: Output, config: Config) -> dict[str, str]:
    """Return the value of each option of ``target``: the output's own, or the default."""
    for name, value in output.options.items():
        if name not in target.options:
            raise _unknown(f"option of target {target.name}", name, target.options, config)
        rule = target.options[name]
        if rule.choices and value not in rule.choices:
            raise _unknown(f"value of {name}", value, rule.choices, config)
        if rule.pattern and not re.fullmatch(rule.pattern, value, re.ASCII):
            raise UsageError(
                f"{name} cannot be {value!r}",
                where=Where(config.file) if config.file else None,
                remedy="use a text that an identifier may start with",
            )
    return {name: output.options.get(name, rule.default) for name, rule in target.options.items()}


def check_descriptions(builds: Collection[Build]) -> None:
    """Refuse builds of schemas with a place that nothing describes.

    Raises:
        InputError: listing every such place.
    """
    # Outputs of several targets are often of the same schemas.
    different = {(build.versions, build.features): build.sources for build in builds}
    for (versions, features), sources in different.items():
        sources.require_descriptions(versions, features)


def _outputs(config: Config, options: Options) -> list[Output]:
    outputs = [output for output in config.outputs if options.target in (None, output.target)]
    if options.out is None:
        if not outputs:
            wanted = f" for target {options.target!r}" if options.target else ""
            raise UsageError(
                f"no output is configured{wanted}",
                remedy="give --out, or write [[tool.acp-codegen.outputs]] in pyproject.toml",
            )
        return outputs
    if len(outputs) > 1:
        raise UsageError(
            "--out fits one output and several are configured", remedy="choose one with --target"
        )
    found = outputs[0] if outputs else Output(options.target or "python", options.out)
    return [replace(found, out=options.out)]


def _versions(output: Output, sources: Sources, config: Config) -> tuple[str, ...]:
    known = sources.versions()
    usual = sources.found_versions() | set(output.versions)
    for version in output.schemas:
        if version not in usual:
            raise UsageError(
                f"there is no version {version!r}",
                where=Where(output.place.file, join(output.place.pointer, "schemas", version)),
                remedy=nearest(version, usual),
            )
    for version in output.versions:
        if version not in known:
            raise _unknown("version", version, known, config)
    return (
        tuple(version for version in known if version in output.versions)
        if output.versions
        else known
    )


def _unknown(kind: str, name: str, known: Collection[str], config: Config) -> UsageError:
    near = get_close_matches(name, known, 1)
    listed = f"use one of {', '.join(sorted(known))}" if known else f"there are no {kind}s at all"
    return UsageError(
        f"there is no {kind} {name!r}",
        where=Where(config.file) if config.file else None,
        remedy=f"did you mean {near[0]!r}, perhaps" if near else listed,
    )


def _command(options: Options) -> str:
    """Return the command that regenerates an output. Files are not named: they differ by machine."""
    parts = ["acp-codegen", "build"]
    if options.features is not None:
        parts += [f"--feature {feature}" for feature in sorted(set(options.features))] or [
            "--stable"
        ]
    parts += [f"--schema {version}=FILE" for version in sorted(options.schemas)]
    return " ".join(parts)


def _command_here(options: Options) -> str:
    """Return the command that regenerates an output on this machine, from this folder."""
    parts = ["acp-codegen", "build"]
    if options.config_file is not None:
        parts += ["--config", str(options.config_file)]
    if options.target is not None:
        parts += ["--target", options.target]
    if options.out is not None:
        parts += ["--out", str(options.out)]
    if options.features is not None:
        chosen = [("--feature", feature) for feature in sorted(set(options.features))]
        parts += [word for pair in chosen for word in pair] or ["--stable"]
    for version, path in sorted(options.schemas.items()):
        parts += ["--schema", f"{version}={path}"]
    return shlex.join(parts)
