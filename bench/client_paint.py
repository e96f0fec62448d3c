"""The client's drawing against bare Textual apps: a key, an update, all of it; bytes; a reveal.

Everything is seen from outside, at the end of a pseudo-terminal. Something is painted with the last
bytes that come before the terminal is quiet: at both sides the same, whatever is in a picture. The
client plays at a `Stage` in this process, so frames leave at a known moment.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from perudo_protocol.framing import frame

from .processes import BOUND, environment
from .rows import Goal, Row, Size, pairs
from .stage import NAMES, RUNGS, Stage
from .terminal import COLUMNS, LINES, Terminal

KEY, UPDATE, REPAINT = Goal(1.25), Goal(0.6), Goal(2.0)
BYTES, REVEAL = Goal(800, alone=True), Goal(15, alone=True)
TURNS = {Size.SMALLEST: 1, Size.QUICK: 2, Size.FULL: 15}
EACH = {Size.SMALLEST: 2, Size.QUICK: 3, Size.FULL: 24}
"""So many things are measured in a turn, of which the median is taken."""
QUIET = 0.06
"""A terminal that was quiet for so many seconds has been painted."""
WINDOW, WINDOWS = 0.25, {Size.SMALLEST: 4, Size.QUICK: 10, Size.FULL: 14}
"""Seconds in which the share of a core is taken, and how many of them one after the other: the
cups open in the first two seconds and a half, then it is read."""
LARGE = (120, 40)
RIGHT, LEFT = "\x1b[C", "\x1b[D"


@contextmanager
def floor(name: str, *words: str, columns: int = COLUMNS, lines: int = LINES) -> Iterator[Terminal]:
    """Run a bare app of `bench.floors`, and wait until it is painted."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", f"bench.floors.{name}", *words]
        with Terminal(command, environment(Path(home)), columns, lines) as terminal:
            terminal.until("\x1b[?1049h")
            terminal.settle()
            yield terminal


@contextmanager
def client(
    *words: str, columns: int = COLUMNS, lines: int = LINES
) -> Iterator[tuple[Terminal, Stage]]:
    """Run the client, lead it to a table, and deal a round."""
    stage = Stage()
    with tempfile.TemporaryDirectory() as home:
        where = (f"127.0.0.1:{stage.port}", "--name", NAMES[-1], "--games", "off")
        command = [sys.executable, "-m", "perudo_client", *where, *words]
        with Terminal(command, environment(Path(home)), columns, lines) as terminal:
            try:
                stage.admit()
                terminal.until(NAMES[0])
                terminal.settle()
                stage.deal()
                terminal.settle()
                yield terminal, stage
            finally:
                stage.close()


def painted(terminal: Terminal, act: Callable[[], float]) -> tuple[float, float, int]:
    """Do something, which gives its moment; give the milliseconds until it was painted, those of
    the processor, and the bytes that it took."""
    spent, written = terminal.cpu(), len(terminal.written)
    began = act()
    if terminal.read(BOUND) is None:  # on a busy machine it may begin late
        raise RuntimeError("nothing was painted")
    moment = terminal.settle(QUIET)
    return (moment.at - began) * 1e3, (moment.cpu - spent) * 1e3, moment.written - written


class Player:
    """What is measured of the client, each time at the next moment of its game."""

    def __init__(self, terminal: Terminal, stage: Stage) -> None:
        """Take a client at its table."""
        self.terminal, self._stage = terminal, stage
        self._rung = 0
        self.bytes: list[int] = []
        """What each bid of another took that did not make it our turn."""
        self.spent: list[float] = []
        """The milliseconds of processor time of the same."""
        self.turns: list[tuple[float, int]] = []
        """Milliseconds and bytes of those that did."""

    def go_to_turn(self) -> None:
        """Go on until it is the client's turn."""
        while not self._bid()[1]:
            pass

    def key(self, number: int) -> float:
        """Press a key in the bid picker, one way and back."""
        self._stage.ask()
        self.terminal.settle(QUIET)
        return painted(self.terminal, lambda: self.terminal.press((RIGHT, LEFT)[number % 2]))[0]

    def update(self, _number: int) -> float:
        """Tell the next bid."""
        while True:
            (took, spent, wrote), mine = self._bid()
            if not mine:
                self.bytes.append(wrote)
                self.spent.append(spent)
                return took
            self.turns.append((took, wrote))

    def repaint(self, _number: int) -> float:
        """Have all drawn again; gives the milliseconds of processor time."""
        self._stage.ask()
        self.terminal.settle(QUIET)
        return painted(self.terminal, lambda: continued(self.terminal))[1]

    def _bid(self) -> tuple[tuple[float, float, int], bool]:
        if self._rung == RUNGS:
            self._stage.deal()
            self._rung = 0
        self._rung += 1
        self._stage.ask()
        self.terminal.settle(QUIET)
        mine = False

        def act() -> float:
            nonlocal mine
            began, mine = self._stage.bid()
            return began

        return painted(self.terminal, act), mine


def continued(terminal: Terminal) -> float:
    """Continue a process as a shell does; it draws all of itself again."""
    now = time.monotonic()
    os.kill(terminal.pid, signal.SIGCONT)
    return now


def several(size: Size, once: Callable[[int], float]) -> Callable[[], float]:
    """Give the median of so many."""
    return lambda: median(once(number) for number in range(EACH[size]))


