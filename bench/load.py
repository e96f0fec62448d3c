"""The bench's side of a driver: a server or a floor, with a driver of its own that is asked.

Both stand all the time, and are measured in turn; meanwhile the others are idle, but for the
server's asking for life every few seconds.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from perudo_protocol.codec import encode
from perudo_protocol.messages import Done, Update
from perudo_protocol.story import BidPlaced, TurnSet
from perudo_protocol.vocabulary import Bid

from .processes import Running, environment, floor, our_server, started

LIFTED = {
    "PERUDO_ACT_BURST": "100000",
    "PERUDO_ACT_RATE": "100000",
    "PERUDO_FRAME_BURST": "1000000",
    "PERUDO_FRAME_RATE": "1000000",
    "PERUDO_MOVE_BURST": "100000",
    "PERUDO_SHARE_BURST": "100000",
    "PERUDO_CONNECTIONS": "100000",
    "PERUDO_UNGREETED": "100000",
    "PERUDO_TABLES": "10000",
    "PERUDO_REVEAL_SECONDS": "600",
    "PERUDO_THROW_SECONDS": "600",
}
"""One machine plays for hundreds of people, faster than people do, and each round begins when the
driver says so. All else is as it is by default, the log too."""


class Window(NamedTuple):
    """What one window of bids brought."""

    bids: int
    seconds: float
    cpu: float
    """Seconds of processor time of the measured process, all its threads together."""
    driver: float
    """The same of the driver."""
    bytes: int
    """What went over all connections, both ways."""
    waits: dict[str, float]
    """From sending a bid to its last update, in seconds: p50 and p99."""
    late: dict[str, float] | None = None
    """How much later than it was due a bid was sent."""

    @property
    def wire(self) -> float:
        """Bytes of one bid: the request, its answer and all updates, with their lengths."""
        return self.bytes / self.bids

    @property
    def cpu_a_bid(self) -> float:
        """Microseconds of processor time for one bid."""
        return 1e6 * self.cpu / self.bids


def busy(windows: Sequence[Window]) -> str:
    """Say how busy driver and server were: a driver that cannot do more would hide the server."""
    driver = median(window.driver / window.seconds for window in windows)
    server = median(window.cpu / window.seconds for window in windows)
    rate = median(window.bids / window.seconds for window in windows)
    return f"{rate:,.0f} bids/s, server {server:.0%} of a core, driver {driver:.0%}"


def punctual(windows: Sequence[Window]) -> str:
    """Say how late the driver was."""
    late = [median(1e6 * (w.late or {})[p] for w in windows) for p in ("p50", "p99")]
    return f"sent {late[0]:,.0f} µs late (p99 {late[1]:,.0f})"


class Loaded:
    """A running process with its driver."""

    def __init__(self, process: Running, driver: Running) -> None:
        """Take both."""
        self.process = process
        self._driver = driver

    def ask(self, **what: Any) -> dict[str, Any]:
        """Have the driver do something; give what it says."""
        self._driver.tell(json.dumps(what))
        line = self._driver.output.readline()
        if not line:
            raise RuntimeError("the driver has ended; see its log")
        found: dict[str, Any] = json.loads(line)
        return found

    def play(self, bids: int) -> Window:
        """Have all tables bid so often, as fast as it goes."""
        return Window(**self.ask(do="play", bids=bids))

    def pace(self, rate: float, seconds: float) -> Window:
        """Have so many bids made a second, for so long."""
        return Window(**self.ask(do="pace", rate=rate, bids=round(rate * seconds)))


@contextmanager
def driven(
    process: Running, home: Path, tables: int, people: int, *options: str
) -> Iterator[Loaded]:
    """Seat guests at a process; ready when all sit before their first bid.

    The process gets one core, and all drivers another: the system would put them on one when it
    likes, which changes the figures of both.
    """
    command = [sys.executable, "-m", "bench.driver", "--port", str(process.port)]
    command += ["--pid", str(process.pid), "--tables", str(tables), "--people", str(people)]
    with started([*command, *options], environment(home), home / "driver.log") as child:
        driver = Running(child, process.port)
        if driver.output.readline() != "ready\n":
            raise RuntimeError((home / "driver.log").read_text())
        cores = sorted(os.sched_getaffinity(0))
        process.keep_to(cores[0])
        driver.keep_to(cores[-1])
        yield Loaded(process, driver)


def take_turns(
    times: int, runs: Sequence[Loaded], act: Callable[[Loaded], Window]
) -> list[list[Window]]:
    """Have all act in turn, so many times, back and forth; give what each brought."""
    found: list[list[Window]] = [[] for _ in runs]
    order = list(range(len(runs)))
    for turn in range(times):
        for which in order if turn % 2 == 0 else reversed(order):
            found[which].append(act(runs[which]))
    return found


def our_process(
    home: Path, *options: str, journal: bool = True, **extra: str
) -> AbstractContextManager[Running]:
    """Have our server, empty yet; `extra` is added to its environment."""
    kept = ("--data", str(home / "data")) if journal else ("--no-journal",)
    return our_server(home, *kept, *options, **LIFTED, **extra)


def bare_process(
    home: Path, people: int, *options: str, module: str = "fan_out"
) -> AbstractContextManager[Running]:
    """Have the bare fan-out for groups of so many, or another floor that does the same."""
    others, sender = sample(people)
    sizes = ("--group", str(people), "--others", others.hex(), "--sender", sender.hex())
    return floor(module, home, *sizes, *options)


@contextmanager
def ours(
    home: Path, tables: int, people: int, *options: str, journal: bool = True
) -> Iterator[Loaded]:
    """Have our server with tables of guests."""
    place = home / ("with" if journal else "without")
    place.mkdir()
    with (
        our_process(place, *options, journal=journal) as server,
        driven(server, place, tables, people) as loaded,
    ):
        yield loaded


@contextmanager
def bare(
    home: Path, tables: int, people: int, *options: str, module: str = "fan_out"
) -> Iterator[Loaded]:
    """Have the bare fan-out, or another such floor, with as many groups of guests."""
    with (
        bare_process(home, people, *options, module=module) as server,
        driven(server, home, tables, people, "--floor") as loaded,
    ):
        yield loaded


def sample(people: int) -> tuple[bytes, bytes]:
    """Give what our server sends for a usual bid in the middle of a game: to others, to the bidder.

    The bidder gets the answer to the request in the same write.
    """
    dice = 6 * people
    placed = BidPlaced(0, Bid(dice // 2, 4))
    bounds = (dice // 4 + 1, *(dice // 2 + (face <= 4) for face in range(2, 7)))
    turn = TurnSet(1, 600_000, bounds, (dice,) * 6, (1,), (1,))
    update = encode(Update(rev=1000, events=(placed, turn)))
    return update, update + encode(Done(re=1000))
