"""Runs checks, several at once, each on a stage of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .outcome import CannotStartError, Ended, Outcome, Report, Result, Skipped
from .registry import CHECKS, Check
from .scene import Scene
from .version import Version
from .versions import VERSIONS


@dataclass(frozen=True)
class Settings:
    """What to run.

    Args:
        command: the agent: a program and its arguments.
        protocol: the version to speak, such as ``v1``.
        only: names of checks; empty for all.
        limit: seconds for each step of a check.
        jobs: how many checks run at the same time.
        env: the environment of the agent; homes are replaced.
        folder: what relative paths in the command refer to.
    """

    command: Sequence[str]
    protocol: str = "v1"
    only: Sequence[str] = ()
    limit: float = 10.0
    jobs: int = 4
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    folder: Path = field(default_factory=Path.cwd)


def run_suite(settings: Settings, tell: Callable[[Result], None] = lambda _: None) -> Report:
    """Run the checks and return what came of them.

    Args:
        settings: what to run.
        tell: called with each result as soon as it and all before it are there.

    Raises:
        KeyError: for a check or a version that there is not.
        CannotStartError: if the command cannot be started.
        KeyboardInterrupt: if the process is told to end; the agents are killed first.
    """
    chosen = [CHECKS[name] for name in dict.fromkeys(settings.only)] or list(CHECKS.values())
    version = VERSIONS[settings.protocol]
    try:
        command = resolve(settings.command, settings.folder, settings.env)
        results = asyncio.run(_run(settings, command, version, chosen, tell))
    except CannotStartError as error:
        name = settings.command[0]
        raise CannotStartError(f"{name} cannot be started: {error}") from error
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    return Report(settings.protocol, tuple(settings.command), results)


def resolve(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> list[str]:
    """Return ``command`` so that it means the same in any working directory.

    Raises:
        CannotStartError: if there is no such program.
    """
    first = folder / command[0] if Path(command[0]).name != command[0] else command[0]
    program = shutil.which(first, path=env.get("PATH"))
    if program is None:
        raise CannotStartError("there is no such program")
    words = [str(folder / word) if (folder / word).is_file() else word for word in command[1:]]
    # Not resolved: what a link to an interpreter is called tells it where its packages are.
    return [str(Path(program).absolute()), *words]


async def _run(
    settings: Settings,
    command: Sequence[str],
    version: Version,
    chosen: Sequence[Check],
    tell: Callable[[Result], None],
) -> list[Result]:
    free = asyncio.Semaphore(settings.jobs)
    paths = [settings.env.get("PYTHONPATH"), str(settings.folder)]
    env = {**settings.env, "PYTHONPATH": os.pathsep.join(filter(None, paths))}

    async def one(check: Check, folder: Path) -> Result:
        async with free:
            folder.mkdir()
            scene = Scene(command, version, folder, env, settings.limit)
            try:
                return await run_check(check, scene)
            finally:
                # First without waiting, which a second cancellation would cut short.
                scene.kill_now()
                await asyncio.shield(scene.close())

    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    with tempfile.TemporaryDirectory(
        prefix="acp-conformance-", ignore_cleanup_errors=True
    ) as place:
        root = Path(place).resolve()
        tasks = [asyncio.create_task(one(check, root / check.name)) for check in chosen]
        results = []
        try:
            for task in tasks:
                results.append(await task)
                tell(results[-1])
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return results


async def run_check(check: Check, scene: Scene) -> Result:
    """Run one check on its stage."""
    try:
        link = await scene.start()
        _suitable(check, scene.version, link.announced)
        await check.body(scene, link)
    except Ended as end:
        failed = end.outcome is Outcome.FAIL
        lines = scene.exchange.lines() if failed else []
        return Result(check.name, end.outcome, str(end), lines)
    return Result(check.name, Outcome.PASS)


def _suitable(check: Check, version: Version, announced: object) -> None:
    """Raise ``Skipped`` if the check is not for agents that announce this."""
    missing = [
        version.place(name)
        for name in ("archive", *version.needed)
        if not isinstance(version.capability(announced, name), dict)
    ]
    if check.advertised and missing:
        raise Skipped(f"the agent does not advertise {' and '.join(missing)}")
    if check.advertised is False and version.capability(announced, "archive") is not None:
        raise Skipped(f"the agent advertises {version.place('archive')}")
