"""A server that is killed in the middle of a commit leaves half of it in the log; so may the next
one be killed, and the journal is whole all the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from perudo_server.journal_entry import Entry
from perudo_server.journal_file import SqliteStore
from perudo_server.journal_place import PAGE, log_of

FRAME = 24 + PAGE


def commit(folder: Path, entries: list[Entry]) -> None:
    """Write these as one server does that is killed right after it."""
    at_work = folder.with_name(folder.name + "-at-work")
    shutil.copytree(folder, at_work)
    store = SqliteStore.open(at_work, "normal")
    store.write(entries)
    shutil.rmtree(folder)
    shutil.copytree(at_work, folder)
    store.close()
    shutil.rmtree(at_work)


@pytest.mark.parametrize("cut", range(1, 10 * FRAME, FRAME // 2))
def test_a_commit_that_was_cut_off_is_no_damage(tmp_path: Path, cut: int) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    commit(folder, [Entry(1, 0, 1.0, b"first")])
    begun = log_of(folder / "journal.db").stat().st_size
    commit(folder, [Entry(number, 0, 1.0, b"long" * 800) for number in range(2, 12)])
    log = log_of(folder / "journal.db")
    log.write_bytes(log.read_bytes()[:-cut])
    assert log.stat().st_size > begun
    commit(folder, [Entry(2, 0, 2.0, b"second")])  # shorter than what was cut off
    commit(folder, [Entry(3, 0, 2.0, b"third")])
    store = SqliteStore.open(folder, "normal")
    assert [entry.body for entry in store.read(0)] == [b"first", b"second", b"third"]
    store.close()
