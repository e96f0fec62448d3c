"""The check of the dice in lines of text: the mark, a fault that stops acts, and the way on."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from perudo_client.keeping import Keeper
from perudo_client.plain_words import halted_line
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.views import TableView
from tests.support import sample_views
from tests.support.plain_desk import LOBBY, Desk, greeted, playing, seated
from tests.support.proven import GAME, proven


def swapped() -> TableView:
    return replace(proven(sample_views.six()), seed=b"\x01" * 32)


def stopped() -> Desk:
    desk = greeted()
    desk.hear(m.Done(re=1), m.View(view=swapped()))
    return desk


def test_the_dice_are_said_to_be_checked() -> None:
    desk = seated(proven(sample_views.six()))
    told = "The dice are checked, but your own share is not in those of this round."
    assert f"{told} The digits to compare are 4552e8." in desk.type("table")
    desk.plain.model.proving.checker.rounds.shared = True
    desk.plain.model.proving.checker.rounds.whole = True
    assert "The dice are checked. The digits to compare are 4552e8." in desk.type("table")


def test_a_server_without_proof_is_said_to_offer_none() -> None:
    assert "This server offers no proof of its dice." in playing().type("table")


def test_a_fault_says_what_was_found_and_what_it_proves() -> None:
    lines = stopped().lines
    at = lines.index("THE DICE ARE NOT PROVEN.")
    assert lines[at + 1].startswith("Round 7: your seed is not the one")
    assert lines[at + 2].startswith("This proves that the server exchanged a seed")
    assert lines[at + 3].startswith("It does not prove")
    assert lines[at + 4].startswith("No evidence is saved")
    assert lines[at + 5] == halted_line()


def test_a_fault_stops_acts_until_one_decides() -> None:
    desk = stopped()
    before = len(desk.sent)
    assert desk.type("6 4", "dudo", "ready") == [halted_line()] * 3
    assert desk.sent[before:] == []
    assert desk.plain.model.pending == {}
    (said,) = desk.type("go on")
    assert said.startswith("You play on at your own risk")
    assert isinstance(desk.asked("dudo"), m.Dudo)
    assert "The dice of this game are not proven." in desk.type("table")


def test_a_fault_lets_one_leave_and_read() -> None:
    desk = stopped()
    assert desk.type("dice") == ["Your dice: 1, 2, 2, 4, 6."]
    assert isinstance(desk.asked("leave"), m.Leave)


def test_the_share_is_sent_at_once(tmp_path: Path) -> None:
    desk = seated(LOBBY)
    desk.plain.keeper = Keeper(tmp_path, desk.complaints.append, stamp=lambda: "now")
    desk.told(ev.Started(1, 5, GAME), ev.NextSet(0, False, 9))
    assert isinstance(desk.sent[-1], m.Promise)
    assert desk.sent[-1].game == 1
    assert (tmp_path / "now-8f3a1c.perudo").read_bytes().count(b"\n") == 4


def test_a_full_disk_is_said_once_and_hurts_no_game(tmp_path: Path) -> None:
    desk = seated(LOBBY)
    (tmp_path / "file").write_text("no folder")
    desk.plain.keeper = Keeper(tmp_path / "file" / "games", desk.complaints.append)
    desk.told(ev.Started(1, 5, GAME), ev.NextSet(0, False, 9))
    desk.told(ev.Started(2, 5, GAME), ev.NextSet(0, False, 9))
    (said,) = desk.complaints
    assert said.startswith("This game cannot be saved: ")
    assert isinstance(desk.sent[-1], m.Promise)
