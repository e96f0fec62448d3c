"""A journal that is kept short: a restart finds the very same house, wherever it was cut or killed,
and finished games are kept for as long as they should be."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perudo_server import entries as n
from perudo_server import journal_sweep
from perudo_server.journal_entry import Entry, JournalDamaged, JournalNewer
from perudo_server.journal_file import SqliteStore
from perudo_server.journal_place import PAGE, log_of
from perudo_server.journal_recovery import Recovered, recover
from perudo_server.needed import Needed
from perudo_server.past import Past
from tests.support.journals import contents, put
from tests.support.long_journal import Stories, recorded

DAY = 86_400.0
HEAD, FRAME = 32, 24 + PAGE


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the mark follow closely, and step by small steps."""
    monkeypatch.setattr(journal_sweep, "LAG", 400)
    monkeypatch.setattr(journal_sweep, "STEP", 50)
    monkeypatch.setattr(journal_sweep, "PAGES", 2)
    monkeypatch.setattr(journal_sweep, "LEAST_FREE", 4)


@pytest.fixture(scope="module")
def story() -> list[Entry]:
    """Give what is written at six tables, where some games are over; one goes on at four of them,
    and two have closed."""
    evenings = [recorded(people, 1, 2, people) for people in (2, 3)]
    short = list(Stories(evenings, 6, 150, 1, closing=2).entries())
    assert len(short) > 5000
    return short


def opened(folder: Path) -> SqliteStore:
    """Open a journal as a server does that starts, and read it."""
    store = SqliteStore.open(folder, "normal")
    store.needs = Needed()
    after = 0
    while chunk := store.read(after):
        after = chunk[-1].seq
    return store


def facts(entries: list[Entry]) -> dict[str, Any]:
    """Give all that a past comes to."""
    return vars(Past().take(entries))


def found(folder: Path) -> dict[str, Any]:
    """Give the past that a server finds which starts now."""
    store = SqliteStore.open(folder, "normal")
    try:
        entries: list[Entry] = []
        while chunk := store.read(entries[-1].seq if entries else 0):
            entries += chunk
        return facts(entries)
    finally:
        store.close()


def killed(store: SqliteStore, folder: Path) -> Path:
    """Make a folder as the process leaves it that is killed now."""
    put(folder, contents(store.path.parent))
    return folder


def sweep(store: SqliteStore, now: float, keep: float) -> int:
    """Sweep until nothing more is due; give in how many steps."""
    steps = 0
    while store.sweep(now, keep):
        steps += 1
        assert steps < 10_000
    return steps


def log(store: SqliteStore) -> list[int]:
    """Give the numbers of all entries of the log."""
    numbers: list[int] = []
    while chunk := store.log(numbers[-1] if numbers else 0):
        numbers += [entry.seq for entry in chunk]
    return numbers


@pytest.mark.parametrize("seed", range(4))
def test_a_restart_at_any_moment_finds_the_same_house(
    tmp_path: Path, story: list[Entry], seed: int
) -> None:
    rng = random.Random(seed)
    keep = rng.choice([0, 1, 3]) * DAY
    now, at = 0.0, 0
    store = opened(tmp_path / "data")
    cut = 0
    while at < len(story):
        batch = story[at : at + rng.randint(1, 150)]
        store.write(batch)
        at += len(batch)
        now += rng.choice([0, 600, DAY / 2])
        for _ in range(rng.choice([0, 1, 5, 1000])):
            if not store.sweep(now, keep):
                break
        store.tidy()
        if rng.random() < 0.1:
            left = killed(store, tmp_path / "left")
            assert found(left) == facts(story[:at])
        if rng.random() < 0.05:
            killed(store, tmp_path / "next")
            store.close()
            shutil.rmtree(tmp_path / "data")
            (tmp_path / "next").rename(tmp_path / "data")
            store = opened(tmp_path / "data")
        cut = max(cut, (log(store) or [at])[0])
    sweep(store, now, keep)
    store.close()
    assert found(tmp_path / "data") == facts(story)
    assert cut > len(story) // 2


