"""Which entries of the journal a restart still needs: those to which `past.Past` holds on.

The journal's thread asks, since a long journal must neither be read from its beginning at each
start nor be kept for ever. What is folded in `past` is only followed by its numbers here: the
order of all that is still needed stays, and its fold is the fold of everything.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from perudo_protocol.vocabulary import NO_SEAT

from . import entries as n
from .journal_entry import Entry, Finished

_DEALT, _WON = (n.encode(n.Ruled(word, ()))[1 : 7 + len(word)] for word in ("dealt", "won"))
"""How the entries of these events go on behind their first byte, which says how many fields."""


Part = Sequence[int]


def _numbers() -> array[int]:
    return array("q")


class _Person(Struct, eq=False, gc=False):
    """Somebody who is here, or is waited for."""

    came: int
    answers: array[int] = field(default_factory=_numbers)
    """Of each answer that is kept two numbers: its entry's, and that of the request."""
    highest: int = -1
    """The highest of them all: each is higher than those before it, unless it is used again."""


class _Table(Struct, eq=False, gc=False):
    """A table that stands: the numbers of what is needed of it."""

    opened: int
    name: str
    roster: Entry | None = None
    lease: int = 0
    ready: array[int] = field(default_factory=_numbers)
    story: array[int] = field(default_factory=_numbers)
    """The present game, from its beginning on, and what else there is."""
    game: int = 0
    """The number of the game that goes on; 0 for none."""
    rounds: int = 0

    def parts(self) -> Iterator[Part]:
        """Give what is needed, in parts that are each in order."""
        roster = 0 if self.roster is None else self.roster.seq
        yield from ((self.opened,), (roster,), (self.lease,), self.ready, self.story)


