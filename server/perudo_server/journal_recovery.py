"""What is whole of a damaged journal: its longest prefix, written to a new file beside it."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from .folder import is_no_file
from .journal_entry import (
    Entry,
    JournalDamaged,
    JournalError,
    JournalNewer,
    newer,
    whole,
)
from .journal_file import (
    CHUNK,
    PAGE,
    UNREADABLE,
    SqliteStore,
    connect,
    following,
    log_of,
    private,
    see_that_it_is_free,
)


class Recovered(NamedTuple):
    """What came of it."""

    new_file: Path | None
    """The journal that counts from now on; none if the old one is whole."""
    kept: int
    """How many entries are whole, from the first one on."""
    lost: int
    """How many more there were, as far as can be seen."""
    what: str
    """What is wrong with the old one, in a few words; empty if nothing is."""


def recover(file: Path) -> Recovered:
    """Write the longest valid prefix of this journal to a new file, which counts from then on.

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
        f"the journal {str(file)!r} is damaged ({done.what}): its first {done.kept} entries are in"
        f" {str(done.new_file)!r}, with which perudo-server goes on when it is started again;"
        f" {_lost(done.lost)}, so tables are as they were then, and whoever saw more of a game will"
        " be told that its dice are not proven any more; the old file stays as it is"
    )


def _lost(lost: int) -> str:
    return f"at least {lost} after them are lost" if lost else "what followed cannot be read"


def _recover(file: Path, desk: Path) -> Recovered:
    try:
        return Recovered(None, sum(1 for _ in _strictly(_copied(file, desk / "strict"))), 0, "")
    except JournalDamaged as bad:
        what = bad.what
    except JournalNewer as bad:
        raise newer(file, bad.form) from None
    copy = _copied(file, desk / "lenient")
    _mend_head(copy)
    kept, lost = _prefix(copy)
    new = desk / "new.db"
    private(new)
    _write(new, kept)
    target = following(file.parent)
    os.rename(new, target)
    return Recovered(target, len(kept), lost, what)


def _strictly(copy: Path) -> Iterator[Entry]:
    """Read as a server does that starts; raises `JournalDamaged`."""
    with closing(SqliteStore(copy, "normal")) as store:
        after = 0
        while chunk := store.read(after):
            yield from chunk
            after = chunk[-1].seq


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


def _prefix(copy: Path) -> tuple[list[Entry], int]:
    """Read row by row up to the first that is not whole, and count on while there are any."""
    kept: list[Entry] = []
    lost = 0
    with closing(connect(copy)) as base, suppress(*UNREADABLE):
        base.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        for row in base.execute("SELECT seq, stream, at, body, sum FROM entry ORDER BY seq"):
            entry = None if lost else whole(row, len(kept) + 1)
            if entry is None:
                lost += 1
            else:
                kept.append(entry)
    return kept, lost


def _write(new: Path, kept: list[Entry]) -> None:
    store = SqliteStore(new, "full")
    try:
        for start in range(0, len(kept), CHUNK):
            store.write(kept[start : start + CHUNK])
    except sqlite3.Error as bad:
        raise OSError(0, str(bad)) from None
    finally:
        store.close()
