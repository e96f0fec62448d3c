"""From the start of the process until somebody can connect, and until the first one is let in."""

from __future__ import annotations

import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from perudo_protocol.codec import encode
from perudo_protocol.messages import Hello

from .processes import BOUND, cpu_seconds, environment, started
from .rows import Goal, Row, Size

GOAL = Goal(1.35)
TIMES = {Size.SMALLEST: 1, Size.QUICK: 3, Size.FULL: 20}
SERVER = [sys.executable, "-m", "perudo_server", "--host", "127.0.0.1", "--port", "0"]
FLOOR = [sys.executable, "-m", "bench.floors.start"]


class Start(NamedTuple):
    """What one start took, in milliseconds."""

    cpu: float
    wall: float
    answered: float
    """The wall until the first one who connects right away has heard something."""


def run(size: Size) -> Iterator[Row]:
    """Start both in turn, with a journal that is there already and without one."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        floor_kept, kept = [*FLOOR, "--data", str(home / "floor")], SERVER
        for command in (floor_kept, kept, FLOOR, SERVER):
            _start(command, home)  # writes the compiled modules, and the journals
        yield from _rows(size, home, floor_kept, kept, "")
        yield from _rows(size, home, FLOOR, [*SERVER, "--no-journal"], ", no journal")


def _rows(size: Size, home: Path, floor: list[str], ours: list[str], how: str) -> Iterator[Row]:
    bare, own = list[Start](), list[Start]()
    for turn in range(TIMES[size]):
        for which, command in ((bare, floor), (own, ours))[:: 1 if turn % 2 else -1]:
            which.append(_start(command, home))

    def row(what: str, of: Callable[[Start], float], goal: Goal | None, note: str = "") -> Row:
        return Row("start", what + how, "ms", tuple(map(of, bare)), tuple(map(of, own)), goal, note)

    yield row("start to listening, CPU", lambda start: start.cpu, GOAL)
    yield row("start to listening", lambda start: start.wall, GOAL)
    yield row(
        "start to the first answer",
        lambda start: start.answered,
        None,
        "ours loads rules, tables, names and bots when it listens already, before it hears anybody",
    )


def _start(command: list[str], home: Path) -> Start:
    env = environment(home, PYTHONUNBUFFERED="1")
    since = time.perf_counter()
    with started(command, env, home / "start.log") as process:
        assert process.stdout is not None
        port = next(filter(None, map(_port, process.stdout)))
        wall, cpu = time.perf_counter() - since, cpu_seconds(process.pid)
        with socket.create_connection(("127.0.0.1", port), BOUND) as sock:
            sock.sendall(encode(Hello(versions=(1,), client="bench", name="Ana")))
            if not sock.recv(1):
                raise RuntimeError("the connection was closed")
        answered = time.perf_counter() - since
    return Start(cpu * 1000, wall * 1000, answered * 1000)


def _port(line: str) -> int:
    """Give the port that a line tells, the floor's or ours, or 0."""
    place = line.strip().removeprefix("perudo-client 127.0.0.1:")
    return int(place) if place.isdigit() else 0
