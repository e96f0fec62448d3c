"""The model: what each message makes of it, what comes of it, and what a bad server cannot do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from perudo_client import happenings as h
from perudo_client.asking import MOST_PENDING
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.errors import BadMessage
from perudo_protocol.vocabulary import NO_SEAT, Bid, Call, Options, Phase, Player
from tests.support.model_table import BO, ME, dealt, greeted, kinds, lobby, seated, told, turn
from tests.support.sample_messages import EVENTS, SERVER, VIEW

# Folding -----------------------------------------------------------------------------------------


def test_the_greeting_tells_who_we_are_and_the_servers_time() -> None:
    model = greeted()
    assert model.person == ME
    assert model.view is None
    assert not model.my_turn


def test_the_list_of_tables_is_kept() -> None:
    model = greeted()
    assert kinds(
        model.apply(next(each for each in SERVER if isinstance(each, m.Tables)), 100.0)
    ) == [h.TablesChanged]
    assert [table.name for table in model.tables] == ["Ana's table"]


def test_coming_to_a_table_begins_its_story_and_a_fresh_picture_does_not() -> None:
    model = seated()
    assert model.view is not None
    again = model.apply(m.View(view=replace(model.view, rev=7)), 100.0)
    assert again == [h.Arrived(model.view, again=True)]
    assert len(model.story) == 2
    model.apply(m.View(view=lobby(table=5)), 100.0)
    assert len(model.story) == 1


IN_GAME = [event for event in EVENTS if not isinstance(event, ev.People)]


@pytest.mark.parametrize("event", IN_GAME, ids=lambda event: type(event).__name__)
def test_every_event_of_the_story_brings_what_the_protocol_folds(event: ev.AnyEvent) -> None:
    model = greeted()
    model.apply(m.View(view=VIEW), 100.0)
    happened = told(model, event)
    assert happened
    assert model.view is not None
    assert model.view == replace(ev.fold(VIEW, event), rev=VIEW.rev + 1)


def test_people_come_and_go() -> None:
    model = seated()
    (changed,) = told(model, ev.People(BO, lobby().seats, (v.Person(8, "Di"),)))
    assert isinstance(changed, h.PeopleChanged)
    assert changed.before == lobby()
    assert model.view == lobby(rev=1, host=BO, watchers=(v.Person(8, "Di"),))


def test_a_whole_round_is_told_in_its_order() -> None:
    model = seated()
    dealt(model)
    raised = (ev.BidPlaced(0, Bid(2, 4)), turn(1, (1, 3, 3, 3, 2, 2)))
    assert kinds(told(model, *raised)) == [h.BidMade, h.TurnPassed]
    cups = ((1, 2, 2, 4, 6), (3, 3, 3, 5, 5))
    called = ev.Called(1, Call.SPOT_ON, 2, True, cups)
    happened = told(model, called, ev.DieLost(0), ev.DieGained(1), ev.NextSet(0, False, 99))
    assert kinds(happened) == [h.Revealed, h.NextOpener]
    first = happened[0]
    assert isinstance(first, h.Revealed)
    assert first.view.reveal is not None
    assert (first.view.reveal.lost, first.view.reveal.gained) == ((0,), (1,))


def test_a_die_lost_apart_from_its_reveal_is_told_too() -> None:
    model = seated()
    dealt(model)
    assert kinds(told(model, ev.DieLost(1), ev.DieGained(0))) == [h.DiceMoved, h.DiceMoved]


def test_our_turn_and_that_of_others_differ() -> None:
    model = seated()
    dealt(model)
    assert model.my_turn
    assert kinds(told(model, ev.BidPlaced(0, Bid(1, 2)), turn(1)))[-1] is h.TurnPassed
    assert not model.my_turn
    assert kinds(told(model, ev.BidPlaced(1, Bid(2, 2)), turn(0)))[-1] is h.YourTurn


def test_the_same_turn_with_other_options_is_no_new_turn() -> None:
    """Somebody left, and what may be done has changed."""
    model = seated()
    dealt(model)
    assert told(model, turn(0, (0, 2, 2, 2, 2, 2))) == []
    assert model.my_options.least == (0, 2, 2, 2, 2, 2)


def test_a_hand_of_another_round_is_passed_over() -> None:
    model = seated()
    dealt(model)
    assert model.apply(m.OwnHand(round=2, dice=(6,)), 100.0) == []
    assert model.view is not None
    assert model.view.hand == (1, 2, 2, 4, 6)


def test_an_update_that_we_have_already_changes_nothing() -> None:
    model = seated(rev=8)
    before = model.view
    assert model.apply(m.Update(rev=8, events=(ev.Ready(1, True),)), 100.0) == []
    assert model.view == before


def test_an_update_with_a_gap_before_it_makes_no_sense() -> None:
    model = seated(rev=8)
    with pytest.raises(BadMessage, match="10 does not follow 8"):
        model.apply(m.Update(rev=10, events=(ev.Ready(1, True),)), 100.0)


def test_updates_without_a_table_are_passed_over() -> None:
    """They may cross our leaving on the wire."""
    assert greeted().apply(m.Update(rev=1, events=(ev.Ready(0, True),)), 100.0) == []


def test_away_takes_us_from_the_table() -> None:
    model = seated()
    (left,) = model.apply(m.Away(reason="kicked"), 100.0)
    assert isinstance(left, h.LeftTable)
    assert left.view is not None
    assert model.view is None
    assert model.my_seat == NO_SEAT
    assert model.my_options == Options()


def test_forgetting_keeps_the_story_alone() -> None:
    model = seated()
    model.bid(1, 2)
    model.forget()
    assert (model.welcome, model.view, model.tables, model.pending) == (None, None, (), {})
    assert model.story


# The clock ---------------------------------------------------------------------------------------


def test_time_left_is_counted_on_the_servers_clock() -> None:
    model = seated()
    dealt(model)
    assert model.seconds_left(100.0) == 60.0
    assert model.seconds_left(130.5) == 29.5
    assert model.seconds_left(500.0) == 0.0


def test_each_ping_sets_the_clock_anew() -> None:
    model = seated()
    dealt(model)
    assert model.apply(m.Ping(now=35_000), 100.0) == []
    assert model.seconds_left(100.0) == 30.0


def test_without_a_clock_or_a_turn_no_time_is_left_to_count() -> None:
    model = seated()
    assert model.seconds_left(100.0) is None
    dealt(model)
    told(model, ev.TurnSet(1, 0, (1,) * 6, (1,) * 6, (), ()))
    assert model.seconds_left(100.0) is None


def test_the_wait_for_the_next_round_is_counted() -> None:
    model = seated()
    assert model.seconds_to_next(100.0) is None
    told(model, ev.NextSet(0, False, 15_000))
    assert model.seconds_to_next(100.0) == 10.0


# Asking ------------------------------------------------------------------------------------------


def test_acts_name_the_game_the_round_and_the_bid_that_they_answer() -> None:
    """D34."""
    model = seated()
    dealt(model)
    opening = model.bid(2, 4)
    assert (opening.game, opening.round, opening.number) == (1, 1, 0)
    told(model, ev.BidPlaced(0, Bid(2, 4)), turn(1), ev.BidPlaced(1, Bid(3, 4)), turn(0))
    for act in (model.bid(4, 4), model.dudo(), model.spot_on()):
        assert (act.game, act.round, act.number) == (1, 1, 2)


def test_being_ready_names_the_moment() -> None:
    model = seated()
    dealt(model)
    ready = model.ready()
    assert (ready.game, ready.round, ready.ready) == (1, 1, True)


def test_every_request_has_a_number_of_its_own_and_is_remembered() -> None:
    model = seated()
    asks: list[Callable[[], m.Request]] = [
        lambda: model.make("T", "club", {"start_dice": 3}),
        lambda: model.join(1),
        lambda: model.watch(1),
        model.leave,
        model.ready,
        model.start,
        model.rematch,
        model.add_bot,
        lambda: model.remove_bot(1),
        lambda: model.kick(BO),
        lambda: model.hand_over(BO),
        lambda: model.say("hi"),
        lambda: model.phrase("oops"),
        lambda: model.bid(1, 2),
        model.dudo,
        model.spot_on,
    ]
    requests = [ask() for ask in asks]
    assert len({request.id for request in requests}) == len(asks)
    assert list(model.pending.values()) == requests


def test_the_answer_tells_what_was_asked() -> None:
    model = seated()
    first, second = model.bid(1, 2), model.start()
    (done,) = model.apply(m.Done(re=first.id), 100.0)
    assert done == h.RequestDone(first)
    (refused,) = model.apply(m.Refused(re=second.id, reason="not_host", detail="no"), 100.0)
    assert refused == h.RequestRefused(second, "not_host", "no", model.view)
    assert not model.pending
    assert model.apply(m.Done(re=99), 100.0) == [h.RequestDone(None)]


def test_a_server_that_never_answers_costs_no_more_than_a_few_requests() -> None:
    model = seated()
    for _ in range(MOST_PENDING * 2):
        model.dudo()
    assert len(model.pending) == MOST_PENDING


# What is offered ---------------------------------------------------------------------------------


def test_the_host_may_do_what_hosts_may() -> None:
    model = seated()
    assert (model.am_host, model.can_start, model.can_add_bot) == (True, True, True)
    assert model.can_kick(BO)
    assert model.can_hand_over(BO)
    assert not model.can_kick(ME)
    assert not model.can_rematch
    assert not model.can_remove_bot(1)


def test_others_may_not() -> None:
    model = seated(host=BO)
    assert not any((model.am_host, model.can_start, model.can_add_bot, model.can_kick(BO)))
    assert model.can_be_ready


def test_nobody_starts_alone() -> None:
    model = seated(seats=(v.SeatView("Ana", Player.PERSON, ME),))
    assert not model.can_start
    assert model.can_add_bot


def test_a_full_table_takes_no_bot() -> None:
    seats = (*lobby().seats, *(v.SeatView(f"Bot {n}", Player.BOT, 10 + n) for n in range(4)))
    model = seated(seats=seats)
    assert not model.can_add_bot
    assert model.can_remove_bot(2)
    assert not model.can_remove_bot(9)


def test_ready_means_something_between_rounds_for_those_who_have_dice() -> None:
    model = seated()
    dealt(model)
    assert not model.can_be_ready
    assert model.view is not None
    reveal = replace(model.view, phase=Phase.REVEAL)
    model.apply(m.View(view=reveal), 100.0)
    assert model.can_be_ready
    assert not model.am_ready
    out = (replace(reveal.seats[0], dice=0), reveal.seats[1])
    model.apply(m.View(view=replace(reveal, seats=out)), 100.0)
    assert not model.can_be_ready


def test_people_and_seats_are_found_by_name() -> None:
    model = seated(watchers=(v.Person(8, "Di"),))
    assert model.person_named(" bo ") == BO
    assert model.person_named("DI") == 8
    assert model.person_named("nobody") == v.NOBODY
    assert model.seat_named("BO") == 1
    assert model.seat_named("2") == 1
    assert model.seat_named("3") == NO_SEAT
    assert model.seat_named("²") == NO_SEAT


def test_the_standing_bid_is_that_of_the_round_being_bid() -> None:
    model = seated()
    dealt(model)
    assert model.standing is None
    told(model, ev.BidPlaced(0, Bid(2, 4)))
    assert model.standing == Bid(2, 4)
    told(model, ev.Called(1, Call.DUDO, 0, True, ((1,), (2,))))
    assert model.standing is None
