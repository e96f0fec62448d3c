"""What `scale_sim` is fed with: figures of a full run of the bench, each with the row it is from.

Where a row is missing, a figure is assumed, and said to be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("figures.json")
"""What `python -m bench --json` has written."""

Row = Mapping[str, Any]
SCALE = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "B": 1.0, "KiB": 1024.0, "MiB": 1024.0**2}
BYTES = ("memory of a connection", "journal of a game")
FRAMES_OF_A_BID = 7
"""Six updates and an answer."""


class Figure(NamedTuple):
    """One figure: its value in seconds or bytes, and where it is from."""

    name: str
    value: float
    source: str


class Wanted(NamedTuple):
    """A figure that is wanted, the row that has it, and what is assumed without one."""

    name: str
    case: str
    pattern: str
    """Of the row's name."""
    assumed: float
    which: Callable[[float, float], float] = lambda floor, ours: ours
    """Of the row's medians: ours, the floor, or what lies between."""
    share: Callable[[Row], float] = lambda row: 1.0
    """Of the row's figure."""


def _part(row: Row, many: str) -> float:
    """Give the share of one, where the row's name says of how many it tells."""
    found = re.search(many, row["what"])
    return 1 / float(found[1]) if found else 1.0


WANTED = (
    Wanted("CPU of a bid", "bids", r"CPU of a bid.*with the journal", 300e-6),
    Wanted(
        "CPU of a frame to one client",
        "bids",
        r"CPU of a bid.*with the journal",
        8e-6,
        which=lambda floor, ours: floor,
        share=lambda row: 1 / FRAMES_OF_A_BID,
    ),
    Wanted("memory of a connection", "memory", r"memory of a seated connection", 24 * 1024.0),
    Wanted(
        "CPU of one who comes back",
        "returning",
        r"with the journal, CPU",
        0.8e-3,
        share=lambda row: _part(row, r"(\d+) players"),
    ),
    Wanted(
        "wait for a commit",
        "journal",
        r"bid to last update.*p50, FULL",
        5e-3,
        which=lambda floor, ours: ours - floor,
    ),
    Wanted(
        "time to fold a game",
        "recovery",
        r"start to first answer",
        2e-3,
        which=lambda floor, ours: ours - floor,
        share=lambda row: _part(row, r"(\d+) going on"),
    ),
    Wanted("journal of a game", "sizes", r"bytes of a game, 6 people, \d+ dice$", 60 * 1024.0),
)


@dataclass(frozen=True)
class Figures:
    """All figures that the simulation needs, by name."""

    all: Mapping[str, Figure] = field(default_factory=dict)

    def __getitem__(self, name: str) -> float:
        """Give a figure's value, in seconds or bytes."""
        return self.all[name].value

    def lines(self) -> list[str]:
        """Say each figure and where it is from."""
        return [f"{each.name}: {shown(each)} ({each.source})" for each in self.all.values()]


def shown(figure: Figure) -> str:
    """Write a figure with a unit that suits it."""
    if figure.name in BYTES:
        return f"{figure.value / 1024:.1f} KiB"
    milli = figure.value * 1000
    return f"{milli:.2f} ms" if milli >= 1 else f"{milli * 1000:.0f} µs"


def read(file: Path | None = None) -> Figures:
    """Read the figures of a run; without a file, of `FILE` if it is there."""
    path = FILE if file is None else file
    rows: Sequence[Row] = []
    if file is not None or path.exists():
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return Figures({wanted.name: _figure(wanted, rows) for wanted in WANTED})


def _figure(wanted: Wanted, rows: Sequence[Row]) -> Figure:
    for row in rows:
        if row["case"] != wanted.case or not re.search(wanted.pattern, row["what"]):
            continue
        floor, ours = (median(row[whose] or (0.0,)) for whose in ("floor", "ours"))
        value = wanted.which(floor, ours)
        if value > 0 and row["unit"] in SCALE:
            value *= SCALE[row["unit"]] * wanted.share(row)
            return Figure(wanted.name, value, f"from {row['what']}")
    return Figure(wanted.name, wanted.assumed, "assumed: no such row")
