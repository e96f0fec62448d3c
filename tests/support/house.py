"""A server without sockets: the real lobby, peers on memory links, a held clock, chosen dice."""

from __future__ import annotations

import hashlib
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, TypeVar

from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.codec import decode_server, encode
from perudo_protocol.fairness import Draw
from perudo_protocol.framing import HEADER, TO_CLIENT, FrameReader
from perudo_protocol.link import Link, memory_links
from perudo_protocol.story import AnyEvent, fold_all, with_hand
from perudo_protocol.views import SeatView, TableView
from perudo_protocol.vocabulary import Phase
from perudo_server.journal_entry import Entry
from perudo_server.keeper import Keeper
from perudo_server.lobby import Lobby
from perudo_server.past import Past
from perudo_server.restoring import restore
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
        self.key = b""
        self._reader = FrameReader(TO_CLIENT)
        self.ids = count(1)

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
        return next(self.ids)


def phase(peer: Peer) -> Phase:
    """Give the phase of a peer's table as it is now."""
    return peer.at.phase


PLENTY = (
    *("frame_burst", "act_burst", "move_burst", "chat_burst", "share_burst"),
    *("connections_per_address", "call_burst"),
)
"""Limits that only the tests of limits meet."""


class KeptJournal:
    """A journal in memory: an entry is durable one turn of the loop after the commit."""

    at_once = False
    """Whether it is durable, and told, before the commit returns."""

    def __init__(self, clock: HeldClock, entries: Sequence[Entry] = ()) -> None:
        self.on_committed: Callable[[], None] = lambda: None
        self.on_failing: Callable[[str], None] = lambda _: None
        self.on_recovered: Callable[[], None] = lambda: None
        self.failing = False
        self.written = self.committed = 0
        self.durable = list(entries)
        self.commits = 0
        self.works = True
        self._buffer: list[Entry] = []
        self._flight: list[Entry] = []
        self._clock = clock

    @property
    def pending(self) -> bool:
        return self.committed < self.written

    def load(self) -> Iterator[Entry]:
        yield from self.durable

    def write(self, stream: int, at: float, body: bytes) -> int:
        if not self._buffer:
            self.written += 1
        number = len(self.durable) + len(self._flight) + len(self._buffer) + 1
        self._buffer.append(Entry(number, stream, at, body))
        return self.written

    def commit(self) -> None:
        if self._buffer and not self._flight:
            self._flight, self._buffer = self._buffer, []
            if self.at_once:
                self.report()
            else:
                self._clock.soon(self.report)

    def report(self) -> None:
        """Have the entries on their way durable, or fail."""
        if not self.works:
            if not self.failing:
                self.failing = True
                self.on_failing("no space left on device")
            return
        self.durable += self._flight
        self._flight = []
        self.commits += 1
        self.committed = self.written - bool(self._buffer)
        recovered, self.failing = self.failing, False
        self.on_committed()
        if recovered:
            self.on_recovered()

    def close(self, patience: float) -> bool:
        return not self.pending

    def after_crash(self) -> KeptJournal:
        """Give what the next server finds: the durable entries alone."""
        return KeptJournal(self._clock, self.durable)


class HouseOfTests:
    """A lobby and its surroundings; everything that is asked is carried out before it returns."""

    keys = False
    """Whether those who are let in can come back."""

    def __init__(
        self, dice: Sequence[int] = (), journal: Keeper | None = None, **settings: Any
    ) -> None:
        self.clock = HeldClock()
        self.dice = ChosenDice(dice)
        self.journal = journal
        plenty = dict.fromkeys(PLENTY, 100_000)
        given = {
            "bot_seconds": 0.0,
            "list_seconds": 0.0,
            "crowd_seconds": 0.0,
            **plenty,
            **settings,
        }
        self.log = logging.getLogger("perudo.test")
        self.settings = Settings(**given)
        self.lobby = self._open()

    def _open(self) -> Lobby:
        return Lobby(self.settings, self.clock, self.dice, self.log, journal=self.journal)

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
        """Let somebody in; with `keys` set, somebody who can come back."""
        peer = self.connect()
        if self.keys:
            peer.key = hashlib.sha256(name.encode()).digest()
        hashed = returning.hashed(peer.key) if peer.key else b""
        peer.send(m.Hello(versions=(1,), client="test", name=name, bot=bot, key=hashed))
        self.clock.settle()
        return peer

    def come_back(self, old: Peer, key: bytes = b"") -> Peer:
        """Connect as who another peer was; gives the new one."""
        peer = self.connect()
        peer.ids = old.ids  # numbers go on: an old one would be answered, and not done again
        peer.key, nonce = key or old.key, hashlib.sha256(b"%d" % id(peer)).digest()
        number = old.last(m.Welcome).person
        peer.send(m.Resume(versions=(1,), client="test", person=number, nonce=nonce))
        self.clock.settle()
        proof = returning.prove(peer.key, number, nonce, peer.last(m.Nonce).nonce)
        peer.send(m.Prove(proof=proof))
        self.clock.settle()
        return peer

    def restart(self) -> None:
        """End the server as a crash does, and start another on what is durable in the journal."""
        assert isinstance(self.journal, KeptJournal)
        self.clock.on_pause = self.clock.on_beat = lambda: None
        self.clock.forget()
        self.journal = self.journal.after_crash()
        past = Past().take(self.journal.load())
        self.lobby = self._open()
        restore(self.lobby, past)
        self.clock.settle()

    def ask_now(self, peer: Peer, kind: type[m.Request], **fields: Any) -> str:
        """Send a request that is refused, and give the reason."""
        peer.send(kind(id=peer.new_id(), **fields))
        self.clock.settle()
        return peer.last(m.Refused).reason

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
