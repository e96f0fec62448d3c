"""Journals for tests: entries, folders with journals as a server leaves them, stores that fail."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from perudo_server.journal import Journal
from perudo_server.journal_entry import Entry
from perudo_server.journal_file import SqliteStore
from perudo_server.journal_place import log_of

BOUND = 20.0
"""Seconds after which what a test waits for is held not to come."""


def entries(count: int) -> list[Entry]:
    """Give entries of all kinds: of the house, of tables, empty ones, one longer than a page."""
    return [
        Entry(seq, seq % 7, seq / 3, _body(seq) if seq % 5 else b"") for seq in range(1, count + 1)
    ]


def _body(seq: int) -> bytes:
    return bytes((seq * step) % 256 for step in range(9000 if seq == 12 else 20 + seq % 90))


def left_behind(folder: Path, count: int, *, killed: bool) -> list[Entry]:
    """Make a journal as a server that ended leaves it, or one that was killed: with its log."""
    made = entries(count)
    store = SqliteStore.open(folder, "normal")
    for start in range(0, count, 3):
        store.write(made[start : start + 3])
    kept = {path: path.read_bytes() for path in (store.path, log_of(store.path))}
    store.close()
    for path, data in kept.items() if killed else ():
        path.write_bytes(data)
        path.chmod(0o600)
    return made


def loaded(folder: Path) -> list[Entry]:
    """Open the journal of a folder, give all that is in it, and close it."""
    journal = Journal.open(folder)
    try:
        return list(journal.load())
    finally:
        journal.close(BOUND)


def contents(folder: Path) -> dict[str, bytes]:
    """Give every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Make a folder hold these files alone."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for name, data in files.items():
        (folder / name).write_bytes(data)


class Told:
    """Hears what a journal calls back, and lets a test wait for it."""

    def __init__(self, journal: Journal) -> None:
        self.heard: list[str] = []
        self._changed = asyncio.Event()
        self._journal = journal
        journal.on_committed = lambda: self._hear(f"committed {journal.committed}")
        journal.on_failing = lambda reason: self._hear(f"failing: {reason}")
        journal.on_recovered = lambda: self._hear("recovered")

    def _hear(self, what: str) -> None:
        self.heard.append(what)
        self._changed.set()

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until something is so, looking whenever the journal called back."""
        async with asyncio.timeout(BOUND):
            while not done():
                self._changed.clear()
                await self._changed.wait()

    async def durable(self) -> None:
        """Wait until all that is written is committed."""
        await self.until(lambda: not self._journal.pending)


class Faulty(SqliteStore):
    """A store with a disk that fails when it is told to; counts its transactions."""

    def __init__(self, path: Path, failing: Callable[[int], bool], *, after: bool) -> None:
        super().__init__(path, "normal")
        self.calls = 0
        self.batches: list[int] = []
        self._failing = failing
        self._after = after

    def write(self, batch: Sequence[Entry]) -> None:
        """Fail at the calls that are said to fail, before or after the commit took effect."""
        self.calls += 1
        fails = self._failing(self.calls)
        if self._after or not fails:
            super().write(batch)
        if fails:
            raise sqlite3.OperationalError("disk I/O error")
        self.batches.append(len(batch))
