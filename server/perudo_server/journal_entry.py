"""What the journal's rooms share: entries, what can be wrong, and what they need of a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from typing import ClassVar, Literal, NamedTuple, Protocol

Sync = Literal["normal", "full"]

VERSION = 2
"""The form of the file that is written. Every later one must read this one too."""
_HEAD = Struct(">qqd")


class Entry(NamedTuple):
    """Something that happened: its number, whose it is, when, and what."""

    seq: int
    stream: int
    at: float
    body: bytes


class Finished(NamedTuple):
    """A game that is over: its last and its first entry, and what is kept of it for good."""

    seq: int
    first: int
    body: bytes


class JournalError(Exception):
    """A journal that cannot be used; the text is one sentence that says what would be right."""

    code: ClassVar[int] = 78
    """The exit code, as in sysexits.h."""


class JournalBusy(JournalError):
    """Another server has it open."""

    code = 75


class JournalDamaged(JournalError):
    """It is not as it was written; `what` says where."""

    code = 74
    what: str = ""


class JournalNewer(JournalError):
    """A later version of the program wrote it, in this form."""

    form: int = 0


class Needs(Protocol):
    """Follows the entries, and knows which of them a restart still needs."""

    finished: list[Finished]
    """Games that are over; whoever has written them down takes them out."""
    at: float
    """The latest moment of all entries."""
    mark: int
    """Of what is before this entry, all that is needed is held."""
    dropped: list[int]
    """What was needed of that, and is not any more; whoever has let go of it clears this."""

    @property
    def counted(self) -> bytes:
        """An entry that stands for what all the entries together have counted."""

    def take(self, entries: Iterable[Entry]) -> None:
        """Go on; raises `ValueError` for an entry that it cannot read."""

    def numbers(self, first: int, before: int) -> list[int]:
        """Give the numbers of all that is needed, from the first on and before the other one."""

    def oldest_game(self, otherwise: int) -> int:
        """Give the number of the entry with which the oldest game began of those that go on."""


class Store(Protocol):
    """What the journal needs of its file. All of it is called in one thread."""

    path: Path
    last: int
    """The number of the last entry when it was opened."""
    needs: Needs | None
    """What follows the entries, if anything does; to be set before the first `read`."""

    def read(self, after: int) -> list[Entry]:
        """Give some of the needed entries after this number, in order; none at the end."""

    def sweep(self, now: float, keep: float) -> bool:
        """Do a small step of what keeps the file short; say whether there is more to do.

        `now` is the time of day, `keep` for how long finished games are kept whole, in seconds.
        """

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


def newer(path: Path, form: int) -> JournalNewer:
    """Make the error that says which version would be right."""
    error = JournalNewer(
        f"the journal {str(path)!r} has form {form}, and this perudo-server reads up to form"
        f" {VERSION}; use a newer perudo-server, or another folder with --data"
    )
    error.form = form
    return error


def reason_of(error: Exception) -> str:
    """Say in a few words why the disk did not do what it should."""
    if kind(error) == sqlite3.SQLITE_FULL:
        return "the disk is full"
    text = error.strerror if isinstance(error, OSError) else str(error)
    return printable(text or type(error).__name__)


def printable(text: str) -> str:
    """Give a text as one line without what a terminal would take as a command."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def checksum(seq: int, stream: int, at: float, body: bytes) -> bytes:
    """Give the eight bytes by which a changed row is noticed."""
    return blake2b(_HEAD.pack(seq, stream, at) + body, digest_size=8).digest()


def whole(row: tuple[object, ...], seq: int) -> Entry | None:
    """Give the row as the entry of this number; `None` if it is not as it was written."""
    number, stream, at, body, found = row  # read by the thousand: no patterns here, they are slow
    if not (isinstance(stream, int) and isinstance(at, float) and isinstance(body, bytes)):
        return None
    if number != seq or found != checksum(seq, stream, at, body):
        return None
    return Entry(seq, stream, at, body)


def kind(error: Exception) -> int:
    """Give SQLite's primary code of an error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
