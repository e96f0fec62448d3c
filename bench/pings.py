"""What it costs a server that its people are there: each is asked for life, and answers.

A house asks every five seconds. Here it asks fifty times as often, so that there is enough to
measure, and that the processor's caches are as warm as in a house of tens of thousands of people.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .load import driven, our_process
from .rows import Row, Size

PEOPLE = 6
SECONDS = "0.1"
"""Between two pings of a connection."""


def pings(size: Size) -> Iterator[Row]:
    """Measure the processor time of a ping and its pong, while nobody at the tables does anything.

    There is no floor: a server that asked nobody would not notice who is gone.
    """
    tables, turns, seconds = {
        Size.SMALLEST: (1, 1, 0.3),
        Size.QUICK: (20, 1, 0.5),
        Size.FULL: (100, 5, 2.0),
    }[size]
    with TemporaryDirectory(prefix="perudo-bench-") as name:
        home = Path(name)
        with (
            our_process(home, PERUDO_PING_SECONDS=SECONDS) as server,
            driven(server, home, tables, PEOPLE) as loaded,
        ):
            found = [loaded.ask(do="rest", seconds=seconds) for _ in range(turns)]
    what = f"server: CPU of a ping and its pong, {tables * PEOPLE} seated people, with the journal"
    own = tuple(1e6 * turn["cpu"] / turn["pings"] for turn in found)
    yield Row("pings", what, "µs", (), own, note=_busy(found[-1]))


def _busy(turn: dict[str, Any]) -> str:
    rate, server, driver = (turn[of] / turn["seconds"] for of in ("pings", "cpu", "driver"))
    return f"{rate:,.0f} pings/s, server {server:.0%} of a core, driver {driver:.0%}"
