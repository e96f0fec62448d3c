"""A journal that fails at its k-th commit, for every k of a game: nothing is told that is not
durable, and the game goes on as if nothing had happened."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase
from tests.support.faulty_house import Fault, FaultyHouse
from tests.support.house import KeptJournal

OPTIONS: dict[str, Any] = {"start_dice": 2, "turn_seconds": 10, "away_seconds": 20}
SCRIPT = {
    6: ("drop", 1),
    9: ("back", 1),
    12: ("pause", 0),
    13: ("go on", 0),
    15: ("drop", 0),
    17: ("wait", 21),
    19: ("back", 0),
    22: ("leave", 2),
    26: ("drop", 1),
    27: ("back", 1),
}
"""Who drops and comes back, before and after a bot has taken the seat; who leaves; a pause."""


def played(at: int, fault: Fault, options: dict[str, Any]) -> FaultyHouse:
    """Play the whole game with a fault at this commit."""
    house = FaultyHouse(at, fault, **options)
    house.sit()
    house.play(SCRIPT)
    house.see_to_it()
    house.clock.advance(1)  # lists that were put off
    house.see_to_it()
    return house


def still(view: TableView) -> TableView:
    """Leave out what a restart changes: revisions, who is away and until when."""
    seats = tuple(replace(seat, away=0) for seat in view.seats)
    return replace(view, rev=0, seats=seats)


def check_end(house: FaultyHouse) -> None:
    """See that all know the same, which is what stands in the journal."""
    there = [n for n in range(3) if n not in house.gone]
    for number in there:
        assert house.players[number].at == house.fresh(number)
        assert house.players[number].at.phase is Phase.OVER
    hosts = {house.players[number].at.host for number in there}
    assert len(hosts) == 1
    before = [still(house.fresh(number)) for number in there]
    house.restart()
    assert [still(house.fresh(number)) for number in there] == before
    house.read()
    (game,) = house.chronicle.games.values()
    assert game.over


@pytest.mark.parametrize(("on_leave", "at_once"), [("bot", False), ("ghost", False), ("bot", True)])
@pytest.mark.parametrize("fault", [Fault.FAILS, Fault.DIES_BEFORE, Fault.DIES_AFTER])
def test_a_game_outlives_a_fault_at_any_commit(
    fault: Fault, on_leave: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KeptJournal, "at_once", at_once)
    options = {**OPTIONS, "on_leave": on_leave}
    whole = played(0, Fault.NONE, options)
    commits = whole.journal.calls
    check_end(whole)
    assert commits > 30
    struck = 0
    for at in range(1, commits + 1):
        house = played(at, fault, options)
        struck += house.crashes
        try:
            check_end(house)
        except AssertionError as wrong:
            wrong.add_note(f"with a fault at commit {at}")
            raise
    assert struck >= (0 if fault is Fault.FAILS else commits // 2)
