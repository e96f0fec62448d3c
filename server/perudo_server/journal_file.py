"""The journal's file: an SQLite database that one thread of one process writes, and nobody else.

The log is a table to which rows are only ever added at its end, numbered without a gap, each with a
checksum; its beginning may be cut off. The others have the same columns: `held` and `mark` (see
`journal_held`); `game`, a row for each finished game: its last entry's number, its first's, the
time of day, and who played; `hour`, which entry was the last at a time of day (`journal_sweep`).
SQLite keeps what is new in a write-ahead log (`-wal`) beside the file until it is moved over; a
connection that keeps the lock needs no third file. What a start reads is looked over before it is
believed, and so is that log, since SQLite leaves out in silence what it cannot read of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .folder import BadFile, data_folder
from .journal_entry import (
    VERSION,
    Entry,
    JournalError,
    Needs,
    Sync,
    busy,
    checksum,
    damaged,
    kind,
    newer,
    printable,
    reason_of,
    whole,
)
from .journal_held import Held
from .journal_place import (
    PAGE,
    UNREADABLE,
    connect,
    log_of,
    newest,
    private,
    see_that_it_can_be_used,
    see_that_its_log_is_whole,
    size_of,
)
from .journal_sweep import Sweep, transaction

APPLICATION = int.from_bytes(b"Prdo", "big")
TABLES = ("entry", "held", "mark", "game", "hour")
SCHEMA = tuple(
    f"CREATE TABLE {table} (seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, at REAL NOT NULL,"
    " body BLOB NOT NULL, sum BLOB NOT NULL)"
    for table in TABLES
)
_TABLES_OF = {1: 1, 2: 5}
"""So many of them a file of each form has."""
LOG_BYTES = 4 << 20
"""The write-ahead log's size at which it is moved over into the file."""
CHUNK = 1000
LOOKS = 8
"""So many commits pass between two looks at the log's size."""
FEW = 32
"""Entries that are added in one statement; as many statements are kept prepared."""
ALL = 16 << 20
"""A file up to this size is looked over altogether at the start; of a longer one, what is read."""
INCREMENTAL = 2
"""SQLite's number for files that can be made shorter bit by bit."""
_NO_VERSION = 100  # more forms than this there will never be: such a number is damage
_INSERTS = tuple(
    f"INSERT INTO entry VALUES {', '.join(['(?, ?, ?, ?, ?)'] * rows)} ON CONFLICT (seq) DO NOTHING"
    for rows in range(FEW + 1)
)
"""How so many rows are added; those that are there already are left as they are: a commit that
failed may have reached the disk all the same."""


