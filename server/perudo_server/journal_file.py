"""The journal's file: an SQLite database that one thread of one process writes, and nobody else.

One table, to which rows are only ever added, numbered from 1 without a gap, each with a checksum.
SQLite keeps what is new in a write-ahead log (`-wal`) beside the file until it is moved over; a
connection that keeps the lock needs no third file. Structure, rows and log are looked over before
anything is believed, since SQLite leaves out in silence what it cannot read of the log.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from .folder import BadFile, close, data_folder
from .journal_entry import (
    VERSION,
    Entry,
    JournalError,
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
from .journal_lock import InUse, held
from .journal_log import broken_log

APPLICATION = int.from_bytes(b"Prdo", "big")
SCHEMA = (
    "CREATE TABLE entry (seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, at REAL NOT NULL,"
    " body BLOB NOT NULL, sum BLOB NOT NULL)"
)
PAGE = 4096
LOG_BYTES = 4 << 20
"""The write-ahead log's size at which it is moved over into the file."""
CHUNK = 1000
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises; the second for messages that quote it."""
_NO_VERSION = 100  # more forms than this there will never be: such a number is damage
_NAME = re.compile(r"journal(?:-([2-9]|[1-9]\d{1,8}))?\.db")


def newest(folder: Path) -> Path:
    """Give the journal that counts in a folder: each recovery makes one with a higher number."""
    last = _last_number(folder)
    return folder / (f"journal-{last}.db" if last > 1 else "journal.db")


def following(folder: Path) -> Path:
    """Give the name of the journal that would count instead."""
    return folder / f"journal-{max(_last_number(folder), 1) + 1}.db"


def _last_number(folder: Path) -> int:
    names = (_NAME.fullmatch(each.name) for each in folder.iterdir())
    return max((int(name[1] or 1) for name in names if name), default=0)


class SqliteStore:
    """The real `Store`."""

    def __init__(self, path: Path, sync: Sync) -> None:
        """Open this file, which must be there; an empty one is made a journal.

        Raises `JournalBusy`, `JournalDamaged` or another `JournalError`.
        """
        self.path = path
        self._log = log_of(path)
        _see_that_it_can_be_used(path)
        _see_that_its_log_is_whole(path)
        self._base = connect(path)
        try:
            self._begin(sync)
            self.last: int = self._one("SELECT coalesce(max(seq), 0) FROM entry")
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
        """Give some entries after this number; raises `JournalDamaged`."""
        entries: list[Entry] = []
        try:
            for row in self._base.execute(
                f"SELECT * FROM entry WHERE seq > {after} ORDER BY seq LIMIT {CHUNK}"
            ):
                seq = after + len(entries) + 1
                entry = whole(row, seq)
                if entry is None:
                    raise damaged(self.path, f"entry {seq} is not as it was written")
                entries.append(entry)
        except UNREADABLE as error:
            raise damaged(self.path, reason_of(error)) from None
        return entries

    def write(self, entries: Sequence[Entry]) -> None:
        """Add these in one transaction; raises `sqlite3.Error`, and may be called again then."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            # A commit that failed may have reached the disk all the same: not once more, then.
            self._base.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?) ON CONFLICT (seq) DO NOTHING",
                [(*entry, checksum(*entry)) for entry in entries],
            )
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                with suppress(sqlite3.Error):  # the next try says what is wrong
                    self._base.execute("ROLLBACK")
            raise

    def tidy(self) -> None:
        """Move the log over when it is long. A full disk may forbid it: the log then grows."""
        if _size(self._log) > LOG_BYTES:
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
        for pragma in (
            "journal_mode = WAL",
            f"synchronous = {sync.upper()}",
            f"fullfsync = {int(sync == 'full')}",  # macOS: else its disks may keep it to themselves
            "wal_autocheckpoint = 0",  # done by `tidy`, when nobody waits for it
        ):
            self._base.execute(f"PRAGMA {pragma}").fetchall()
        if new:
            self._make()
        else:
            # What was cut off in the middle of a commit must not stay in the log: shorter commits
            # would leave its rest behind them, and the next start would take that for damage.
            self._try_to_move_over()

    def _check(self, tables: list[tuple[bytes]], version: int, application: int) -> None:
        if application != APPLICATION or not 0 < version < _NO_VERSION:
            raise damaged(self.path, "it does not begin as a journal does")
        if version > VERSION:
            raise newer(self.path, version)
        if tables != [(SCHEMA.encode(),)] or self._one("PRAGMA journal_mode") != b"wal":
            raise damaged(self.path, "its table is not that of a journal")
        found = self._one("PRAGMA integrity_check(1)")
        if found != b"ok":
            raise damaged(self.path, printable(found.decode(errors="replace")))

    def _make(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")
        self._base.execute(f"PRAGMA application_id = {APPLICATION}")
        self._base.execute(f"PRAGMA user_version = {VERSION}")
        self._base.execute(SCHEMA)
        self._base.execute("COMMIT")
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


def connect(database: Path | str, uri: bool = False) -> sqlite3.Connection:
    """Connect without waiting for a lock, without transactions that nobody began, without text."""
    base = sqlite3.connect(database, timeout=0, isolation_level=None, uri=uri)
    base.text_factory = bytes  # what should be text may be anything in a damaged file
    return base


def log_of(path: Path) -> Path:
    """Give the name of a journal's write-ahead log."""
    return path.with_name(path.name + "-wal")


def private(path: Path) -> None:
    """Make the file if it is not there, and close it and its log to other users."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    # The log gets the modes of the file from SQLite; here are those that others have changed.
    for each in filter(Path.exists, (path, log_of(path))):
        close(each, 0o600)


def see_that_it_is_free(path: Path) -> None:
    """See that no server has it open, by a reader that can change nothing.

    Raises `JournalBusy`.
    """
    if _size(path) < PAGE:  # SQLite would take it for a new file, and throw its log away
        return
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(connect(uri, uri=True)) as reader:
        try:
            reader.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            reader.execute("SELECT * FROM sqlite_master").fetchall()
        except UNREADABLE as error:  # at the latest for want of the right to lock it
            if kind(error) == sqlite3.SQLITE_BUSY:
                raise busy(path) from None


def _see_that_it_can_be_used(path: Path) -> None:
    if not path.is_file():
        raise JournalError(f"{str(path)!r} is no file; give another folder with --data")
    if not os.access(path, os.R_OK | os.W_OK):
        raise JournalError(
            f"the journal {str(path)!r} is not open to this user; give another folder with --data"
        )
    if 0 < _size(path) < PAGE:
        raise damaged(path, "it is cut short")
    if not _size(path) and _size(log_of(path)):
        raise damaged(path, "it is empty, but its log is not")
    see_that_it_is_free(path)
    # Looked over before SQLite connects, since that forgets what is behind an error when it closes.
    if broken := broken_log(log_of(path)):
        raise damaged(path, broken)


def _see_that_its_log_is_whole(path: Path) -> None:
    """Look at the log before SQLite does, which would throw away what it cannot read of it."""
    try:
        with held(path):
            if broken := broken_log(log_of(path)):
                raise damaged(path, broken)
    except InUse:
        raise busy(path) from None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
