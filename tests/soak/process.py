"""A real `perudo-server` process that is killed, stopped and started again, on one port and one
folder. All of it is for the event loop: nothing here blocks."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from tests.support.servers import environment

BOUND = 30.0
"""Seconds after which a server that starts or ends is held not to."""


class ServerFailed(Exception):
    """The server did not start, or ended otherwise than it should."""


def free_port(rng: random.Random) -> int:
    """Find a free port that no outgoing connection gets: a client that dials a port where nobody
    listens must not meet itself."""
    for _ in range(1000):
        port = rng.randint(20_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise ServerFailed("no free port")


class Server:
    """One server, in as many lives as it takes."""

    def __init__(self, home: Path, port: int, *options: str, **settings: str) -> None:
        """Prepare; `settings` stand in the environment, as `PERUDO_THROW_SECONDS=1`."""
        self.home = home
        self.data = home / "data"
        self.port = port
        self.log = home / "server.log"
        self._options = options
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self.back = 0.0
        """When it could be reached again, on the loop's clock."""
        self.up = False
        """Whether it can be reached: it listens, and is not stopped."""
        self.stopped = False

    @property
    def pid(self) -> int:
        """The number of the process that runs now."""
        assert self._process is not None
        return self._process.pid

    async def spawn(self) -> None:
        """Start the process, and do not wait for it."""
        where = ("--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data))
        with self.log.open("a") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "perudo_server", *where, *self._options),
                env=environment(self.home, **self._settings),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
            )

    async def ready(self) -> None:
        """Wait until it listens; raises `ServerFailed` when it ends instead."""
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(BOUND):
            while line := await self._process.stdout.readline():
                if line.startswith(b"  perudo-client"):
                    self.back = asyncio.get_running_loop().time()
                    self.up = True
                    return
        raise ServerFailed(
            f"the server ended with {await self._process.wait()}: {self.last_lines()}"
        )

    async def start(self) -> None:
        """Start it and wait until it listens."""
        await self.spawn()
        await self.ready()

    async def kill(self) -> None:
        """End it as `kill -9` does."""
        self.up = self.stopped = False
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.communicate()

    async def end(self) -> None:
        """Ask it to end, and see that it does so in order."""
        self.up = False
        assert self._process is not None
        self._process.terminate()
        async with asyncio.timeout(BOUND):
            await self._process.communicate()
        if self._process.returncode:
            raise ServerFailed(f"SIGTERM ended it with {self._process.returncode}")

    def stop(self) -> None:
        """Have the whole process stand still."""
        assert self._process is not None
        self.up, self.stopped = False, True
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
        self.up, self.stopped = True, False
        self.back = asyncio.get_running_loop().time()

    def last_lines(self, count: int = 15) -> str:
        """Give the end of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-count:])
