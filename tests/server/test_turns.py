"""A game at a table: turns, the clock, refusals, and what is shown when."""

from __future__ import annotations

import pytest

from perudo_bot.runner import BotPlayer
from perudo_protocol import messages as m
from perudo_protocol.story import Called, DieLost, NextSet, TimedOut, WentOut, Won
from perudo_protocol.vocabulary import Bid, Phase
from tests.support.house import HouseOfTests, Peer, phase

ANA_OPENS = [6, 1, 2, 3, 4, 5, 5, 5, 5, 5]


def in_turn(peers: list[Peer]) -> Peer:
    turn = peers[0].at.turn
    assert turn is not None
    return next(peer for peer in peers if peer.seat == turn.seat)


def test_the_throw_for_the_start_is_shown_and_the_tied_throw_again() -> None:
    """D26: highest starts, only the tied throw again."""
    house = HouseOfTests([5, 2, 5, 1, 3])
    ana, _bia, _caio = peers = house.table("Ana", "Bia", "Caio")
    house.ask(ana, m.Start)
    assert phase(ana) is Phase.THROW
    shown = [[(t.seat, t.face) for t in row] for row in ana.at.throws]
    assert shown == [[(0, 5), (1, 2), (2, 5)], [(0, 1), (2, 3)]]
    assert ana.at.next is not None
    assert ana.at.next.opener == 2
    house.ready(peers)
    assert ana.at.turn is not None
    assert ana.at.turn.seat == 2


def test_the_first_player_may_be_drawn() -> None:
    """Option first_player: random."""
    house = HouseOfTests([1])
    (ana, bia) = peers = house.game("Ana", "Bia", first_player="random")
    assert ana.at.throws == ()
    assert in_turn(peers) is bia


def test_each_round_begins_when_all_are_ready_or_after_a_wait() -> None:
    """Nobody waits for somebody who does not look."""
    house = HouseOfTests(ANA_OPENS, throw_seconds=5, reveal_seconds=12)
    ana, bia = house.table("Ana", "Bia")
    house.ask(ana, m.Start)
    house.ask(ana, m.SetReady, game=1, round=0)
    assert phase(ana) is Phase.THROW
    house.clock.advance(4.9)
    assert phase(ana) is Phase.THROW
    house.clock.advance(0.2)
    assert phase(ana) is Phase.BIDDING
    house.bid(ana, 9, 2)
    house.act(bia, m.Dudo)
    assert phase(ana) is Phase.REVEAL
    assert ana.at.resume == round((house.clock.now() + 12) * 1000)
    house.clock.advance(11.9)
    assert phase(ana) is Phase.REVEAL
    house.clock.advance(0.2)
    assert phase(ana) is Phase.BIDDING
    assert ana.at.round == 2
    assert house.ask(ana, m.SetReady, game=1, round=1) == "stale"
    assert house.ask(ana, m.SetReady, game=1, round=2) == "game_on"


@pytest.mark.parametrize("on_leave", ["bot", "ghost"])
def test_others_who_leave_give_nobody_more_time(on_leave: str) -> None:
    """The clock of the turn runs on, and so does the pause after a reveal."""
    house = HouseOfTests([6, 3, 2, 1], reveal_seconds=12)
    ana, bia, caio, duda = house.game(*"ABCD", on_leave=on_leave, turn_seconds=60)
    house.bid(ana, 20, 6)
    turn = bia.at.turn
    assert turn is not None
    house.clock.advance(5)
    house.ask(duda, m.Leave)
    assert bia.at.turn is not None
    assert bia.at.turn.deadline == turn.deadline
    house.act(bia, m.Dudo)
    resume = bia.at.resume
    house.clock.advance(5)
    house.ask(ana, m.Leave)  # who was to open
    assert phase(bia) is Phase.REVEAL
    assert bia.at.resume == resume
    house.clock.advance(7.1)
    assert phase(bia) is Phase.BIDDING
    assert caio.at.round == 2


