"""Guests of a real server who can come back: they have a key, and answer when asked for life."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.story import TurnSet
from perudo_protocol.version import VERSIONS
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase

from .servers import Caller, RunningServer

Got = TypeVar("Got", bound=m.ServerMessage)


class KeyedGuest:
    """One guest; what was heard is kept in `heard`."""

    _numbers = count(1)

    def __init__(self, name: str) -> None:
        self.name = name
        self.person = 0
        self.heard: list[m.ServerMessage] = []
        self._key = name.encode().ljust(returning.SIZE, b"-")
        self._caller: Caller | None = None

    def come(self, running: RunningServer) -> m.Welcome:
        """Come in."""
        self._caller = running.call()
        key = returning.hashed(self._key)
        self.send(m.Hello(versions=VERSIONS, client="test", name=self.name, key=key))
        welcome = self.hear(m.Welcome)
        self.person = welcome.person
        return welcome

    def come_back(self, running: RunningServer) -> TableView:
        """Come back to the table, at a server that knows it; give what is shown."""
        self._caller = running.call()
        ours = bytes(returning.SIZE)
        self.send(m.Resume(versions=VERSIONS, client="test", person=self.person, nonce=ours))
        nonce = self.hear(m.Nonce).nonce
        self.send(m.Prove(proof=returning.prove(self._key, self.person, ours, nonce)))
        assert self.hear(m.Welcome).resumed
        return self.hear(m.View).view

    def send(self, message: m.FromClient) -> None:
        """Say something."""
        assert self._caller is not None
        self._caller.send(message)

    def ask(self, make: Callable[[int], m.ClientMessage]) -> int:
        """Send a request with a new number, and give the number."""
        number = next(self._numbers)
        self.send(make(number))
        return number

    def do(self, make: Callable[[int], m.ClientMessage]) -> None:
        """Ask for something and see it done."""
        number = self.ask(make)
        self.hear(m.Done, lambda done: done.re == number)

    def hear(self, kind: type[Got], such: Callable[[Got], bool] = lambda _: True) -> Got:
        """Wait for a message of this kind; all that comes before it is kept too."""
        assert self._caller is not None
        while (message := self._caller.hear()) is not None:
            self.heard.append(message)
            if isinstance(message, m.Ping):
                self.send(m.Pong(now=message.now))
            if isinstance(message, kind) and such(message):
                return message
        raise AssertionError(f"{self.name} was left while waiting for {kind.__name__}")


def game_of_two(running: RunningServer, **options: bool | int | str) -> list[KeyedGuest]:
    """Seat Ana and Bia at a new table, and start; give them, who is in turn first."""
    ana, bia = KeyedGuest("Ana"), KeyedGuest("Bia")
    for guest in (ana, bia):
        guest.come(running)
    ana.do(lambda number: m.Make(id=number, name="Two", options=options))
    table = next(message.view.table for message in ana.heard if isinstance(message, m.View))
    bia.do(lambda number: m.Join(id=number, table=table))
    ana.do(lambda number: m.Start(id=number))
    for guest in (ana, bia):
        guest.hear(m.OwnHand)
    for seat, guest in enumerate((ana, bia)):
        if any(_gives_turn(message, seat) for message in ana.heard):
            return [guest, bia if guest is ana else ana]
    raise AssertionError("nobody is in turn")


def _gives_turn(message: m.ServerMessage, seat: int) -> bool:
    events = message.events if isinstance(message, m.Update) else ()
    return any(isinstance(event, TurnSet) and event.seat == seat for event in events)


def bid(quantity: int, number: int = 0) -> Callable[[int], m.PlaceBid]:
    """Make a bid of twos in the first round of the first game, when so many bids stand."""
    return lambda request: m.PlaceBid(
        id=request, game=1, round=1, number=number, quantity=quantity, face=2
    )


def in_first_round(view: TableView) -> bool:
    """Whether the first round is being bid."""
    return view.phase is Phase.BIDDING and view.round == 1
