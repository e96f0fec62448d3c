"""What a newcomer stumbled over in lines of text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_client import story_words
from perudo_client.endings import Closed
from perudo_client.plain_line import NO_PERMISSION
from perudo_client.plain_words import seats_lines
from perudo_client.plan import Plan
from perudo_protocol import lock
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.vocabulary import Phase, Player
from tests.support import sample_views
from tests.support.plain_desk import LOBBY, WELCOME, Desk, greeted, playing, seated

TABLES = m.Tables(tables=(replace(sample_views.tables()[0], locked=True),))
TABLE = TABLES.tables[0].table
WATCHED = replace(LOBBY, seats=LOBBY.seats[1:], host=2, watchers=(v.Person(person=1, name="Ana"),))


def challenge(table: int = 0, nonce: bytes = b"n" * 32) -> m.Challenge:
    return m.Challenge(table=table, salt=b"s" * 32, nonce=nonce, cost=15)


def answers(desk: Desk) -> list[m.Unlock]:
    return [each for each in desk.sent if isinstance(each, m.Unlock)]


def at_the_door(desk: Desk) -> list[str]:
    """Be refused at the table that the plan goes to."""
    lines = desk.hear(WELCOME, TABLES)
    request = desk.sent[-1]
    assert isinstance(request, m.Join | m.Watch)
    return lines + desk.hear(challenge(TABLE), m.Refused(re=request.id, reason="locked"))


# Join words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["make A words=", "make words= B", 'make A words=""'])
def test_a_table_is_not_made_open_for_words_that_were_forgotten(line: str) -> None:
    desk = greeted()
    assert desk.type(line) == ["Join words have at least 6 letters."]
    assert not desk.sent


def test_who_locks_a_table_is_told_that_it_is_locked() -> None:
    desk = greeted()
    desk.type("make Ours words=blue-fox-rain")
    made = desk.sent[-1]
    assert isinstance(made, m.Make)
    assert made.lock is not None
    view = replace(LOBBY, name="Ours")
    lines = desk.hear(m.Done(re=made.id), m.View(view=view))
    assert "The table is locked. Its join words: blue-fox-rain." in lines

    desk = greeted()
    desk.type("make Ours")
    lines = desk.hear(m.Done(re=1), m.View(view=LOBBY))
    assert not [line for line in lines if "locked" in line]


def test_a_refused_table_is_said_to_be_locked_by_nobody() -> None:
    desk = greeted()
    desk.type("make Ours words=blue-fox-rain")
    desk.hear(m.Refused(re=1, reason="name_taken"))
    desk.type("make Others")
    lines = desk.hear(m.Done(re=2), m.View(view=LOBBY))
    assert not [line for line in lines if "locked" in line]


@pytest.mark.parametrize("typed", ["help", "?", "abc", "a  b-c"])
def test_words_that_can_lock_nothing_cost_no_try(typed: str) -> None:
    desk = Desk()
    (question,) = desk.hear(challenge())
    lines = desk.type(typed)
    assert not answers(desk)
    assert lines[-1] == question
    assert len(lines) == 2
    desk.type("blue fox rain")
    assert len(answers(desk)) == 1


def test_help_before_a_door_says_what_can_be_typed_there() -> None:
    desk = Desk()
    desk.hear(challenge())
    assert desk.type("help")[0].startswith("Join words are those that")


@pytest.mark.parametrize("plan", [Plan.JOIN, Plan.WATCH])
def test_a_locked_table_without_words_is_no_permission(plan: Plan) -> None:
    desk = Desk(plan, table=TABLE, may_ask=False)
    at_the_door(desk)
    assert desk.code == NO_PERMISSION == 77
    assert desk.complaints == [
        "This table is locked: give its join words with --secret or PERUDO_SECRET."
    ]


def test_wrong_words_for_a_table_are_no_permission() -> None:
    desk = Desk(Plan.JOIN, table=TABLE, may_ask=False, secret="green fox rain")
    assert at_the_door(desk)[2:] == []
    desk.hear(challenge(TABLE), m.Refused(re=answers(desk)[0].id, reason="wrong_secret"))
    assert desk.code == 77
    assert desk.complaints == ["These are not the join words: ask whoever made the game for them."]


def test_too_many_tries_at_a_table_are_no_permission_too() -> None:
    desk = Desk(Plan.JOIN, table=TABLE, may_ask=False, secret="green fox rain")
    at_the_door(desk)
    desk.hear(m.Refused(re=answers(desk)[0].id, reason="too_many_tries"))
    assert desk.code == 77
    assert "wait a minute" in desk.complaints[0]


def test_a_table_that_a_script_tries_by_itself_does_not_end_it() -> None:
    desk = Desk(may_ask=False)
    desk.hear(WELCOME, TABLES)
    desk.type("join 1")
    lines = desk.hear(challenge(TABLE), m.Refused(re=1, reason="locked"))
    assert lines[0].startswith("This table is locked: give its join words")
    assert desk.code is None


def test_right_words_at_hand_leave_no_complaint() -> None:
    desk = Desk(Plan.JOIN, table=TABLE, may_ask=False, secret="blue fox rain")
    lines = at_the_door(desk)
    (answer,) = answers(desk)
    key = lock.make_key("blue fox rain", b"s" * 32)
    assert lock.proves(answer.proof, key, TABLE, b"n" * 32, answer.nonce)
    lines += desk.hear(m.Done(re=answer.id))
    joined = desk.sent[-1]
    assert isinstance(joined, m.Join)
    lines += desk.hear(m.Done(re=joined.id), m.View(view=replace(LOBBY, table=TABLE, host=2)))
    assert not [line for line in [*lines, *desk.complaints] if "join words" in line]


# What is said -------------------------------------------------------------------------------------


def test_no_brackets_stand_around_nothing() -> None:
    seats = (
        v.SeatView("Ana", Player.PERSON, 1),
        v.SeatView("Carol", Player.PERSON, 3),
    )
    lines = seats_lines(replace(LOBBY, seats=seats))
    assert lines == ["Seat 1: Ana (you, host).", "Seat 2: Carol."]


def test_a_name_that_ends_in_a_number_is_not_run_into_the_die() -> None:
    seats = (v.SeatView("root", Player.PERSON, 1), v.SeatView("root 2", Player.PERSON, 2))
    throws = (v.Throw(0, 6), v.Throw(1, 2))
    view = replace(LOBBY, seats=seats, throws=(throws,))
    assert story_words.throw_line(view) == "The throw for who begins: you: 6, root 2: 2."
    again = replace(view, throws=(throws, throws))
    assert story_words.throw_line(again) == "A tie. They throw again: you: 6, root 2: 2."


@pytest.mark.parametrize("line", ["ready", "unready", ""])
def test_a_watcher_is_told_who_can_be_ready(line: str) -> None:
    desk = greeted()
    desk.hear(m.View(view=replace(WATCHED, phase=Phase.REVEAL)))
    lines = desk.type(line)
    assert not desk.sent
    assert lines == (["You watch this table: only who has a seat can be ready."] if line else [])


def test_who_is_out_is_told_who_can_be_ready() -> None:
    seats = (v.SeatView("Ana", Player.PERSON, 1), v.SeatView("Bo", Player.PERSON, 2, dice=5))
    desk = seated(replace(LOBBY, seats=seats, phase=Phase.REVEAL))
    assert desk.type("ready") == ["You are out of this game: only who has dice can be ready."]
    assert not desk.sent


def test_the_list_of_tables_is_not_told_from_a_table() -> None:
    desk = seated()
    assert desk.type("tables") == [
        "The tables are not told to people at a table. Leave yours to hear them."
    ]
    desk.hear(m.Away(reason="left"), m.Tables(tables=sample_views.tables()))
    assert "Table 2, Aces high: cacho rules, 1 of 4 seats taken." in desk.type("tables")


def test_watch_without_a_number_asks_which_to_watch() -> None:
    desk = greeted()
    assert desk.type("watch") == ["Which table? Type watch and the table's number."]
    assert desk.type("join") == ["Which table? Type join and the table's number."]


def test_a_host_alone_is_not_told_to_play_again() -> None:
    desk = playing()
    seats = (v.SeatView("Ana", Player.PERSON, 1, dice=5), v.SeatView("Bo", Player.NOBODY, dice=5))
    lines = desk.told(ev.People(1, seats, ()), ev.Won(0, ()))
    assert not [line for line in lines if line.startswith("Type rematch")]
    assert "Another game needs at least two players: type bot, or wait for somebody." in lines


@pytest.mark.parametrize(("plan", "told"), [(Plan.LOOK, 1), (Plan.ALONE, 1), (Plan.DEMO, 0)])
def test_help_is_named_once_at_the_beginning(plan: Plan, told: int) -> None:
    desk = Desk(plan)
    lines = desk.hear(WELCOME)
    assert lines.count("Type help to hear what can be typed.") == told
    desk.plain.may_return(Closed.GONE)
    lines = desk.hear(replace(WELCOME, resumed=True))
    assert "Type help to hear what can be typed." not in lines
