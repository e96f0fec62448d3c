"""A server with honest dice, and clients with real models that check them.

Between server and client stands a `twist`, by default an honest one: it is the outermost place
where a lying server can be played, on whole messages as they come over the wire.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from perudo_client import happenings as h
from perudo_client.faults import Fault
from perudo_client.findings import Finding
from perudo_client.model import Model
from perudo_client.proving import Step
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol.fairness import Draw
from perudo_protocol.link import memory_links
from perudo_protocol.story import AnyEvent
from perudo_protocol.vocabulary import Phase

from .house import ChosenDice, HouseOfTests, Peer

Twist = Callable[[m.ServerMessage], Iterable[m.ServerMessage]]


class HonestDice(ChosenDice):
    """The throw for the start is chosen; the dice under the cups follow from the seeds."""

    def new_id(self) -> str:
        return f"8f3a{next(self._made):02x}"

    def hand(self, draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> Any:
        return fairness.dice(draw, seat, seed, mixed, number)


def honest(message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    """Pass everything on as it is."""
    return (message,)


class Client(Peer):
    """A peer whose messages go through a real model, twisted or not."""

    made = count(1)

    def __init__(self) -> None:
        super().__init__()
        number = next(self.made)
        self.drawn: list[bytes] = []
        self.number = number
        self.model = Model(self._entropy)
        self.twist: Twist = honest
        self.happened: list[h.Happening] = []
        self.steps: list[Step] = []
        self.opened_entropies: list[bytes] = []
        self.mute = False
        """Says nothing about the dice, as a client of old."""
        self.now = 0.0

    def _entropy(self) -> bytes:
        drawn = hashlib.sha256(b"share %d %d" % (self.number, len(self.drawn))).digest()
        self.drawn.append(drawn)
        return drawn

    def hear(self, message: m.ServerMessage) -> None:
        super().hear(message)
        for told in self.twist(message):
            self.take(told)

    def take(self, told: m.ServerMessage) -> None:
        """Give a message to the model, and say what it says."""
        self.happened += self.model.apply(told, self.now)
        self.steps += self.model.proving.steps
        for said in self.model.proving.outgoing:
            if isinstance(said, m.Entropy):
                self.opened_entropies.append(said.entropy)
            if not self.mute:
                self.send(said)

    def found(self) -> list[Finding]:
        """Give all that the check has found."""
        return [each.finding for each in self.happened if isinstance(each, h.DiceProven)]

    def faults(self) -> list[Fault]:
        """Give the faults among it."""
        return [finding for finding in self.found() if isinstance(finding, Fault)]


class FairHouse(HouseOfTests):
    """The real lobby with honest dice."""

    def __init__(self, dice: Sequence[int] = (), **settings: Any) -> None:
        super().__init__(dice, **settings)
        self.dice = HonestDice(dice)
        self.lobby.dice = self.dice

    def connect(self) -> Client:
        client = Client()
        memory_links(client, self.lobby.session(), self.clock.soon)
        self.clock.settle()
        return client

    def clients(self, *names: str, bots: int = 0, **options: Any) -> list[Client]:
        """Seat people and bots at a new table."""
        return [as_client(peer) for peer in self.table(*names, bots=bots, **options)]

    def begin(self, clients: Sequence[Client]) -> None:
        """Start, and deal the first round."""
        assert self.ask(clients[0], m.Start) == "done"
        self.go_on(clients)

    def go_on(self, clients: Sequence[Client]) -> None:
        """Have everybody ready, and wait until the next round is dealt."""
        self.ready(clients)
        for _wait in range(60):
            if clients[0].at.phase in (Phase.BIDDING, Phase.OVER):
                return
            self.clock.advance(0.5)
        raise AssertionError("nothing is dealt")

    def watcher(self, table: int, name: str = "Wanda") -> Client:
        """Let somebody watch."""
        client = as_client(self.peer(name))
        assert self.ask(client, m.Watch, table=table) == "done"
        return client

    def turn_of(self, clients: Sequence[Client]) -> Client | None:
        """Give whose turn it is, if it is one of these."""
        for client in clients:
            view = client.view
            if view is not None and view.turn is not None and view.turn.seat == view.my_seat:
                return client
        return None

    def play_round(self, clients: Sequence[Client]) -> None:
        """Bid once or twice and doubt, whoever is in turn; bots play for themselves."""
        for _ in range(200):
            view = clients[0].at
            if view.phase is not Phase.BIDDING:
                return
            mover = self.turn_of(clients)
            if mover is None:
                self.clock.advance(1)
                continue
            options = mover.at.options_for(mover.seat)
            if options.may_dudo and (len(view.ladder) >= 2 or not options.may_bid):
                assert self.act(mover, m.Dudo) == "done"
            else:
                face = next(f for f in range(6, 0, -1) if options.least[f - 1])
                assert self.bid(mover, options.least[face - 1], face) == "done"
        raise AssertionError("a round without end")

    def play_out(self, clients: Sequence[Client], rounds: int = 400) -> None:
        """Play the game to its end, or so many rounds of it."""
        for _ in range(rounds):
            self.play_round(clients)
            if clients[0].at.phase is Phase.OVER:
                return
            self.go_on(clients)


def as_client(peer: Peer) -> Client:
    """Say that a peer of a `FairHouse` is what it is."""
    assert isinstance(peer, Client)
    return peer


def told(message: m.ServerMessage, change: Callable[[AnyEvent], AnyEvent]) -> m.ServerMessage:
    """Give an update with its events changed; any other message as it is."""
    if not isinstance(message, m.Update):
        return message
    return replace(message, events=tuple(change(event) for event in message.events))
