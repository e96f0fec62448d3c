"""Processes that are measured, and what the system's scheduler and memory accounts say of them.

Linux alone tells all this, under /proc.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

BOUND = 60.0
"""Seconds after which a process that does not say what it should is held not to come to it."""
PROC = Path("/proc")


def cpu_seconds(pid: int) -> float:
    """Give the processor time that all threads of a process have had, to the nanosecond.

    The scheduler's own figure: neither waiting nor other processes are in it. Threads that have
    ended are counted too; child processes are not.
    """
    return time.clock_gettime(~pid << 3 | 2)  # the clock of a process: see clock_getcpuclockid(3)


def memory(pid: int) -> int:
    """Give the bytes of memory that a process alone has in use (its private pages)."""
    total = 0
    for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
        if line.startswith(("Private_Clean:", "Private_Dirty:")):
            total += int(line.split()[1])
    return total * 1024


def open_many_files() -> None:
    """Let this process, and those that it starts, open as many files as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def environment(home: Path, **extra: str) -> dict[str, str]:
    """Give an environment without this machine's own settings of Perudo, and with its own home.

    Compiled modules may be written, as on any player's machine.
    """
    dropped = ("PERUDO_", "PYTHONDONTWRITEBYTECODE", "XDG_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    return {**kept, "HOME": str(home), **extra}


class Running:
    """A process that has said that it is ready, and on which port."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        """Hold a process whose standard output is ours."""
        self._process = process
        self.port = port

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def output(self) -> IO[str]:
        """What it says on its standard output."""
        assert self._process.stdout is not None
        return self._process.stdout

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def keep_to(self, core: int) -> None:
        """Have all its threads run on one core alone."""
        for thread in (PROC / str(self.pid) / "task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})

    def cpu(self) -> float:
        """Give the processor time that it has had, in seconds."""
        return cpu_seconds(self.pid)

    def memory(self) -> int:
        """Give the bytes that it alone has in use."""
        return memory(self.pid)


def settled(process: Running) -> float:
    """Wait until a process has nothing more to do; give the processor time that it has had."""
    cpu = -1.0
    while (now := process.cpu()) - cpu > 0.001:
        cpu = now
        time.sleep(0.05)
    return now


@contextmanager
def started(
    command: list[str], env: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[str]]:
    """Run a command until the block ends; what it says on standard error goes to a file."""
    with log.open("a") as errors:
        process = subprocess.Popen(
            command,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait(BOUND)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


@contextmanager
def our_server(home: Path, *options: str, **extra: str) -> Iterator[Running]:
    """Run `perudo-server` on a free port of the loopback; its journal and log are under `home`."""
    command = [sys.executable, "-m", "perudo_server", "--host", "127.0.0.1", "--port", "0"]
    env = environment(home, PYTHONUNBUFFERED="1", **extra)
    with started([*command, *options], env, home / "server.log") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("  perudo-client "):
                place = line.split()[1].partition("#")[0]
                yield Running(process, int(place.rpartition(":")[2]))
                return
        raise RuntimeError((home / "server.log").read_text())


@contextmanager
def floor(module: str, home: Path, *options: str) -> Iterator[Running]:
    """Run `python -m bench.floors.<module>`, whose first line is the port that it listens at."""
    command = [sys.executable, "-m", f"bench.floors.{module}", *options]
    env = environment(home, PYTHONUNBUFFERED="1")
    with started(command, env, home / f"{module}.log") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.strip().isdigit():
            raise RuntimeError((home / f"{module}.log").read_text())
        yield Running(process, int(line))
