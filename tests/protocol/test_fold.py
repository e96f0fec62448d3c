"""How each event of the public story changes a view."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import asdict, replace

from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.story import fold, fold_all
from perudo_protocol.vocabulary import NO_OPTIONS, NO_SEAT, Bid, Call, Options, Phase, Player
from tests.support import vectors
from tests.support.arbitrary import instances
from tests.support.sample_messages import EVENTS, VIEW

LOBBY = v.TableView(
    table=1,
    name="Ana's table",
    rules=to_wire(STANDARD),
    rev=0,
    host=1,
    seats=(
        v.SeatView(name="Ana", player=Player.PERSON, person=1, ready=True),
        v.SeatView(name="Bo", player=Player.PERSON, person=3),
        v.SeatView(name="Cup", player=Player.BOT, ready=True),
    ),
    you=3,
)
COMMITTED = ev.Committed(1, 0, vectors.COMMITMENTS, vectors.PROMISES)
TURN = ev.TurnSet(1, 9000, (0, 1, 1, 1, 1, 1), (0, 15, 15, 15, 15, 15), (), ())


def changed(before: v.TableView, after: v.TableView) -> dict[str, Any]:
    """Give the fields that differ, with their new values."""
    old, new = asdict(before), asdict(after)
    return {name: new[name] for name in new if new[name] != old[name]}


def after(*events: ev.AnyEvent) -> v.TableView:
    """Give the view after these events, from the lobby."""
    return fold_all(LOBBY, events)


BIDDING = after(
    ev.Started(game=4, dice=5, proof=vectors.GAME),
    ev.Thrown((v.Throw(0, 2), v.Throw(1, 6), v.Throw(2, 6))),
    ev.Thrown((v.Throw(1, 6), v.Throw(2, 3))),
    ev.NextSet(opener=1, palifico=False, resume=700),
    COMMITTED,
    ev.Opened(vectors.ENTROPIES),
    ev.Dealt(round=1, opener=1, palifico=False),
    TURN,
)
BID = fold_all(BIDDING, (ev.BidPlaced(1, Bid(3, 4)), ev.BidPlaced(2, Bid(4, 4))))
CALLED = fold(BID, ev.Called(0, Call.DUDO, 2, True, vectors.HANDS, vectors.SEEDS, vectors.T1))


def test_people_come_whole_and_afresh() -> None:
    seats, watchers = LOBBY.seats[:1], (v.Person(3, "Bo", True),)
    view = fold(LOBBY, ev.People(host=3, seats=seats, watchers=watchers))
    assert changed(LOBBY, view) == {"host": 3, "seats": seats, "watchers": watchers}


def test_people_take_the_hand_of_a_viewer_who_has_no_seat_any_more() -> None:
    view = ev.with_hand(BIDDING, vectors.HANDS[1], vectors.SEEDS[1])
    stay = fold(view, ev.People(host=1, seats=view.seats, watchers=()))
    assert (stay.hand, stay.seed) == (vectors.HANDS[1], vectors.SEEDS[1])
    gone = fold(view, ev.People(host=1, seats=view.seats[:1], watchers=(v.Person(3, "Bo"),)))
    assert (gone.hand, gone.seed) == ((), b"")
    assert gone.my_seat == NO_SEAT


def test_ready_touches_one_seat() -> None:
    view = fold(LOBBY, ev.Ready(1, True))
    assert [seat.ready for seat in view.seats] == [True, True, True]
    assert [seat.ready for seat in fold(view, ev.Ready(0, False)).seats] == [False, True, True]
    assert set(changed(LOBBY, view)) == {"seats"}


def test_a_start_gives_dice_and_wipes_the_last_game() -> None:
    begin = ev.Started(game=4, dice=5, proof=vectors.GAME)
    view = fold(LOBBY, begin)
    assert view.proof == v.Proof(game=vectors.GAME, chain=vectors.T0)
    assert [(seat.dice, seat.ready, seat.place) for seat in view.seats] == [(5, False, 0)] * 3
    assert (view.phase, view.game, view.round) == (Phase.THROW, 4, 0)
    over = fold_all(
        CALLED, (ev.WentOut(1, 3), ev.WentOut(2, 2), ev.Won(0, (v.Tally(1, 1, 1, 1, 1),)))
    )
    again = fold(ev.with_hand(over, (1, 2), vectors.SEEDS[0]), begin)
    assert again == view


def test_throws_are_kept_one_after_the_other() -> None:
    first, second = (v.Throw(0, 5), v.Throw(1, 5)), (v.Throw(0, 2), v.Throw(1, 3))
    view = after(ev.Started(1, 5), ev.Thrown(first), ev.Thrown(second))
    assert view.throws == (first, second)
    assert BIDDING.throws[-1] == (v.Throw(1, 6), v.Throw(2, 3))


def test_next_says_who_opens_and_when() -> None:
    view = fold(CALLED, ev.NextSet(opener=2, palifico=True, resume=5000))
    assert changed(CALLED, view) == {"next": v.Next(2, True), "resume": 5000}


def test_a_commitment_begins_a_draw_and_ends_the_wait() -> None:
    before = fold(CALLED, ev.NextSet(0, True, 5000))
    view = fold(before, ev.Committed(2, 1, vectors.COMMITMENTS, vectors.PROMISES, (2,)))
    proof = v.Proof(
        game=vectors.GAME,
        chain=vectors.T1,
        round=2,
        attempt=1,
        commitments=vectors.COMMITMENTS,
        promises=vectors.PROMISES,
        left_out=(2,),
    )
    assert changed(before, view) == {"resume": 0, "proof": proof}
    opened = fold(view, ev.Opened(vectors.ENTROPIES))
    assert changed(view, opened) == {"proof": replace(proof, entropies=vectors.ENTROPIES)}
    again = fold(opened, ev.Committed(2, 2, vectors.COMMITMENTS, vectors.PROMISES))
    assert again.proof == replace(proof, attempt=2, left_out=())


def test_a_deal_begins_a_round_and_wipes_the_last_one() -> None:
    before = fold(ev.with_hand(CALLED, (2,) * 5, vectors.SEEDS[1]), ev.NextSet(0, True, 5000))
    view = fold_all(before, (ev.Ready(0, True), ev.Dealt(round=2, opener=0, palifico=True)))
    assert (view.phase, view.round, view.opener, view.palifico) == (Phase.BIDDING, 2, 0, True)
    assert (view.ladder, view.turn, view.reveal, view.next) == ((), None, None, None)
    assert (view.resume, view.hand, view.seed) == (0, (), b"")
    assert view.proof == before.proof
    assert not any(seat.ready for seat in view.seats)
    assert view.throws == before.throws
    assert [seat.dice for seat in view.seats] == [5, 5, 5]


def test_a_turn_says_what_may_be_done() -> None:
    assert BIDDING.turn == v.Turn(1, 9000, TURN.least, TURN.most, (), ())
    assert BIDDING.options_for(1) == Options(TURN.least, TURN.most)
    assert BIDDING.options_for(0) == NO_OPTIONS
    assert BIDDING.options_for(NO_SEAT) == NO_OPTIONS
    assert LOBBY.options_for(1) == NO_OPTIONS


def test_others_than_the_one_in_turn_may_call_where_the_table_lets_them() -> None:
    view = fold(BID, ev.TurnSet(0, 0, (0,) * 6, (0,) * 6, dudo=(0, 1), spot_on=(1,)))
    assert view.options_for(0) == Options(may_dudo=True)
    assert view.options_for(1) == Options(may_dudo=True, may_spot_on=True)
    assert view.options_for(2) == NO_OPTIONS


def test_a_bid_is_one_more_rung() -> None:
    assert BID.ladder == (v.Placed(1, Bid(3, 4)), v.Placed(2, Bid(4, 4)))
    assert BID.standing == v.Placed(2, Bid(4, 4))
    assert BIDDING.standing is None
    assert set(changed(BIDDING, BID)) == {"ladder"}


def test_a_timeout_alone_changes_nothing() -> None:
    assert fold(BID, ev.TimedOut(0)) == BID


def test_a_call_opens_all_cups_over_the_standing_bid() -> None:
    reveal = v.Reveal(
        caller=0,
        call=Call.DUDO,
        bidder=2,
        bid=Bid(4, 4),
        count=2,
        right=True,
        cups=vectors.HANDS,
        palifico=False,
        seeds=vectors.SEEDS,
    )
    proof = replace(BID.proof, chain=vectors.T1)
    wanted = {"phase": Phase.REVEAL, "turn": None, "reveal": reveal, "proof": proof}
    assert changed(BID, CALLED) == wanted


def test_losing_and_gaining_move_a_die_and_are_kept_in_the_reveal() -> None:
    view = fold_all(CALLED, (ev.DieLost(2), ev.DieGained(0)))
    assert [seat.dice for seat in view.seats] == [6, 5, 4]
    assert view.reveal is not None
    assert (view.reveal.lost, view.reveal.gained) == ((2,), (0,))
    assert view.dice_in_play == 15


def test_a_seat_that_is_left_keeps_its_dice_until_they_are_cleared() -> None:
    view = fold(BID, ev.SeatLeft(1))
    assert (view.seats[1].player, view.seats[1].person) == (Player.NOBODY, v.NOBODY)
    assert (view.seats[1].dice, view.seats[1].name) == (5, "Bo")
    assert fold(view, ev.DiceCleared(1)).dice_in_play == 10


def test_going_out_gives_a_place() -> None:
    view = fold(CALLED, ev.WentOut(2, 3))
    assert [seat.place for seat in view.seats] == [0, 0, 3]


def test_the_end_names_the_winner_and_keeps_the_last_reveal() -> None:
    tallies = (v.Tally(1, 0, 0, 1, 1), v.Tally(1, 1, 0, 0, 0), v.Tally(1, 1, 1, 0, 0))
    before = fold(CALLED, ev.NextSet(0, False, 7))
    view = fold(before, ev.Won(0, tallies, b"\x77" * 32))
    assert view.proof == replace(CALLED.proof, chain=b"\x77" * 32)
    assert (view.phase, view.winner, view.tallies) == (Phase.OVER, 0, tallies)
    assert (view.turn, view.next, view.resume) == (None, None, 0)
    assert view.seats[0].place == 1
    assert view.reveal == CALLED.reveal


def test_ones_own_seat_is_found_by_ones_number() -> None:
    assert LOBBY.my_seat == 1
    assert VIEW.my_seat == 0
    nobody = fold(LOBBY, ev.People(1, (v.SeatView("Cup", Player.BOT),), ()))
    assert nobody.my_seat == NO_SEAT


@pytest.mark.parametrize(
    "event",
    [
        ev.Ready(9, True),
        ev.DieLost(9),
        ev.DieGained(9),
        ev.SeatLeft(9),
        ev.DiceCleared(9),
        ev.WentOut(9, 2),
        ev.Called(0, Call.DUDO, 2, True, ()),
    ],
)
def test_what_no_honest_server_sends_changes_nothing(event: ev.AnyEvent) -> None:
    assert fold(BIDDING, event) == BIDDING


@given(instances(v.TableView), instances(tuple[ev.AnyEvent, ...]))
def test_fold_is_total_and_touches_neither_name_nor_rules(
    view: v.TableView, events: tuple[ev.AnyEvent, ...]
) -> None:
    later = fold_all(view, events)
    assert (later.table, later.name, later.rules, later.rev, later.you) == (
        view.table,
        view.name,
        view.rules,
        view.rev,
        view.you,
    )
    assert all(seat.dice >= 0 for seat in later.seats)


def test_every_event_is_folded_here() -> None:
    for event in EVENTS:
        assert isinstance(fold(VIEW, event), v.TableView)
