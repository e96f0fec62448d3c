"""A server without sockets: the real lobby, peers on memory links, a held clock, chosen dice."""

from __future__ import annotations

import hashlib
import logging
from collections import deque
from collections.abc import Sequence
from itertools import count
from typing import Any, TypeVar

from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol.codec import decode_server, encode
from perudo_protocol.fairness import Draw
from perudo_protocol.framing import HEADER, TO_CLIENT, FrameReader
from perudo_protocol.link import Link, memory_links
from perudo_protocol.story import AnyEvent, fold_all, with_hand
from perudo_protocol.views import SeatView, TableView
from perudo_protocol.vocabulary import Phase
from perudo_server.lobby import Lobby
from perudo_server.settings import Settings
from perudo_server.table import Table

from .held_clock import HeldClock

Message = TypeVar("Message")


class ChosenDice:
    """Dice that fall as a test says: from a list, then 1, 2, 3, 4, 5, 6 over and over."""

    def __init__(self, faces: Sequence[int] = ()) -> None:
        self.faces = deque(faces)
        self._rest = count()
        self._made = count(1)

    def throw(self, number: int) -> tuple[int, ...]:
        return tuple(self._next() for _ in range(number))

    def pick(self, seats: Sequence[int]) -> int:
        return seats[self._next() % len(seats)]

    def new_id(self) -> str:
        return f"{next(self._made):06x}"

    def seed(self) -> bytes:
        """Give a seed that no test can mistake for another."""
        return hashlib.sha256(b"seed %d" % next(self._made)).digest()

    def hand(self, draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> Any:
        """Give the dice that were chosen: whoever checks them finds that they were."""
        return self.throw(number)

    def _next(self) -> int:
        return self.faces.popleft() if self.faces else next(self._rest) % 6 + 1


class Peer:
    """A client at the other end of a link: keeps every message, and folds its view."""

    def __init__(self) -> None:
        self.heard: list[m.ServerMessage] = []
        self.frames: list[bytes] = []
        self.view: TableView | None = None
        self.link: Link | None = None
        self.is_lost = False
        self.answers_pings = True
        self._reader = FrameReader(TO_CLIENT)
        self._ids = count(1)

    def opened(self, link: Link) -> None:
        self.link = link

    def received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (payload := self._reader.next()) is not None:
            self.frames.append(len(payload).to_bytes(HEADER, "big") + payload)
            self.hear(decode_server(payload))

    def hear(self, message: m.ServerMessage) -> None:
        self.heard.append(message)
        match message:
            case m.View(view=view):
                self.view = view
            case m.Update(rev=rev, events=events) if self.view is not None:
                assert rev == self.view.rev + 1
                self.view = replace(fold_all(self.view, events), rev=rev)
            case m.OwnHand(dice=dice, seed=seed) if self.view is not None:
                self.view = with_hand(self.view, dice, seed)
            case m.Away():
                self.view = None
            case m.Ping(now=now) if self.answers_pings:
                self.send(m.Pong(now=now))

    def drained(self) -> None:
        pass

    def lost(self) -> None:
        self.is_lost = True

    def send(self, message: m.FromClient) -> None:
        assert self.link is not None
        self.link.write(encode(message))

    def all(self, kind: type[Message]) -> list[Message]:
        """Give all messages of one kind, in order."""
        return [message for message in self.heard if isinstance(message, kind)]

    def last(self, kind: type[Message]) -> Message:
        """Give the newest message of one kind."""
        return self.all(kind)[-1]

    def events(self) -> list[AnyEvent]:
        """Give the whole public story as it was told."""
        return [event for update in self.all(m.Update) for event in update.events]

    @property
    def at(self) -> TableView:
        """The view of the table where this peer is."""
        assert self.view is not None
        return self.view

    @property
    def seat(self) -> int:
        return self.at.my_seat

    @property
    def mine(self) -> SeatView:
        return self.at.seats[self.seat]

    def stamp(self) -> dict[str, int]:
        """Give what an act must name now."""
        return {"game": self.at.game, "round": self.at.round, "number": len(self.at.ladder)}

    def new_id(self) -> int:
        return next(self._ids)


def phase(peer: Peer) -> Phase:
    """Give the phase of a peer's table as it is now."""
    return peer.at.phase


PLENTY = (
    *("frame_burst", "act_burst", "move_burst", "chat_burst"),
    *("connections_per_address", "call_burst"),
)
"""Limits that only the tests of limits meet."""


class HouseOfTests:
    """A lobby and its surroundings; everything that is asked is carried out before it returns."""

    def __init__(self, dice: Sequence[int] = (), **settings: Any) -> None:
        self.clock = HeldClock()
        self.dice = ChosenDice(dice)
        plenty = dict.fromkeys(PLENTY, 100_000)
        given = {"bot_seconds": 0.0, "list_seconds": 0.0, **plenty, **settings}
        self.log = logging.getLogger("perudo.test")
        self.lobby = Lobby(Settings(**given), self.clock, self.dice, self.log)

    def new_peer(self) -> Peer:
        """Make the other end of a link."""
        return Peer()

    def connect(self) -> Peer:
        """Open a link, and say nothing yet."""
        peer = self.new_peer()
        memory_links(peer, self.lobby.session(), self.clock.soon)
        self.clock.settle()
        return peer

    def peer(self, name: str, bot: bool = False) -> Peer:
        """Let somebody in."""
        peer = self.connect()
        peer.send(m.Hello(versions=(1,), client="test", name=name, bot=bot))
        self.clock.settle()
        return peer

    def ask(self, peer: Peer, kind: type[m.Request], **fields: Any) -> str:
        """Send a request and give the answer: `done`, or the reason of its refusal."""
        number = peer.new_id()
        peer.send(kind(id=number, **fields))
        self.clock.settle()
        for message in reversed(peer.heard):
            if isinstance(message, m.Done) and message.re == number:
                return "done"
            if isinstance(message, m.Refused) and message.re == number:
                return message.reason
        raise AssertionError(f"no answer to {kind.__name__}")

    def table(self, *names: str, bots: int = 0, **options: Any) -> list[Peer]:
        """Seat people and bots at a new table."""
        peers = [self.peer(name) for name in names]
        assert self.ask(peers[0], m.Make, name="Test", options=options) == "done"
        for peer in peers[1:]:
            assert self.ask(peer, m.Join, table=peers[0].at.table) == "done"
        for _ in range(bots):
            assert self.ask(peers[0], m.AddBot) == "done"
        return peers

    def game(self, *names: str, bots: int = 0, **options: Any) -> list[Peer]:
        """Seat people and bots, start, and deal the first round."""
        peers = self.table(*names, bots=bots, **options)
        assert self.ask(peers[0], m.Start) == "done"
        self.ready(peers)
        return peers

    def ready(self, peers: Sequence[Peer]) -> None:
        """Have everybody ready for the next round."""
        for peer in peers:
            if peer.view is not None and peer.seat >= 0:
                self.ask(peer, m.SetReady, game=peer.at.game, round=peer.at.round)

    def act(self, peer: Peer, kind: type[m.Act], **fields: Any) -> str:
        """Act on what stands now."""
        return self.ask(peer, kind, **peer.stamp(), **fields)

    def bid(self, peer: Peer, quantity: int, face: int) -> str:
        return self.act(peer, m.PlaceBid, quantity=quantity, face=face)

    def drop(self, peer: Peer) -> None:
        """Lose the connection."""
        assert peer.link is not None
        peer.link.abort()
        self.clock.settle()

    def the_table(self, number: int = 1) -> Table:
        """Look at a table from inside."""
        return next(table for table in self.lobby.tables if table.number == number)
