"""What a bid costs the server: processor time, latency, bytes, and the memory of those who wait.

All stand at the same time (the bare fan-out, our server without a journal and with one), and take
turns, so that whatever else the machine does meets all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .load import (
    Loaded,
    Window,
    bare,
    bare_process,
    busy,
    driven,
    our_process,
    ours,
    punctual,
    take_turns,
)
from .rows import Goal, Row, Size

PEOPLE = 6
TABLES = {Size.SMALLEST: 2, Size.QUICK: 100, Size.FULL: 100}
RATES = (300, 1500)
NAMES = ("without a journal", "with the journal")
CURVE = ((10, 6), (100, 6), (1000, 6), (100, 2), (100, 10))
"""Tables, and people at each, at which a full run measures what a bid costs."""


class Plan(NamedTuple):
    """How much is measured."""

    turns: int
    bids: int
    """At each table in a window at full speed."""
    paced: int
    """Windows at each rate."""
    seconds: float
    """Of such a window."""


PLANS = {
    Size.SMALLEST: Plan(1, 5, 1, 0.05),
    Size.QUICK: Plan(2, 20, 1, 0.5),
    Size.FULL: Plan(8, 60, 5, 2.0),
}


def bids(size: Size) -> Iterator[Row]:
    """Measure what a bid at one of a hundred tables takes."""
    plan, tables = PLANS[size], TABLES[size]
    with standing(tables, PEOPLE) as runs:
        if size is not Size.SMALLEST:
            take_turns(
                1, runs, partial(Loaded.play, bids=plan.bids)
            )  # what is made once is made now
        full = take_turns(plan.turns, runs, partial(Loaded.play, bids=plan.bids))
        paced = {
            rate: take_turns(
                plan.paced, runs, partial(Loaded.pace, rate=rate, seconds=plan.seconds)
            )
            for rate in RATES
        }
    where = f"{tables} tables of {PEOPLE}"
    yield from _cpu(f"server: CPU of a bid, {where}", full, (1.25, 1.5))
    for rate, found in paced.items():
        yield from _cpu(f"server: CPU of a bid, {where}, {rate} a second", found, (None, None))
        yield from _waits(f"server: bid to last update, {rate} a second", found)
    yield _bytes(full[0], full[1])


def _cpu(
    what: str, found: Sequence[list[Window]], limits: tuple[float | None, float | None]
) -> Iterator[Row]:
    figures = [tuple(window.cpu_a_bid for window in windows) for windows in found]
    for at, limit in enumerate(limits, 1):
        goal = None if limit is None else Goal(limit)
        note = f"{busy(found[at])}; the floor: {busy(found[0])}"
        name = f"{what}, {NAMES[at - 1]}"
        yield Row("bids", name, "µs", figures[0], figures[at], goal, note)


def _waits(what: str, found: Sequence[list[Window]]) -> Iterator[Row]:
    for at, limits in ((1, {"p50": 1.35, "p99": 1.3}), (2, {"p50": 2.0, "p99": 1.3})):
        note = f"{punctual(found[at])}; the floor: {punctual(found[0])}"
        for quantile, limit in limits.items():
            bare, own = (tuple(1e6 * w.waits[quantile] for w in found[n]) for n in (0, at))
            name = f"{what}, {quantile}, {NAMES[at - 1]}"
            yield Row("bids", name, "µs", bare, own, Goal(limit), note)
            note = ""


def _bytes(floor: list[Window], found: list[Window]) -> Row:
    note = "the request, its answer, an update to each of six, with their lengths; the floor: "
    note += f"{median(w.wire for w in floor):.0f} B"
    own = tuple(w.wire for w in found)
    return Row(
        "bids", "wire: bytes of a bid, six players", "B", (), own, Goal(400, alone=True), note
    )


def memory(size: Size) -> Iterator[Row]:
    """Measure what one more seated connection keeps of memory, its share in a table and a game too.

    The difference of many and few, so that what a process needs anyway is not counted.
    """
    few, many = {Size.SMALLEST: (1, 12), Size.QUICK: (10, 60), Size.FULL: (20, 180)}[size]
    turns = 3 if size is Size.FULL else 1
    found: list[list[float]] = [[], [], []]
    for _ in range(turns):
        with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
            home = Path(name)
            runs = (
                (bare_process(home, PEOPLE), ("--floor",)),
                (our_process(home, journal=False), ()),
                (our_process(home), ()),
            )
            for figures, (start, options) in zip(found, runs, strict=True):
                process = stack.enter_context(start)
                stack.enter_context(driven(process, home, few, PEOPLE, *options))
                before = process.memory()
                more = (*options, "--first", str(few))
                stack.enter_context(driven(process, home, many, PEOPLE, *more))
                figures.append((process.memory() - before) / (many * PEOPLE) / 1024)
    note = f"private pages: what {many * PEOPLE} more brought, after {few * PEOPLE}"
    for at, name in enumerate(NAMES, 1):
        what = f"server: memory of a seated connection, {name}"
        yield Row("memory", what, "KiB", tuple(found[0]), tuple(found[at]), Goal(3.0), note)


def no_game(size: Size) -> Iterator[Row]:
    """Measure what is left of a bid's processor time when the game is cut out of our server."""
    turns, each, tables = {
        Size.SMALLEST: (1, 5, 2),
        Size.QUICK: (1, 10, 30),
        Size.FULL: (8, 60, 100),
    }[size]
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        runs = []
        for module in ("fan_out", "no_game"):
            home = Path(name) / module
            home.mkdir()
            runs.append(stack.enter_context(bare(home, tables, PEOPLE, module=module)))
        if size is not Size.SMALLEST:
            take_turns(1, runs, partial(Loaded.play, bids=each))
        found = take_turns(turns, runs, partial(Loaded.play, bids=each))
    what = f"server without a game: CPU of a bid, {tables} tables of {PEOPLE}"
    floor, own = (tuple(window.cpu_a_bid for window in windows) for windows in found)
    yield Row("no_game", what, "µs", floor, own, None, busy(found[1]))