def test_a_call_shows_all_dice_then_who_loses_then_who_opens() -> None:
    """And the order of the story is this, with the winner last."""
    house = HouseOfTests(ANA_OPENS)
    ana, bia = house.game("Ana", "Bia")
    assert ana.at.hand == (2, 3, 4, 5, 5)
    assert bia.at.hand == (5, 5, 5, 1, 2)
    assert house.bid(ana, 7, 5) == "done"
    assert house.act(bia, m.Dudo) == "done"
    reveal = ana.at.reveal
    assert reveal is not None
    assert reveal.cups == ((2, 3, 4, 5, 5), (5, 5, 5, 1, 2))
    assert (reveal.count, reveal.right, reveal.lost) == (6, True, (0,))
    assert ana.mine.dice == 4
    kinds = [type(event) for event in ana.all(m.Update)[-1].events]
    assert kinds == [Called, DieLost, NextSet]
    assert ana.at.ladder[0].bid == Bid(7, 5)


def test_the_winner_comes_after_the_last_reveal() -> None:
    """In one update: call, loss, out, over; the reveal stays to be seen."""
    house = HouseOfTests([6, 1, 2, 3])
    ana, bia = house.game("Ana", "Bia", start_dice=1)
    house.bid(ana, 2, 6)
    house.act(bia, m.Dudo)
    kinds = [type(event) for event in bia.all(m.Update)[-1].events]
    assert kinds == [Called, DieLost, WentOut, Won]
    assert bia.at.phase is Phase.OVER
    assert bia.at.winner == 1
    assert bia.at.reveal is not None
    assert [seat.place for seat in bia.at.seats] == [2, 1]
    ana_did, bia_did = bia.at.tallies
    assert (ana_did.bids, ana_did.lies, ana_did.caught) == (1, 1, 1)
    assert (bia_did.calls, bia_did.right) == (1, 1)


def test_time_is_up_by_rule() -> None:
    """D33: the opening bid 1x2, or dudo if a bid stands; the story says that it was the clock."""
    house = HouseOfTests(ANA_OPENS)
    peers = house.game("Ana", "Bia", turn_seconds=10)
    house.clock.advance(10)
    at = peers[0].at
    assert [(p.seat, p.bid) for p in at.ladder] == [(0, Bid(1, 2))]
    assert TimedOut(0) in peers[1].events()
    house.clock.advance(9.9)
    assert phase(peers[0]) is Phase.BIDDING
    house.clock.advance(0.1)
    assert peers[0].at.reveal is not None
    assert peers[0].at.reveal.caller == 1


def test_a_refused_act_costs_nothing_and_the_clock_runs_on() -> None:
    """D5: the turn stays."""
    house = HouseOfTests(ANA_OPENS)
    ana, bia = house.game("Ana", "Bia", turn_seconds=10)
    before = ana.at
    house.clock.advance(8)
    assert house.bid(ana, 0, 2) == "out_of_range"
    assert house.bid(ana, 11, 2) == "above_table"
    assert house.bid(ana, 1, 1) == "aces_opening"
    assert house.act(ana, m.Dudo) == "no_bid"
    assert house.bid(bia, 1, 2) == "not_your_turn"
    assert ana.at == before
    house.clock.advance(2)
    assert ana.at.ladder[0].bid == Bid(1, 2)


def test_without_a_clock_nobody_is_hurried() -> None:
    """Option turn_seconds: 0."""
    house = HouseOfTests(ANA_OPENS)
    ana, _ = house.game("Ana", "Bia", turn_seconds=0)
    assert ana.at.turn is not None
    assert ana.at.turn.deadline == 0
    house.clock.advance(3_000)
    assert phase(ana) is Phase.BIDDING
    assert ana.at.ladder == ()


