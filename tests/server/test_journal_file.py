"""The journal's file: its modes, its lock, its form, and disks that are full."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from perudo_server.journal import Journal
from perudo_server.journal_entry import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalNewer,
)
from perudo_server.journal_file import LOG_BYTES, SqliteStore
from perudo_server.journal_place import PAGE, log_of, newest
from perudo_server.journal_recovery import recover
from perudo_server.past import Past
from tests.support.journals import BOUND, Told, contents, entries, left_behind, loaded, put

JOURNALS = Path(__file__).parent / "journals"


FRAME = 24 + PAGE


def modes(folder: Path) -> dict[str, str]:
    found = {path.name: oct(path.stat().st_mode & 0o7777) for path in folder.iterdir()}
    return {".": oct(folder.stat().st_mode & 0o7777), **found}


CLOSED = {".": "0o700", "journal.db": "0o600", "journal.db-wal": "0o600"}


@pytest.mark.parametrize("umask", [0, 0o22, 0o77])
def test_all_files_are_closed_to_others(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        store = SqliteStore.open(tmp_path / "data", "normal")
        store.write(entries(3))
        assert modes(tmp_path / "data") == CLOSED
        store.close()
        assert "journal.db-wal" not in modes(tmp_path / "data")
    finally:
        os.umask(before)


def test_files_that_stand_open_are_closed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    made = left_behind(folder, 20, killed=True)
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    store = SqliteStore.open(folder, "normal")
    assert modes(folder) == CLOSED
    assert store.read(0) == made
    store.close()


def test_files_of_somebody_else_that_stand_open_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(tmp_path, 10, killed=False)
    (tmp_path / "journal.db").chmod(0o644)

    def not_yours(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", not_yours)
    with pytest.raises(JournalError, match=r"cannot be used \(Operation not permitted\).*--data"):
        Journal.open(tmp_path)


def test_a_second_one_is_refused(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    with pytest.raises(JournalBusy, match=r"is in use by another perudo-server.*--data") as busy:
        Journal.open(tmp_path)
    assert busy.value.code == 75
    journal.write(1, 0.0, b"goes on")
    assert journal.close(BOUND)
    assert len(loaded(tmp_path)) == 1


def test_a_second_process_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from perudo_server.journal import Journal
journal = Journal.open(Path({str(tmp_path)!r}))
print("open", flush=True)
input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        before = contents(tmp_path)
        with pytest.raises(JournalBusy):
            Journal.open(tmp_path)
        assert contents(tmp_path) == before
        first.send_signal(signal.SIGKILL)
        first.wait(BOUND)
    assert loaded(tmp_path) == []


@pytest.mark.parametrize("killed", [False, True])
def test_what_a_server_leaves_is_read(tmp_path: Path, killed: bool) -> None:
    made = left_behind(tmp_path, 100, killed=killed)
    assert log_of(newest(tmp_path)).exists() is killed
    assert loaded(tmp_path) == made


@pytest.mark.parametrize("version", ["version-1", "version-2"])
def test_a_journal_of_any_version_is_read(tmp_path: Path, version: str) -> None:
    """The file stands as that version wrote it, with the log of a server that was killed."""
    folder = shutil.copytree(JOURNALS / version, tmp_path / "data")
    assert loaded(folder) == entries(15)
    assert loaded(folder) == entries(15)


def test_a_journal_whose_beginning_is_cut_off_is_read_in_any_version(tmp_path: Path) -> None:
    folder = shutil.copytree(JOURNALS / "version-2-swept", tmp_path / "data")
    past = Past().take(loaded(folder))
    assert past.most == {"person": 8, "table": 2, "game": 14}
    assert {number: len(saved.story) for number, saved in past.tables.items()} == {1: 12, 2: 15}
    assert list(past.known) == [1, 7, 2, 8]


def test_a_journal_of_the_first_version_becomes_one_of_this(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the process is killed that makes it one; and it is one in all then."""
    folder = shutil.copytree(JOURNALS / "version-1", tmp_path / "data")
    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "_move_over", void)
        store = SqliteStore.open(folder, "normal")
        left = contents(folder)
        store.close()
    log = left["journal.db-wal"]
    assert len(log) > 10 * FRAME
    for size in range(0, len(log) + 1, FRAME // 2):
        whole = size >= len((JOURNALS / "version-1" / "journal.db-wal").read_bytes())
        put(folder, {**left, "journal.db-wal": log[:size]})
        found = loaded(folder)
        assert found == (entries(15) if whole else entries(15)[: len(found)]), size
    data = bytearray(contents(folder)["journal.db"])
    data[:PAGE] = b"\xaa" * PAGE
    put(folder, {"journal.db": bytes(data)})
    assert recover(folder / "journal.db").kept == 15
    assert loaded(folder) == entries(15)


def test_a_journal_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    left_behind(tmp_path, 10, killed=False)
    database(tmp_path / "journal.db", "PRAGMA user_version = 3")
    before = contents(tmp_path)
    with pytest.raises(JournalNewer, match=r"has form 3, .* up to form 2; use a newer") as newer:
        Journal.open(tmp_path)
    assert newer.value.code == 78
    assert contents(tmp_path) == before


def database(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        for statement in statements:
            base.execute(statement)


WRONG: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("port = 7654\n" * 1000),
    "a line": lambda path: path.write_text("x"),
    "zeros": lambda path: path.write_bytes(bytes(8192)),
    "the head alone": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "a page": lambda path: path.write_bytes(path.read_bytes()[:4096]),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a byte less": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "another table": lambda path: database(path, "CREATE TABLE other (x)"),
    "no table": lambda path: database(path, "DROP TABLE entry"),
    "no checksums": lambda path: database(path, "UPDATE entry SET sum = zeroblob(8)"),
    "not ours": lambda path: database(path, "PRAGMA application_id = 0"),
    "the first row less": lambda path: database(path, "DELETE FROM entry WHERE seq = 1"),
    "another mode": lambda path: database(path, "PRAGMA journal_mode = DELETE"),
}


@pytest.mark.parametrize("how", WRONG)
def test_what_is_no_journal_is_refused_in_a_sentence(tmp_path: Path, how: str) -> None:
    left_behind(tmp_path, 100, killed=False)
    WRONG[how](tmp_path / "journal.db")
    before = contents(tmp_path)
    with pytest.raises(JournalDamaged) as bad:
        loaded(tmp_path)
    assert bad.value.code == 74
    assert str(tmp_path / "journal.db") in str(bad.value)
    assert "perudo-server --recover" in str(bad.value)
    assert str(bad.value).isprintable()
    assert contents(tmp_path)["journal.db"] == before["journal.db"]


def test_an_empty_file_is_a_new_journal(tmp_path: Path) -> None:
    """As of a server that was killed in its first moment."""
    (tmp_path / "journal.db").touch()
    assert loaded(tmp_path) == []


def test_a_first_moment_cut_short_is_a_new_journal(tmp_path: Path) -> None:
    database(tmp_path / "journal.db", "PRAGMA journal_mode = WAL", "PRAGMA user_version = 0")
    assert (tmp_path / "journal.db").stat().st_size
    assert loaded(tmp_path) == []


def test_an_empty_file_with_a_log_is_no_new_journal(tmp_path: Path) -> None:
    """SQLite by itself would throw the log away."""
    left_behind(tmp_path, 100, killed=True)
    (tmp_path / "journal.db").write_bytes(b"")
    before = contents(tmp_path)
    with pytest.raises(JournalDamaged, match="is empty, but its log is not"):
        Journal.open(tmp_path)
    assert contents(tmp_path) == before


def test_the_journal_with_the_highest_number_counts(tmp_path: Path) -> None:
    for name in ("journal.db", "journal-2.db", "journal-10.db", "journal-011.db", "journal-x.db"):
        (tmp_path / name).touch()
    assert newest(tmp_path).name == "journal-10.db"


@pytest.mark.parametrize("what", ["folder is a file", "file is a folder", "no way to it"])
def test_places_where_no_journal_can_be(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "data"
    match what:
        case "folder is a file":
            folder.touch()
        case "file is a folder":
            (folder / "journal.db").mkdir(parents=True)
        case _:
            folder.symlink_to(folder)
    with pytest.raises(JournalError, match="--data") as bad:
        Journal.open(folder)
    assert type(bad.value) is JournalError
    assert bad.value.code == 78


def test_a_file_that_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(tmp_path, 10, killed=False)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write what others may not
    with pytest.raises(JournalError, match="is not open to this user"):
        Journal.open(tmp_path)


async def test_the_log_is_moved_over_when_it_is_long(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    told = Told(journal)
    log = log_of(tmp_path / "journal.db")
    sizes = [0]
    while sizes == sorted(sizes):
        journal.write(1, 0.0, bytes(1 << 18))
        journal.commit()
        await told.durable()
        sizes.append(log.stat().st_size)
        assert len(sizes) < 100
    assert max(sizes) < 2 * LOG_BYTES
    assert journal.close(BOUND)
    assert len(loaded(tmp_path)) == len(sizes) - 1


def void(_: object) -> None:
    """Give nothing."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[], None]]:
    """Make a folder on a disk of 400 KiB, or, without the right to, one whose files stay small.

    Gives what makes room.
    """
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k,mode=700", "tmpfs", str(folder)]
    grown = [*mount[:3], "-o", "remount,size=4m", str(folder)]
    if shutil.which("mount") and not subprocess.run(mount, capture_output=True).returncode:
        try:
            yield lambda: void(subprocess.run(grown, check=True))
        finally:
            subprocess.run(["umount", str(folder)], check=True)
        return
    sys.stderr.write("no right to mount a small disk: files of 400 KiB stand for it\n")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400 << 10, usual[1]))
    try:
        yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


async def test_a_full_disk_holds_up_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    with small_disk(folder) as make_room:
        journal = Journal.open(folder)
        told = Told(journal)
        bodies: list[bytes] = []
        while not journal.failing:
            bodies.append(len(bodies).to_bytes(2, "big") * 1000)
            journal.write(1, 0.0, bodies[-1])
            journal.commit()
            await told.until(lambda: journal.failing or not journal.pending)
            assert len(bodies) < 400
        assert told.heard[-1] in ("failing: the disk is full", "failing: disk I/O error")
        assert journal.committed == len(bodies) - 1
        bodies.append(b"meanwhile")
        journal.write(1, 0.0, bodies[-1])
        journal.commit()
        make_room()
        await told.durable()
        assert "recovered" in told.heard
        assert journal.close(BOUND)
        assert [entry.body for entry in loaded(folder)] == bodies


async def test_a_disk_that_stays_full_keeps_what_was_durable(tmp_path: Path) -> None:
    """The server ends without room; what it acknowledged is there at the next start."""
    folder = tmp_path / "disk"
    with small_disk(folder) as make_room:
        journal = Journal.open(folder)
        told = Told(journal)
        count = 0
        while not journal.failing:
            journal.write(1, 0.0, count.to_bytes(2, "big") * 1000)
            journal.commit()
            count += 1
            await told.until(lambda: journal.failing or not journal.pending)
            assert count < 400
        assert not journal.close(BOUND)
        make_room()
        found = [entry.body for entry in loaded(folder)]
        assert found[: count - 1] == [n.to_bytes(2, "big") * 1000 for n in range(count - 1)]
        assert len(found) <= count
