"""A key in one terminal to the change on the five others: six clients, a real server, real journal.

Beside it stands a floor of two processes: a key in a Textual app, sent to an echo, and shown in a
label. All terminals are read by this process. A change is there with the end of the next picture,
which Textual marks in both; the table has no clock, so nothing else draws one.
"""

from __future__ import annotations

import select
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from perudo_protocol.codec import encode
from perudo_protocol.messages import Hello, Leave, Make, ServerMessage, Update, View
from perudo_protocol.returning import hashed
from perudo_protocol.story import People
from perudo_protocol.version import VERSIONS

from .client_paint import Driver
from .client_paint import floor as app
from .processes import BOUND, environment, floor, our_server
from .rows import Row, Size
from .scripted import Crowd
from .terminal import END_OF_PICTURE, Terminal

NAMES = ("Ana", "Bia", "Caio", "Duda", "Edu", "Fabi")
KEYS = {Size.SMALLEST: 2, Size.QUICK: 6, Size.FULL: 100}
"""So many bids are made, fewer than a round of thirty dice has room for."""
QUIET = 0.12
OPTIONS: dict[str, bool | int | str] = {"turn_seconds": 0, "max_players": 7, "palifico": "off"}
TURN, OVER = b"\x1b]0;Your turn", b"\x1b]0;Perudo"
"""What a client writes into the window's title."""


def whole(size: Size) -> Iterator[Row]:
    """Measure both in turn, key by key."""
    bare: list[float] = []
    last: list[float] = []
    each: list[float] = []
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        echo = stack.enter_context(floor("echo", home))
        label = stack.enter_context(app("echo_app", str(echo.port)))
        server = stack.enter_context(our_server(home))
        terminals = _seated(stack, home, server.port)
        _begin(terminals)
        with Driver() as driver:
            for _key in range(KEYS[size]):
                bare += _changed(label, [label], "x")
                _settle([label, *terminals])
                player = _in_turn(terminals)
                found = _changed(player, [each for each in terminals if each is not player], "\r")
                _settle(terminals)
                last.append(max(found))
                each += found
    note = (
        f"the last of five; any of them: p50 {median(each):.1f} ms, the first "
        f"{min(each):.1f} ms at the least. Seven processes share the cores; {driver.note}"
    )
    for name, share in (("p50", 50), ("p99", 99)):
        what = f"whole: a key to the change on five others, {name}"
        floor_figure, figure = _quantile(bare, share), _quantile(last, share)
        yield Row("whole", what, "ms", (floor_figure,), (figure,), note=note)
        note = ""


def _quantile(values: Sequence[float], share: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def _seated(stack: ExitStack, home: Path, port: int) -> list[Terminal]:
    """Open a table and six clients at it; who opened it goes."""
    crowd = Crowd(port)
    stack.callback(crowd.close)
    host = crowd.connect()
    heard: list[ServerMessage] = []
    host.inbox = heard
    name = "Host"
    host.send(encode(Hello(versions=VERSIONS, client="bench", name=name, key=hashed(b"host"))))
    host.ask(Make(id=1, name="bench", options=OPTIONS))
    crowd.until(lambda: any(isinstance(each, View) for each in heard), "a table")
    table = next(each.view.table for each in heard if isinstance(each, View))
    terminals = []
    for who in NAMES:
        own = home / who
        own.mkdir()
        where = (f"127.0.0.1:{port}", "--table", f"{table}", "--name", who, "--no-motion")
        command = [sys.executable, "-m", "perudo_client", *where]
        terminals.append(stack.enter_context(Terminal(command, environment(own))))

    def all_there() -> bool:
        for terminal in terminals:
            terminal.read(0.0)
        told = [event for each in heard if isinstance(each, Update) for event in each.events]
        lists = [event.seats for event in told if isinstance(event, People)]
        return bool(lists) and len(lists[-1]) == len(NAMES) + 1

    crowd.until(all_there, "six clients")
    _settle(terminals, 0.5)
    host.ask(Leave(id=2))
    crowd.until(lambda: not host.owed, "an answer")
    _settle(terminals, 0.5)
    return terminals


def _begin(terminals: Sequence[Terminal]) -> None:
    """Have whoever is host now start the game, and go on from the throw."""
    for terminal in terminals:
        terminal.press("s")
    _settle(terminals, 0.5)
    end = time.monotonic() + BOUND
    while not any(map(_is_in_turn, terminals)):
        for terminal in terminals:
            terminal.press(" ")  # reads the throw, or hides the dice
        _settle(terminals, 0.5)
        if time.monotonic() > end:
            raise RuntimeError(f"no game began: {bytes(terminals[0].written[-2000:])!r}")


def _is_in_turn(terminal: Terminal) -> bool:
    return terminal.written.rfind(TURN) > terminal.written.rfind(OVER)


def _in_turn(terminals: Sequence[Terminal]) -> Terminal:
    end = time.monotonic() + BOUND
    while time.monotonic() < end:
        for terminal in terminals:
            if _is_in_turn(terminal):
                return terminal
        _settle(terminals)
    raise RuntimeError("nobody is in turn")


def _changed(where: Terminal, others: Sequence[Terminal], key: str) -> list[float]:
    """Press a key in a terminal; give the milliseconds until the others had changed."""
    marks = {other: len(other.written) for other in others}
    found: list[float] = []
    began = where.press(key)
    end = began + BOUND
    while marks:
        ready, _, _ = select.select({where, *marks}, [], [], max(end - time.monotonic(), 0.0))
        if not ready:
            raise RuntimeError("a key changed nothing")
        for terminal in ready:
            moment = terminal.read(0.0)
            if moment is None or terminal not in marks:
                continue
            if terminal.written.find(END_OF_PICTURE, marks[terminal]) >= 0:
                found.append((moment.at - began) * 1e3)
                del marks[terminal]
    return found


def _settle(terminals: Sequence[Terminal], quiet: float = QUIET) -> None:
    """Read all until nothing has come for so many seconds."""
    while ready := select.select(terminals, [], [], quiet)[0]:
        for terminal in ready:
            terminal.read(0.0)