class Needed:
    """Follows the entries of a journal."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.finished: list[Finished] = []
        """Games that have been won; whoever has written them down takes them out."""
        self.at = 0.0
        self.mark = 1
        self.dropped: list[int] = []
        self._lease = 0
        self._people: dict[int, _Person] = {}
        self._tables: dict[int, _Table] = {}
        self._most = {"person": 0, "table": 0, "game": 0}

    @property
    def counted(self) -> bytes:
        """Give an entry of the house's that says which numbers were given."""
        return n.encode(n.Counted(**self._most))

    def numbers(self, first: int, before: int) -> list[int]:
        """Give the numbers of all that is needed, from the first on and before the other one."""
        found: list[int] = []
        for part in self._parts():
            if part and part[0] < before and part[-1] >= first:
                found += part[bisect_left(part, first) : bisect_left(part, before)]
        return sorted(found)

    def oldest_game(self, otherwise: int) -> int:
        """Give the number of the entry with which the oldest game began of those that go on."""
        began = (table.story[0] for table in self._tables.values() if table.game)
        return min(began, default=otherwise)

    def take(self, entries: Iterable[Entry]) -> None:
        """Go on; raises `entries.UnreadableEntry`."""
        for entry in entries:
            self.at = max(self.at, entry.at)
            body = entry.body  # an array of at most 15, and its word, of at most 31 letters
            if entry.stream == n.HOUSE:
                self._house(entry)
            else:
                self._table(entry, body[2 : 2 + (body[1] & 31)] if len(body) > 1 else b"")

    def _parts(self) -> Iterator[Part]:
        yield (self._lease,)
        for person in self._people.values():
            yield (person.came,)
            yield person.answers[::2]
        for table in self._tables.values():
            yield from table.parts()

    def _house(self, entry: Entry) -> None:
        happened = n.decode(entry.body)
        match happened:
            case n.Answered(person=number, id=asked):
                person = self._people.get(number)
                if person is not None:
                    self._answered(person, asked, entry.seq)
            case n.Came(person=number):
                self._count("person", number)
                self._forget(number)
                self._people[number] = _Person(entry.seq)
            case n.Gone(person=number):
                self._forget(number)
            case n.Leased():
                self._drop((self._lease,))
                self._lease = entry.seq
            case n.Counted(person=people, table=tables, game=games):
                self._count("person", people)
                self._count("table", tables)
                self._count("game", games)
            case _:
                pass

    def _answered(self, person: _Person, asked: int, seq: int) -> None:
        """Keep the latest answers, each request's newest alone."""
        if asked > person.highest:
            person.highest = asked
        elif asked in (requests := person.answers[1::2]):
            self._let_go(person, requests.index(asked))
        person.answers.extend((seq, asked))
        if len(person.answers) > 2 * n.MOST_ANSWERS:
            self._let_go(person, 0)

    def _let_go(self, person: _Person, at: int) -> None:
        self._drop((person.answers.pop(2 * at),))
        person.answers.pop(2 * at)

    def _table(self, entry: Entry, word: bytes) -> None:
        table = self._tables.get(entry.stream)
        if table is None:
            self._count("table", entry.stream)
            if word == b"began":
                self._began(entry)
        if word in (b"opened", b"closed") and table is not None:
            for part in table.parts():
                self._drop(part)
            del self._tables[entry.stream]
        if word == b"opened":
            opened = n.decode(entry.body)
            assert isinstance(opened, n.Opened)
            self._tables[entry.stream] = _Table(entry.seq, opened.name)
        elif table is not None and word != b"closed":
            self._go_on(table, entry, word)

    def _go_on(self, table: _Table, entry: Entry, word: bytes) -> None:
        match word:
            case b"roster":
                if table.roster is not None:
                    self._drop((table.roster.seq,))
                table.roster = entry
                table.ready = self._none_of(table.ready)
            case b"began":
                table.game, table.rounds = self._began(entry), 0
                table.ready = self._none_of(table.ready)
                table.story = self._none_of(table.story)
                table.story.append(entry.seq)
            case b"over":
                table.game = 0
                table.ready = self._none_of(table.ready)
                table.story = self._none_of(table.story)
                table.story.append(entry.seq)  # nobody is ready any more
            case b"leased":
                self._drop((table.lease,))
                table.lease = entry.seq
            case b"ready":
                table.ready.append(entry.seq)
            case _:
                table.story.append(entry.seq)
                if entry.body.startswith(_DEALT, 1):
                    table.rounds += 1
                    table.ready = self._none_of(table.ready)
                elif entry.body.startswith(_WON, 1) and table.game:
                    self.finished.append(_finished(table, entry))
                    table.game = 0

    def _began(self, entry: Entry) -> int:
        began = n.decode(entry.body)
        assert isinstance(began, n.Began)
        self._count("game", began.game)
        return began.game

    def _forget(self, number: int) -> None:
        person = self._people.pop(number, None)
        if person is not None:
            self._drop((person.came,))
            self._drop(person.answers[::2])

    def _drop(self, part: Part) -> None:
        """Say of what is held that it is not needed any more."""
        if part and part[0] < self.mark:
            self.dropped += part[: bisect_left(part, self.mark)]

    def _none_of(self, part: Part) -> array[int]:
        self._drop(part)
        return _numbers()

    def _count(self, of: str, number: int) -> None:
        self._most[of] = max(self._most[of], number)


def _finished(table: _Table, won: Entry) -> Finished:
    """Say what is kept for good of a game."""
    last = n.decode(won.body)
    roster = None if table.roster is None else n.decode(table.roster.body)
    seats = roster.seats if isinstance(roster, n.Roster) else ()
    assert isinstance(last, n.Ruled)
    result = n.Result(
        won.stream,
        table.name,
        table.game,
        table.rounds,
        next((seat for seat in last.values if isinstance(seat, int)), NO_SEAT),
        tuple(n.SeatPlayed(seat.name, seat.player) for seat in seats),
    )
    return Finished(won.seq, table.story[0], n.encode_result(result))
