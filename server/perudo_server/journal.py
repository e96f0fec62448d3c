"""The journal: what happened at the tables, kept in order, durable before anybody is told.

Everything here is called in the event loop's thread and never waits, but for `open`, `load` and
`close`, and `commit` for a moment. The database itself is touched by one thread alone (see
`journal_file`). Entries are written one by one and committed together: while one batch is on its
way to the disk, all that is written gathers in the next. A batch that cannot be committed is kept
and tried again until it can.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from .clock import Timer
from .journal_entry import Entry, Needs, Store, Sync, damaged, reason_of
from .journal_file import SqliteStore
from .journal_sweeper import Sweeper
from .journal_worker import Errand, Worker

HOUSE = 0
"""The stream of what concerns no table; any other stream is a table's number."""
LARGEST = 1 << 24
"""The longest body of an entry, in bytes."""
FIRST_RETRY, LONGEST_RETRY = 0.2, 1.0
"""Seconds after which a failed commit is tried again: first, and at most."""

A_MOMENT = 0.001
"""Seconds that a commit is waited for where it takes no sync of the disk: fifteen times what it
takes. A disk that is slower, or does not answer at all, holds nobody up for longer."""
NOT_AGAIN = 20
"""So many commits are not waited for after one that was waited for in vain."""

LOOK = 0.9
"""Seconds between two looks at a commit that is on its way. Two looks in a row that find the same
one mean that the disk does not answer; one alone may be late, when the process was stopped."""

OpenStore = Callable[[Path, Sync], Store]
Later = Callable[[float, Callable[[], None]], Timer]


