"""What a bid costs the server: processor time, latency, bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from .load import Window, bare, ours
from .rows import Goal, Row, Size

PEOPLE = 6
TABLES = {Size.SMALLEST: 2, Size.QUICK: 100, Size.FULL: 100}


def cpu(size: Size) -> Iterator[Row]:
    """Measure the processor time of a bid, without a journal and with one, at full speed."""
    turns, bids = {Size.SMALLEST: (1, 5), Size.QUICK: (2, 60), Size.FULL: (8, 60)}[size]
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        home = Path(name)
        tables = TABLES[size]
        runs = [
            stack.enter_context(bare(home, tables, PEOPLE)),
            stack.enter_context(ours(home, tables, PEOPLE, journal=False)),
            stack.enter_context(ours(home, tables, PEOPLE, journal=True)),
        ]
        found: list[list[Window]] = [[], [], []]
        for run in runs if size is not Size.SMALLEST else ():
            run.play(bids)  # what is made at the first time only is made now
        for turn in range(turns):
            for which in (0, 1, 2) if turn % 2 == 0 else (2, 1, 0):
                found[which].append(runs[which].play(bids))
    figures = [tuple(window.cpu_a_bid for window in windows) for windows in found]
    what = f"server: CPU of a bid, {TABLES[size]} tables of {PEOPLE}"
    names = ("without a journal", "with the journal")
    for at, goal in ((1, 1.25), (2, 1.5)):
        yield Row(
            "bids",
            f"{what}, {names[at - 1]}",
            "µs",
            figures[0],
            figures[at],
            Goal(goal),
            f"{busy(found[at])}; the floor: {busy(found[0])}",
        )


def busy(windows: list[Window]) -> str:
    """Say how busy driver and server were, since a driver that is busier would hide the server."""
    driver = median(window.driver / window.seconds for window in windows)
    server = median(window.cpu / window.seconds for window in windows)
    rate = median(window.bids / window.seconds for window in windows)
    return (
        f"{rate:,.0f} bids a second, the server on its core {server:.0%} of the time,"
        f" the driver on its own {driver:.0%}"
    )
