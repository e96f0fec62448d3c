"""What TLS costs: memory of an idle connection, processor time of a bid, time until the dice.

The floor is asyncio's own TLS under the bare fan-out: the same certificate, the same OpenSSL, the
same sizes.
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from perudo_protocol.codec import encode
from perudo_protocol.fairness import SIZE, promise
from perudo_protocol.messages import Entropy, Hello, OwnHand, Promise, SetReady
from perudo_protocol.story import Committed
from perudo_protocol.tls import client_context
from perudo_protocol.version import VERSIONS

from .evening import Evening, heard, told
from .load import Loaded, bare_process, busy, driven, our_process, take_turns
from .processes import BOUND, Running, settled
from .rows import Goal, Row, Size
from .scripted import Crowd

PEOPLE = 6
FIRST = 50
"""Idle connections that are there before it is counted what more of them take."""


def memory(size: Size) -> Iterator[Row]:
    """Measure what one more idle connection keeps of memory."""
    more = {Size.SMALLEST: 5, Size.QUICK: 150, Size.FULL: 600}[size]
    found: tuple[list[float], list[float]] = ([], [])
    for turn in range(3 if size is Size.FULL else 1):
        with standing() as both:
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                found[which].append(idle(both[which], more) / 1024)
    what = "TLS: memory of an idle connection, without a journal"
    note = f"private pages: what {more} more brought, after {FIRST}; ours have been greeted"
    yield Row(
        "tls_memory", what, "KiB", tuple(found[0]), tuple(found[1]), Goal(45, alone=True), note
    )


def bids(size: Size) -> Iterator[Row]:
    """Measure the processor time of a bid, all connections private."""
    tables = 2 if size is Size.SMALLEST else 100
    turns, many = {Size.SMALLEST: (1, 5), Size.QUICK: (1, 20), Size.FULL: (8, 60)}[size]
    with standing() as (floor, own), TemporaryDirectory(prefix="perudo-bench-") as name:
        home = Path(name)
        with (
            driven(floor, home, tables, PEOPLE, "--floor", "--tls") as bare,
            driven(own, home, tables, PEOPLE, "--tls") as ours,
        ):
            if size is not Size.SMALLEST:
                take_turns(1, (bare, ours), partial(Loaded.play, bids=many))
            found = take_turns(turns, (bare, ours), partial(Loaded.play, bids=many))
    figures = [tuple(window.cpu_a_bid for window in windows) for windows in found]
    what = f"TLS: CPU of a bid, {tables} tables of {PEOPLE}, without a journal"
    note = f"{busy(found[1])}; the floor: {busy(found[0])}"
    yield Row("tls_bids", what, "µs", figures[0], figures[1], Goal(1.3), note)


@contextmanager
def bare_tls(*options: str) -> Iterator[Running]:
    """Have the floor stand alone, with a certificate that our server has made."""
    with TemporaryDirectory(prefix="perudo-bench-") as name:
        home = Path(name)
        with our_process(home, "--tls", "--data", str(home), journal=False):
            pass
        files = ("--cert", str(home / "tls.pem"), "--key", str(home / "tls.pem"))
        with bare_process(home, PEOPLE, *files, *options) as process:
            yield process


@contextmanager
def standing() -> Iterator[tuple[Running, Running]]:
    """Have the floor and our server stand, both empty, with one certificate."""
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        home = Path(name)
        keep = ("--tls", "--data", str(home))
        own = stack.enter_context(our_process(home, *keep, journal=False))
        files = ("--cert", str(home / "tls.pem"), "--key", str(home / "tls.pem"))
        yield stack.enter_context(bare_process(home, PEOPLE, *files)), own


def idle(process: Running, more: int) -> float:
    """Give the bytes that one of so many more idle connections takes."""
    context = client_context()
    with ExitStack() as stack:
        for number in range(FIRST):
            stack.enter_context(_connected(process.port, context, number))
        settled(process)
        before = process.memory()
        for number in range(FIRST, FIRST + more):
            stack.enter_context(_connected(process.port, context, number))
        settled(process)
        return (process.memory() - before) / more


def _connected(port: int, context: ssl.SSLContext, number: int) -> ssl.SSLSocket:
    """Connect, greet, and hear something: the floor's answer, or ours."""
    sock = socket.create_connection(("127.0.0.1", port), BOUND)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or each waits for a late receipt
    private = context.wrap_socket(sock)
    private.sendall(encode(Hello(versions=VERSIONS, client="bench", name=f"G{number}")))
    if not private.recv(64 * 1024):
        raise RuntimeError("the connection was closed")
    return private


def deal(size: Size) -> Iterator[Row]:
    """Measure the time from the last `ready` until all six at a table have their dice.

    Everybody takes part in the draw, so there is one round trip more than between the two.
    """
    rounds = {Size.SMALLEST: 1, Size.QUICK: 10, Size.FULL: 100}[size]
    found = []
    for context, options in ((None, ()), (client_context(), ("--tls",))):
        with TemporaryDirectory(prefix="perudo-bench-") as name:
            home = Path(name)
            keep = ("--data", str(home), *options)
            with our_process(home, *keep) as server:
                found.append(_deals(Crowd(server.port, context), rounds))
    note = (
        "from the last `ready` to the last hand, with everybody's entropy; the floor: without TLS"
    )
    what = "TLS: time of a deal, six players, with the journal"
    yield Row("tls_deal", what, "ms", found[0], found[1], note=note)


def _deals(crowd: Crowd, rounds: int) -> tuple[float, ...]:
    evening = Promising(crowd, range(1), PEOPLE)
    (table,) = evening.tables
    while len(evening.took) < rounds:
        table.bid()  # without one nobody could doubt
        crowd.until(lambda: not any(guest.owed for guest in table.guests), "the bid")
        evening.another_round()
    crowd.close()
    return tuple(evening.took[:rounds])


class Promising(Evening):
    """One table at which everybody has a share in the dice."""

    def __init__(self, crowd: Crowd, numbers: range, people: int) -> None:
        """Have a first round dealt."""
        self.took: list[float] = []
        """Milliseconds that each deal took."""
        super().__init__(crowd, numbers, people)

    def _deal(self) -> None:
        (table,) = self.tables
        shares = [os.urandom(SIZE) for _ in table.guests]
        asked = SetReady(id=2 + 2 * table.round, game=table.game, round=table.round)
        for seat, (guest, share) in enumerate(zip(table.guests, shares, strict=True)):
            guest.inbox = []
            guest.send(encode(Promise(game=table.game, promise=promise(table.proof, seat, share))))
        *first, last = table.guests
        for guest in first:
            guest.ask(asked)
        self._answered(first)
        owing = dict(zip(table.guests, shares, strict=True))
        waiting = set(table.guests)

        def dealt() -> bool:
            for guest in [each for each in owing if told(each, Committed)]:
                moment = {"game": table.game, "round": table.round + 1, "attempt": 0}
                share = owing.pop(guest)
                guest.send(encode(Entropy(**moment, entropy=share, promise=bytes(SIZE))))
            for guest in [each for each in waiting if heard(each, OwnHand)]:
                waiting.discard(guest)
            return not waiting

        since = time.perf_counter()
        last.ask(asked)
        self.crowd.until(dealt, "the dice")
        self.took.append(1000 * (time.perf_counter() - since))
        self._answered(table.guests)
        self._climb()
