"""What a restart still needs of the journal's older entries, so that it does not read them all.

The *mark* is the number of the entry from which on a restart reads the log. Of what stands before
it, copies of all that is still needed are *held*, each under its number. The mark's row says how
many they are, and the sum of the squares of their numbers, by which it is noticed that one is
missing; and what all entries before it have counted. Mark and copies change in one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from struct import Struct

from .journal_entry import Entry, Needs, checksum, damaged, whole

HOUSE = 0
_SQUARES = Struct(">Q")


class Held:
    """The mark and what is held before it."""

    def __init__(self, base: sqlite3.Connection, path: Path) -> None:
        """Find the mark; raises `JournalDamaged`."""
        self._base = base
        self._path = path
        self._held: set[int] = set()
        self._squares = 0
        self.mark = 1
        """The first entry that a restart reads in the log."""
        self.row: Entry | None = None
        """The mark's row, if there is one."""
        rows = base.execute("SELECT * FROM mark LIMIT 2").fetchall()
        if rows:
            number = rows[0][0]
            row = whole(rows[0], number) if isinstance(number, int) else None
            if row is None or len(rows) > 1 or len(row.body) < _SQUARES.size or number < 1:
                raise damaged(path, "its mark is not as it was written")
            self.row, self.mark = row, number

    @property
    def counted(self) -> Entry | None:
        """What the entries before the mark have counted, as an entry of the house's."""
        row = self.row
        if row is None:
            return None
        return Entry(self.mark - 1, HOUSE, row.at, row.body[_SQUARES.size :])

    def read(self) -> list[Entry]:
        """Give all that is held.

        Raises `JournalDamaged` unless all is there, as it was written.
        """
        found: list[Entry] = []
        for row in self._base.execute("SELECT * FROM held ORDER BY seq"):
            entry = whole(row, row[0]) if isinstance(row[0], int) else None
            if entry is None or not 0 < entry.seq < self.mark:
                raise damaged(self._path, f"entry {row[0]}, held, is not as it was written")
            found.append(entry)
        self._held = {entry.seq for entry in found}
        self._squares = _squares(self._held)
        if not self.are_all(self._held):
            raise damaged(self._path, "of the entries that are held some are missing")
        return found

    def are_all(self, numbers: Collection[int]) -> bool:
        """Say whether these are the numbers of all that is held, as the mark's row has it."""
        known = self.row or Entry(1, 0, 0.0, _SQUARES.pack(0))
        there = (len(numbers), _SQUARES.pack(_squares(numbers)))
        return (known.stream, known.body[: _SQUARES.size]) == there

    def advance(self, mark: int, needs: Needs) -> None:
        """Put the mark there, within a transaction of the caller's, who then says `advanced`.

        Raises `JournalDamaged` if an entry that is to be held is missing.
        """
        gone = self._held.intersection(needs.dropped)
        come = needs.numbers(self.mark, mark)
        self._base.executemany("DELETE FROM held WHERE seq = ?", [(seq,) for seq in gone])
        copied = self._base.executemany(
            "INSERT INTO held SELECT * FROM entry WHERE seq = ?", [(seq,) for seq in come]
        )
        if come and copied.rowcount != len(come):
            raise damaged(self._path, f"between entries {self.mark} and {mark} some are missing")
        squares = (self._squares + _squares(come) - _squares(gone)) % (1 << 64)
        held = len(self._held) + len(come) - len(gone)
        row = Entry(mark, held, needs.at, _SQUARES.pack(squares) + needs.counted)
        self._base.execute("DELETE FROM mark")
        self._base.execute("INSERT INTO mark VALUES (?, ?, ?, ?, ?)", (*row, checksum(*row)))
        self._next = row, squares, come, gone

    def advanced(self, needs: Needs) -> None:
        """Hear that the transaction has gone through."""
        self.row, self._squares, come, gone = self._next
        self.mark = needs.mark = self.row.seq
        self._held.difference_update(gone)
        self._held.update(come)
        needs.dropped.clear()


def mark_row(number: int, held: Sequence[Entry], needs: Needs) -> Entry:
    """Give the row of a mark before which these are held."""
    squares = _squares(entry.seq for entry in held)
    return Entry(number, len(held), needs.at, _SQUARES.pack(squares) + needs.counted)


def _squares(numbers: Iterable[int]) -> int:
    return sum(number * number for number in numbers) % (1 << 64)