class SqliteStore:
    """The real `Store`."""

    def __init__(self, path: Path, sync: Sync, *, thorough: bool = False) -> None:
        """Open this file, which must be there; an empty one is made a journal.

        With `thorough` it is looked over altogether, whatever its size. Raises `JournalBusy`,
        `JournalDamaged` or another `JournalError`.
        """
        self.path = path
        self.needs: Needs | None = None
        self._thorough = thorough
        self._followed = 0
        """The last entry that `needs` has been given."""
        self._lost = ""
        """Why it was let go."""
        self._log = log_of(path)
        self._tidied = 0
        see_that_it_can_be_used(path)
        see_that_its_log_is_whole(path)
        self._base = connect(path)
        try:
            self._begin(sync)
            self._held = Held(self._base, path)
            before = self._held.mark - 1
            self.last: int = self._one(f"SELECT coalesce(max(seq), {before}) FROM entry")
            self._end = self.last
            self._sweep = Sweep(self._base, self._held, path)
        except UNREADABLE as error:
            self._base.close()
            raise self._refusal(error) from None
        except JournalError:
            self._base.close()
            raise

    @classmethod
    def open(cls, folder: Path, sync: Sync) -> SqliteStore:
        """Open the journal of a folder, both made if need be and closed to other users."""
        try:
            path = newest(data_folder(str(folder)))
            private(path)
        except BadFile as bad:
            raise JournalError(str(bad)) from None
        except OSError as bad:
            raise JournalError(
                f"the journal in {str(folder)!r} cannot be used ({bad.strerror}); give another"
                " folder with --data"
            ) from None
        return cls(path, sync)

    def read(self, after: int) -> list[Entry]:
        """Give some of the needed entries after this number: first what is held, then the log.

        Raises `JournalDamaged`.
        """
        if self.needs is not None:
            self.needs.mark = self._held.mark
        try:
            counted = self._held.counted
            if counted is not None and after < counted.seq:
                entries = [*self._held.read(), counted]
            else:
                entries = self._read(after)
        except UNREADABLE as error:
            raise damaged(self.path, reason_of(error)) from None
        if entries:
            self._follow(entries, after)
        return entries

    def log(self, after: int) -> list[Entry]:
        """Give some entries of the log after this number, needed or not; raises `JournalDamaged`.

        With 0 it begins with the first that is not cut off.
        """
        try:
            first: int = self._one("SELECT coalesce(min(seq), 1) FROM entry")
            return self._read(max(after, first - 1))
        except UNREADABLE as error:
            raise damaged(self.path, reason_of(error)) from None

    def _read(self, after: int) -> list[Entry]:
        entries: list[Entry] = []
        for row in self._base.execute(
            f"SELECT * FROM entry WHERE seq > {after} ORDER BY seq LIMIT {CHUNK}"
        ):
            seq = after + len(entries) + 1
            entry = whole(row, seq)
            if entry is None:
                raise damaged(self.path, f"entry {seq} is not as it was written")
            entries.append(entry)
        return entries

    def write(self, entries: Sequence[Entry]) -> None:
        """Add these in one transaction; raises `sqlite3.Error`, and may be called again then."""
        if len(entries) <= FEW:
            self._insert(entries)
        else:
            with transaction(self._base):
                for first in range(0, len(entries), FEW):
                    self._insert(entries[first : first + FEW])
        if entries:
            self._end = max(self._end, entries[-1].seq)
            self._follow(entries, entries[0].seq - 1)

    def _insert(self, entries: Sequence[Entry]) -> None:
        """Add a few in one statement, which is a transaction of its own outside any other: at each
        statement this thread lets go of the interpreter, and may wait long to have it again."""
        if entries:
            values = [value for entry in entries for value in (*entry, checksum(*entry))]
            self._base.execute(_INSERTS[len(entries)], values)

    def put(self, table: str, rows: Sequence[Entry]) -> None:
        """Add rows to one of the other tables, in one transaction; raises `sqlite3.Error`."""
        with transaction(self._base):
            self._base.executemany(
                f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)",
                [(*row, checksum(*row)) for row in rows],
            )

    def games(self) -> list[Entry]:
        """Give the rows of all finished games, oldest first; raises `JournalDamaged`."""
        return self._rows("game", "a row of a finished game")

    def hours(self) -> list[Entry]:
        """Give which entry was the last at which time; raises `JournalDamaged`."""
        hours = self._rows("hour", "the note of a time")
        if hours and hours[-1].seq > self.last:
            raise damaged(self.path, "the note of a time is of an entry that is not there")
        return hours

    def _rows(self, table: str, what: str) -> list[Entry]:
        try:
            rows = self._base.execute(f"SELECT * FROM {table} ORDER BY seq").fetchall()
        except UNREADABLE as error:
            raise damaged(self.path, reason_of(error)) from None
        found = [whole(row, row[0]) if isinstance(row[0], int) else None for row in rows]
        if None in found:
            raise damaged(self.path, f"{what} is not as it was written")
        return [row for row in found if row is not None]

    def _follow(self, entries: Sequence[Entry], after: int) -> None:
        """Let `needs` go on; one that has missed something, or cannot read it, is let go."""
        if self.needs is None:
            return
        try:
            if after > self._followed:
                raise ValueError("entries were written before all was read")
            self.needs.take([entry for entry in entries if entry.seq > self._followed])
            self._followed = entries[-1].seq
        except Exception as wrong:  # whatever it is, it must not hold up what is to be kept
            self.needs, self._lost = None, f"{type(wrong).__name__}: {wrong}"

    def sweep(self, now: float, keep: float) -> bool:
        """Do a small step of what keeps the file short, once all was read; see `journal_sweep`.

        Raises `sqlite3.Error` and `JournalDamaged`.
        """
        if self._lost:
            raise damaged(self.path, self._lost)
        if self.needs is None or self._followed != self._end:
            return False
        return self._sweep.step(self.needs, self._end, now, keep)

    def tidy(self) -> None:
        """Move the log over when it is long. A full disk may forbid it: the log then grows.

        Called after each commit, it looks at the log now and then only: to ask the system, this
        thread lets go of the interpreter, and may wait long to have it again.
        """
        self._tidied += 1
        if self._tidied % LOOKS == 0 and size_of(self._log) > LOG_BYTES:
            with suppress(sqlite3.Error):
                self._move_over()

    def close(self) -> None:
        """Move the log over and let go of the file."""
        with suppress(sqlite3.Error):
            self._move_over()
        self._base.close()

    def _try_to_move_over(self) -> None:
        with suppress(sqlite3.Error):  # a full disk may forbid it: the log then grows
            self._move_over()

    def _move_over(self) -> None:
        # Cut to nothing, so that the log never holds leftovers of an earlier round.
        self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _begin(self, sync: Sync) -> None:
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._base.execute(f"PRAGMA page_size = {PAGE}")
        tables = self._base.execute("SELECT sql FROM sqlite_master").fetchall()  # takes the lock
        version = self._one("PRAGMA user_version")
        application = self._one("PRAGMA application_id")
        new = (tables, version, application) == ([], 0, 0) and self._one("PRAGMA page_count") <= 1
        if not new:
            self._check(tables, version, application)
        if version < VERSION:
            self._base.execute("PRAGMA auto_vacuum = INCREMENTAL")
        for pragma in (
            "journal_mode = WAL",
            f"synchronous = {sync.upper()}",
            f"fullfsync = {int(sync == 'full')}",  # macOS: else its disks may keep it to themselves
            "wal_autocheckpoint = 0",  # done by `tidy`, when nobody waits for it
            "cache_size = -200",  # KiB, a tenth of the usual: what is only added to needs few
        ):
            self._base.execute(f"PRAGMA {pragma}").fetchall()
        if not new:
            # What was cut off in the middle of a commit must not stay in the log: shorter commits
            # would leave its rest behind them, and the next start would take that for damage.
            self._try_to_move_over()
        if version < VERSION:
            self._make(_TABLES_OF.get(version, 0))

    def _check(self, tables: list[tuple[bytes]], version: int, application: int) -> None:
        if application != APPLICATION or not 0 < version < _NO_VERSION:
            raise damaged(self.path, "it does not begin as a journal does")
        if version > VERSION:
            raise newer(self.path, version)
        wanted = [(table.encode(),) for table in SCHEMA[: _TABLES_OF[version]]]
        if tables != wanted or self._one("PRAGMA journal_mode") != b"wal":
            raise damaged(self.path, "its tables are not those of a journal")
        if self._thorough or self._one("PRAGMA page_count") * PAGE <= ALL:
            found = self._one("PRAGMA integrity_check(1)")
            if found != b"ok":
                raise damaged(self.path, printable(found.decode(errors="replace")))

    def _make(self, there: int) -> None:
        """Make the tables that are not there yet: all, or those of which form 1 knew nothing."""
        if self._one("PRAGMA auto_vacuum") != INCREMENTAL:
            self._base.execute("VACUUM")  # lays the file out as a new one
        with transaction(self._base):
            self._base.execute(f"PRAGMA application_id = {APPLICATION}")
            self._base.execute(f"PRAGMA user_version = {VERSION}")
            for table in SCHEMA[there:]:
                self._base.execute(table)
        self._move_over()

    def _one(self, query: str) -> Any:
        return self._base.execute(query).fetchone()[0]

    def _refusal(self, error: Exception) -> JournalError:
        if kind(error) == sqlite3.SQLITE_BUSY:
            return busy(self.path)
        if kind(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
            return JournalError(
                f"the journal {str(self.path)!r} cannot be written ({reason_of(error)}); make room,"
                " or give another folder with --data"
            )
        return damaged(self.path, reason_of(error))
