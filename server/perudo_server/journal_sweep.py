"""What keeps the journal short, in steps so small that no commit waits long for one.

The log is read from the mark on at the start, so the mark follows the last entry at a distance.
A finished game is written down in a row of its own, and when its time is up, the log is cut off
behind it. Each step is one transaction: a process that is killed in between has done it or not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .journal_entry import Entry, Needs, checksum, damaged, whole
from .journal_held import Held

LAG = 1 << 15
"""So many of the latest entries a restart reads; further back it reads what is held alone."""
STEP = 1000
"""So many entries are gone through in one step."""
PAGES = 64
"""So many pages are given back to the system in one step."""
LOOK = 3600.0
"""Seconds between two looks whether the time of finished games is up."""
LEAST_FREE = 1024
"""Fewer free pages than this are kept for what will be written; and so is a quarter of the file."""


class Sweep:
    """Sweeps one file."""

    def __init__(self, base: sqlite3.Connection, held: Held, path: Path) -> None:
        """Sweep this one."""
        self._base = base
        self._path = path
        self._held = held
        self._limit = 0
        """The first entry whose time is not up."""
        self._looked = -LOOK

    def step(self, needs: Needs, last: int, now: float, keep: float) -> bool:
        """Do one small step, if any is due; say whether one was.

        `last` is the number of the last entry. Raises `sqlite3.Error` and `JournalDamaged`, and
        nothing was changed then.
        """
        if needs.finished:
            self._note(needs, now)
            return True
        if not 0 <= now - self._looked < LOOK:
            self._limit = self._look(needs, last, now, keep)
            self._looked = now
        behind = max(self._limit, last + 1 - LAG) - self._held.mark
        if behind >= STEP or self._held.mark < self._limit:
            self._advance(needs, self._held.mark + min(behind, STEP))
            return True
        return self._cut() or self._shrink()

    def _note(self, needs: Needs, now: float) -> None:
        """Write down the games that are over."""
        games = needs.finished[:STEP]
        rows = [Entry(game.seq, game.first, now, game.body) for game in games]
        with transaction(self._base):
            self._base.executemany(  # after a restart games are found once more
                "INSERT INTO game VALUES (?, ?, ?, ?, ?) ON CONFLICT (seq) DO NOTHING",
                [(*row, checksum(*row)) for row in rows],
            )
        del needs.finished[: len(games)]

    def _look(self, needs: Needs, last: int, now: float, keep: float) -> int:
        """Note the time, and give the first entry whose time is not up.

        All are kept of games that go on, or have ended since; of the rest, what is younger.
        """
        note = Entry(last, 0, now, b"")
        with transaction(self._base):
            self._base.execute(
                "INSERT INTO hour VALUES (?, ?, ?, ?, ?) ON CONFLICT (seq) DO NOTHING",
                (*note, checksum(*note)),
            )
            old = self._old(last, now - keep)
            self._base.execute("DELETE FROM hour WHERE seq < ?", (old,))
        kept = self._one(
            f"SELECT coalesce(min(stream), {old + 1}) FROM game"
            f" WHERE seq >= {self._first()} AND at > {now - keep!r}"
        )
        return min(old + 1, kept, needs.oldest_game(old + 1))

    def _old(self, last: int, until: float) -> int:
        """Give the last entry of that time; what is not as it was written must cut off nothing."""
        row = self._base.execute(
            f"SELECT * FROM hour WHERE at <= {until!r} ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return 0
        noted = whole(row, row[0])
        if noted is None or not 0 <= noted.seq <= last:
            raise damaged(self._path, "the note of a time is not as it was written")
        return noted.seq

    def _advance(self, needs: Needs, mark: int) -> None:
        with transaction(self._base):
            self._held.advance(mark, needs)
        self._held.advanced(needs)

    def _cut(self) -> bool:
        """Cut off some of the log's beginning."""
        first = self._first()
        until = min(self._limit, self._held.mark, first + STEP)
        if not 0 < first < until:
            return False
        with transaction(self._base):
            self._base.execute("DELETE FROM entry WHERE seq < ?", (until,))
        return True

    def _shrink(self) -> bool:
        """Give some of the room back that is free now, unless it will soon be needed again."""
        free = self._one("PRAGMA freelist_count")
        if free < max(LEAST_FREE, self._one("PRAGMA page_count") // 4):
            return False
        self._base.execute(f"PRAGMA incremental_vacuum({PAGES})").fetchall()
        return bool(self._one("PRAGMA freelist_count") < free)

    def _first(self) -> int:
        return self._one("SELECT coalesce(min(seq), 0) FROM entry")

    def _one(self, query: str) -> int:
        found: int = self._base.execute(query).fetchone()[0]
        return found


@contextmanager
def transaction(base: sqlite3.Connection) -> Iterator[None]:
    """Do all that is within, or none of it."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            with suppress(sqlite3.Error):  # the next try says what is wrong
                base.execute("ROLLBACK")
        raise
