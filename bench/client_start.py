"""The client against a Textual app with nothing in it: its first picture, in a game, and at rest.

Both run in a pseudo-terminal of the same kind and size, with compiled modules and a home that is
new. A picture is there when the terminal has been quiet for a while after it; processor time is
taken with its last bytes, so the quiet is in nobody's figure.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial
from pathlib import Path

from .opponent import Opponent
from .processes import environment, our_server
from .rows import Goal, Row, Size, pairs
from .terminal import Terminal

CPU, MEMORY, IDLE = Goal(1.2), Goal(1.35), Goal(0.5, alone=True)
FLOOR = ("bench.floors.empty_app",)
CLIENT = ("perudo_client",)
MIB = 1024 * 1024
TIMES = {Size.SMALLEST: 1, Size.QUICK: 2, Size.FULL: 12}
KEYS = {Size.SMALLEST: 4, Size.QUICK: 5, Size.FULL: 30}
"""So many keys take a game to its middle: bids, calls and reveals were shown."""
SECONDS_A_KEY = 0.8
"""So a turn of each bot goes by with every second key."""
AGAIN = 2.0
"""Seconds after which a key that brought nothing is pressed once more."""
SPANS = {Size.SMALLEST: (2.5,), Size.QUICK: (2.5,), Size.FULL: (10.0, 10.0, 10.0, 10.0)}
"""Seconds at rest."""


class Desk:
    """Where programs are started, each in a home that is new."""

    def __init__(self, folder: Path) -> None:
        """Keep the homes in this folder."""
        self._folder = folder
        self.memory: dict[tuple[str, ...], list[float]] = {}
        """What each command had in use at its first picture, in MiB."""

    def open(self, command: tuple[str, ...]) -> Terminal:
        """Start `python -m` with these words."""
        home = Path(tempfile.mkdtemp(dir=self._folder))
        return Terminal([sys.executable, "-m", *command], environment(home))

    def cpu(self, command: tuple[str, ...], shows: str = "") -> float:
        """Give the processor time until a picture is there with this on it, in milliseconds."""
        with self.open(command) as terminal:
            terminal.until(shows)
            moment = terminal.settle()
            self.memory.setdefault(command, []).append(terminal.memory() / MIB)
            return moment.cpu * 1e3


@contextmanager
def desk() -> Iterator[Desk]:
    """Give a desk on which all that is to be started has been started once, so it is compiled."""
    _compile()
    with tempfile.TemporaryDirectory() as folder:
        yield Desk(Path(folder))


@cache
def _compile() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Desk(Path(folder)).cpu(FLOOR)
        Desk(Path(folder)).cpu((*CLIENT, "--demo"), shows="20 dice")
        Desk(Path(folder)).cpu(CLIENT)


def start(size: Size) -> Iterator[Row]:
    """Measure the first picture, and, for information, others that players meet early."""
    times = TIMES[size]
    with desk() as at, tempfile.TemporaryDirectory() as home:
        bare, own = pairs(times, lambda: at.cpu(FLOOR), lambda: at.cpu(CLIENT))
        yield Row("client_start", "client: CPU to the first picture", "ms", bare, own, CPU)
        bare, own = tuple(at.memory[FLOOR]), tuple(at.memory[CLIENT])
        yield Row("client_start", "client: memory at the first picture", "MiB", bare, own, MEMORY)
        few = max(times // 2, 1)
        with our_server(Path(home)) as server:
            tables = (*CLIENT, f"127.0.0.1:{server.port}")
            bare, own = pairs(few, lambda: at.cpu(FLOOR), lambda: at.cpu(tables, "0 tables"))
        yield Row("client_start", "client: CPU to the tables of a server", "ms", bare, own)
        demo = (*CLIENT, "--demo")
        bare, own = pairs(few, lambda: at.cpu(FLOOR), lambda: at.cpu(demo, "20 dice"))
        note = "what its server takes, a process of its own, is not in it"
        yield Row("client_start", "client: CPU to a game of bots", "ms", bare, own, note=note)


def memory(size: Size) -> Iterator[Row]:
    """Measure the memory of a client that has played some rounds against bots."""
    few = max(TIMES[size] // 6, 1)
    with desk() as at:
        played = partial(_played, at, KEYS[size])
        bare, own = pairs(few, lambda: played(FLOOR), lambda: played(CLIENT))
    note = f"after {KEYS[size]} keys, which play a game against bots; the floor gets them too"
    yield Row("client_memory", "client: memory in a game", "MiB", bare, own, MEMORY, note)


def _played(at: Desk, keys: int, command: tuple[str, ...]) -> float:
    """Press Enter so often, and give what is in use then.

    That does it all: it chooses the game, bids what the picker holds, and goes on from reveals.
    """
    with at.open(command) as terminal:
        terminal.settle()
        for _key in range(keys):
            terminal.press("\r")
            terminal.listen(SECONDS_A_KEY)
        if command != FLOOR:
            terminal.until("cup")  # there is a game
            if b"wins" in terminal.written:
                raise RuntimeError("the game is over")
        return terminal.memory() / MIB


class Bidding:
    """Looks after a client in turn: bids what is picked, again where a key came before the turn
    was on the screen."""

    def __init__(self, terminal: Terminal) -> None:
        """Begin with a key."""
        self._terminal = terminal
        self._next = 0.0

    def __call__(self) -> None:
        """Read what was drawn, and press the key when it is time."""
        self._terminal.read(0.0)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + AGAIN
            self._terminal.press("\r")


def rest(size: Size) -> Iterator[Row]:
    """Measure a client at whose table somebody else is in turn, while the clock runs."""
    shares: list[float] = []
    with (
        desk() as at,
        tempfile.TemporaryDirectory() as home,
        our_server(Path(home)) as server,
        ExitStack() as at_hand,
    ):
        ana = at_hand.enter_context(closing(Opponent(server.port)))
        here = (f"127.0.0.1:{server.port}", "--table", f"{ana.table}", "--name", "Bo")
        with at.open((*CLIENT, *here)) as terminal:
            terminal.until(ana.NAME)
            terminal.settle()
            if not ana.begin(lambda: terminal.read(0.0)):
                ana.wait_for_turn(Bidding(terminal))
            terminal.listen(1.5)
            before = len(terminal.written)
            for seconds in SPANS[size]:
                began, spent = time.monotonic(), terminal.cpu()
                terminal.listen(seconds)
                shares.append((terminal.cpu() - spent) / (time.monotonic() - began) * 100)
            wrote = (len(terminal.written) - before) / sum(SPANS[size])
    if not wrote:
        raise RuntimeError("no clock was drawn")
    note = f"somebody else is in turn, and the clock was drawn each second: {wrote:.0f} bytes/s"
    what = "client: share of a core at rest"
    yield Row("client_rest", what, "%", (), tuple(shares), IDLE, note)
