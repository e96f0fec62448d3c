"""An honest server that once looked like a liar, and messages without measure."""

from __future__ import annotations

import time

import pytest

from perudo_client.findings import Excused, Without
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.errors import BadMessage
from perudo_protocol.views import Throw
from perudo_protocol.vocabulary import Phase
from tests.support.fair_house import FairHouse, honest
from tests.support.liar import ANA, Liar


def test_the_share_comes_back_after_a_draw_that_was_missed() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", "Cleo", turn_seconds=0)
    ana = clients[0]
    house.begin(clients)
    house.play_round(clients)
    ana.twist = lambda message: ()
    house.clock.advance(30)
    assert clients[1].at.proof.left_out == (0,)
    ana.twist = honest
    ana.hear(m.View(view=ana.at))
    house.clock.settle()
    before = len(ana.opened_entropies)
    house.play_out(clients, 3)
    assert not ana.faults()
    assert [f.round for f in ana.found() if isinstance(f, Without)] == [2]
    assert len(ana.opened_entropies) == before + 3


def test_who_is_late_once_is_expected_in_no_draw_of_that_round() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", "Cleo", turn_seconds=0)
    ana, ben, cleo = clients
    house.begin(clients)
    house.play_round(clients)
    ana.model.proving.beat(ana.now)
    held: list[m.ServerMessage] = []
    ana.twist = lambda message: held.append(message) or ()  # type: ignore[func-returns-value]
    house.clock.until(lambda: cleo.at.proof.round == 2, 60)
    ben.mute = True  # has answered the first attempt, and will not answer the second
    house.clock.until(lambda: cleo.at.proof.attempt == 1, 60)
    ana.twist, ana.now = honest, ana.now + 5
    for message in held:
        ana.take(message)
    house.clock.settle()
    house.ask(ana, m.SetReady, game=ana.at.game, round=ana.at.round, ready=True)
    house.clock.until(lambda: cleo.at.proof.attempt == 2, 60)
    assert [type(f) for f in ana.found()].count(Excused) == 1
    assert not ana.faults()


@pytest.mark.parametrize("names", ["Ana Ben", "Ana Ben Cleo"])
def test_who_leaves_in_a_draw_raises_no_alarm_with_who_comes(names: str) -> None:
    """The game is over in the middle of a draw, or the draw waits for another."""
    house = FairHouse()
    clients = house.clients(*names.split(), turn_seconds=0, on_leave="ghost")
    ana, ben = clients[:2]
    house.begin(clients)
    house.play_round(clients)
    ben.mute = True
    house.ready(clients)
    house.ask(clients[-1], m.Leave)
    assert ana.at.phase is (Phase.OVER if len(clients) == 2 else Phase.REVEAL)
    watcher = house.watcher(ana.at.table)
    ana.hear(m.View(view=ana.at))
    assert not watcher.faults() + ana.faults()


def test_a_seat_that_vanishes_in_a_round_ends_nothing_but_the_message() -> None:
    liar = Liar()
    liar.start()
    liar.dealt()
    with pytest.raises(BadMessage):
        liar.tell(ev.People(2, liar.view.seats[:1], ()))


def test_throws_have_no_more_dice_than_seats() -> None:
    liar = Liar()
    with pytest.raises(BadMessage):
        liar.show(throws=((Throw(0, 1),) * 3,))
    with pytest.raises(BadMessage):
        liar.tell(ev.Thrown((Throw(0, 1),) * 3))


def test_many_events_cost_no_more_than_each() -> None:
    liar = Liar()
    liar.show(phase=Phase.THROW, game=1, throws=((Throw(0, 1), Throw(1, 1)),) * 100)
    began = time.process_time()
    liar.tell(*[ev.Ready(ANA, bool(number % 2)) for number in range(1000)])
    assert time.process_time() - began < 1.0
