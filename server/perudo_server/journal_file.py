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
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from .folder import BadFile, close, data_folder
from .journal_log import broken_log

Sync = Literal["normal", "full"]

VERSION = 1
"""The form of the file. A later one must read this one too."""
APPLICATION = int.from_bytes(b"Prdo", "big")
SCHEMA = (
    "CREATE TABLE entry (seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, at REAL NOT NULL,"
    " body BLOB NOT NULL, sum BLOB NOT NULL)"
)
PAGE = 4096
LOG_BYTES = 4 << 20
"""The write-ahead log's size at which it is moved over into the file."""
CHUNK = 1000
_NO_VERSION = 100  # more forms than this there will never be: such a number is damage
_NAME = re.compile(r"journal(?:-([1-9]\d{0,8}))?\.db")
_HEAD = Struct(">qqd")


class Entry(NamedTuple):
    """Something that happened: its number, whose it is, when, and what."""

    seq: int
    stream: int
    at: float
    body: bytes


class JournalError(Exception):
    """A journal that cannot be used; the text is one sentence that says what would be right."""

    code: ClassVar[int] = 73
    """The exit code, as in sysexits.h."""


class JournalBusy(JournalError):
    """Another server has it open."""

    code = 75


class JournalDamaged(JournalError):
    """It is not as it was written; `what` says where."""

    code = 74
    what: str = ""


class Store(Protocol):
    """What the journal needs of its file. All of it is called in one thread."""

    path: Path
    last: int
    """The number of the last entry when it was opened."""

    def read(self, after: int) -> list[Entry]:
        """Give some entries after this number, in order; none at the end."""

    def write(self, entries: Sequence[Entry]) -> None:
        """Make these durable, all or none; those that are there already are left as they are."""

    def tidy(self) -> None:
        """Do what is due and not urgent."""

    def close(self) -> None:
        """Put the file in order and let go of it."""


def damaged(path: Path, what: str) -> JournalDamaged:
    """Make the error that says what is wrong with a journal, and what to do."""
    error = JournalDamaged(
        f"the journal {str(path)!r} is damaged ({what}); perudo-server --recover, with the same"
        " --data, writes what is whole of it to a new file"
    )
    error.what = what
    return error


def busy(path: Path) -> JournalBusy:
    """Make the error that says that a journal is in use."""
    return JournalBusy(
        f"the journal {str(path)!r} is in use by another perudo-server; end that one, or give this"
        " one a folder of its own with --data"
    )


def reason_of(error: Exception) -> str:
    """Say in a few words why the disk did not do what it should."""
    if _kind(error) == sqlite3.SQLITE_FULL:
        return "the disk is full"
    text = error.strerror if isinstance(error, OSError) else str(error)
    return text or type(error).__name__


def newest(folder: Path) -> Path:
    """Give the journal that counts in a folder: each recovery makes one with a higher number."""
    found = [(int(name[1] or 1), name[0]) for name in map(_NAME.fullmatch, _names(folder)) if name]
    return folder / max(found, default=(1, "journal.db"))[1]


def checksum(seq: int, stream: int, at: float, body: bytes) -> bytes:
    """Give the eight bytes by which a changed row is noticed."""
    return blake2b(_HEAD.pack(seq, stream, at) + body, digest_size=8).digest()


def whole(row: tuple[object, ...], seq: int) -> Entry | None:
    """Give the row as the entry of this number; `None` if it is not as it was written."""
    match row:
        case (int(number), int(stream), float(at), bytes(body), bytes(found)) if (
            number == seq and found == checksum(seq, stream, at, body)
        ):
            return Entry(seq, stream, at, body)
    return None


class SqliteStore:
    """The real `Store`."""

    def __init__(self, path: Path, sync: Sync) -> None:
        """Open this file, which must be there; an empty one is made a journal.

        Raises `JournalBusy`, `JournalDamaged` or another `JournalError`.
        """
        self.path = path
        self._log = log_of(path)
        _see_that_it_can_be_used(path)
        self._base = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            self._begin(sync)
            self.last: int = self._one("SELECT coalesce(max(seq), 0) FROM entry")
        except sqlite3.Error as error:
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
        except sqlite3.Error as error:
            raise damaged(self.path, str(error)) from None
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

    def _move_over(self) -> None:
        # Cut to nothing, so that the log never holds leftovers of an earlier round.
        self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _begin(self, sync: Sync) -> None:
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        self._base.execute(f"PRAGMA page_size = {PAGE}")
        tables = self._base.execute("SELECT sql FROM sqlite_master").fetchall()  # takes the lock
        if broken := broken_log(self._log):
            raise damaged(self.path, broken)
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

    def _check(self, tables: list[tuple[str]], version: int, application: int) -> None:
        if application != APPLICATION or not 0 < version < _NO_VERSION:
            raise damaged(self.path, "it does not begin as a journal does")
        if version > VERSION:
            raise JournalError(
                f"the journal {str(self.path)!r} has form {version}, and this perudo-server reads"
                f" up to form {VERSION}; use a newer perudo-server, or another folder with --data"
            )
        if tables != [(SCHEMA,)] or self._one("PRAGMA journal_mode") != "wal":
            raise damaged(self.path, "its table is not that of a journal")
        found = self._one("PRAGMA integrity_check(1)")
        if found != "ok":
            raise damaged(self.path, " ".join(str(found).split()))

    def _make(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")
        self._base.execute(f"PRAGMA application_id = {APPLICATION}")
        self._base.execute(f"PRAGMA user_version = {VERSION}")
        self._base.execute(SCHEMA)
        self._base.execute("COMMIT")

    def _one(self, query: str) -> Any:
        return self._base.execute(query).fetchone()[0]

    def _refusal(self, error: sqlite3.Error) -> JournalError:
        if _kind(error) == sqlite3.SQLITE_BUSY:
            return busy(self.path)
        if _kind(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
            return JournalError(
                f"the journal {str(self.path)!r} cannot be written ({reason_of(error)}); make room,"
                " or give another folder with --data"
            )
        return damaged(self.path, str(error))


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


def _see_that_it_can_be_used(path: Path) -> None:
    if not path.is_file():
        raise JournalError(f"{str(path)!r} is no file; give another folder with --data")
    if not os.access(path, os.R_OK | os.W_OK):
        raise JournalError(
            f"the journal {str(path)!r} is not open to this user; give another folder with --data"
        )
    if not _size(path) and _size(log_of(path)):  # SQLite would throw the log away
        raise damaged(path, "it is empty, but its log is not")


def _names(folder: Path) -> Iterable[str]:
    return (each.name for each in folder.iterdir())


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _kind(error: Exception) -> int:
    """Give SQLite's primary code of an error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
