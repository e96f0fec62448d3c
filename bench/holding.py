"""Thousands of connections, and whether a bid then takes longer than among a few hundred."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from .load import Loaded, ours, punctual, take_turns
from .rows import Goal, Missing, Row, Size

PEOPLE = 6
RATE = 300
TABLES = {Size.SMALLEST: (1, 2), Size.QUICK: (15, 75), Size.FULL: (100, 834)}
"""Of a usual house, and of one that is full: 834 tables have 5 004 connections."""


def holding(size: Size) -> Iterator[Row]:
    """Measure the time from a bid to the last update at many tables, beside that at few."""
    few, many = TABLES[size]
    turns, seconds = {Size.SMALLEST: (1, 0.05), Size.QUICK: (2, 0.7), Size.FULL: (6, 4.0)}[size]
    allow_files(2 * many * PEOPLE)
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        runs = []
        for tables in (few, many):
            home = Path(name) / str(tables)
            home.mkdir()
            runs.append(stack.enter_context(ours(home, tables, PEOPLE, journal=False)))
        found = take_turns(turns, runs, partial(Loaded.pace, rate=RATE, seconds=seconds))
    what = f"server: bid to last update, {RATE} a second, {many * PEOPLE:,} connections, {many}"
    what += f" tables, against {few}"
    note = f"{punctual(found[1])}; with few: {punctual(found[0])}"
    for quantile, goal in (("p99", Goal(3.0)), ("p50", None)):
        bare, own = (tuple(1e6 * w.waits[quantile] for w in windows) for windows in found)
        yield Row("holding", f"{what}, {quantile}, without a journal", "µs", bare, own, goal, note)
        note = ""


def allow_files(wanted: int) -> None:
    """Allow this process and its children so many open files; raises `Missing`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise Missing(f"{wanted} open files are needed, and only {hard} are allowed (ulimit -Hn)")
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
