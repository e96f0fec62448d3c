"""Real servers and their journals: one that is in use, one that is damaged, and what is saved."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from perudo_protocol import messages as m
from tests.support.keyed_guests import bid, game_of_two, in_first_round
from tests.support.servers import run, server

from .test_cli import one_sentence


def test_a_journal_in_use_is_one_sentence_and_75(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with server(tmp_path, "--data", data) as running:
        done = run(tmp_path, "--host", "127.0.0.1", "--port", "0", "--data", data)
        assert (done.returncode, done.stdout) == (75, "")
        assert "is in use by another perudo-server" in one_sentence(done.stderr)
        assert isinstance(running.call().greet("Ana"), m.Welcome)


def test_a_damaged_journal_is_refused_and_its_game_saved(tmp_path: Path) -> None:
    """74 and one sentence; `--recover`; and then both players come back to their hands."""
    data = tmp_path / "data"
    with server(tmp_path, "--data", str(data), PERUDO_THROW_SECONDS="0.1") as running:
        guests = game_of_two(running, turn_seconds=0)
        first, second = guests
        hands = [next(h.dice for h in guest.heard if isinstance(h, m.OwnHand)) for guest in guests]
        first.do(bid(1))
        whole = (data / "journal.db-wal").stat().st_size
        for quantity in range(2, 8):
            second, first = first, second
            first.do(bid(quantity, number=quantity - 1))
        assert running.end(signal.SIGKILL) == -signal.SIGKILL
    log = data / "journal.db-wal"
    found = bytearray(log.read_bytes())
    found[(whole + len(found)) // 2] ^= 1
    log.write_bytes(found)

    options = ("--host", "127.0.0.1", "--port", "0", "--data", str(data))
    refused = run(tmp_path, *options)
    assert (refused.returncode, refused.stdout) == (74, "")
    assert "is damaged" in one_sentence(refused.stderr)
    assert "--recover" in refused.stderr
    assert bytes(found) == log.read_bytes()

    saved = run(tmp_path, "--recover", "--data", str(data))
    assert (saved.returncode, saved.stderr) == (0, "")
    assert "is damaged" in one_sentence(saved.stdout)
    again = run(tmp_path, "--recover", "--data", str(data))
    assert "is whole" in one_sentence(again.stdout)

    with server(tmp_path, "--data", str(data)) as running:
        views = [guest.come_back(running) for guest in guests]
        assert all(in_first_round(view) for view in views)
        assert [view.hand for view in views] == hands
        bids = len(views[0].ladder)
        assert 1 <= bids < 7
        guests[bids % 2].do(bid(9, number=bids))


@pytest.mark.parametrize("what", ["nothing", "folder", "no folder"])
def test_there_is_nothing_to_recover(tmp_path: Path, what: str) -> None:
    data = tmp_path / "data"
    if what != "no folder":
        data.mkdir(mode=0o700)
    if what == "folder":
        (data / "journal.db").mkdir()
    done = run(tmp_path, "--data", str(data), "--recover")
    assert done.returncode == 78
    assert done.stderr.startswith("perudo-server: ")
    assert done.stderr.count("\n") == 1
    assert data.exists() == (what != "no folder")
    if data.exists():
        assert [path.name for path in data.iterdir()] == ["journal.db"] * (what == "folder")
