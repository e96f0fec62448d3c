"""The journal as the event loop sees it: barriers, group commit, failing disks, its end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from perudo_server.clock import Timer
from perudo_server.journal import HOUSE, LOOK, NOT_AGAIN, Journal, NoJournal
from perudo_server.journal_entry import Entry, Sync
from perudo_server.journal_file import SqliteStore
from perudo_server.journal_place import newest
from perudo_server.journal_worker import Errand
from tests.support.journals import BOUND, Faulty, Told, entries, loaded


def never(_: int) -> bool:
    return False


class Waits:
    """Takes the place of a clock: notes for how long, and goes on at once if so wished."""

    def __init__(self, *, rings: bool = True) -> None:
        self.seconds: list[float] = []
        self.waiting: list[Callable[[], None]] = []
        self._rings = rings

    def later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        self.waiting.append(callback)
        if seconds == LOOK:  # the look at what takes long
            return asyncio.get_running_loop().call_later(BOUND, callback)
        self.seconds.append(seconds)
        loop = asyncio.get_running_loop()
        return loop.call_soon(callback) if self._rings else loop.call_later(BOUND, callback)


def faulty(
    folder: Path, failing: Callable[[int], bool] = never, *, after: bool = False
) -> tuple[Journal, Faulty, Told]:
    """Open a journal over a store that fails when it is told to, and listen to it."""
    Journal.open(folder).close(BOUND)
    stores: list[Faulty] = []

    def open_store(where: Path, _: Sync) -> Faulty:
        stores.append(Faulty(newest(where), failing, after=after))
        return stores[0]

    journal = Journal.open(folder, "normal", open_store)
    return journal, stores[0], Told(journal)


@pytest.mark.parametrize("sync", ["normal", "full"])
async def test_what_is_committed_is_there_again(tmp_path: Path, sync: Sync) -> None:
    journal = Journal.open(tmp_path / "a" / "b", sync)
    told = Told(journal)
    assert list(journal.load()) == []
    for entry in entries(2500):
        journal.write(*entry[1:])
    journal.commit()
    await told.durable()
    assert told.heard == ["committed 1"]
    assert journal.close(BOUND)
    assert loaded(tmp_path / "a" / "b") == entries(2500)


async def test_numbers_go_on_after_a_restart(tmp_path: Path) -> None:
    for count in range(1, 4):
        journal = Journal.open(tmp_path)
        assert len(list(journal.load())) == count - 1
        journal.write(HOUSE, float(count), b"start")
        assert journal.close(BOUND)
    assert [(entry.seq, entry.at) for entry in loaded(tmp_path)] == [(1, 1.0), (2, 2.0), (3, 3.0)]


async def test_all_that_is_written_in_a_turn_is_one_transaction(tmp_path: Path) -> None:
    journal, store, told = faulty(tmp_path)
    for entry in entries(100):
        assert journal.write(*entry[1:]) == 1
        assert journal.pending
    journal.commit()
    assert journal.written == 1
    assert journal.committed == 0
    await told.durable()
    assert store.batches == [100]
    assert journal.committed == 1
    journal.close(BOUND)


async def test_what_comes_while_one_is_on_its_way_waits_for_the_next(tmp_path: Path) -> None:
    journal, store, told = faulty(tmp_path)
    journal.write(1, 0.0, b"first")
    journal.commit()
    barriers = [journal.write(1, 0.0, b"later") for _ in range(50)]
    journal.commit()
    barriers += [journal.write(1, 0.0, b"later still") for _ in range(50)]
    assert set(barriers) == {2}
    await told.until(lambda: journal.committed == 1)
    assert journal.pending
    await told.durable()
    assert store.batches == [1, 100]
    assert told.heard == ["committed 1", "committed 2"]
    journal.close(BOUND)


async def test_nothing_is_handed_over_without_a_commit(tmp_path: Path) -> None:
    journal, store, told = faulty(tmp_path)
    journal.commit()
    journal.write(1, 0.0, b"first")
    journal.commit()
    journal.write(1, 0.0, b"second")
    await told.until(lambda: journal.committed == 1)
    assert (journal.written, journal.pending, store.calls) == (2, True, 1)
    journal.commit()
    await told.durable()
    assert store.calls == 2
    journal.close(BOUND)


async def test_a_callback_may_write_and_commit(tmp_path: Path) -> None:
    journal, _, told = faulty(tmp_path)
    hear = journal.on_committed

    def answer() -> None:
        if journal.committed < 5:
            journal.write(1, 0.0, b"and")
            journal.commit()
        hear()

    journal.on_committed = answer
    answer()
    await told.until(lambda: journal.committed == 5)
    assert journal.close(BOUND)
    assert [entry.seq for entry in loaded(tmp_path)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("stream", "at", "body"),
    [
        (-1, 0.0, b""),
        (2**63, 0.0, b""),
        (1, float("nan"), b""),
        (1, float("inf"), b""),
        (1, 0.0, bytes((1 << 24) + 1)),
    ],
)
async def test_what_no_journal_can_hold_is_refused_at_once(
    tmp_path: Path, stream: int, at: float, body: bytes
) -> None:
    journal = Journal.open(tmp_path)
    with pytest.raises(ValueError, match="no journal can hold"):
        journal.write(stream, at, body)
    assert not journal.pending
    journal.write(1, -0.0, b"all else can be held")
    assert journal.close(BOUND)
    assert loaded(tmp_path) == [Entry(1, 1, 0.0, b"all else can be held")]


STEPS = 6
"""Commits in the test of faults; more calls than this and their retries there are not."""


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("fault", range(1, STEPS + 1))
async def test_a_fault_at_any_call_neither_loses_nor_doubles(
    tmp_path: Path, fault: int, after: bool
) -> None:
    """The call fails before the commit, or after it has reached the disk."""
    journal, store, told = faulty(tmp_path, lambda call: call == fault, after=after)
    waits = Waits()
    journal.later = waits.later
    for step in range(STEPS):
        for entry in entries(STEPS * 3)[step * 3 : step * 3 + 3]:
            journal.write(*entry[1:])
        journal.commit()
        await told.durable()
    assert waits.seconds == [0.2]
    assert store.calls == STEPS + 1
    expected = [f"committed {number}" for number in range(1, STEPS + 1)]
    expected.insert(fault, "recovered")
    expected.insert(fault - 1, "failing: disk I/O error")
    assert told.heard == expected
    assert journal.close(BOUND)
    assert loaded(tmp_path) == entries(STEPS * 3)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_disk_that_fails_for_long_is_tried_ever_more_slowly(
    tmp_path: Path, after: bool
) -> None:
    journal, store, told = faulty(tmp_path, lambda call: call <= 5, after=after)
    waits = Waits()
    journal.later = waits.later
    barrier = journal.write(1, 0.0, b"kept")
    journal.commit()
    assert not journal.failing
    await told.until(lambda: journal.failing)
    assert journal.write(2, 0.0, b"meanwhile") == barrier + 1
    journal.commit()
    await told.until(lambda: journal.committed >= barrier)
    assert not journal.failing
    await told.durable()
    assert waits.seconds == [0.2, 0.4, 0.8, 1.0, 1.0]
    assert told.heard == ["failing: disk I/O error", "committed 1", "recovered", "committed 2"]
    assert journal.close(BOUND)
    assert [entry.body for entry in loaded(tmp_path)] == [b"kept", b"meanwhile"]
    assert store.calls == 7


async def test_nothing_counts_as_durable_while_the_disk_fails(tmp_path: Path) -> None:
    journal, _, told = faulty(tmp_path, lambda _: True)
    waits = Waits(rings=False)
    journal.later = waits.later
    journal.write(1, 0.0, b"lost")
    journal.commit()
    await told.until(lambda: journal.failing)
    assert (journal.pending, journal.committed) == (True, 0)
    assert not journal.close(BOUND)
    assert (journal.pending, journal.committed) == (True, 0)
    assert loaded(tmp_path) == []


async def test_the_end_is_one_more_try(tmp_path: Path) -> None:
    journal, _, told = faulty(tmp_path, lambda call: call == 1)
    journal.later = Waits(rings=False).later
    journal.write(1, 0.0, b"kept")
    journal.commit()
    await told.until(lambda: journal.failing)
    journal.write(1, 0.0, b"and this")
    assert journal.close(BOUND)
    assert [entry.body for entry in loaded(tmp_path)] == [b"kept", b"and this"]


async def test_the_end_commits_what_is_on_its_way_and_what_waits(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    heard: list[int] = []
    journal.on_committed = lambda: heard.append(journal.committed)
    for entry in entries(40):
        journal.write(*entry[1:])
        journal.commit()
    assert journal.close(BOUND)
    assert journal.close(BOUND)
    assert not journal.pending
    with pytest.raises(ValueError, match="is closed"):
        journal.write(1, 0.0, b"too late")
    await asyncio.sleep(0)
    assert heard == []
    assert loaded(tmp_path) == entries(40)


class Hanging(SqliteStore):
    """A disk that does not answer until it is let go on, once for each transaction."""

    go_on: threading.Semaphore

    def write(self, batch: Sequence[Entry]) -> None:
        assert self.go_on.acquire(timeout=BOUND)
        super().write(batch)


def hanging(folder: Path, go_on: threading.Semaphore) -> Journal:
    def open_store(where: Path, sync: Sync) -> Hanging:
        store = Hanging.open(where, sync)
        assert isinstance(store, Hanging)
        store.go_on = go_on
        return store

    return Journal.open(folder, "normal", open_store)


async def test_a_disk_that_hangs_does_not_hang_the_end(tmp_path: Path) -> None:
    go_on = threading.Semaphore(0)
    journal = hanging(tmp_path, go_on)
    threads = [each for each in threading.enumerate() if each.name == "journal"]
    journal.write(1, 0.0, b"perhaps")
    journal.commit()
    before = time.monotonic()
    assert not journal.close(0.05)
    assert time.monotonic() - before < BOUND / 2
    assert journal.pending
    assert all(thread.daemon for thread in threads)  # so the process can end
    go_on.release(2)  # the end writes once more what it does not know to be durable
    for thread in threads:
        await asyncio.to_thread(partial(thread.join, BOUND))
    assert [entry.body for entry in loaded(tmp_path)] == [b"perhaps"]


async def test_a_disk_that_hangs_is_told_and_may_go_on(tmp_path: Path) -> None:
    go_on = threading.Semaphore(0)
    journal = hanging(tmp_path, go_on)
    told, waits = Told(journal), Waits()
    journal.later = waits.later
    journal.write(1, 0.0, b"late")
    journal.commit()
    assert len(waits.waiting) == 1
    assert told.heard == []
    waits.waiting[0]()
    assert told.heard == []  # the process may have been stopped meanwhile, and not the disk
    waits.waiting[1]()
    assert told.heard == ["failing: the disk does not answer"]
    go_on.release()
    await told.durable()
    assert told.heard[1:] == ["committed 1", "recovered"]
    assert journal.close(BOUND)


async def test_a_disk_that_is_busy_all_the_time_does_not_hang(tmp_path: Path) -> None:
    """At each look another batch is on its way."""
    go_on = threading.Semaphore(0)
    journal = hanging(tmp_path, go_on)
    told, waits = Told(journal), Waits()
    journal.later = waits.later
    journal.write(1, 0.0, b"first")
    journal.commit()
    journal.write(1, 0.0, b"second")
    journal.commit()
    go_on.release()
    await told.until(lambda: journal.committed == 1)
    assert journal.pending
    waits.waiting[0]()
    assert len(waits.waiting) == 2  # it will look again
    assert not journal.failing
    go_on.release()
    await told.durable()
    assert told.heard == ["committed 1", "committed 2"]
    assert journal.close(BOUND)


async def test_with_patience_what_is_durable_soon_is_told_at_once(tmp_path: Path) -> None:
    journal, store, told = faulty(tmp_path)
    journal.patience = BOUND
    for number in range(1, 4):
        journal.write(1, 0.0, b"soon")
        journal.commit()
        assert (journal.committed, journal.pending) == (number, False)
    assert told.heard == ["committed 1", "committed 2", "committed 3"]
    assert store.batches == [1, 1, 1]
    assert journal.close(BOUND)


async def test_with_patience_a_fault_at_any_call_neither_loses_nor_doubles(tmp_path: Path) -> None:
    for after in (False, True):
        folder = tmp_path / str(after)
        journal, store, told = faulty(folder, lambda call: call in (2, 3, 5), after=after)
        journal.patience, waits = BOUND, Waits(rings=False)
        journal.later = waits.later
        for entry in entries(6):
            journal.write(*entry[1:])
            journal.commit()
            while journal.pending:
                assert journal.failing
                waits.waiting.pop()()
        assert told.heard.count("failing: disk I/O error") == 2
        assert told.heard.count("recovered") == 2
        assert store.batches == [1, 1, 1, 1, 1, 1]
        assert journal.close(BOUND)
        assert loaded(folder) == entries(6)


async def test_with_patience_a_fault_just_after_a_fault_is_told_in_order(tmp_path: Path) -> None:
    """As on a disk with room for little: what waited is kept, what is committed then is not."""
    journal, _, told = faulty(tmp_path, lambda call: call in (1, 3))
    journal.patience, waits = BOUND, Waits(rings=False)
    journal.later = waits.later
    tell = journal.on_committed

    def committed() -> None:
        tell()
        journal.commit()

    journal.on_committed = committed
    for body in (b"one", b"two"):
        journal.write(1, 0.0, body)
        journal.commit()
    waits.waiting.pop(0)()
    fails = "failing: disk I/O error"
    assert told.heard == [fails, "committed 1", "recovered", fails]
    assert journal.failing
    waits.waiting.pop()()
    assert told.heard[4:] == ["committed 2", "recovered"]
    assert journal.close(BOUND)
    assert [entry.body for entry in loaded(tmp_path)] == [b"one", b"two"]


async def test_patience_with_a_disk_that_hangs_has_an_end(tmp_path: Path) -> None:
    """Then it is as without: told later, and what comes meanwhile waits for the next commit."""
    go_on = threading.Semaphore(0)
    journal = hanging(tmp_path, go_on)
    journal.patience = 0.01
    told = Told(journal)
    journal.write(1, 0.0, b"late")
    journal.commit()
    assert told.heard == []
    journal.write(1, 0.0, b"later")
    journal.commit()
    go_on.release(2)
    assert told.heard == []
    await told.durable()
    assert told.heard == ["committed 1", "committed 2"]
    assert journal.close(BOUND)
    assert [entry.body for entry in loaded(tmp_path)] == [b"late", b"later"]


async def test_a_slow_disk_is_waited_for_in_vain_but_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the house would stand still for a part of every commit."""
    waits: list[float] = []

    class Noted(Errand):
        def wait(self, patience: float) -> bool:
            waits.append(patience)
            return super().wait(patience)

    monkeypatch.setattr("perudo_server.journal.Errand", Noted)
    go_on = threading.Semaphore(0)
    journal = hanging(tmp_path, go_on)
    journal.patience = 0.01
    told = Told(journal)
    for _ in range(NOT_AGAIN + 2):
        journal.write(1, 0.0, b"slow")
        journal.commit()
        go_on.release()
        await told.durable()
    assert waits == [0.01, *[0.0] * NOT_AGAIN, 0.01]
    assert journal.close(BOUND)


