"""The sweeping of a journal as the loop sees it: now and then, never in the way, told when it
cannot go on; and a real server that does it."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from perudo_server import entries as n
from perudo_server import journal_sweeper
from perudo_server.journal import Journal
from perudo_server.journal_entry import Entry, Sync, damaged
from perudo_server.journal_file import SqliteStore
from perudo_server.needed import Needed
from tests.support.journals import BOUND, Told
from tests.support.keyed_guests import game_of_two, in_first_round
from tests.support.long_journal import DAY, Stories, recorded, write
from tests.support.servers import server


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAUSE", "REST", "TROUBLE"):
        monkeypatch.setattr(journal_sweeper, name, 0.001)


class Swept(SqliteStore):
    """A store whose sweeping does what a test says, and counts."""

    def __init__(self, path: Path, sync: Sync) -> None:
        super().__init__(path, sync)
        self.steps = 0
        self.does: Callable[[int], bool] = lambda _: False

    def sweep(self, now: float, keep: float) -> bool:
        assert abs(now - time.time()) < BOUND
        assert keep == 30 * DAY
        self.steps += 1
        return self.does(self.steps)


def swept(folder: Path) -> tuple[Journal, Swept]:
    stores: list[Swept] = []

    def open_store(where: Path, sync: Sync) -> Swept:
        store = Swept.open(where, sync)
        assert isinstance(store, Swept)
        stores.append(store)
        return store

    return Journal.open(folder, "normal", open_store), stores[0]


async def until(done: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    async with asyncio.timeout(BOUND):
        while not done():
            await asyncio.to_thread(time.sleep, 0.001)


async def test_it_goes_on_while_there_is_more_and_looks_again_later(tmp_path: Path) -> None:
    journal, store = swept(tmp_path)
    store.does = lambda step: step < 5
    journal.sweep(30, pytest.fail)
    await until(lambda: store.steps > 10)
    assert journal.close(BOUND)
    steps = store.steps
    await asyncio.sleep(0.02)
    assert store.steps == steps


async def test_commits_go_on_beside_it(tmp_path: Path) -> None:
    journal, store = swept(tmp_path)
    told = Told(journal)
    store.does = lambda _: True
    journal.sweep(30, pytest.fail)
    for number in range(20):
        journal.write(1, 0.0, bytes([number]))
        journal.commit()
        await told.durable()
    await until(lambda: store.steps > 20)
    assert journal.close(BOUND)


async def test_a_full_disk_is_only_waited_for(tmp_path: Path) -> None:
    journal, store = swept(tmp_path)

    def full(step: int) -> bool:
        if step < 5:
            raise sqlite3.OperationalError("database or disk is full")
        return False

    store.does = full
    journal.sweep(30, pytest.fail)
    await until(lambda: store.steps > 6)
    assert journal.close(BOUND)


@pytest.mark.parametrize("error", [sqlite3.DatabaseError("malformed"), damaged(Path(), "a gap")])
async def test_damage_is_told_once_and_what_is_written_is_kept(
    tmp_path: Path, error: Exception
) -> None:
    journal, store = swept(tmp_path)
    told, heard = Told(journal), list[str]()

    def fail(_: int) -> bool:
        raise error

    store.does = fail
    journal.sweep(30, heard.append)
    await until(lambda: bool(heard))
    assert heard == [getattr(error, "what", "malformed")]
    journal.write(1, 0.0, b"goes on")
    journal.commit()
    await told.durable()
    assert (store.steps, told.heard) == (1, ["committed 1"])
    assert journal.close(BOUND)


async def test_what_is_loaded_is_what_is_needed(tmp_path: Path) -> None:
    entries = list(Stories([recorded(2, 1, 2)], 1, 5, 1).entries())
    write(tmp_path, entries).close()
    journal = Journal.open(tmp_path)
    needs = Needed()
    journal.follow(needs)
    loaded = list(journal.load())
    assert len(loaded) < len(entries) / 2
    assert [entry.seq for entry in loaded[:-1]] == needs.numbers(1, len(entries) + 1)
    assert loaded[-1] == Entry(len(entries), n.HOUSE, needs.at, needs.counted)
    assert journal.close(BOUND)


def rows(data: Path, query: str) -> list[tuple[Any, ...]]:
    """Ask a copy of a server's journal, which may still run."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(data, Path(folder) / "data")
        with closing(sqlite3.connect(copy / "journal.db")) as base:
            return base.execute(query).fetchall()


def first_entry(data: Path) -> int:
    try:
        return int(rows(data, "SELECT coalesce(min(seq), 0) FROM entry")[0][0])
    except sqlite3.Error:  # the server has written while it was copied
        return -1


def test_a_server_lets_old_games_go_and_goes_on_with_those_that_are_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    entries = list(Stories([recorded(2, 1, 2)], 2, 30, 1).entries())
    write(data, entries, time.time() - DAY).close()
    assert len(rows(data, "SELECT seq FROM game")) == 30
    options = ("--data", str(data), "--keep-days")
    with server(tmp_path, *options, "30") as running:
        guests = game_of_two(running)
        assert running.end(signal.SIGTERM) == 0
    assert first_entry(data) == 1
    with server(tmp_path, *options, "0") as running:
        views = [guest.come_back(running) for guest in guests]
        deadline = time.monotonic() + BOUND
        while first_entry(data) <= len(entries) // 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert running.end(signal.SIGKILL) == -signal.SIGKILL
    with server(tmp_path, *options, "0") as running:
        again = [guest.come_back(running) for guest in guests]
    assert [view.hand for view in again] == [view.hand for view in views]
    assert all(in_first_round(view) for view in again)
    assert len(rows(data, "SELECT seq FROM game")) == 30
    leases = [row[0] for row in rows(data, "SELECT body FROM entry WHERE stream = 0")]
    assert n.encode(n.Leased(3)) in leases  # each start is one
