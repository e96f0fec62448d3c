"""Where a journal stands: which file counts in a folder, closed to other users, and used by nobody.

All that is looked at here is looked at before SQLite opens the file for good.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from .folder import close
from .journal_entry import JournalError, busy, damaged, kind
from .journal_lock import InUse, held
from .journal_log import broken_log

PAGE = 4096
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises; the second for messages that quote it."""
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
    if size_of(path) < PAGE:  # SQLite would take it for a new file, and throw its log away
        return
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(connect(uri, uri=True)) as reader:
        try:
            reader.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            reader.execute("SELECT * FROM sqlite_master").fetchall()
        except UNREADABLE as error:  # at the latest for want of the right to lock it
            if kind(error) == sqlite3.SQLITE_BUSY:
                raise busy(path) from None


def see_that_it_can_be_used(path: Path) -> None:
    """See that it is a file that may be written, and that no other server has it open.

    Raises `JournalError`.
    """
    if not path.is_file():
        raise JournalError(f"{str(path)!r} is no file; give another folder with --data")
    if not os.access(path, os.R_OK | os.W_OK):
        raise JournalError(
            f"the journal {str(path)!r} is not open to this user; give another folder with --data"
        )
    if 0 < size_of(path) < PAGE:
        raise damaged(path, "it is cut short")
    if not size_of(path) and size_of(log_of(path)):
        raise damaged(path, "it is empty, but its log is not")
    see_that_it_is_free(path)


def see_that_its_log_is_whole(path: Path) -> None:
    """Look at the log before SQLite does, which would throw away what it cannot read of it.

    Raises `JournalBusy` and `JournalDamaged`.
    """
    try:
        with held(path):
            if broken := broken_log(log_of(path)):
                raise damaged(path, broken)
    except InUse:
        raise busy(path) from None


def size_of(path: Path) -> int:
    """Give a file's length; 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