@pytest.mark.parametrize("patience", [0.0, 1e-6, 1e-5, 5e-5])
async def test_however_long_is_waited_each_commit_is_told_once(
    tmp_path: Path, patience: float
) -> None:
    """Around the time that a commit takes, who waits and who is done meet at any point."""
    journal, store, told = faulty(tmp_path)
    journal.patience = patience
    for number in range(1, 301):
        journal.write(1, 0.0, b"now or then")
        journal.commit()
        await told.durable()
        assert told.heard[-1] == f"committed {number}"
        assert len(told.heard) == len(store.batches) == number
    assert journal.close(BOUND)


async def test_a_loop_that_ended_is_not_told(tmp_path: Path) -> None:
    """A batch that comes through after its loop has ended harms nobody."""
    go_on = threading.Semaphore(0)
    journal = hanging(tmp_path, go_on)

    def run_a_loop() -> None:
        async def hand_over() -> None:
            journal.write(1, 0.0, b"kept")
            journal.commit()

        asyncio.run(hand_over())

    await asyncio.to_thread(run_a_loop)
    go_on.release(2)
    assert journal.close(BOUND)
    assert [entry.body for entry in loaded(tmp_path)] == [b"kept"]


async def test_no_journal_keeps_nothing_and_nobody_waits_for_it() -> None:
    journal = NoJournal()
    assert list(journal.load()) == []
    assert journal.write(1, 0.0, b"gone") <= journal.committed
    journal.commit()
    assert not journal.pending
    assert not journal.failing
    assert journal.close(0)


def test_no_journal_can_stand_for_a_journal(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    public = {name for name in (*dir(journal), *vars(journal)) if not name.startswith("_")}
    assert {name for name in dir(NoJournal()) if not name.startswith("_")} == public - {"open"}
    assert journal.close(BOUND)
