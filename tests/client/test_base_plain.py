"""The plain client without a network: what it says, what it asks for, how it ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_client.endings import Closed
from perudo_client.plain import MOST_NAMES
from perudo_client.plain_line import OK, PROTOCOL, UNAVAILABLE, USAGE
from perudo_client.plan import Plan
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.vocabulary import Bid, Call
from tests.support import sample_views
from tests.support.plain_desk import BO, LOBBY, ME, WELCOME, Desk, greeted, playing, seated, turn

# Coming in ---------------------------------------------------------------------------------------


def test_the_greeting_and_the_tables_are_said() -> None:
    lines = greeted().lines
    assert lines[0] == "Connected to Home. You are Ana."
    assert "Table 1, Friday table: standard rules, 4 of 6 seats taken, a game is on." in lines


def test_later_only_new_tables_are_said() -> None:
    desk = greeted()
    new = replace(sample_views.tables()[0], table=9, name="New")
    assert desk.hear(m.Tables(tables=sample_views.tables())) == []
    (line,) = desk.hear(m.Tables(tables=(*sample_views.tables(), new)))
    assert line.startswith("Table 9, New:")


@pytest.mark.parametrize(("plan", "kind"), [(Plan.JOIN, m.Join), (Plan.WATCH, m.Watch)])
def test_the_table_asked_for_is_gone_to(plan: Plan, kind: type) -> None:
    desk = Desk(plan, table=3)
    desk.hear(WELCOME)
    assert desk.sent == [kind(id=1, table=3)]


def test_after_the_table_asked_for_is_refused_the_tables_are_said() -> None:
    desk = Desk(Plan.JOIN, table=77)
    desk.hear(WELCOME, m.Tables(tables=sample_views.tables()))
    assert desk.lines == [
        "Connected to Home. You are Ana.",
        "Type help to hear what can be typed.",
    ]
    lines = desk.hear(m.Refused(re=1, reason="no_table"))
    assert lines[0] == "There is no such table, or it has closed."
    assert len(lines) == 4
    assert desk.type("join 2") == []
    assert desk.sent[-1] == m.Join(id=2, table=2)


def test_after_a_table_the_tables_are_said() -> None:
    desk = Desk(Plan.JOIN, table=4)
    desk.hear(WELCOME, m.Tables(tables=sample_views.tables()), m.View(view=LOBBY), m.Done(re=1))
    lines = desk.hear(m.Away(reason="closed"), m.Tables(tables=()))
    assert lines == ["The table has closed.", "There are no tables yet. Type make to make one."]


def test_a_picture_that_comes_afresh_is_said_whole() -> None:
    """We read too slowly, and what was said meanwhile is lost."""
    desk = playing()
    view = desk.plain.model.view
    assert view is not None
    lines = desk.hear(m.View(view=replace(view, rev=50)))
    assert lines[0] == "You are at table 4, Friday: standard rules."
    assert lines[-1] == "30 seconds left."


def test_alone_a_table_with_three_bots_is_started() -> None:
    desk = Desk(Plan.ALONE)
    desk.hear(WELCOME)
    make, *bots, start = desk.sent
    assert isinstance(make, m.Make)
    assert make.options == {"turn_seconds": 0}
    assert [type(bot) for bot in bots] == [m.AddBot] * 3
    assert isinstance(start, m.Start)


def test_the_demo_stands_up_and_watches_bots_and_ends_with_the_game() -> None:
    desk = Desk(Plan.DEMO)
    desk.hear(WELCOME)
    desk.hear(m.View(view=LOBBY))
    kinds = [type(message) for message in desk.sent]
    assert kinds == [m.Make, m.Watch, *[m.AddBot] * 4, m.Start]
    lines = desk.hear(m.View(view=replace(sample_views.six(), table=4, you=99)))
    assert lines == []
    lines = desk.told(ev.Won(1, ()))
    assert lines[0] == "Bia wins the game."
    assert desk.code == OK


def test_a_name_gets_a_number_where_it_is_taken() -> None:
    desk = Desk()
    desk.hear(m.Error(error="name_taken", detail="no"))
    lines = desk.hear(replace(WELCOME, you="Ana 2"))
    assert lines == [
        "Connected to Home. You are Ana 2.",
        "Somebody there is called Ana already: you are Ana 2.",
        "Type help to hear what can be typed.",
    ]


def test_names_are_tried_for_a_while() -> None:
    desk = Desk()
    taken = m.Error(error="name_taken", detail="no")
    desk.hear(taken, taken)
    assert desk.names == ["Ana 2", "Ana 3"]
    for _ in range(MOST_NAMES - 2):
        desk.hear(taken)
    assert desk.code is None
    desk.hear(taken)
    assert desk.code == USAGE


def test_a_bad_name_ends_with_a_sentence() -> None:
    desk = Desk()
    desk.hear(m.Error(error="bad_name", detail="no"))
    assert desk.code == USAGE
    assert len(desk.complaints) == 1
    assert desk.names == []


# The game ----------------------------------------------------------------------------------------


def test_ones_turn_says_all_that_is_needed() -> None:
    """The dice come after the turn on the wire; they are said together."""
    desk = playing()
    assert (
        desk.lines[-6:]
        == [
            "Round 1, 10 dice. You open.",
            "It is your turn.",
            "There is no bid yet.",
            "Your dice: 1, 2, 2, 4, 6.",
            "Least bids: 1 two, 1 three, 1 four, 1 five, 1 six.",
            "You may doubt: type dudo.",
            "You may call it exactly right: type spot on.",
            "30 seconds left.",
        ][-6:]
    )
    assert desk.lines.count("It is your turn.") == 1


def test_dice_are_said_when_another_opens() -> None:
    desk = seated()
    desk.told(ev.Started(1, 5), ev.Dealt(1, 1, False), turn(1))
    assert desk.hear(m.OwnHand(round=1, dice=(3, 3))) == ["Your dice: 3, 3."]


def test_bids_and_turns_are_said() -> None:
    desk = playing()
    lines = desk.told(ev.BidPlaced(0, Bid(2, 4)), turn(1), ev.BidPlaced(1, Bid(3, 1)), turn(0))
    assert lines[:4] == [
        "You bid 2 fours.",
        "Bo bids 3 aces.",
        "It is your turn.",
        "The bid of 3 aces by Bo stands.",
    ]


def test_the_chance_of_the_standing_bid_is_said_to_those_who_want_it() -> None:
    desk = playing(odds=True)
    assert not any("chance" in line for line in desk.lines)
    lines = desk.told(ev.BidPlaced(0, Bid(2, 4)), turn(1), ev.BidPlaced(1, Bid(3, 4)), turn(0))
    assert lines[-1] == "3 fours: true with a chance of 87 percent, exact with 33 percent."


def test_the_reveal_is_said_cup_by_cup() -> None:
    desk = playing()
    desk.told(ev.BidPlaced(0, Bid(2, 4)), turn(1))
    cups = ((1, 2, 2, 4, 6), (3, 3, 3, 5, 5))
    called = ev.Called(1, Call.DUDO, 2, False, cups)
    assert desk.told(called, ev.DieLost(1), ev.NextSet(1, False, 9)) == [
        "Bo doubted 2 fours: there were 2.",
        "You had 1, 2, 2, 4, 6.",
        "Bo had 3, 3, 3, 5, 5.",
        "Bo loses a die.",
        "Bo opens the next round.",
        "Press Enter to go on.",
    ]
    assert desk.asked("") == m.SetReady(id=1, game=1, round=1)
    assert desk.told(ev.Ready(0, True), ev.Ready(1, True)) == []


def test_the_end_is_said_with_places() -> None:
    desk = playing()
    lines = desk.told(ev.WentOut(1, 2), ev.Won(0, (v.Tally(9, 2, 1, 4, 3), v.Tally(8, 3, 2, 2, 1))))
    assert lines[:3] == [
        "Bo is out of the game: place 2.",
        "You win the game.",
        "Place 1: Ana.",
    ]
    assert lines[-1] == "Type rematch for another game, or leave."


def test_a_refusal_is_worded() -> None:
    desk = playing()
    desk.told(
        ev.BidPlaced(0, Bid(2, 4)), turn(1), ev.BidPlaced(1, Bid(5, 4)), turn(0, (3, 6, 6, 6, 5, 5))
    )
    desk.type("5 4")
    (request,) = desk.sent
    assert isinstance(request, m.PlaceBid)
    assert (request.number, request.quantity, request.face) == (2, 5, 4)
    assert desk.hear(m.Refused(re=request.id, reason="not_higher")) == [
        "That is not higher: the least bid on fours is 6."
    ]


def test_chat_and_people_are_said() -> None:
    desk = seated()
    assert desk.hear(m.Said(person=BO, name="Bo", text="[b]hi[/b]")) == ["Bo: [b]hi[/b]"]
    assert desk.hear(m.Said(person=BO, name="Bo", phrase="oops")) == ["Bo: Oops."]
    people = ev.People(ME, LOBBY.seats[:1], ())
    assert desk.told(people) == ["Bo has left."]


# The end -----------------------------------------------------------------------------------------


def test_the_end_of_input_leaves_the_table_and_ends_well() -> None:
    desk = playing()
    desk.plain.input_ended()
    assert isinstance(desk.sent[-1], m.Leave)
    assert desk.closed
    assert desk.code == OK
    assert desk.complaints == []


def test_the_end_of_input_waits_for_the_lines_before_it() -> None:
    desk = Desk()
    desk.type("make T")
    desk.plain.input_ended()
    assert not desk.closed
    desk.hear(WELCOME)
    assert not desk.closed
    desk.hear(m.View(view=LOBBY), m.Done(re=1))
    assert [type(message) for message in desk.sent] == [m.Make, m.Leave]
    assert desk.code == OK


def test_quit_ends_well() -> None:
    desk = greeted()
    desk.type("quit")
    assert desk.sent == []
    assert desk.code == OK


def test_a_server_that_goes_is_said_in_one_sentence() -> None:
    desk = playing()
    desk.plain.lost(Closed.GONE)
    assert desk.complaints == ["The connection to the server is lost. You can connect again."]
    assert desk.code == UNAVAILABLE


def test_a_goodbye_is_said_once() -> None:
    desk = playing()
    desk.hear(m.Bye(reason="shutdown"))
    desk.plain.lost(Closed.TOLD)
    assert desk.complaints == ["The server stops. Goodbye."]
    assert desk.code == UNAVAILABLE


def test_another_version_has_its_own_exit_code() -> None:
    desk = Desk()
    desk.hear(m.Error(error="version", detail="", versions=(9,)))
    desk.plain.lost(Closed.TOLD)
    assert len(desk.complaints) == 1
    assert "version 1 " in desk.complaints[0]
    assert "9" in desk.complaints[0]
    assert desk.code == PROTOCOL


def test_a_message_that_the_server_did_not_take_holds_nothing_up() -> None:
    desk = seated()
    desk.type("bot", "bot")
    assert len(desk.sent) == 1
    assert len(desk.hear(m.Error(error="bad_message", detail="no"))) == 1
    assert len(desk.sent) == 2
    assert desk.code is None


def test_no_server_of_ours_has_that_exit_code_too() -> None:
    desk = Desk()
    desk.plain.lost(Closed.NONSENSE)
    assert len(desk.complaints) == 1
    assert desk.code == PROTOCOL


def test_nothing_is_sent_after_the_end() -> None:
    desk = playing()
    desk.type("quit")
    sent = len(desk.sent)
    desk.type("dudo", "quit")
    desk.plain.leave(OK)
    assert len(desk.sent) == sent