def keys(size: Size) -> Iterator[Row]:
    """A key in the bid picker, beside a key in an app that has only one line, which names it."""
    with floor("key_app") as bare, client() as (terminal, stage):
        player = Player(terminal, stage)
        player.go_to_turn()

        def floor_key(number: int) -> float:
            return painted(bare, lambda: bare.press((RIGHT, LEFT)[number % 2]))[0]

        with Driver() as driver:
            found = pairs(TURNS[size], several(size, floor_key), several(size, player.key))
    what = "client: a key in the bid picker to paint, p50"
    yield Row("client_keys", what, "ms", *found, KEY, driver.note)


def updates(size: Size) -> Iterator[Row]:
    """The bid of another, from the frame to the picture, beside one `Static.update`."""
    door = socket.create_server(("127.0.0.1", 0))
    with floor("static_app", str(door.getsockname()[1])) as bare, client() as (terminal, stage):
        door.settimeout(BOUND)
        line, _where = door.accept()
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        player = Player(terminal, stage)
        bare_spent: list[float] = []

        def floor_update(number: int) -> float:
            data = frame(table_text(number).encode())

            def act() -> float:
                now = time.monotonic()
                line.sendall(data)
                return now

            took, spent, _wrote = painted(bare, act)
            bare_spent.append(spent)
            return took

        with Driver() as driver:
            found = pairs(TURNS[size], several(size, floor_update), several(size, player.update))
        line.close()
    door.close()
    turns = sorted(took for took, _bytes in player.turns)
    mine = f"; one that makes it our turn takes {median(turns):.1f} ms" if turns else ""
    what = "client: an update to paint, p50"
    yield Row("client_updates", what, "ms", *found, UPDATE, driver.note + mine)
    spent = tuple(bare_spent), tuple(player.spent)
    yield Row("client_updates", "client: CPU from an update to its paint", "ms", *spent)
    yield from written(size, player, "80x24")
    with client(columns=LARGE[0], lines=LARGE[1]) as (terminal, stage):
        player = Player(terminal, stage)
        for number in range(EACH[size]):
            player.update(number)
    yield from written(size, player, "120x40")


def written(size: Size, player: Player, window: str) -> Iterator[Row]:
    """What updates took to write."""
    turns = [wrote for _took, wrote in player.turns]
    mine = f", {median(turns):.0f} for one that makes it our turn" if turns else ""
    note = f"{max(player.bytes)} at most in a round{mine}"
    figures = tuple(float(wrote) for wrote in player.bytes)
    what = f"client: bytes to the terminal for an update, {window}"
    yield Row("client_updates", what, "B", (), figures, BYTES, note)


def repaints(size: Size) -> Iterator[Row]:
    """All of the table, beside one widget that is drawn line by line and has as many cells."""
    for columns, lines in ((COLUMNS, LINES), LARGE):
        where = {"columns": columns, "lines": lines}
        with floor("lines_app", **where) as bare, client(**where) as (terminal, stage):
            player = Player(terminal, stage)
            player.go_to_turn()

            def floor_repaint(_number: int, bare: Terminal = bare) -> float:
                return painted(bare, lambda: continued(bare))[1]

            bare_once, own_once = several(size, floor_repaint), several(size, player.repaint)
            found = pairs(max(TURNS[size] // 2, 1), bare_once, own_once)
        what = f"client: CPU to draw the whole table, {columns}x{lines}"
        yield Row("client_repaints", what, "ms", *found, REPAINT)


def reveals(size: Size) -> Iterator[Row]:
    """The share of a core that the opening of the cups takes, window after window."""
    shares: list[float] = []
    for _turn in range(max(TURNS[size] // 3, 1)):
        with client("--motion") as (terminal, stage):
            for _bid in range(3):
                stage.bid()
                terminal.settle(QUIET)
            stage.call()
            spent, began = terminal.cpu(), time.monotonic()
            for window in range(1, WINDOWS[size] + 1):
                while (left := began + window * WINDOW - time.monotonic()) > 0:
                    terminal.read(left)
                spent, before = terminal.cpu(), spent
                shares.append((spent - before) / WINDOW * 100)
    note = (
        f"in the busiest of windows of {WINDOW * 1e3:.0f} ms; {median(shares):.1f} % in the median"
    )
    yield Row(
        "client_reveals",
        "client: share of a core in a reveal",
        "%",
        (),
        (max(shares),),
        REVEAL,
        note,
    )


class Driver:
    """How busy this process is, which reads the terminals."""

    def __enter__(self) -> Driver:
        self._spent, self._began = time.process_time(), time.monotonic()
        return self

    def __exit__(self, *_error: object) -> None:
        share = (time.process_time() - self._spent) / (time.monotonic() - self._began)
        self.note = f"the driver took {share:.1%} of a core"


def table_text(number: int) -> str:
    """Give text as large as the table on 80x24, a few words of which differ each time."""
    bid = f"{number % 30 + 1:>2} × [{number % 5 + 2}]"
    seats = [f"│   {name:<16} ■■■■■ 5           ││ {number + row:>2} {name:<16} {bid} │"
             for row, name in enumerate(NAMES)]  # fmt: skip
    return "\n".join((line * 3)[:COLUMNS] for line in (seats * 4)[:LINES])