def frames(before: bytes, after: bytes) -> Iterator[int]:
    """Give the lengths at which a log that has grown could have been cut off."""
    yield from range(len(before), len(after) + 1, FRAME // 3)


def test_a_step_that_was_cut_off_is_done_or_not(tmp_path: Path, story: list[Entry]) -> None:
    """Each kind of step, killed at every point of what it writes."""
    store = opened(tmp_path / "data")
    half = len(story) // 2
    for start in range(0, half, 40):
        store.write(story[start : min(start + 40, half)])
    expected, name = facts(story[:half]), "journal.db-wal"
    kinds: set[str] = set()
    for now in (0.0, 2 * DAY, 9 * DAY):
        before, more = contents(store.path.parent), True
        while more:
            tables = counts(store)
            more = store.sweep(now, DAY)
            after, kind = contents(store.path.parent), changed(tables, counts(store))
            if kind and kind not in kinds and after["journal.db"] == before["journal.db"]:
                kinds.add(kind)
                for size in frames(before.get(name, b""), after[name]):
                    put(tmp_path / "cut", {**after, name: after[name][:size]})
                    assert found(tmp_path / "cut") == expected, f"{kind}: {size}"
            before = after
    assert kinds >= {"game", "held", "entry", "pages"}
    for start in range(half, len(story), 40):
        store.write(story[start : start + 40])
    store.close()
    assert found(tmp_path / "data") == facts(story)


def counts(store: SqliteStore) -> dict[str, int]:
    """Give how many rows each table has, and how many pages the file."""
    base = store._base
    names = ("game", "held", "entry")
    tables = {name: base.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    return {**tables, "pages": base.execute("PRAGMA page_count").fetchone()[0]}


def changed(before: dict[str, int], after: dict[str, int]) -> str:
    """Name what a step has changed."""
    shrunk = after["pages"] < before["pages"]
    return "pages" if shrunk else next((k for k in before if before[k] != after[k]), "")


def test_finished_games_are_kept_whole_for_their_days_and_their_results_for_ever(
    tmp_path: Path, story: list[Entry]
) -> None:
    """A third of the story on each of three days, and then nothing for a month."""
    store, needs = opened(tmp_path / "data"), Needed()
    needs.take(story)
    games, third = needs.finished, len(story) // 3 + 1
    for day in range(3):
        store.write(story[day * third : (day + 1) * third])
        sweep(store, day * DAY, 30 * DAY)
    assert log(store) == list(range(1, len(story) + 1))
    for later in (29.5, 30.5, 31.5, 32.5):
        sweep(store, later * DAY, 30 * DAY)
        first = log(store)[0]
        kept = [game.stream for game in store.games() if game.at > (later - 30) * DAY]
        assert first <= min(kept, default=len(story))  # from their first entries on
        over = int(later - 29)  # of so many days the time is up
        assert max(0, over - 1) * third < first <= over * third + 1
    assert [row.seq for row in store.games()] == [game.seq for game in games]
    assert [row.body for row in store.games()] == [game.body for game in games]
    store.close()
    assert found(tmp_path / "data") == facts(story)


def test_with_nothing_left_to_keep_the_file_is_small_again(
    tmp_path: Path, story: list[Entry]
) -> None:
    closed = [
        *(Entry(0, table, 0.0, n.encode(n.Closed())) for table in range(1, 7)),
        *(Entry(0, n.HOUSE, 0.0, n.encode(n.Gone(person))) for person in range(1, 40)),
    ]
    every = [*story, *closed]
    store = opened(tmp_path / "data")
    store.write([entry._replace(seq=seq) for seq, entry in enumerate(every, 1)])
    large = counts(store)["pages"]
    sweep(store, 0.0, 0.0)
    assert counts(store)["pages"] < large / 3
    assert counts(store)["held"] <= 1  # all have gone
    store.close()
    store = opened(tmp_path / "data")
    assert log(store) == []
    store.write([Entry(len(every) + 1, n.HOUSE, 0.0, n.encode(n.Leased(9)))])
    store.close()
    past = found(tmp_path / "data")
    assert (past["tables"], past["known"], past["lease"]) == ({}, {}, 9)
    assert past["most"] == facts(story)["most"]


def test_what_was_written_before_all_was_read_stops_the_sweeping(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path, "normal")
    store.write([Entry(1, n.HOUSE, 0.0, n.encode(n.Gone(1)))])
    store.close()
    store = SqliteStore.open(tmp_path, "normal")
    store.needs = Needed()
    store.write([Entry(2, n.HOUSE, 0.0, n.encode(n.Gone(1)))])
    with pytest.raises(JournalDamaged, match="before all was read"):
        store.sweep(0.0, 0.0)
    store.close()


# Damage ------------------------------------------------------------------------------------------


@pytest.fixture
def swept(tmp_path: Path, story: list[Entry]) -> Path:
    """Make a folder with a journal whose beginning is cut off, as a server leaves it."""
    store = opened(tmp_path / "data")
    for start in range(0, len(story), 50):
        store.write(story[start : start + 50])
        sweep(store, start * 100.0, 2 * DAY)
    assert store._held.mark > log(store)[0] > 1
    assert counts(store)["held"] > 10
    store.close()
    return tmp_path / "data"


def test_a_wrong_byte_is_noticed_or_lies_where_nothing_is(swept: Path, story: list[Entry]) -> None:
    files, expected = contents(swept), facts(story)
    data, noticed = files["journal.db"], 0
    for at in range(len(data)):
        if not (at < 100 or at % PAGE < 12 or at % 997 == 0):
            continue
        wrong = bytearray(data)
        wrong[at] ^= 0x01
        put(swept, {"journal.db": bytes(wrong)})
        try:
            assert found(swept) == expected, at
        except (JournalDamaged, JournalNewer):
            noticed += 1
    assert noticed > 100


def statement(folder: Path, *statements: str) -> None:
    base = sqlite3.connect(folder / "journal.db", isolation_level=None)
    for each in statements:
        base.execute(each)
    base.close()


WRONG = {
    "a held one less": "DELETE FROM held WHERE seq = (SELECT max(seq) FROM held)",
    "a held one more": "INSERT INTO held SELECT * FROM entry"
    " WHERE seq NOT IN (SELECT seq FROM held) LIMIT 1",
    "none held": "DELETE FROM held",
    "another held": "UPDATE held SET body = body || x'00' WHERE seq = (SELECT max(seq) FROM held)",
    "no mark": "DELETE FROM mark",
    "another mark": "UPDATE mark SET seq = seq + 1",
    "two marks": "INSERT INTO mark SELECT seq + 1, stream, at, body, sum FROM mark",
    "a gap": "DELETE FROM entry WHERE seq = (SELECT seq + 9 FROM mark)",
    "the first after the mark": "DELETE FROM entry WHERE seq = (SELECT seq FROM mark)",
}


@pytest.mark.parametrize("how", WRONG)
def test_what_a_start_believes_is_whole_or_refused(swept: Path, how: str) -> None:
    statement(swept, WRONG[how])
    with pytest.raises(JournalDamaged):
        found(swept)


def recovered(folder: Path) -> tuple[Recovered, dict[str, Any]]:
    before = contents(folder)
    done = recover(folder / "journal.db")
    assert contents(folder)["journal.db"] == before["journal.db"]
    return done, found(folder)


def test_damage_to_what_is_over_costs_no_table(swept: Path, story: list[Entry]) -> None:
    """A start does not read it; `--recover` does, and keeps all that counts."""
    statement(swept, "UPDATE entry SET stream = stream + 1 WHERE seq = (SELECT seq - 20 FROM mark)")
    assert found(swept) == facts(story)
    done, past = recovered(swept)
    assert past == facts(story)
    assert done.all_tables
    assert (done.first > 1, done.first + done.kept, done.lost) == (True, len(story) + 1, 0)
    assert recover(swept / "journal-2.db").new_file is None


@pytest.mark.parametrize("after", [0, 1, 100])
def test_damage_after_the_mark_costs_what_follows(
    swept: Path, story: list[Entry], after: int
) -> None:
    store = opened(swept)
    at = store._held.mark + after
    store.close()
    statement(swept, f"UPDATE entry SET body = x'' WHERE seq = {at}")
    done, past = recovered(swept)
    before = facts(story[: at - 1])
    assert (past["tables"], past["known"]) == (before["tables"], before["known"])
    assert all(past["most"][of] >= before["most"][of] for of in before["most"])
    assert done.first + done.kept == at
    assert done.lost == len(story) - at + 1
    assert recover(swept / "journal-2.db").new_file is None


@pytest.mark.parametrize("part", ["stream", "at", "body", "sum"])
def test_damage_to_one_that_is_held_costs_no_more_than_its_table(
    swept: Path, story: list[Entry], part: str
) -> None:
    """Or somebody of the house; nothing at all where it stands in the log too, or is known yet."""
    store, before = opened(swept), facts(story)
    held, first = store._held.read(), log(store)[0]
    store.close()
    data, costs = contents(swept), 0
    value = {"stream": "(stream + 1) % 7", "at": "at + 1", "body": "body || x'00'", "sum": "x''"}
    for entry in [*held[:30:8], held[-1]]:
        put(swept, data)
        statement(swept, f"UPDATE held SET {part} = {value[part]} WHERE seq = {entry.seq}")
        done, past = recovered(swept)
        lost = entry.seq < first and part != "stream"
        gone = {entry.stream} if lost else set()
        assert past["tables"] == {at: t for at, t in before["tables"].items() if at not in gone}
        assert past["most"] == before["most"]
        assert len(before["known"]) - len(past["known"]) in ({0, 1} if gone == {0} else {0})
        assert (done.all_tables, done.missing) == (True, int(lost))
        assert recover(swept / "journal-2.db").new_file is None
        costs += bool(gone - {0})
    assert bool(costs) == (part != "stream")


@pytest.mark.parametrize("how", ["none held", "a held one less"])
def test_without_what_was_held_numbers_are_not_given_again(
    swept: Path, story: list[Entry], how: str
) -> None:
    statement(swept, WRONG[how])
    done, past = recovered(swept)
    assert not done.all_tables
    assert past["tables"] == {}
    assert past["most"] == facts(story)["most"]
    assert recover(swept / "journal-2.db").new_file is None


def test_while_the_log_is_whole_nothing_held_is_missed(tmp_path: Path, story: list[Entry]) -> None:
    store = opened(tmp_path / "data")
    for start in range(0, len(story), 50):
        store.write(story[start : start + 50])
        sweep(store, 0.0, 2 * DAY)
    assert store._held.mark > log(store)[0] == 1
    store.close()
    statement(tmp_path / "data", WRONG["none held"])
    done, past = recovered(tmp_path / "data")
    assert (done.all_tables, done.kept, done.lost) == (True, len(story), 0)
    assert past == facts(story)


def test_damage_that_sweeping_finds_stops_it_and_nothing_else(
    tmp_path: Path, story: list[Entry]
) -> None:
    store = opened(tmp_path / "data")
    store.write(story[:300])
    store._base.execute("DELETE FROM entry WHERE seq < 100")
    store.write(story[300:])
    with pytest.raises(JournalDamaged, match="some are missing"):
        sweep(store, 0.0, DAY)
    store.close()
    assert log_of(store.path).exists() is False


def quiet(folder: Path) -> list[Entry]:
    """Make a journal in which nothing goes on, swept to its end; gives what is in it."""
    people = [
        n.Came(number // 2, f"Ana{number}", "", False, False, b"k") if number % 2 else None
        for number in range(400)
    ]
    written = [
        Entry(seq, n.HOUSE, seq / 3, n.encode(came or n.Gone(seq // 2)))
        for seq, came in enumerate(people, 1)
    ]
    store = opened(folder)
    store.write(written)
    sweep(store, 0.0, 2 * DAY)
    store.close()
    return written


@pytest.mark.parametrize("wrong", ["seq + 1000000", "-seq"])
def test_a_wrong_note_of_the_time_cuts_off_nothing(tmp_path: Path, wrong: str) -> None:
    data = tmp_path / "data"
    written = quiet(data)
    statement(data, f"UPDATE hour SET seq = {wrong}")
    store = opened(data)
    with pytest.raises(JournalDamaged, match="note of a time"):
        sweep(store, 4 * DAY, 2 * DAY)
    assert store._held.mark <= len(written) + 1
    store.close()
    assert found(data) == facts(written)
    done, past = recovered(data)
    assert (done.kept, done.lost, past) == (len(written), 0, facts(written))
    assert recover(data / "journal-2.db").new_file is None


def test_a_recovered_journal_is_swept_no_further_than_it_goes(tmp_path: Path) -> None:
    """The time was noted of entries that are lost now; the next ones must outlast a restart."""
    data = tmp_path / "data"
    written = quiet(data)
    statement(data, "UPDATE entry SET body = x'' WHERE seq = 300")
    recover(data / "journal.db")
    store = opened(data)
    sweep(store, 4 * DAY, 0.0)
    assert store._held.mark == store._end + 1 == 300
    store.write(written[299:])
    store.close()
    assert found(data)["most"] == facts(written)["most"]
