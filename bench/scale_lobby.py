"""A hot lobby, in simulated time: everybody comes within a minute, looks, makes a table.

Which node a new table goes to is decided by what nodes tell of themselves once a second. What it
costs a node to have tables and people who look is what was measured; how long a bid then waits is
the formula for one server with a queue (Pollaczek and Khinchin; each bid takes as long as any
other, and so does each ping).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perudo_protocol.codec import encode
from perudo_protocol.framing import TO_CLIENT
from perudo_protocol.messages import TableLine, Tables
from perudo_server.listing import LISTS_A_SECOND, MOST_LISTED

from .scale_figures import Figures
from .scale_model import PEOPLE, PING, THINKING

RUSH = 60.0
"""Seconds in which all come."""
LOOKING = 10.0
"""Seconds that somebody looks at the list before sitting down."""
SHORT = 20
"""Tables in a list that nobody has to page through."""
LISTS = 2.0
"""Lists a second that each who looks gets, at the most; among thousands it is fewer."""
TOLD = 1.0
"""Seconds between two reports of a node on its load."""
FULL = 0.5
"""Share of a core that all nodes use in the end, if tables are spread evenly."""

Place = Callable[[Sequence[int], random.Random], int]
"""Gives the node of a new table, from how many tables each had when it last told."""


def where_they_come(_told: Sequence[int], _chance: random.Random) -> int:
    """Everybody knows one address, and nobody is sent on."""
    return 0


def least_of_all(told: Sequence[int], _chance: random.Random) -> int:
    """Send on to the node with the fewest; until the next report that is always the same one."""
    return min(range(len(told)), key=told.__getitem__)


def better_of_two(told: Sequence[int], chance: random.Random) -> int:
    """Send on to the better of two that are drawn."""
    one, two = chance.randrange(len(told)), chance.randrange(len(told))
    return one if told[one] <= told[two] else two


PLACES: tuple[tuple[str, Place], ...] = (
    ("where they come", where_they_come),
    ("fewest tables of all", least_of_all),
    ("fewer of two drawn", better_of_two),
)


@dataclass(frozen=True)
class Rush:
    """What came of it."""

    tables: int
    even: int
    """Tables of each node, spread evenly."""
    busiest: int
    """Tables of the node with the most."""
    share: float
    """Share of a core that this node would use; it has one."""
    memory: float
    """Bytes that the people at its tables keep there."""
    wait: float
    """Seconds that a bid waits there on average; infinite when there is more than can be done."""
    coming: float
    """Share of a core that a node would use in its busiest second for those who come to it."""


def share_of_table(figures: Figures) -> float:
    """Give the share of a core that a table takes: its bids, and the pings to its people."""
    bid, ping = figures["CPU of a bid"], figures["CPU of a ping and its pong"]
    return bid / THINKING + PEOPLE * ping / PING


def _wait(figures: Figures, tables: int) -> float:
    """Give the seconds that a bid waits for others and for pings; infinite if it is too much."""
    left = 1 - tables * share_of_table(figures)
    if left <= 0:
        return float("inf")
    bid, ping = figures["CPU of a bid"], figures["CPU of a ping and its pong"]
    return tables * (bid**2 / THINKING + PEOPLE * ping**2 / PING) / (2 * left)


def rush(figures: Figures, nodes: int, place: Place, seed: int) -> Rush:
    """Let everybody come."""
    one = share_of_table(figures)
    even = int(FULL / one)
    total = even * nodes
    chance = random.Random(f"{seed} {nodes}")
    tables = [0] * nodes
    told: Sequence[int] = tuple(tables)
    due, most = TOLD, 0
    for number in range(total):
        if number * RUSH / total >= due:
            most = max(most, *_new(told, tables))
            told, due = tuple(tables), due + TOLD
        tables[place(told, chance)] += 1
    most = max(most, *_new(told, tables))
    assert sum(tables) == total
    share, wait = max(tables) * one, _wait(figures, max(tables))
    memory = max(tables) * PEOPLE * figures["memory of a connection"]
    coming = most * PEOPLE * figures["CPU of one who comes back"] / TOLD
    return Rush(total, even, max(tables), share, memory, wait, coming)


def _new(told: Sequence[int], tables: Sequence[int]) -> list[int]:
    return [now - before for before, now in zip(told, tables, strict=True)]


@dataclass(frozen=True)
class Looking:
    """What it takes to show the list to all who look at it while everybody comes."""

    people: int
    """Who look at one time."""
    size: int
    """Bytes of a list."""
    rate: float
    """Bytes a second in all."""
    share: float
    """Share of a core in all, at what a short frame costs."""
    pause: float
    """Seconds between two lists to one of them, as our server has it: it sends fewer."""


def looking(figures: Figures, nodes: int, lines: int) -> Looking:
    """Show lists with so many tables at the most, to each who looks as often as to a few."""
    tables = int(FULL / share_of_table(figures)) * nodes
    people = int(tables * PEOPLE / RUSH * LOOKING)
    size = min(TO_CLIENT, min(tables, lines) * line_bytes())
    sent = people * LISTS
    share = sent * figures["CPU of a frame to one client"]
    pause = max(1 / LISTS, people // nodes // LISTS_A_SECOND)
    return Looking(people, size, sent * size, share, pause)


def lengths() -> tuple[int, ...]:
    """Give how long lists may be: as a frame holds, as our server has them, and short."""
    return TO_CLIENT // line_bytes(), MOST_LISTED, SHORT


def line_bytes() -> int:
    """Give the bytes of one table in the list."""
    line = TableLine(
        table=100_000,
        name="A table of friends",
        rules={},
        people=4,
        bots=0,
        seats=6,
        watchers=1,
        playing=True,
    )
    return len(encode(Tables(tables=(line, line)))) - len(encode(Tables(tables=(line,))))
