"""The stage of one check: folders and environment that last through restarts, and its agents."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from .exchange import Exchange
from .link import Link
from .outcome import Failed
from .process import Process
from .version import Version
from .versions import VERSIONS

#: What an agent may keep its state below; all lead to the folder of the check.
_HOMES = (
    "HOME",
    "USERPROFILE",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
)


class Scene:
    """Starts the agent as often as a check wants, always with the same folder and environment.

    Args:
        command: the agent.
        version: the protocol version that is checked.
        folder: an empty folder; the agent's working directory and homes are in it.
        env: the environment to pass on.
        limit: seconds for each step.
    """

    def __init__(
        self,
        command: Sequence[str],
        version: Version,
        folder: Path,
        env: Mapping[str, str],
        limit: float,
    ) -> None:
        self.version = version
        self.limit = limit
        self.exchange = Exchange()
        self._command = command
        self._home = folder / "home"
        self._env = {**env, **{name: str(self._home) for name in _HOMES}}
        #: Working directories for sessions.
        self.project, self.elsewhere = str(folder / "project"), str(folder / "elsewhere")
        self._links: list[Link] = []
        self._count = 0
        for path in (self._home, folder / "project", folder / "elsewhere"):
            path.mkdir()

    async def start(self, version: Version | None = None) -> Link:
        """Start the agent and negotiate ``version``, or the one that is checked.

        Raises:
            CannotStartError: if the system cannot run the command.
            Skipped: if the agent does not speak the version.
            Failed: if it does not get that far.
        """
        spoken = version or self.version
        process = await Process.start(self._command, self._home, self._env, self.limit)
        self._count += 1
        link = Link(spoken, process, self._count, self.exchange, self.limit)
        self._links.append(link)
        await spoken.initialize(link)
        return link

    async def another(self, version: Version | None = None) -> Link:
        """Start the agent once more, beside those that run; if it cannot be, in their place."""
        try:
            return await self.start(version)
        except Failed:
            await asyncio.gather(*(link.stop() for link in self._links))
            return await self.start(version)

    @property
    def other_version(self) -> Version:
        """The protocol version that is not checked."""
        [found] = [one for one in VERSIONS.values() if one is not self.version]
        return found

    def kill_now(self) -> None:
        """Send all that was started the signal that kills it."""
        for link in self._links:
            link.kill_now()

    async def close(self) -> None:
        """Kill all that was started, and wait until it is gone."""
        await asyncio.gather(*(link.abandon() for link in self._links), return_exceptions=True)
