"""Tables of real Perudo for scripted clients: made, joined, started, and dealt round by round.

Guests have a key, as people have, so the server remembers their answers for them. They promise no
entropy: it is asked for between the bids, which alone are measured.
"""

from __future__ import annotations

from itertools import count
from typing import TypeVar

from perudo_protocol.codec import encode
from perudo_protocol.messages import (
    Dudo,
    Hello,
    Join,
    Leave,
    Make,
    OwnHand,
    PlaceBid,
    SetReady,
    Start,
    Update,
    View,
    Welcome,
)
from perudo_protocol.returning import SIZE, hashed
from perudo_protocol.story import Started, TurnSet
from perudo_protocol.version import VERSIONS

from .scripted import Crowd, Guest

Kind = TypeVar("Kind")

DICE = 6
"""Dice that each begins with."""
OPTIONS: dict[str, bool | int | str] = {"start_dice": DICE, "palifico": "off", "turn_seconds": 600}
"""Long ladders, and nobody's time runs out while another server is measured."""
ROUNDS = DICE - 1
"""So many rounds for sure nobody is out of the game, and the turn goes round."""


class Table:
    """One table of guests, and the ladder of bids that they are to climb."""

    def __init__(self, index: int, guests: list[Guest]) -> None:
        """Seat these, in this order."""
        self.index = index
        self.guests = guests
        self.game = self.round = 0
        self.proof = ""
        """The game's name in the hashes of its dice."""
        self.opener = 0
        self.ladder: list[bytes] = []
        """The frames of all bids of this round, from the lowest."""
        self.at = 0
        """How many of them have been sent."""
        self.left = 0
        """So many updates of the last one have not come."""
        self.sent = 0.0
        self._ids = count(1_000)

    def climb(self, dice: int) -> None:
        """Write out the ladder of a new round: every bid on a face that is not wild."""
        self.at = 0
        rungs = [(quantity, face) for quantity in range(1, dice + 1) for face in range(2, 7)]
        stamp = {"game": self.game, "round": self.round}
        self.ladder = [
            encode(PlaceBid(id=next(self._ids), **stamp, number=number, quantity=q, face=face))
            for number, (q, face) in enumerate(rungs)
        ]

    def bidder(self) -> Guest:
        """Give the guest in turn."""
        return self.guests[(self.opener + self.at) % len(self.guests)]

    def bid(self) -> None:
        """Send the next bid."""
        guest = self.bidder()
        guest.owed += 1
        guest.send(self.ladder[self.at])
        self.at += 1
        self.left = len(self.guests)


class Evening:
    """All tables of one crowd at a Perudo server."""

    def __init__(self, crowd: Crowd, numbers: range, people: int) -> None:
        """Let everybody in, and open tables with these numbers, with a first round dealt."""
        self.crowd = crowd
        self.rounds = 0
        self.tables = [
            Table(at, self._greet(at, number, people)) for at, number in enumerate(numbers)
        ]
        self._names = [f"T{number}" for number in numbers]
        self._begin()

    def another_round(self) -> None:
        """Play the round to its end, and have the next one dealt, or a new game begun."""
        self._call()
        if self.rounds < ROUNDS:
            self._deal()
            return
        for guest in self._guests():
            guest.ask(Leave(id=1))
        self._answered(self._guests())
        self._begin()

    def _greet(self, at: int, number: int, people: int) -> list[Guest]:
        guests = [self.crowd.connect() for _ in range(people)]
        for seat, guest in enumerate(guests):
            guest.name, guest.table = f"t{number}s{seat}", at
            key = hashed(key_of(guest.name))
            guest.send(encode(Hello(versions=VERSIONS, client="bench", name=guest.name, key=key)))
            self._heard([guest], Welcome)
            guest.person = next(w.person for w in guest.inbox or () if isinstance(w, Welcome))
        return guests

    def _begin(self) -> None:
        """Open all tables, and start a game at each."""
        self.rounds = 0
        for table, name in zip(self.tables, self._names, strict=True):
            self._gather(table, name)
        for guest in self._guests():
            guest.inbox = []
        for table in self.tables:
            table.round = 0
            table.guests[0].ask(Start(id=1))
        self._answered(self._guests())
        for table in self.tables:
            started = told(table.guests[0], Started)[-1]
            table.game, table.proof = started.game, started.proof
        self._deal()

    def _gather(self, table: Table, name: str) -> None:
        host, *others = table.guests
        host.inbox = []
        host.ask(Make(id=0, name=name, options={**OPTIONS, "max_players": len(table.guests)}))
        self._answered([host])
        number = next(each.view.table for each in host.inbox or () if isinstance(each, View))
        for guest in others:
            guest.ask(Join(id=0, table=number))
            self._answered([guest])

    def _deal(self) -> None:
        """Say that all are ready, and wait until everybody has the next hand."""
        for guest in self._guests():
            guest.inbox = []
        for table in self.tables:
            for guest in table.guests:
                guest.ask(SetReady(id=2 + 2 * table.round, game=table.game, round=table.round))
        self._heard(self._guests(), OwnHand)
        self._answered(self._guests())
        self._climb()

    def _climb(self) -> None:
        """Be ready to bid: all have the next hand."""
        dice = DICE * len(self.tables[0].guests) - self.rounds
        self.rounds += 1
        for table in self.tables:
            table.round += 1
            table.opener = told(table.guests[0], TurnSet)[-1].seat
            table.climb(dice)
        for guest in self._guests():
            guest.inbox = None

    def _call(self) -> None:
        """End the round: whoever is in turn doubts."""
        for guest in self._guests():
            guest.inbox = []
        for table in self.tables:
            stamp = {"game": table.game, "round": table.round, "number": table.at}
            table.bidder().ask(Dudo(id=3 + 2 * table.round, **stamp))
        self._answered(self._guests())

    def _guests(self) -> list[Guest]:
        return [guest for table in self.tables for guest in table.guests]

    def _heard(self, guests: list[Guest], kind: type[OwnHand | Welcome]) -> None:
        """Wait until all these have heard a message of this kind."""
        waiting = guests

        def all_have() -> bool:
            waiting[:] = [each for each in waiting if not heard(each, kind)]
            return not waiting

        self.crowd.until(all_have, kind.__name__)

    def _answered(self, guests: list[Guest]) -> None:
        """Wait until these have had all their answers."""
        self.crowd.until(lambda: not any(guest.owed for guest in guests), "answers")


def key_of(name: str) -> bytes:
    """Give the key of a guest, by which one who was lost can come back."""
    return name.encode().ljust(SIZE)


def heard(guest: Guest, kind: type) -> bool:
    """Say whether a guest has heard a message of a kind."""
    return any(isinstance(each, kind) for each in guest.inbox or ())


def told(guest: Guest, kind: type[Kind]) -> list[Kind]:
    """Give the events of a kind that a guest has heard of."""
    updates = [each.events for each in guest.inbox or () if isinstance(each, Update)]
    return [event for events in updates for event in events if isinstance(event, kind)]
