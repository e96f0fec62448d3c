"""A lost connection in lines of text: said once, and gone on from where it was."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_client.coming_back import ALONE
from perudo_client.endings import Closed
from perudo_client.plain_line import LONGEST_TRY, OK, UNAVAILABLE
from perudo_client.plan import Plan
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.views import Person, TableView
from perudo_protocol.vocabulary import Player
from tests.support.plain_desk import BO, LOBBY, ME, WELCOME, Desk, greeted, playing, seated

BACK = replace(WELCOME, resumed=True)


def lost(desk: Desk, why: Closed = Closed.GONE) -> tuple[float, list[str]]:
    """Lose the connection; give for how long it tries, and what it says."""
    before = len(desk.lines)
    seconds = desk.plain.may_return(why)
    return seconds, desk.lines[before:]


def view_of(desk: Desk) -> TableView:
    view = desk.plain.model.view
    assert view is not None
    return view


def test_a_lost_connection_is_said_in_one_line() -> None:
    desk = playing()
    seconds, lines = lost(desk)
    assert seconds == LONGEST_TRY
    assert lines == [
        "The connection is lost. Trying again... Your seat is kept for 1:00. Type quit to give up."
    ]
    again, more = lost(desk)  # a try that came to nothing
    assert (again, more) == (LONGEST_TRY, [])


def test_it_goes_on_where_it_was() -> None:
    desk = playing()
    view = view_of(desk)
    lost(desk)
    desk.now += 7
    lines = desk.hear(BACK, m.View(view=view))
    assert lines[0] == "The connection was lost for 7 seconds; you are back."
    assert "It is your turn." in lines
    assert "Your dice: 1, 2, 2, 4, 6." in lines
    assert not any(line.startswith("You are at table") for line in lines)
    bid = desk.asked("3 4")
    assert isinstance(bid, m.PlaceBid)


def test_nothing_is_said_twice_on_coming_back() -> None:
    desk = playing()
    view = view_of(desk)
    lost(desk)
    lines = desk.hear(BACK, m.View(view=view))
    assert len(lines) == len(set(lines))


def test_a_pause_is_said_on_coming_back() -> None:
    desk = playing()
    view = replace(view_of(desk), host=BO, paused=60_000)
    lost(desk)
    lines = desk.hear(BACK, m.View(view=view))
    assert "The host has paused the game. It goes on in 1:00 at the latest." in lines


def test_who_takes_the_seat_back_from_a_bot_is_told() -> None:
    desk = playing()
    view = view_of(desk)
    seats = (replace(view.seats[0], player=Player.STAND_IN, person=0), view.seats[1])
    desk.told(ev.People(ME, seats, (Person(ME, "Ana"),)))
    desk.type("back")
    lines = desk.hear(m.View(view=replace(view, rev=view.rev + 5)))
    assert lines[0] == "You have your seat back."
    assert not any(line.startswith("You are at table") for line in lines)


def test_who_comes_in_mid_game_hears_when_they_play() -> None:
    desk = playing()
    waits = (Person(99, "Cem", waiting=True), Person(98, "Wat"))
    late = Desk()
    view = replace(view_of(desk), table=5, you=99, hand=(), watchers=waits)
    lines = late.hear(WELCOME, m.View(view=view))
    assert "You play from the next game on." in lines
    assert "Watching: you, Wat." in lines


def test_a_bot_in_ones_own_seat_is_not_oneself() -> None:
    desk = playing()
    view = view_of(desk)
    seats = (replace(view.seats[0], player=Player.STAND_IN, person=0), view.seats[1])
    desk.told(ev.People(ME, seats, (Person(ME, "Ana"),)), ev.Won(1, ()))
    assert not any("ready" in line for line in desk.told(ev.Ready(0, True)))


def test_what_was_not_answered_is_asked_again() -> None:
    desk = playing()
    desk.type("3 4")
    (bid,) = desk.sent[-1:]
    lost(desk)
    desk.sent.clear()
    desk.hear(BACK)
    assert desk.sent == [bid]


def test_nothing_that_is_typed_meanwhile_is_done_later() -> None:
    desk = playing()
    lost(desk)
    desk.sent.clear()
    lines = desk.type("dudo")
    assert lines == ["Not done, the connection is lost: dudo. Wait, or type quit."]
    desk.hear(BACK, m.View(view=view_of(desk)))
    assert desk.sent == []
    assert desk.plain.model.pending == {}


def test_a_script_waits_with_what_it_had_said_before() -> None:
    desk = playing()
    desk.type("3 4", "say hello")  # the second waits for the first one's answer
    lost(desk)
    bid = desk.sent[-1]
    assert isinstance(bid, m.PlaceBid)
    desk.hear(BACK, m.Done(re=bid.id))
    assert isinstance(desk.sent[-1], m.Say)


def test_an_empty_line_tries_at_once_and_quit_gives_up() -> None:
    desk = playing()
    hurried: list[bool] = []
    desk.plain._on_hurry = lambda: hurried.append(True)
    lost(desk)
    assert desk.type("") == []
    assert hurried == [True]
    desk.type("quit")
    assert desk.code == OK
    assert not desk.plain.left, "nobody could be told: the seat waits"


def test_when_the_time_is_over_it_ends_in_a_sentence() -> None:
    desk = playing()
    lost(desk)
    desk.plain.lost(Closed.GONE)
    assert desk.code == UNAVAILABLE
    assert desk.complaints == ["The connection to the server is lost. You can connect again."]


@pytest.mark.parametrize("view", [None, replace(LOBBY, you=99)])
def test_who_has_no_seat_comes_back_too(view: TableView | None) -> None:
    desk = greeted() if view is None else seated(view)
    seconds, lines = lost(desk)
    assert seconds == LONGEST_TRY
    assert lines == ["The connection is lost. Trying again... Type quit to give up."]
    lines = desk.hear(BACK, m.Tables(tables=()) if view is None else m.View(view=view))
    assert lines[0].startswith("The connection was lost for")


def test_who_was_never_greeted_has_nothing_to_come_back_to() -> None:
    assert lost(Desk()) == (0.0, [])


def test_who_looked_at_the_tables_comes_anew_and_sees_them_again() -> None:
    desk = greeted()
    lost(desk)
    lines = desk.hear(m.Error(error="bad_proof", detail=""))
    assert lines == ["The server has forgotten you while you were away: you come in anew."]
    assert desk.names == ["Ana"]
    lines = desk.hear(WELCOME, m.Tables(tables=()))
    assert lines[-1] == "There are no tables yet. Type make to make one."


def test_who_watched_comes_anew_and_watches_on() -> None:
    desk = seated(replace(LOBBY, you=99))
    lost(desk)
    lines = desk.hear(m.Error(error="bad_proof", detail=""))
    assert lines == ["The server has forgotten you while you were away: you come in anew."]
    desk.sent.clear()
    desk.hear(WELCOME)
    (watch,) = desk.sent
    assert isinstance(watch, m.Watch)
    assert watch.table == LOBBY.table


def test_words_that_were_given_open_a_locked_server_again() -> None:
    desk = Desk(secret="blue fox rain")
    challenge = m.Challenge(table=0, salt=b"s" * 32, nonce=b"n" * 32, cost=15)
    desk.hear(challenge)
    desk.hear(m.Done(re=desk.sent[-1].id))  # type: ignore[union-attr]
    desk.hear(WELCOME, m.Tables(tables=()))
    lost(desk)
    desk.hear(m.Error(error="bad_proof", detail=""))
    desk.sent.clear()
    assert desk.hear(challenge) == []
    (unlock,) = desk.sent
    assert isinstance(unlock, m.Unlock)


def test_a_game_of_ones_own_is_over_with_its_server() -> None:
    desk = Desk(plan=Plan.ALONE)
    desk.hear(WELCOME, m.View(view=LOBBY))
    assert lost(desk) == (0.0, [])


def test_a_game_of_ones_own_goes_on_after_the_program_stood_still() -> None:
    """Its server has only missed it: Ctrl-Z, and `fg` a while later."""
    desk = Desk(plan=Plan.ALONE)
    desk.hear(WELCOME, m.View(view=LOBBY), m.Bye(reason="dead"))
    assert lost(desk, Closed.TOLD)[0] == ALONE
    lines = desk.hear(BACK, m.View(view=LOBBY))
    assert lines[0].startswith("The connection was lost for")


def test_a_game_of_ones_own_is_not_begun_anew() -> None:
    desk = Desk(plan=Plan.ALONE)
    desk.hear(WELCOME, m.View(view=LOBBY), m.Bye(reason="dead"))
    lost(desk, Closed.TOLD)
    desk.hear(m.Error(error="bad_proof", detail=""))
    (said,) = desk.complaints
    assert said.startswith("This game was given up while the program stood still")
    assert desk.code == UNAVAILABLE


def test_a_server_that_stops_may_be_started_again() -> None:
    desk = playing()
    desk.hear(m.Bye(reason="shutdown"))
    seconds, lines = lost(desk, Closed.TOLD)
    assert seconds == 60.0
    assert lines[0].startswith("The server has stopped.")


def test_a_server_that_keeps_nothing_is_over_when_it_stops() -> None:
    desk = Desk()
    desk.hear(replace(WELCOME, keeps=False), m.View(view=LOBBY), m.Bye(reason="shutdown"))
    assert lost(desk, Closed.TOLD) == (0.0, [])
    desk.plain.lost(Closed.TOLD)
    assert desk.complaints == ["The server stops. This server keeps nothing: the game is over."]
    assert desk.plain.over_for_good


def test_who_came_back_elsewhere_is_told() -> None:
    desk = playing()
    desk.hear(m.Bye(reason="taken_over"))
    assert lost(desk, Closed.TOLD) == (0.0, [])
    desk.plain.lost(Closed.TOLD)
    assert desk.complaints == ["You have come back from somewhere else: this connection is over."]


def test_a_seat_that_was_given_up_is_said_and_the_tables_follow() -> None:
    desk = playing()
    key = desk.plain.who.key
    lost(desk)
    lines = desk.hear(m.Error(error="bad_proof", detail=""))
    assert lines == ["Your seat was given up while you were away: you come in anew."]
    assert desk.names == ["Ana"]
    assert desk.plain.who.key != key
    lines = desk.hear(WELCOME, m.Tables(tables=()))
    assert lines[-1] == "There are no tables yet. Type make to make one."


def test_a_new_program_comes_to_its_seat_at_once() -> None:
    desk = Desk()
    lines = desk.hear(BACK, m.View(view=LOBBY))
    assert lines[:3] == [
        "Connected to Home. You are Ana.",
        "Type help to hear what can be typed.",
        "You are at table 4, Friday: standard rules.",
    ]
    assert desk.sent == []


def test_whoever_leaves_on_purpose_says_so() -> None:
    desk = playing()
    desk.plain.input_ended()
    assert isinstance(desk.sent[-1], m.Leave)
    assert desk.plain.left


# Others, and ourselves, who are away -------------------------------------------------------------


def seats(view: TableView, number: int, **changes: object) -> ev.People:
    all_seats = list(view.seats)
    all_seats[number] = replace(all_seats[number], **changes)
    return ev.People(view.host, tuple(all_seats), view.watchers)


def test_others_who_are_away_and_back_are_told() -> None:
    desk = playing()
    view = view_of(desk)
    assert desk.told(seats(view, 1, away=60_000)) == ["Bo is away for now."]
    assert "Bo (away" in " ".join(desk.type("table"))
    stand_in = seats(view, 1, player=Player.STAND_IN, person=500)
    assert desk.told(stand_in) == ["Bo is away: a bot plays on."]
    assert "Bo (stand-in" in " ".join(desk.type("table"))
    assert desk.told(seats(view, 1)) == ["Bo is back and plays again."]
    assert desk.told(seats(view, 1, away=60_000)) == ["Bo is away for now."]
    assert desk.told(seats(view, 1)) == ["Bo is back."]


def test_nobody_is_said_to_be_back_who_was_not_said_to_be_away() -> None:
    """A server that was started again has everybody away until they have come back."""
    desk = playing()
    view = view_of(desk)
    lost(desk)
    all_away = tuple(replace(seat, away=60_000) for seat in view.seats[1:])
    lines = desk.hear(BACK, m.View(view=replace(view, seats=(view.seats[0], *all_away))))
    assert not [line for line in lines if "Bo" in line and "away" in line]
    assert desk.told(seats(view, 1)) == []
    assert desk.told(seats(view, 1, away=60_000)) == ["Bo is away for now."]
    assert desk.told(seats(view, 1)) == ["Bo is back."]


def test_one_who_was_said_to_be_away_is_said_to_be_back_after_our_own_absence_too() -> None:
    desk = playing()
    view = view_of(desk)
    away = seats(view, 1, away=60_000)
    desk.told(away)
    lost(desk)
    desk.hear(BACK, m.View(view=replace(view, seats=away.seats)))
    assert desk.told(seats(view, 1)) == ["Bo is back."]


def test_a_bot_that_plays_on_for_one_who_was_away_untold_is_told() -> None:
    desk = playing()
    view = view_of(desk)
    away = seats(view, 1, away=60_000)
    lost(desk)
    desk.hear(BACK, m.View(view=replace(view, seats=away.seats)))
    stand_in = seats(view, 1, player=Player.STAND_IN, person=500)
    assert desk.told(stand_in) == ["Bo is away: a bot plays on."]
    assert desk.told(seats(view, 1)) == ["Bo is back and plays again."]


def test_one_who_left_for_good_is_not_away() -> None:
    desk = playing()
    view = view_of(desk)
    stand_in = seats(view, 1, player=Player.STAND_IN, person=500)
    assert desk.told(stand_in) == ["Bo has left. A bot plays on."]


def test_a_host_who_is_away_hands_over() -> None:
    desk = playing()
    view = replace(view_of(desk), host=BO)
    desk.hear(m.View(view=replace(view, rev=50)))
    away = replace(seats(view, 1, away=60_000), host=ME)
    assert desk.told(away) == ["Bo is away for now.", "You are the host now."]


def test_ones_own_absence_is_told_with_what_to_type() -> None:
    desk = playing()
    view = view_of(desk)
    assert desk.told(seats(view, 0, away=60_000)) == [
        "You count as away now.",
        "You count as away: type back, or a bot plays for you in 1:00.",
    ]
    bot = seats(view, 0, player=Player.STAND_IN, person=500)
    watching = ev.People(view.host, bot.seats, (Person(ME, "Ana", waiting=True),))
    assert desk.told(watching) == [
        "A bot plays on for you.",
        "You were away; a bot plays for you. Type back to come back.",
    ]
    assert isinstance(desk.asked("back"), m.Back)
    assert desk.told(seats(view, 0)) == ["You have your seat back."]


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("more time", m.MoreTime),
        ("Mais tempo!", m.MoreTime),
        ("pause", m.Pause),
        ("go on", m.Pause),
        ("back", m.Back),
        ("voltei", m.Back),
    ],
)
def test_what_can_be_typed(typed: str, kind: type[m.Request]) -> None:
    asked = playing().asked(typed)
    assert isinstance(asked, kind)
    if isinstance(asked, m.Pause):
        assert asked.on is (typed == "pause")


def test_pauses_more_time_and_a_full_disk_are_told() -> None:
    desk = playing()
    assert desk.told(ev.Paused(600_000)) == ["The host has paused the game."]
    assert desk.told(ev.Paused(0)) == ["The game goes on."]
    assert desk.told(ev.TimeGiven(1)) == ["Bo takes more time."]
    assert desk.told(ev.TimeGiven(0)) == ["You have more time."]
    full = m.Notice(notice="storage_full")
    assert desk.hear(full, full) == [
        "The server cannot write down the game, its disk may be full: everything waits."
    ]
    assert desk.hear(m.Notice(notice="storage_back")) == [
        "The server can write down the game again: it goes on."
    ]
