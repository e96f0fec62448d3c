"""What the journal costs, how large it is, and how soon a server is back that has a long one."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.framing import HEADER
from perudo_server.journal_entry import Entry, Sync
from perudo_server.journal_file import SqliteStore
from perudo_server.journal_place import PAGE
from perudo_server.needed import Needed
from tests.support.long_journal import DAY, Recorded, Stories, recorded, sweep, write

from .load import Loaded, busy, ours, punctual, take_turns
from .processes import BOUND, our_server
from .rows import Goal, Row, Size, pairs

PEOPLE = 6
RATE = 300
EVERY = 200
"""After so many entries a busy server sweeps once more."""
SYNCS: tuple[Sync, ...] = ("normal", "full")


def acts(size: Size) -> Iterator[Row]:
    """Measure bids a second, and from a bid to its last update, with each kind of journal.

    The floor is the very same server without a journal.
    """
    tables = {Size.SMALLEST: 2, Size.QUICK: 20, Size.FULL: 100}[size]
    turns, bids, seconds = {
        Size.SMALLEST: (1, 3, 0.05),
        Size.QUICK: (1, 25, 0.5),
        Size.FULL: (6, 40, 2.5),
    }[size]
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        runs = [stack.enter_context(ours(Path(name), tables, PEOPLE, journal=False))]
        for sync in SYNCS:
            home = Path(name) / sync
            home.mkdir()
            runs.append(stack.enter_context(ours(home, tables, PEOPLE, "--journal-sync", sync)))
        take_turns(1, runs, partial(Loaded.play, bids=bids))  # what is made once is made now
        fast = take_turns(turns, runs, partial(Loaded.play, bids=bids))
        paced = take_turns(turns, runs, partial(Loaded.pace, rate=RATE, seconds=seconds))
    for at, sync in enumerate(SYNCS, 1):
        where, label = f"{tables} tables of {PEOPLE}", sync.upper()
        none, own = (tuple(w.bids / w.seconds for w in fast[n]) for n in (0, at))
        what = f"journal: bids a second, {where}, {label}"
        yield Row("journal", what, "bids/s", none, own, None, busy(fast[at]))
        for quantile in ("p50", "p99"):
            none, own = (tuple(1e6 * w.waits[quantile] for w in paced[n]) for n in (0, at))
            what = f"journal: bid to last update, {RATE} a second, {quantile}, {label}"
            yield Row("journal", what, "µs", none, own, None, punctual(paced[at]))


def alone(size: Size) -> Iterator[Row]:
    """Measure what the file takes of a processor, beside the barest table of the same rows.

    The floor: one table of SQLite with the same columns and the same bytes in them, the same log
    and the same commits. It makes no checksums (it is given some), looks for no errors, and never
    moves its log over; nor does it follow and hold what a restart would need.
    """
    games, turns = {Size.SMALLEST: (2, 1), Size.QUICK: (40, 2), Size.FULL: (400, 6)}[size]
    entries = list(Stories([recorded()], 2, games, 1).entries())
    for count in (3, 30):
        with TemporaryDirectory(prefix="perudo-bench-") as name:
            home = Path(name)
            bare, own = pairs(
                turns, partial(_bare, home, entries, count), partial(_own, home, entries, count)
            )
        what = f"journal: CPU of an entry, {count} in a commit"
        yield Row("entries", what, "µs", bare, own, None, f"{len(entries)} entries of real games")


def _bare(home: Path, entries: Sequence[Entry], count: int) -> float:
    file = Path(mkdtemp(dir=home)) / "bare.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0"):
            base.execute(f"PRAGMA {pragma}").fetchall()
        columns = "seq INTEGER PRIMARY KEY, stream INTEGER, at REAL, body BLOB, sum BLOB"
        base.execute(f"CREATE TABLE entry ({columns})")
        since = time.thread_time()
        for start in range(0, len(entries), count):
            rows = [(*entry, b"checksum") for entry in entries[start : start + count]]
            base.execute("BEGIN IMMEDIATE")
            base.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", rows)
            base.execute("COMMIT")
        return 1e6 * (time.thread_time() - since) / len(entries)


def _own(home: Path, entries: Sequence[Entry], count: int) -> float:
    with closing(SqliteStore.open(Path(mkdtemp(dir=home)), "normal")) as store:
        store.needs = Needed()
        swept = 0
        since = time.thread_time()
        for start in range(0, len(entries), count):
            store.write(entries[start : start + count])
            store.tidy()
            if start - swept >= EVERY:
                store.sweep(0.0, 30 * DAY)
                swept = start
        return 1e6 * (time.thread_time() - since) / len(entries)


def sizes(size: Size) -> Iterator[Row]:
    """Measure how many bytes of the file a game takes, before and after its days are over.

    The floor: the bytes of the entries alone, which say what happened.
    """
    games = {Size.SMALLEST: 2, Size.QUICK: 8, Size.FULL: 40}[size]
    for people, dice in ((3, 2), (6, 5)):
        entries = list(Stories([recorded(people, dice, 2)], 1, games, 1).entries())
        bodies = sum(len(entry.body) for entry in entries)
        with TemporaryDirectory(prefix="perudo-bench-") as name:
            folder = Path(name) / "data"
            whole = _in_use(write(folder, entries))
            store = write(folder, [])
            longest = max(sweep(store, days * DAY, 30 * DAY) for days in (1, 32))
            after = _in_use(store)
        bare, own = (taken / (games + 0.5) for taken in (bodies, whole))  # one is half over
        what = f"journal: bytes of a game, {people} people, {dice} dice"
        note = f"{len(entries) / (games + 0.5):.0f} entries, the dice proven by all"
        yield Row("sizes", what, "B", (bare,), (own,), None, note)
        note = f"with all that a restart needs; the longest step took {1e3 * longest:.1f} ms"
        what = f"{what}, when its days are over"
        yield Row("sizes", what, "B", (), (after / (games + 0.5),), None, note)


def _in_use(store: SqliteStore) -> int:
    """Close a journal; give the bytes of its file that are not free."""
    store.close()
    with closing(sqlite3.connect(store.path)) as base:
        pages, free = (
            base.execute(f"PRAGMA {what}").fetchone()[0]
            for what in ("page_count", "freelist_count")
        )
    return int(pages - free) * PAGE


def recovery(size: Size) -> Iterator[Row]:
    """Measure from starting a server to its first answer, where there is a long journal.

    Beside it, as the floor, one without any. Both are killed each time, and started again.
    """
    tables, games, turns = {
        Size.SMALLEST: (2, 4, 1),
        Size.QUICK: (100, 200, 2),
        Size.FULL: (100, 10_000, 8),
    }[size]
    with TemporaryDirectory(prefix="perudo-bench-") as name:
        home = Path(name)
        entries = Stories(_evenings(size), tables, games, 1).entries()
        store = write(home / "long", entries, time.time())
        count, number = store.last, iter(range(1000))
        store.close()
        length = (home / "long" / "journal.db").stat().st_size / 2**20
        new, own = pairs(
            turns,
            lambda: _answered(home, home / f"new-{next(number)}", 0),
            lambda: _answered(home, home / "long", tables),
        )
    what = f"journal: start to first answer, {games} games over, {tables} going on"
    note = f"{count} entries, {length:.0f} MiB; the floor: a new house"
    yield Row("recovery", what, "s", new, own, Goal(2.0, alone=True), note)


def _evenings(size: Size) -> list[Recorded]:
    """Play evenings of small and of large tables; a large one's games have eight times as much."""
    if size is Size.SMALLEST:
        return [recorded(3, 1, 2)]
    small = [recorded(people, 2, 2, seed) for people in (3, 4) for seed in range(4)]
    return [*small, recorded(6, 5, 1)]


def _answered(home: Path, data: Path, tables: int) -> float:
    """Start a server, and greet it; give how long that took, in seconds."""
    since = time.perf_counter()
    with our_server(home, "--data", str(data), PERUDO_TABLES="1000") as server:
        with socket.create_connection(("127.0.0.1", server.port), BOUND) as line:
            line.sendall(encode(m.Hello(versions=(1,), client="bench", name="Zoe")))
            if len(line.recv(HEADER)) != HEADER:
                raise RuntimeError("there is no answer")
        took = time.perf_counter() - since
        log = (home / "server.log").read_text().splitlines()
        restored = [line for line in log if " restored " in line][-1]
        if not restored.endswith(f" tables={tables}"):
            raise RuntimeError(restored)
        return took