def test_an_act_that_answers_another_bid_is_stale() -> None:
    """D34: never applied to a later bid; game, round and number must all be the standing ones."""
    house = HouseOfTests(ANA_OPENS)
    ana, bia, caio = house.game("Ana", "Bia", "Caio", dudo_by="any")
    house.bid(ana, 3, 5)
    late = caio.stamp()
    house.bid(bia, 4, 5)
    assert house.ask(caio, m.Dudo, **late) == "stale"
    assert house.ask(caio, m.PlaceBid, **late, quantity=9, face=6) == "stale"
    now = caio.stamp()
    assert house.ask(caio, m.Dudo, **{**now, "game": 9}) == "stale"
    assert house.ask(caio, m.Dudo, **{**now, "round": 9}) == "stale"
    assert phase(ana) is Phase.BIDDING
    assert house.ask(caio, m.Dudo, **now) == "done"
    assert house.ask(ana, m.Dudo, **now) == "stale"


def test_two_calls_in_one_segment_one_counts() -> None:
    """The first that the server reads wins; the other is told politely."""
    house = HouseOfTests(ANA_OPENS)
    ana, bia = house.game("Ana", "Bia")
    house.bid(ana, 3, 5)
    stamp = bia.stamp()
    bia.send(m.PlaceBid(id=901, **stamp, quantity=4, face=5))
    bia.send(m.Dudo(id=902, **stamp))
    bia.send(m.Dudo(id=902, **stamp))
    house.clock.settle()
    assert m.Done(re=901) in bia.heard
    assert [r.reason for r in bia.all(m.Refused)] == ["stale", "stale"]
    assert len(ana.at.ladder) == 2


def test_the_answer_comes_after_what_it_caused() -> None:
    """Update first, then done: whoever hears done has seen it."""
    house = HouseOfTests(ANA_OPENS)
    ana, _ = house.game("Ana", "Bia")
    house.bid(ana, 3, 5)
    assert isinstance(ana.heard[-1], m.Done)
    assert isinstance(ana.heard[-2], m.Update)


def test_watchers_and_the_eliminated_may_not_act() -> None:
    """not_seated, not_playing."""
    house = HouseOfTests([6, 1, 1, 2, 3, 4])
    ana, bia, caio = house.game("Ana", "Bia", "Caio", start_dice=1)
    eva = house.peer("Eva")
    house.ask(eva, m.Watch, table=1)
    assert house.act(eva, m.Dudo) == "not_seated"
    assert house.ask(eva, m.SetReady, game=1, round=1) == "not_seated"
    house.bid(ana, 3, 6)
    house.act(bia, m.Dudo)
    house.ready([bia, caio])
    house.bid(bia, 1, 2)
    assert house.act(ana, m.Dudo) == "not_playing"


@pytest.mark.parametrize("seconds", [0.0, 1.5])
def test_bots_take_human_time_and_hold_up_nobody(seconds: float) -> None:
    """A bot's thinking is a timer: other tables go on, and 0 answers in the same instant."""
    house = HouseOfTests([1, 6], bot_seconds=seconds)
    (ana,) = house.game("Ana", bots=1)
    if seconds:
        assert phase(ana) is Phase.THROW
    house.clock.until(lambda: ana.at.phase is Phase.BIDDING, 10)
    began = house.clock.now()
    house.clock.until(lambda: len(ana.at.ladder) == 1, 30)
    took = house.clock.now() - began
    assert seconds * 0.4 <= took <= seconds * 2
    assert ana.at.ladder[0].seat == 1


def test_bots_get_the_same_bytes_as_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house's bot hears every update that a person hears, to the byte, and its own hand."""
    heard: list[bytes] = []
    hear = BotPlayer.received

    def listen(self: BotPlayer, data: bytes) -> None:
        heard.append(data)
        hear(self, data)

    monkeypatch.setattr(BotPlayer, "received", listen)
    house = HouseOfTests([6, 1, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6])
    (ana,) = house.game("Ana", bots=1)
    house.clock.advance(0.1)
    assert house.bid(ana, 1, 5) == "done"
    assert len(ana.all(m.Update)) > 4
    stream = b"".join(heard)
    updates = [f for f, msg in zip(ana.frames, ana.heard, strict=True) if isinstance(msg, m.Update)]
    for frame in updates[1:]:
        assert frame in stream
    assert b"\xa4dice\x95\x02\x03\x04\x05\x06" in stream  # its own hand
    assert b"\xa4dice\x95\x01\x02\x03\x04\x05" not in stream  # Ana's
