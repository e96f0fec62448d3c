"""A server that says what it is told to say, to one client: so that a frame goes out at a known
moment, and nobody's judging is in a client's figures.

It runs in the driver's own process. It speaks the real protocol, and what it tells is a game of six
as a server tells it: rounds are dealt, bids rise, the turn goes round; the client sits last.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

from perudo_protocol.codec import encode
from perudo_protocol.messages import FromServer, OwnHand, Ping, Tables, Update, View, Welcome
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.story import BidPlaced, Called, Dealt, DieLost, NextSet, TurnSet
from perudo_protocol.views import SeatView, TableView
from perudo_protocol.vocabulary import Bid, Call, Phase, Player

from .processes import BOUND

NAMES = ("Ana", "Bia", "Caio", "Duda", "Edu", "João")
ME, SEATS, DICE, MOST = 11, 6, 5, 30
HAND = (1, 2, 2, 4, 6)
ALIVE_SECONDS = 2.0
"""So often the client is asked whether it is there; after eight seconds of nothing it would go."""
FACES = (2, 3, 4, 5, 6)
RUNGS = 24
"""So many bids are made in a round; the ladder is then longer than there is room for on a small
screen, and shorter on a large one."""


class Stage:
    """One client's server."""

    def __init__(self) -> None:
        """Listen on a free port of the loopback."""
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._sock: socket.socket | None = None
        self._revision = 1
        self._round = 1
        self._asked = 0.0
        self._story = self._bids()

    def admit(self) -> None:
        """Wait for the client, greet it, and lead it to the table."""
        self._door.settimeout(BOUND)
        self._sock, _where = self._door.accept()
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock.settimeout(BOUND)
        self._sock.recv(1 << 16)  # its greeting
        greeting = Welcome(
            version=1, server="bench", name="bench", person=ME, you=NAMES[-1], now=self._now()
        )
        self._say(greeting, Tables(tables=()), View(view=self._table()))

    def close(self) -> None:
        """End."""
        self._door.close()
        if self._sock is not None:
            self._sock.close()

    def bid(self) -> tuple[float, bool]:
        """Tell the next bid; gives the moment just before, and whether the client's turn comes.

        Before the first of a round, call `deal`.
        """
        update, mine = next(self._story)
        frame = encode(update)
        assert self._sock is not None
        now = time.monotonic()
        self._sock.sendall(frame)
        return now, mine

    def deal(self) -> None:
        """Begin a round, which Ana opens."""
        self._round += 1
        self._story = self._bids()
        opening = (Dealt(self._round, 0, False), self._turn(0, None))
        hand = OwnHand(round=self._round, dice=HAND)
        self._say(self._update(*opening), hand)

    def call(self) -> None:
        """Doubt the bid that stands; all cups are opened."""
        cups = ((1, 3, 4, 6, 6), (3, 4, 5, 5, 2), (1, 5, 5, 2, 2), (2, 3, 3, 6, 4), (4, 4, 1, 2, 6))
        called = Called(1, Call.DUDO, 6, False, (*cups, HAND))
        then = NextSet(1, False, self._now() + 60_000)
        self._say(self._update(called, DieLost(1), then))

    def ask(self) -> None:
        """Ask the client whether it is there, if that was long ago."""
        if time.monotonic() - self._asked > ALIVE_SECONDS:
            self._asked = time.monotonic()
            self._say(Ping(now=self._now()))

    def _say(self, *messages: FromServer) -> None:
        assert self._sock is not None
        self._sock.sendall(b"".join(map(encode, messages)))

    def _bids(self) -> Iterator[tuple[Update, bool]]:
        for rung in range(10_000):
            bid = Bid(1 + rung // len(FACES) % MOST, FACES[rung % len(FACES)])
            after = (rung + 1) % SEATS
            placed = BidPlaced(rung % SEATS, bid)
            yield self._update(placed, self._turn(after, bid)), after == SEATS - 1

    def _update(self, *events: BidPlaced | Called | Dealt | DieLost | NextSet | TurnSet) -> Update:
        self._revision += 1
        return Update(rev=self._revision, events=events)

    def _turn(self, seat: int, standing: Bid | None) -> TurnSet:
        least = [0, *(1 for _face in FACES)]
        if standing is not None:
            same, more = standing.quantity, standing.quantity + 1
            least = [(more + 1) // 2, *(same if face > standing.face else more for face in FACES)]
        calls = (seat,) if standing is not None else ()
        until = self._now() + 600_000
        return TurnSet(seat, until, tuple(least), (MOST,) * SEATS, calls, calls)

    def _table(self) -> TableView:
        people = [*range(100, 100 + SEATS - 1), ME]
        seats = tuple(
            SeatView(name=name, player=Player.PERSON, person=person, dice=DICE)
            for name, person in zip(NAMES, people, strict=True)
        )
        return TableView(
            table=1,
            name="bench",
            rules=to_wire(STANDARD),
            rev=self._revision,
            host=people[0],
            seats=seats,
            phase=Phase.BIDDING,
            game=1,
            round=self._round,
            opener=0,
            you=ME,
            hand=HAND,
        )

    @staticmethod
    def _now() -> int:
        return int(time.monotonic() * 1000)