class Journal:
    """A journal that is open. Assign the callbacks; they are called in the loop's thread."""

    def __init__(self, store: Store, worker: Worker) -> None:
        """Take a store that `worker` has opened; see `open`."""
        self.on_committed: Callable[[], None] = lambda: None
        """A batch is durable; `committed` says which."""
        self.on_failing: Callable[[str], None] = lambda _: None
        """A commit failed or takes too long, and why; said once until `on_recovered`. It is tried
        again by itself."""
        self.on_recovered: Callable[[], None] = lambda: None
        """Commits work again; called after `on_committed`."""
        self.later: Later | None = None
        """How to wait before the next try; none: by the running loop."""
        self.patience = 0.0
        """How many seconds `commit` itself may wait: what is durable by then is told at once."""
        self._hurries = 0
        """So many commits are not waited for, since the disk is slow at present."""
        self.committed = 0
        """The number of the last batch that is durable."""
        self.written = 0
        """The number of the batch with the latest entry: all that was written so far is durable
        once `committed >= written`."""
        self.failing = False
        """Whether `on_failing` was called, and not yet `on_recovered`."""
        self._store = store
        self._worker = worker
        self._seq = store.last
        self._buffer: list[Entry] = []
        self._flight: list[Entry] = []
        self._wanted = False
        self._wait = FIRST_RETRY
        self._timer: Timer | None = None
        self._flights = 0
        self._watch: Timer | None = None
        self._sweeper: Sweeper | None = None
        self._closed = False

    @classmethod
    def open(
        cls, folder: Path, sync: Sync = "normal", open_store: OpenStore = SqliteStore.open
    ) -> Journal:
        """Open the journal in a folder, both made when they are not there. Blocks.

        With `sync="full"` a batch counts as durable when the disk has it, else when the operating
        system has it. Raises `JournalBusy`, `JournalDamaged`, or another `JournalError`, each with
        one sentence (without its full stop).
        """
        worker = Worker()
        try:
            return cls(worker.ask(lambda: open_store(folder, sync)), worker)
        except BaseException:
            worker.end(0)
            raise

    @property
    def pending(self) -> bool:
        """Whether something was written that is not durable yet."""
        return self.committed < self.written

    def follow(self, needs: Needs) -> None:
        """Have this follow all entries, so that the journal can be swept; before `load`."""
        self._store.needs = needs

    def sweep(self, keep_days: float, on_trouble: Callable[[str], None]) -> None:
        """Keep the journal short from now on; finished games are kept whole for so many days.

        `on_trouble` is told once why that cannot go on. Nothing else is concerned by it.
        """
        self._sweeper = Sweeper(self._store, self._worker, keep_days)
        self._sweeper.on_trouble = on_trouble

    def load(self) -> Iterator[Entry]:
        """Give all entries that are still needed, in order; before the first `write`. Blocks.

        Raises `JournalDamaged` at the first entry that is not as it was written, before it has
        given any.
        """
        after = 0
        found: list[Entry] = []
        while chunk := self._worker.ask(partial(self._store.read, after)):
            after = chunk[-1].seq
            found += chunk
        if after != self._store.last:
            raise damaged(self._store.path, f"the entries after number {after} are missing")
        needs = self._store.needs
        if needs is None:
            yield from found
            return
        wanted = set(needs.numbers(1, after + 1))
        yield from (entry for entry in found if entry.seq in wanted)
        yield Entry(after, HOUSE, needs.at, needs.counted)

    def write(self, stream: int, at: float, body: bytes) -> int:
        """Take up an entry, to be handed over at the next `commit`.

        `stream` is `HOUSE` or a table's number, `at` a moment of the server's clock in seconds.
        Gives the number of its batch: the entry is durable once `committed` is not less. Raises
        `ValueError` for what no journal can hold.
        """
        at = float(at) + 0.0  # no negative zero: SQLite does not know it
        if not (0 <= stream < 2**63 and math.isfinite(at) and len(body) <= LARGEST):
            raise ValueError(f"no journal can hold {stream=}, {at=}, {len(body)} bytes")
        if self._closed:
            raise ValueError("the journal is closed; write before that")
        if not self._buffer:
            self.written += 1
        self._seq += 1
        self._buffer.append(Entry(self._seq, stream, at, bytes(body)))
        return self.written

    def commit(self) -> None:
        """Hand over all that is written as one transaction, now or after the one on its way.

        With `patience` the callbacks may come before this returns.
        """
        if self._flight:
            self._wanted = bool(self._buffer)
        elif self._buffer:
            self._flight, self._buffer = self._buffer, []
            self._wanted = False
            self._flights += 1
            self._hand_over()
            if self._flight and self._watch is None:
                self._look_again()

    def close(self, patience: float) -> bool:
        """Commit the rest and close the file, within `patience` seconds. Blocks.

        Gives whether all is durable. Nothing is called back any more, but `committed` is right.
        """
        if self._closed:
            return not self.pending
        self._closed = True
        if self._sweeper is not None:
            self._sweeper.stop()
        for timer in (self._timer, self._watch):
            if timer is not None:
                timer.cancel()
        rest, done = [*self._flight, *self._buffer], threading.Event()
        self._worker.submit(lambda: self._finish(rest, done))
        self._worker.end(patience)
        if done.is_set():
            self.committed = self.written
        return not self.pending

    def _hand_over(self) -> None:
        errand = Errand(partial(self._tell, asyncio.get_running_loop()))
        self._worker.submit(partial(self._write, self._flight, errand))
        waits = not self._hurries
        if errand.wait(self.patience if waits else 0.0):
            self._hurries = max(0, self._hurries - 1)
            self._report(errand)
        else:
            self._hurries = NOT_AGAIN if waits else self._hurries - 1

    def _write(self, entries: list[Entry], errand: Errand) -> None:
        """In the worker's thread: write, and only then report."""
        try:
            self._store.write(entries)
        except Exception as error:  # whatever it is, the entries must not get lost
            errand.failed = error
        errand.end()
        if errand.failed is None:
            self._store.tidy()

    def _tell(self, loop: asyncio.AbstractEventLoop, errand: Errand) -> None:
        """In the worker's thread: have the loop hear of what it does not wait for any more."""
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._report, errand)

    def _report(self, errand: Errand) -> None:
        if self._closed:
            return
        if errand.failed is not None:
            self._retry_later(errand.failed)
            return
        self.committed = self.written - bool(self._buffer)
        recovered, self.failing = self.failing, False
        self._wait = FIRST_RETRY
        try:
            self.on_committed()
            if recovered:
                self.on_recovered()
        finally:  # until here a commit waits, so that what comes of it is told after this
            self._flight = []
        if self._wanted:
            self.commit()

    def _retry_later(self, failed: Exception) -> None:
        self._timer = self._after(self._wait, self._hand_over)
        self._wait = min(self._wait * 2, LONGEST_RETRY)
        self._fail(reason_of(failed))

    def _fail(self, reason: str) -> None:
        if not self.failing:
            self.failing = True
            self.on_failing(reason)

    def _look_again(self, seen: bool = False) -> None:
        self._watch = self._after(LOOK, partial(self._look, self._flights, seen))

    def _look(self, flights: int, seen: bool) -> None:
        """See whether what is on its way now was on its way at the last look too."""
        self._watch = None
        if self._flight and self._flights != flights:
            self._look_again()
        elif self._flight and not seen:
            self._look_again(seen=True)
        elif self._flight:
            self._fail("the disk does not answer")

    def _after(self, seconds: float, callback: Callable[[], None]) -> Timer:
        return (self.later or asyncio.get_running_loop().call_later)(seconds, callback)

    def _finish(self, rest: list[Entry], done: threading.Event) -> None:
        try:
            if rest:  # what the last transaction wrote already is not written twice
                self._store.write(rest)
            done.set()
        finally:
            self._store.close()


class NoJournal:
    """What a server has that keeps nothing: never pending, always empty."""

    def __init__(self) -> None:
        """Nothing is needed."""
        self.on_committed: Callable[[], None] = lambda: None
        self.on_failing: Callable[[str], None] = lambda _: None
        self.on_recovered: Callable[[], None] = lambda: None
        self.later: Later | None = None
        self.patience = 0.0
        self.committed = 0
        self.written = 0
        self.failing = False
        self.pending = False

    def follow(self, needs: Needs) -> None:
        """Do nothing."""

    def sweep(self, keep_days: float, on_trouble: Callable[[str], None]) -> None:
        """Do nothing."""

    def load(self) -> Iterator[Entry]:
        """Give nothing."""
        return iter(())

    def write(self, stream: int, at: float, body: bytes) -> int:
        """Forget it; what it would wait for is over."""
        return 0

    def commit(self) -> None:
        """Do nothing."""

    def close(self, patience: float) -> bool:
        """Do nothing; all that is kept is kept."""
        return True


AnyJournal = Journal | NoJournal
"""What the tables write to."""
