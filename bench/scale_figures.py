"""What `scale_sim` is fed with: figures of a full run of the bench, each with the row it is from.

Where a row is missing, a figure is assumed, and said to be.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, cast

FILE = Path(__file__).with_name("figures.json")
"""What `python -m bench --json` has written."""

Row = Mapping[str, Any]
SCALE = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "B": 1.0, "KiB": 1024.0, "MiB": 1024.0**2}
BYTES = ("memory of a connection", "memory of an idle connection, TLS", "journal of a game")
FRAMES_OF_A_BID = 7
"""Six updates and an answer."""


class Unreadable(Exception):
    """A file has no figures; the text says which file, and why."""


class Which(Enum):
    """Which of a row's medians a figure is, and how that is said."""

    OURS = "from"
    FLOOR = "from the floor of"
    BETWEEN = "what lies between floor and ours of"

    def of(self, floor: float, ours: float) -> float:
        """Give it."""
        return {Which.OURS: ours, Which.FLOOR: floor, Which.BETWEEN: ours - floor}[self]


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
    which: Which = Which.OURS
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
        which=Which.FLOOR,
        share=lambda row: 1 / FRAMES_OF_A_BID,
    ),
    Wanted("CPU of a ping and its pong", "pings", r"CPU of a ping and its pong", 50e-6),
    Wanted(
        "memory of a connection",
        "memory",
        r"memory of a seated connection, with the journal",
        24 * 1024.0,
    ),
    Wanted(
        "memory of an idle connection, TLS",
        "tls_memory",
        r"TLS: memory of an idle connection",
        45 * 1024.0,
    ),
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
        which=Which.BETWEEN,
    ),
    Wanted(
        "time to fold a game",
        "recovery",
        r"start to first answer",
        2e-3,
        which=Which.BETWEEN,
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
    """Read the figures of a run; without a file, of `FILE` if it is there; raises `Unreadable`."""
    path = FILE if file is None else file
    rows: Sequence[Row] = []
    if file is not None or path.exists():
        rows = _rows(path)
    return Figures({wanted.name: _figure(wanted, rows) for wanted in WANTED})


def _rows(path: Path) -> Sequence[Row]:
    """Read what `python -m bench --json` has written; raises `Unreadable`."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise Unreadable(f"{path} cannot be read: {wrong.strerror}") from None
    except (ValueError, RecursionError):
        raise Unreadable(f"no figures can be read from {path}: it is no JSON") from None
    rows = told.get("rows") if isinstance(told, dict) else None
    if not isinstance(rows, list):
        raise Unreadable(f"no figures can be read from {path}: it has no list of rows")
    for number, row in enumerate(rows, 1):
        if lacks := _lacks(row):
            raise Unreadable(f"no figures can be read from {path}: row {number} has no {lacks}")
    return rows


def _lacks(row: Any) -> str:
    """Say what a row has not that it must have."""
    has = row if isinstance(row, dict) else {}
    for name in ("case", "what", "unit"):
        if not isinstance(has.get(name), str):
            return f"text named '{name}'"
    for name in ("floor", "ours"):
        if not isinstance(has.get(name), list) or not all(map(_is_number, has[name])):
            return f"list of numbers named '{name}'"
    return ""


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(cast(float, value))


def _figure(wanted: Wanted, rows: Sequence[Row]) -> Figure:
    for row in rows:
        if row["case"] != wanted.case or not re.search(wanted.pattern, row["what"]):
            continue
        floor, ours = (median(row[whose] or (0.0,)) for whose in ("floor", "ours"))
        value = wanted.which.of(floor, ours)
        if value > 0 and row["unit"] in SCALE:
            value *= SCALE[row["unit"]] * wanted.share(row)
            return Figure(wanted.name, value, f"{wanted.which.value} {row['what']}")
    return Figure(wanted.name, wanted.assumed, "assumed: no such row")
