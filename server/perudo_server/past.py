"""What stands in a journal: the fold of its entries, from which `restoring` makes a house again."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from . import entries as n
from .journal_entry import Entry


class CannotRestore(ValueError):
    """The journal holds what this version cannot go on with; the text says what."""


class Saved(Struct):
    """What the entries of one table come to."""

    opened: n.Opened
    roster: n.Roster | None = None
    began: n.Began | None = None
    story: list[n.AnyEntry] = field(default_factory=list)
    ready: set[int] = field(default_factory=set)
    lease: int = 0


class Past:
    """What stands in a journal, folded entry by entry."""

    def __init__(self) -> None:
        """Begin with an empty house."""
        self.at = 0.0
        """What the server's clock showed at last."""
        self.known: dict[int, n.Came] = {}
        self.answers: dict[int, dict[int, n.Answered]] = {}
        self.tables: dict[int, Saved] = {}
        self.most = {"person": 0, "table": 0, "game": 0}
        self.lease = 0
        """The fencing number under which the house was written last."""

    def take(self, entries: Iterable[Entry]) -> Past:
        """Fold these entries; raises `CannotRestore`."""
        for entry in entries:
            self.at = max(self.at, entry.at)
            try:
                happened = n.decode(entry.body)
            except n.UnreadableEntry as wrong:
                raise CannotRestore(f"entry {entry.seq} is not readable: {wrong}") from None
            if entry.stream == n.HOUSE:
                self._house(happened)
            else:
                self.most["table"] = max(self.most["table"], entry.stream)
                self._table(entry.stream, happened)
        return self

    def _house(self, happened: n.AnyEntry) -> None:
        match happened:
            case n.Came(person=person):
                self.most["person"] = max(self.most["person"], person)
                self.known[person] = happened
                self.answers.pop(person, None)
            case n.Gone(person):
                self.known.pop(person, None)
                self.answers.pop(person, None)
            case n.Answered(person=person, id=number) if person in self.known:
                answers = self.answers.setdefault(person, {})
                answers.pop(number, None)  # one that is asked again is the newest
                answers[number] = happened
                if len(answers) > n.MOST_ANSWERS:
                    del answers[next(iter(answers))]
            case n.Leased(number):
                self.lease = _later(number, self.lease)
            case n.Counted(person, table, game):
                given = {"person": person, "table": table, "game": game}
                self.most = {of: max(self.most[of], given[of]) for of in given}
            case _:
                pass

    def _table(self, number: int, happened: n.AnyEntry) -> None:
        if isinstance(happened, n.Opened):
            self.tables[number] = Saved(happened)
            return
        if isinstance(happened, n.Began):
            self.most["game"] = max(self.most["game"], happened.game)
        saved = self.tables.get(number)
        if saved is None:
            return
        match happened:
            case n.Closed():
                del self.tables[number]
            case n.Roster(seats=seats):
                saved.roster = happened  # numbers of seats may have changed, so all afresh
                saved.ready = {number for number, seat in enumerate(seats) if seat.ready}
            case n.Began():
                saved.began, saved.story = happened, []
                saved.ready.clear()
            case n.Over():
                saved.began, saved.story = None, []
                saved.ready.clear()
            case n.Leased(lease):
                saved.lease = _later(lease, saved.lease)
            case n.Ready(seat, ready):
                (saved.ready.add if ready else saved.ready.discard)(seat)
            case _:
                if isinstance(happened, n.Ruled) and happened.event == "dealt":
                    saved.ready.clear()
                saved.story.append(happened)


def _later(number: int, before: int) -> int:
    """Give a fencing number that is higher than the one before it; raises `CannotRestore`."""
    if number <= before:
        raise CannotRestore(f"it was written under lease {number} after {before}")
    return number
