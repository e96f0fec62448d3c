"""Damaged journals: no wrong entry is ever believed, and what is whole is recovered."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from perudo_server.cli import main
from perudo_server.journal import Journal
from perudo_server.journal_entry import (
    Entry,
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalNewer,
)
from perudo_server.journal_place import PAGE
from perudo_server.journal_recovery import Recovered, recover, said
from tests.support.journals import BOUND, contents, left_behind, loaded, put

FRAME = 24 + PAGE
HEAD = 32
BITS = (0xFF, 0x01)


class Left:
    """A folder as a server left it, of which damaged copies are made."""

    def __init__(self, folder: Path, count: int, *, killed: bool) -> None:
        self.folder = folder
        self.made = left_behind(folder, count, killed=killed)
        self.files = contents(folder)

    def damage(self, name: str, change: Callable[[bytearray], object]) -> None:
        """Make the folder as it was left, but for one file."""
        data = bytearray(self.files[name])
        change(data)
        put(self.folder, {**self.files, name: bytes(data)})

    def flip(self, name: str, at: int, bits: int) -> None:
        """Make the folder as it was left, but for some bits of one byte."""

        def change(data: bytearray) -> None:
            data[at] ^= bits

        self.damage(name, change)

    def believed(self) -> list[Entry] | None:
        """Give what a server reads that starts now; `None` if it refuses the journal as damaged."""
        try:
            return loaded(self.folder)
        except (JournalDamaged, JournalNewer):  # a wrong bit can make another version's of it
            return None


@pytest.fixture(params=[False, True], ids=["ended", "killed"])
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Left:
    return Left(tmp_path / "data", 18 if request.param else 60, killed=request.param)


def places(size: int) -> Iterator[int]:
    """Give places all over a file, close to each other where it and its pages have their heads."""
    for at in range(size):
        if at < 100 or at % PAGE < 12 or at % 149 == 0 or at == size - 1:
            yield at


@pytest.mark.parametrize("bits", BITS)
def test_a_wrong_byte_is_noticed_or_lies_where_nothing_is(left: Left, bits: int) -> None:
    noticed = 0
    for name, data in left.files.items():
        for at in places(len(data)):
            left.flip(name, at, bits)
            believed = left.believed()
            assert believed in (None, left.made), f"byte {at} of {name}"
            noticed += believed is None
    assert noticed > 100


def test_each_frame_of_the_log_counts(tmp_path: Path) -> None:
    """SQLite by itself would forget all frames from the wrong one on, and say nothing."""
    left = Left(tmp_path / "data", 30, killed=True)
    log = left.files["journal.db-wal"]
    assert len(log) > HEAD + 10 * FRAME
    for at in range(HEAD, len(log), FRAME):
        for within in (0, 4, 8, 12, 16, 20, 24, FRAME - 1):
            left.flip("journal.db-wal", at + within, 0x02)
            before = contents(left.folder)
            with pytest.raises(JournalDamaged, match=f"its log is not .* from byte {at} on"):
                loaded(left.folder)
            assert contents(left.folder) == before


def test_a_log_with_a_gap_is_damaged(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 60, killed=True)

    def change(log: bytearray) -> None:
        log[HEAD + 3 * FRAME : HEAD + 5 * FRAME] = bytes(2 * FRAME)

    left.damage("journal.db-wal", change)
    with pytest.raises(JournalDamaged, match=f"its log has a gap at byte {HEAD + 3 * FRAME}"):
        loaded(left.folder)


@pytest.mark.parametrize("tail", [b"", b"\x00" * 5000, b"\x55" * 5000])
def test_a_log_that_was_cut_off_is_read_up_to_there(tmp_path: Path, tail: bytes) -> None:
    """As when the process was killed while it wrote: what was cut off nobody was told of."""
    left = Left(tmp_path / "data", 30, killed=True)
    log = left.files["journal.db-wal"]
    counts = set()
    for size in [*range(0, len(log), 1237), *range(HEAD, len(log), FRAME)]:
        left.damage(
            "journal.db-wal",
            lambda data, size=size: data.__setitem__(  # type: ignore[misc]
                slice(size, None), tail if (size - HEAD) % FRAME == 0 else b""
            ),
        )
        believed = left.believed()
        assert believed is not None, size
        assert believed == left.made[: len(believed)]
        counts.add(len(believed))
    assert counts == set(range(0, 30, 3))


def test_a_whole_journal_needs_no_recovery(left: Left) -> None:
    assert recover(left.folder / "journal.db") == Recovered(None, len(left.made), 0, "")
    assert contents(left.folder) == left.files


def recovered(left: Left) -> list[Entry]:
    """Recover the journal, see that the old one is not touched; give what counts from then on."""
    before = contents(left.folder)
    done = recover(left.folder / "journal.db")
    after = contents(left.folder)
    assert done.new_file == left.folder / "journal-2.db"
    assert {**before, done.new_file.name: after[done.new_file.name]} == after
    assert done.new_file.stat().st_mode & 0o777 == 0o600
    assert done.what
    found = loaded(left.folder)
    assert found == left.made[: done.kept]
    assert len(found) == done.kept
    assert done.lost <= len(left.made) - done.kept
    return found


def test_the_longest_prefix_before_a_wrong_row_is_kept(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 60, killed=False)
    for seq in (1, 2, 12, 37, 59, 60):
        put(left.folder, left.files)
        with closing(sqlite3.connect(left.folder / "journal.db", isolation_level=None)) as base:
            base.execute("UPDATE entry SET body = body || x'00' WHERE seq = ?", (seq,))
        with pytest.raises(JournalDamaged, match=f"entry {seq} is not as it was written"):
            loaded(left.folder)
        assert len(recovered(left)) == seq - 1
        done = recover_again(left)
        assert done == (seq - 1, 60 - seq + 1)


def recover_again(left: Left) -> tuple[int, int]:
    """Recover once more, into a journal with the next number."""
    done = recover(left.folder / "journal.db")
    assert done.new_file == left.folder / "journal-3.db"
    return done.kept, done.lost


def test_rows_that_are_missing_end_the_prefix(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 60, killed=False)
    with closing(sqlite3.connect(left.folder / "journal.db", isolation_level=None)) as base:
        base.execute("DELETE FROM entry WHERE seq BETWEEN 21 AND 30")
    assert len(recovered(left)) == 20


def test_a_damaged_first_page_costs_nothing(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 60, killed=False)

    def change(data: bytearray) -> None:
        data[:PAGE] = b"\xaa" * PAGE

    left.damage("journal.db", change)
    assert len(recovered(left)) == 60


def test_a_file_cut_to_nothing_is_made_up_from_its_log(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 60, killed=True)
    left.damage("journal.db", bytearray.clear)
    assert len(recovered(left)) == 60


@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal"])
def test_a_file_that_was_cut_or_scribbled_over_gives_its_beginning(
    tmp_path: Path, name: str
) -> None:
    left = Left(tmp_path / "data", 60, killed=name.endswith("-wal"))
    size = len(left.files[name])
    kept = []
    for start in range(PAGE, size - PAGE, 2 * PAGE):

        def scribble(data: bytearray, start: int = start) -> None:
            data[start : start + PAGE] = b"\x5a" * PAGE

        left.damage(name, scribble)
        if left.believed() is None:
            kept.append(len(recovered(left)))
    assert kept
    assert max(kept) > 10
    if name == "journal.db":
        left.damage(name, lambda data: data.__delitem__(slice(size // 2, None)))
        recovered(left)


@pytest.mark.parametrize("data", [b"x", b"no journal\n" * 1000, bytes(3 * PAGE)])
def test_what_is_no_journal_gives_an_empty_one(tmp_path: Path, data: bytes) -> None:
    put(tmp_path / "data", {"journal.db": data})
    done = recover(tmp_path / "data" / "journal.db")
    assert (done.kept, done.lost) == (0, 0)
    assert loaded(tmp_path / "data") == []


def test_a_journal_in_use_is_not_recovered(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(JournalBusy, match="is in use"):
        recover(tmp_path / "journal.db")
    assert contents(tmp_path) == before
    assert journal.close(BOUND)


def test_a_journal_of_a_later_version_is_not_recovered(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 10, killed=False)
    with closing(sqlite3.connect(left.folder / "journal.db", isolation_level=None)) as base:
        base.execute("PRAGMA user_version = 3")
    with pytest.raises(JournalError, match=r"data/journal.db' has form 3"):
        recover(left.folder / "journal.db")
    assert [path.name for path in left.folder.iterdir()] == ["journal.db"]


def test_there_must_be_something_to_recover(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no"):
        recover(tmp_path / "journal.db")
    with pytest.raises(JournalError, match="there is no"):
        recover(tmp_path / "none" / "journal.db")


def test_a_server_goes_on_with_what_was_recovered(tmp_path: Path) -> None:
    left = Left(tmp_path / "data", 60, killed=False)
    left.flip("journal.db", len(left.files["journal.db"]) - 1, 0xFF)
    kept = recovered(left)
    journal = Journal.open(left.folder)
    journal.write(1, 9.0, b"after")
    assert journal.close(BOUND)
    assert loaded(left.folder) == [*kept, Entry(len(kept) + 1, 1, 9.0, b"after")]


LESS = "its entries 15 to 17 and what was needed of those before"


@pytest.mark.parametrize(
    ("kept", "first", "all_tables", "missing", "text"),
    [
        (3, 1, True, 0, "its first 3 entries are in"),
        (3, 15, False, 0, "its entries 15 to 17 are in"),
        (3, 15, True, 0, "its entries 15 to 17 and what was needed of those before are in"),
        (3, 15, True, 2, f"{LESS} (but 2 of them, and the tables of which these told) are in"),
        (0, 15, True, 0, "none of its entries is whole, and what was needed of those before is in"),
        (0, 15, False, 0, "none of its entries is whole, and an empty journal is in"),
        (0, 1, True, 0, "none of its entries is whole, and an empty journal is in"),
    ],
)
def test_what_is_kept_is_said(
    kept: int, first: int, all_tables: bool, missing: int, text: str
) -> None:
    done = Recovered(Path("new.db"), kept, 0, "broken", first, all_tables, missing)
    assert f"is damaged (broken): {text} 'new.db'" in said(Path("old.db"), done)


def test_the_command_says_what_was_lost_and_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    left = Left(tmp_path / "data", 60, killed=False)
    command = ["--recover", "--data", str(left.folder)]
    assert main(command) == 0
    assert "is whole (60 entries); nothing is to be done.\n" in capsys.readouterr().out
    with closing(sqlite3.connect(left.folder / "journal.db", isolation_level=None)) as base:
        base.execute("UPDATE entry SET stream = stream + 1 WHERE seq = 41")
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "journal.db' is damaged (entry 41 is not as it was written)" in out
    assert "its first 40 entries are in" in out
    assert "journal-2.db', with which perudo-server goes on when it is started again" in out
    assert "at least 20 after them are lost, so tables are as they were then" in out
    assert out.count("\n") == 1
    assert main(command) == 0
    assert "journal-2.db' is whole (40 entries)" in capsys.readouterr().out
    shutil.rmtree(left.folder)
    assert main(command) == 78
    assert "there is no" in capsys.readouterr().err
    journal = Journal.open(left.folder)
    assert main(command) == 75
    assert "is in use by another perudo-server" in capsys.readouterr().err
    assert journal.close(BOUND)
