"""The driver of the server's acts, a process of its own: `python -m bench.driver`.

It seats its guests at a server (or connects them to a floor), says `ready`, and then does what each
line on its standard input asks for, answering with one line of figures. The time in which the
measured process worked is read here, right before the first bid and right after the last update.

    {"do": "play", "bids": n}        every table bids n times, each bid as soon as the last one is
                                     known to all
    {"do": "pace", "rate": r, "bids": n}
                                     n bids in all, r a second, at moments that hang on nothing
    {"do": "rest", "seconds": s}     nothing for so long, but for answering pings

Where the ladders are too short for that, a new round is dealt before.
"""

from __future__ import annotations

import argparse
import json
import random
import select
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from perudo_protocol.tls import client_context

from .evening import Evening, Table
from .processes import cpu_seconds
from .scripted import BOUND, Crowd

MOMENT = 0.05
"""So long, in seconds, the driver waits at the most for something to come."""


class Driver:
    """One crowd of guests, and what it measures."""

    def __init__(
        self, crowd: Crowd, pid: int, tables: list[Table], deal: Callable[[], None]
    ) -> None:
        """Bid at these tables, and watch this process; `deal` makes all ladders new."""
        self._crowd = crowd
        self._pid = pid
        self._tables = tables
        self._deal = deal

    def _see_that_there_are(self, rungs: int) -> None:
        if any(table.at + rungs > len(table.ladder) for table in self._tables):
            self._deal()

    def play(self, bids: int) -> dict[str, Any]:
        """Bid at all tables at once, so many times at each, as fast as it goes."""
        self._see_that_there_are(bids)
        first = {table: table.at for table in self._tables}
        until = {table: at + bids for table, at in first.items()}

        def go_on(table: Table, now: float) -> None:
            if table.at < until[table]:
                table.sent = now
                table.bid()

        def begin() -> float:
            for table in self._tables:
                if table.at == first[table]:
                    go_on(table, time.perf_counter())
            return MOMENT

        return self._measured(bids * len(self._tables), go_on, begin)

    def pace(self, rate: float, bids: int) -> dict[str, Any]:
        """Bid at one table after the other, at moments like those of people who know nothing of
        each other: so many a second on average, whether or not the server keeps up.

        A bid waits from its sending, which the system's timers make a little late, or from when it
        was due, if it was the server that held it up.
        """
        self._see_that_there_are(-(-bids // len(self._tables)))
        chance = random.Random(1)
        start, due = time.perf_counter() + 0.05, deque[float]()
        for _ in range(bids):
            due.append((due[-1] if due else 0.0) + chance.expovariate(rate))
        late: list[float] = []
        turn, held_up = 0, False

        def send_due() -> float:
            nonlocal turn, held_up
            while due and (now := time.perf_counter() - start) >= due[0]:
                table = self._tables[turn % len(self._tables)]
                if table.left:  # its last bid is not known to all yet
                    held_up = True
                    return MOMENT
                late.append(now - due[0])
                table.sent = start + (due[0] if held_up else now)
                due.popleft()
                table.bid()
                turn, held_up = turn + 1, False
            return max(0.0, due[0] - now) if due else MOMENT

        found = self._measured(bids, lambda table, now: None, send_due)
        return found | {"late": quantiles(late)}

    def rest(self, seconds: float) -> dict[str, Any]:
        """Do nothing for so long but answer pings."""
        crowd, pings = self._crowd, self._crowd.pings
        own, cpu, since = time.process_time(), cpu_seconds(self._pid), time.perf_counter()
        while (took := time.perf_counter() - since) < seconds:
            for _ in crowd.turn(min(MOMENT, seconds - took)):
                pass
        return {
            "pings": crowd.pings - pings,
            "seconds": took,
            "cpu": cpu_seconds(self._pid) - cpu,
            "driver": time.process_time() - own,
        }

    def _measured(
        self,
        bids: int,
        known: Callable[[Table, float], None],
        send: Callable[[], float],
    ) -> dict[str, Any]:
        """Run until so many bids are known to all; `known` hears of each. `send` sends what is due
        now, and says how long nothing will be."""
        tables, crowd, waits = self._tables, self._crowd, list[float]()
        went = crowd.went
        own, cpu, since = time.process_time(), cpu_seconds(self._pid), time.perf_counter()
        while len(waits) < bids:
            for guest, updates in crowd.turn(send()):
                if guest is None or not updates:
                    continue
                table = tables[guest.table]
                table.left -= updates
                if not table.left:
                    now = time.perf_counter()
                    waits.append(now - table.sent)
                    known(table, now)
            if time.perf_counter() - since > 4 * BOUND:
                raise RuntimeError(f"only {len(waits)} of {bids} bids came back")
        took = time.perf_counter() - since
        cpu, own = cpu_seconds(self._pid) - cpu, time.process_time() - own
        return {
            "bids": bids,
            "seconds": took,
            "cpu": cpu,
            "driver": own,
            "bytes": crowd.went - went,
            "waits": quantiles(waits),
        }


def quantiles(values: list[float]) -> dict[str, float]:
    """Give p50 and p99."""
    ordered = sorted(values)
    return {f"p{p}": ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in (50, 99)}


def floor_tables(crowd: Crowd, tables: int, people: int) -> list[Table]:
    """Connect the guests of a floor, which groups them as they come."""
    found = []
    for index in range(tables):
        guests = [crowd.connect() for _ in range(people)]
        for guest in guests:
            guest.table, guest.inbox = index, None
        found.append(Table(index, guests))
    return found


def serve(crowd: Crowd, driver: Driver) -> None:
    """Do what is asked, line by line, and hear the guests meanwhile, who are asked for life."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        asked = select.select([sys.stdin], [], [], 0)[0]
        if not asked:
            for _ in crowd.turn(0.2):
                pass
            continue
        line = sys.stdin.readline()
        if not line:
            return
        match json.loads(line):
            case {"do": "play", "bids": int(bids)}:
                found = driver.play(bids)
            case {"do": "pace", "rate": rate, "bids": int(bids)}:
                found = driver.pace(float(rate), bids)
            case {"do": "rest", "seconds": seconds}:
                found = driver.rest(float(seconds))
            case other:
                raise ValueError(f"nobody can do {other}")
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


def main() -> None:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pid", type=int, required=True, help="the process to be measured")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--people", type=int, default=6, help="at each table")
    parser.add_argument("--first", type=int, default=0, help="the first table's number, from 0")
    parser.add_argument("--floor", action="store_true", help="there is no game at that port")
    parser.add_argument("--tls", action="store_true")
    given = parser.parse_args()
    crowd = Crowd(given.port, client_context() if given.tls else None)
    crowd.also(sys.stdin.fileno())
    if given.floor:
        tables = floor_tables(crowd, given.tables, given.people)

        def deal() -> None:
            for table in tables:
                table.climb(6 * given.people)

        deal()
    else:
        numbers = range(given.first, given.first + given.tables)
        evening = Evening(crowd, numbers, given.people)
        tables = evening.tables
        deal = evening.another_round
    serve(crowd, Driver(crowd, given.pid, tables, deal))


if __name__ == "__main__":
    main()
