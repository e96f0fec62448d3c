"""A journal as a server leaves it after many games: recorded ones, played again under new numbers.

A few evenings are really played, by people who take part in the draws of their dice, at a real
table without sockets. Their entries are then written over and over into a real journal, with new
numbers of tables, games and people, many tables in turn, as they would come from many tables.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol.story import Committed, Started
from perudo_protocol.vocabulary import Phase
from perudo_server import entries as n
from perudo_server.journal_entry import Entry
from perudo_server.journal_file import SqliteStore
from perudo_server.needed import Needed
from tests.soak.shares import Shares

from .house import HouseOfTests, KeptJournal, Peer

NAMES = ("Ana", "Bo", "Cy", "Di", "Eli", "Flo")
DAY = 86_400.0
CHUNK = 2000
"""Entries in one commit."""


class Sharing(Peer):
    """A client that takes part in the draws, as every real one does."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._shares = Shares(random.Random(seed))

    def hear(self, message: m.ServerMessage) -> None:
        super().hear(message)
        if not isinstance(message, m.Update) or self.view is None or self.seat < 0:
            return
        said: list[m.FromClient] = []
        for event in message.events:
            if isinstance(event, Started):
                said += self._shares.promise(self.view)
            elif isinstance(event, Committed):
                said += self._shares.answer(self.view)
        for each in said:
            self.send(each)


class Evening(HouseOfTests):
    """Some people play games at one table, anything that is legal."""

    keys = True

    def __init__(self, people: int, dice: int, games: int, seed: int) -> None:
        self._rng = random.Random(seed)
        self._made = 0
        super().__init__([self._rng.randint(1, 6) for _ in range(5000)])
        self._kept = KeptJournal(self.clock)
        self.journal = self._kept
        self.lobby = self._open()
        self.people = self.table(*NAMES[:people], start_dice=dice, turn_seconds=60)
        for number in range(games):
            self.ask(self.people[0], m.Rematch if number else m.Start)
            while self.people[0].at.phase is not Phase.OVER:
                self._step()
        self.clock.settle()

    def new_peer(self) -> Peer:
        self._made += 1
        return Sharing(self._made)

    @property
    def entries(self) -> list[Entry]:
        """All that was written down, from the first greeting on."""
        return self._kept.durable

    def _step(self) -> None:
        at = self.people[0].at
        if at.phase is not Phase.BIDDING or at.turn is None:
            self.ready([peer for peer in self.people if peer.mine.dice])
            self.clock.advance(3)
            return
        peer = self.people[at.turn.seat]
        options = peer.at.options_for(peer.seat)
        faces = [face for face in range(1, 7) if options.least[face - 1]]
        if options.may_dudo and (not faces or self._rng.random() < 0.25):
            self.act(peer, m.Dudo)
        else:
            face = self._rng.choice(faces)
            self.bid(peer, options.least[face - 1], face)
        self.clock.advance(self._rng.uniform(0.5, 5))


Part = list[tuple[Entry, n.AnyEntry]]


class Recorded:
    """An evening in parts: how the table opened, and its games."""

    def __init__(self, entries: list[Entry]) -> None:
        parts: list[Part] = [[]]
        for entry in entries:
            happened = n.decode(entry.body)
            if isinstance(happened, n.Began):
                parts.append([])
            parts[-1].append((entry, happened))
        self.opening, *self.games = parts


def recorded(people: int = 3, dice: int = 2, games: int = 3, seed: int = 1) -> Recorded:
    """Play an evening and give what was written down."""
    return Recorded(Evening(people, dice, games, seed).entries)


class Stories:
    """What is written of many tables, in turn."""

    def __init__(
        self, evenings: list[Recorded], tables: int, games: int, seed: int, closing: int = 0
    ) -> None:
        """Have so many tables, at which so many games are over, and at each one goes on; but the
        first ones close in the end, and their people go."""
        self._rng = random.Random(seed)
        self._evenings = evenings
        self._closing = closing
        self._games = 0
        self._people = 0
        self.at = 0.0
        each = games // tables
        self._tables = {
            number: self._story(number, each + (number <= games % tables))
            for number in range(1, tables + 1)
        }

    def entries(self) -> Iterator[Entry]:
        """Give all entries, a few of each table in turn."""
        seq = 0
        while self._tables:
            for number, story in list(self._tables.items()):
                for _ in range(self._rng.randint(1, 6)):
                    row = next(story, None)
                    if row is None:
                        del self._tables[number]
                        break
                    seq += 1
                    yield Entry(seq, *row)

    def _story(self, number: int, games: int) -> Iterator[tuple[int, float, bytes]]:
        evening = self._rng.choice(self._evenings)
        before, self._people = self._people, self._people + len(NAMES)
        asked = 0
        for count in range(games + 2):
            part = evening.opening if not count else self._rng.choice(evening.games)
            if count > games:  # the last one goes on
                part = part[: self._rng.randint(len(part) // 4, len(part) * 3 // 4)]
            began = part[0][0].at
            start = max(self.at, began)
            for entry, happened in part:
                self.at = at = max(self.at, start + entry.at - began)
                stream = number if entry.stream else 0
                body = self._renumbered(happened, before, asked)
                yield stream, at, entry.body if body is None else body
            asked += 1000
        if number <= self._closing:
            yield number, self.at, n.encode(n.Closed())
            for person in range(before + 1, before + len(NAMES) + 1):
                yield n.HOUSE, self.at, n.encode(n.Gone(person))

    def _renumbered(self, happened: n.AnyEntry, before: int, asked: int) -> bytes | None:
        """Give an entry with other numbers; `None` if there are none in it."""

        def person(number: int) -> int:
            return number and number + before

        changed: dict[str, Any]
        match happened:
            case n.Came() | n.Gone():
                changed = {"person": person(happened.person)}
            case n.Answered():
                changed = {"person": person(happened.person), "id": happened.id + asked}
            case n.Began():
                self._games += 1
                changed = {"game": self._games, "proof": f"{self._games:032x}"}
            case n.Roster():
                changed = {
                    "host": person(happened.host),
                    "seats": tuple(
                        replace(seat, person=person(seat.person), owner=person(seat.owner))
                        for seat in happened.seats
                    ),
                    "unlocked": tuple(map(person, happened.unlocked)),
                }
            case _:
                return None
        if isinstance(happened, n.Came):
            changed["name"] = f"{happened.name} {changed['person']}"
        return n.encode(replace(happened, **changed))


def write(folder: Path, entries: Iterable[Entry], now: float = 0.0) -> SqliteStore:
    """Write a journal as a server does at this time of day, which is still open; more entries go
    on after the last."""
    store = SqliteStore.open(folder, "normal")
    store.needs = Needed()
    after = 0
    while chunk := store.read(after):
        after = chunk[-1].seq
    rest = iter(entries)
    while batch := list(islice(rest, CHUNK)):
        store.write(batch)
        store.last = batch[-1].seq
        sweep(store, now, 30 * DAY)
    return store


def sweep(store: SqliteStore, now: float, keep: float) -> float:
    """Sweep until nothing more is due; give in seconds how long the longest step took."""
    longest, more = 0.0, True
    while more:
        since = time.perf_counter()
        more = store.sweep(now, keep)
        longest = max(longest, time.perf_counter() - since)
        store.tidy()
    return longest
