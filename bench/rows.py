"""A row of the table: what was measured, against what, and whether its goal is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from statistics import median
from typing import NamedTuple


class Size(Enum):
    """How long to measure."""

    SMALLEST = "smallest"
    """Once, and as little as can be: it shows only that the case still runs."""
    QUICK = "quick"
    """All cases together end in two minutes."""
    FULL = "full"
    """What `RESULTS.md` quotes."""

    @property
    def slack(self) -> float:
        """Give the factor by which a goal may be missed, since little is measured."""
        return 1.0 if self is Size.FULL else 1.25


class Missing(Exception):
    """Something that a case needs is not on this machine; the text says what, and how to get it."""


class Goal(NamedTuple):
    """What is held to be good enough."""

    limit: float
    at_least: bool = False
    """Whether more is better, as with moves in a second."""
    alone: bool = False
    """Whether our own figure is judged, rather than its ratio to the floor."""

    def kept(self, value: float, slack: float = 1.0) -> bool:
        """Judge a value; what is no number keeps no goal."""
        if not math.isfinite(value):
            return False
        return value >= self.limit / slack if self.at_least else value <= self.limit * slack


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was measured, in pairs: the floor and ours in turn, as often as there is time.

    Where there is no floor, `floor` is empty. Where there is no goal, the row informs only.
    """

    case: str
    what: str
    unit: str
    floor: tuple[float, ...]
    ours: tuple[float, ...]
    goal: Goal | None = None
    note: str = ""
    """What a reader has to know to believe the row: how busy the driver was, and such."""

    @property
    def ratios(self) -> tuple[float, ...]:
        """Give ours through the floor, pair by pair."""
        if not self.floor:
            return ()
        return tuple(
            own / bare if bare else math.inf
            for bare, own in zip(self.floor, self.ours, strict=True)
        )

    @property
    def judged(self) -> float:
        """Give the figure that is held against the goal."""
        alone = self.goal is not None and self.goal.alone
        return median(self.ours if alone or not self.floor else self.ratios)

    def kept(self, size: Size) -> bool:
        """Say whether the goal is kept; a row without one always is."""
        return self.goal is None or self.goal.kept(self.judged, size.slack)

    def verdict(self, size: Size) -> str:
        """Say in words whether the goal is kept, and whether single turns say otherwise."""
        if self.goal is None:
            return ""
        single = self.ours if self.goal.alone or not self.floor else self.ratios
        agree = {self.goal.kept(value, size.slack) for value in single} == {self.kept(size)}
        word = "kept" if self.kept(size) else "NOT KEPT"
        return word if agree else f"{word}, not by all"


@dataclass(frozen=True, slots=True)
class Case:
    """Something that can be measured by its name; it may give several rows.

    `run` raises `Missing` when it cannot be done here.
    """

    name: str
    run: Callable[[Size], Iterator[Row]]
    seconds: float = 5.0
    """About how long its quick run takes."""


def pairs(
    times: int, floor: Callable[[], float], ours: Callable[[], float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Measure both in turn, so many times, each time the other one first: a machine that gets
    slower meanwhile then is as hard on one as on the other."""
    bare: list[float] = []
    own: list[float] = []
    for turn in range(times):
        for which in (bare, own) if turn % 2 == 0 else (own, bare):
            which.append(floor() if which is bare else ours())
    return tuple(bare), tuple(own)