def curve(size: Size) -> Iterator[Row]:
    """Measure the processor time of a bid over the number of tables, and of people at each."""
    turns, total = (3, 6000) if size is Size.FULL else (1, 1000)
    ladder = 25
    sizes = {Size.SMALLEST: ((2, 3),), Size.QUICK: ((10, 6), (100, 10)), Size.FULL: CURVE}[size]
    for tables, people in sizes:
        bids = 2 if size is Size.SMALLEST else max(6, min(ladder, total // tables))
        repeat = 1 if size is Size.SMALLEST else max(1, total // (tables * bids))
        with standing(tables, people, journal=False) as runs:
            if size is not Size.SMALLEST:
                take_turns(1, runs, partial(Loaded.play, bids=bids))
            found = take_turns(turns * repeat, runs, partial(Loaded.play, bids=bids))
        floor, own = (
            tuple(1e6 * sum(w.cpu for w in part) / sum(w.bids for w in part) for part in parts)
            for parts in (_parts(windows, repeat) for windows in found)
        )
        what = f"curve: CPU of a bid, {tables} tables of {people}, without a journal"
        yield Row("curve", what, "µs", floor, own, None, busy(found[1]))


def _parts(windows: list[Window], size: int) -> list[list[Window]]:
    return [windows[at : at + size] for at in range(0, len(windows), size)]


@contextmanager
def standing(tables: int, people: int, *, journal: bool = True) -> Iterator[list[Loaded]]:
    """Have all stand that take turns: the floor, ours without a journal, and with one."""
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        home = Path(name)
        runs = [
            stack.enter_context(bare(home, tables, people)),
            stack.enter_context(ours(home, tables, people, journal=False)),
        ]
        if journal:
            runs.append(stack.enter_context(ours(home, tables, people, journal=True)))
        yield runs
