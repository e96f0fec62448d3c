"""What is whole of a damaged journal, written to a new file beside it."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .folder import is_no_file
from .journal_entry import (
    Entry,
    JournalDamaged,
    JournalError,
    JournalNewer,
    newer,
    whole,
)
from .journal_file import CHUNK, SqliteStore
from .journal_held import HOUSE, Held, mark_row
from .journal_place import (
    PAGE,
    UNREADABLE,
    connect,
    following,
    log_of,
    private,
    see_that_it_is_free,
)
from .needed import Needed


class Recovered(NamedTuple):
    """What came of it."""

    new_file: Path | None
    """The journal that counts from now on; none if the old one is whole."""
    kept: int
    """How many entries of the log are whole, one after the other."""
    lost: int
    """How many more there were after them, as far as can be seen."""
    what: str
    """What is wrong with the old one, in a few words; empty if nothing is."""
    first: int = 1
    """The number of the first entry that is kept."""
    all_tables: bool = True
    """Whether the tables that stood then are kept, whenever they were opened."""
    missing: int = 0
    """How many entries before the first were needed and are not whole: the tables are gone of which
    they told."""


def recover(file: Path) -> Recovered:
    """Write what is whole of this journal to a new file, which counts from then on.

    The old file is never touched, not even its log: all is done with copies. Raises `JournalBusy`
    if a server has it open, and another `JournalError` if it cannot be read, if it is of a newer
    form, or if the new one cannot be written.
    """
    if not file.exists():
        raise JournalError(f"there is no journal {str(file)!r}; name its folder with --data")
    if not file.is_file():
        raise JournalError(f"{str(file)!r} is no file, and so no journal")
    try:
        with tempfile.TemporaryDirectory(prefix="recover-", dir=file.parent) as desk:
            see_that_it_is_free(file)
            return _recover(file, Path(desk))
    except OSError as bad:
        raise JournalError(
            f"the journal {str(file)!r} cannot be recovered ({bad.strerror}); there must be such a"
            " file, and room for two copies of it beside it"
        ) from None


def said(file: Path, done: Recovered) -> str:
    """Say in a sentence (without its full stop) what came of it, and what to do now."""
    if done.new_file is None:
        return f"the journal {str(file)!r} is whole ({done.kept} entries); nothing is to be done"
    return (
        f"the journal {str(file)!r} is damaged ({done.what}): {_kept(done)} in"
        f" {str(done.new_file)!r}, with which perudo-server goes on when it is started again;"
        f" {_lost(done.lost)}, so tables are as they were then, and whoever saw more of a game will"
        " be told that its dice are not proven any more; the old file stays as it is"
    )


def _kept(done: Recovered) -> str:
    before = "what was needed of those before" if done.all_tables and done.first > 1 else ""
    if before and done.missing:
        before += f" (but {done.missing} of them, and the tables of which these told)"
    if not done.kept:
        return f"none of its entries is whole, and {before or 'an empty journal'} is"
    if done.first == 1:
        return f"its first {done.kept} entries are"
    last = done.first + done.kept - 1
    return f"its entries {done.first} to {last}{before and f' and {before}'} are"


def _lost(lost: int) -> str:
    return f"at least {lost} after them are lost" if lost else "what followed cannot be read"


def _recover(file: Path, desk: Path) -> Recovered:
    try:
        return Recovered(None, _looked_over(_copied(file, desk / "strict")), 0, "")
    except JournalDamaged as bad:
        what = bad.what
    except JournalNewer as bad:
        raise newer(file, bad.form) from None
    copy = _copied(file, desk / "lenient")
    _mend_head(copy)
    new = desk / "new.db"
    private(new)
    try:
        with closing(connect(copy)) as base, closing(SqliteStore(new, "full")) as store:
            base.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            done = _saved(Old(base), store)
    except sqlite3.Error as wrong:
        raise OSError(0, str(wrong)) from None
    target = following(file.parent)
    os.rename(new, target)
    return done._replace(new_file=target, what=what)


def _looked_over(copy: Path) -> int:
    """Read all that a server reads that starts, and all else; raises `JournalDamaged`.

    Gives how many entries there are.
    """
    with closing(SqliteStore(copy, "normal", thorough=True)) as store:
        after = 0
        while chunk := store.read(after):
            after = chunk[-1].seq
        after = count = 0
        while chunk := store.log(after):
            after, count = chunk[-1].seq, count + len(chunk)
        store.games()
        store.hours()
        return count


def _copied(file: Path, folder: Path) -> Path:
    for each in filter(is_no_file, (file, log_of(file))):
        raise OSError(errno.EINVAL, f"{each.name} is no file")
    folder.mkdir(0o700)
    copy = folder / file.name
    shutil.copyfile(file, copy)
    with suppress(FileNotFoundError):
        shutil.copyfile(log_of(file), log_of(copy))
    return copy


def _mend_head(copy: Path) -> None:
    """Put back the first page, which is the same in every journal but for the number of pages."""
    path = copy.with_name("fresh.db")
    private(path)
    SqliteStore(path, "normal").close()
    fresh, size = path.read_bytes(), copy.stat().st_size
    if size < len(fresh):  # what is missing may be in the log
        copy.write_bytes(fresh)
        return
    with copy.open("r+b") as base:
        base.write(fresh[:28] + (size // PAGE).to_bytes(4, "big") + fresh[32:PAGE])


class Old:
    """What can be read of a damaged journal."""

    def __init__(self, base: sqlite3.Connection) -> None:
        """Read it by this connection, to a copy of it."""
        self._base = base

    def rows(self, table: str, which: str = "ORDER BY seq") -> Iterator[Entry | None]:
        """Give the rows of a table, up to one that cannot be read; `None` for what is not whole."""
        query = f"SELECT seq, stream, at, body, sum FROM {table} {which}"
        with suppress(*UNREADABLE):
            for row in self._base.execute(query):
                yield whole(row, row[0]) if isinstance(row[0], int) else None

    def unbroken(self, first: int, step: int = 1) -> Iterator[Entry]:
        """Give entries of the log from this one on, forwards or backwards, up to a gap."""
        sign, order = (">=", "ASC") if step > 0 else ("<=", "DESC")
        rows = self.rows("entry", f"WHERE seq {sign} {first} ORDER BY seq {order}")
        for number, entry in enumerate(rows):
            if entry is None or entry.seq != first + number * step:
                return
            yield entry

    def first(self) -> int:
        """Give the number of the first entry that can be read."""
        rows = self.rows("entry")
        return next((entry.seq for entry in rows if entry is not None), 1)

    def mark(self) -> Held | None:
        """Give the mark, if it is whole."""
        with suppress(*UNREADABLE, JournalDamaged):
            return Held(self._base, Path())
        return None

    def held(self, mark: Held) -> Kept | None:
        """Give what is held before the mark, if all of its rows are there, whole or not."""
        rows: list[tuple[Any, ...]] = []
        with suppress(*UNREADABLE):
            rows += self._base.execute("SELECT seq, stream, at, body, sum FROM held ORDER BY seq")
        if not all(isinstance(value, int) for row in rows for value in row[:2]):
            return None
        if not mark.are_all([row[0] for row in rows]):
            return None
        found = {row[0]: whole(row, row[0]) for row in rows}
        streams = {HOUSE, *(entry.stream for entry in found.values() if entry is not None)}
        lost = {}
        for seq, stream, *rest in rows:
            for other in streams if found[seq] is None else ():
                found[seq] = found[seq] or whole((seq, other, *rest), seq)
            if found[seq] is None:
                lost[seq] = stream
        return Kept([entry for entry in found.values() if entry is not None], lost)


class Kept(NamedTuple):
    """What is whole of what is held."""

    entries: list[Entry]
    lost: dict[int, int]
    """Whose an entry is that is not whole, by its number."""

    def before(self, first: int) -> tuple[list[Entry], int]:
        """Give what makes sense of it before this entry, from which on the log is whole, and how
        many are lost. A table of which something is missing makes none."""
        lost = [stream for seq, stream in self.lost.items() if seq < first]
        gone = {*lost} - {HOUSE}
        return [e for e in self.entries if e.seq < first and e.stream not in gone], len(lost)


def _saved(old: Old, store: SqliteStore) -> Recovered:
    """Write what is whole of a journal to a new one.

    Around its mark the log is whole from some entry on up to another: all that is kept. What is
    held may not be needed as the log ended, but as it ends now; so the new mark is the first entry
    that is kept. Is some of what is held missing, then the log counts from its first entry on; and
    if that was cut off, from the mark on: only tables that have opened since are there then.
    """
    mark, first = old.mark(), old.first()
    held = None if mark is None else old.held(mark)
    all_tables = held is not None or first == 1
    if held is not None and mark is not None:
        before = old.unbroken(mark.mark - 1, -1)
        first = min((entry.seq for entry in before), default=mark.mark)
    elif first != 1:
        first = first if mark is None else mark.mark
    needs = Needed()
    if mark is not None and mark.counted is not None:
        needs.take([mark.counted])
    kept = 0
    for chunk in _chunks(old.unbroken(first)):
        store.write(chunk)
        kept += len(chunk)
        with suppress(ValueError):  # of what cannot be read, restoring will tell
            needs.take(chunk)
    missing = 0
    if first > 1:
        earlier, missing = held.before(first) if held is not None else ([], 0)
        store.put("held", earlier)
        store.put("mark", [mark_row(first, earlier, needs)])
    lost = sum(1 for _ in old.rows("entry", f"WHERE seq >= {first + kept} ORDER BY seq"))
    hours = [row for row in old.rows("hour") if row is not None]
    store.put("hour", [row for row in hours if row.seq < first + kept])  # not what is lost
    store.put("game", [row for row in old.rows("game") if row is not None])
    return Recovered(None, kept, lost, "", first, all_tables, missing)


def _chunks(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    while chunk := list(islice(entries, CHUNK)):
        yield chunk
