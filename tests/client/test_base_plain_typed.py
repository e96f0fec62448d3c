"""What typed lines do in the plain client, and when."""

from __future__ import annotations

import pytest

from perudo_client.plain import ANSWER_SECONDS
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.vocabulary import Bid
from tests.support import sample_views
from tests.support.plain_desk import BO, LOBBY, WELCOME, Desk, greeted, playing, seated, turn


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("say hello there", m.Say(id=1, text="hello there")),
        ("phrase nice bluff", m.Say(id=1, phrase="nice_bluff")),
        ("phrase nonsense", m.Say(id=1, phrase="nonsense")),
        ("ready", m.SetReady(id=1, game=0, round=0)),
        ("unready", m.SetReady(id=1, game=0, round=0, ready=False)),
        ("start", m.Start(id=1)),
        ("rematch", m.Rematch(id=1)),
        ("bot", m.AddBot(id=1)),
        ("unbot 2", m.RemoveBot(id=1, seat=1)),
        ("kick bo", m.Kick(id=1, person=BO)),
        ("host Bo", m.HandOver(id=1, person=BO)),
        ("leave", m.Leave(id=1)),
        ("dudo", m.Dudo(id=1, game=0, round=0, number=0)),
        ("spot on", m.SpotOn(id=1, game=0, round=0, number=0)),
        ("join", m.Join(id=1, table=4)),
        ("watch", m.Watch(id=1, table=4)),
        ("join 7", m.Join(id=1, table=7)),
        ("join Aces High", m.Join(id=1, table=2)),
        ("watch 3", m.Watch(id=1, table=3)),
        ("make", m.Make(id=1, name="Table 4")),
        ("make My table", m.Make(id=1, name="My table")),
        ("make My table club", m.Make(id=1, name="My table", preset="club")),
        (
            "make T spot_on=off turn_seconds=0 palifico=once",
            m.Make(
                id=1, name="T", options={"spot_on": False, "turn_seconds": 0, "palifico": "once"}
            ),
        ),
        ("make T spot_on=perhaps", m.Make(id=1, name="T", options={"spot_on": "perhaps"})),
    ],
)
def test_commands_ask_the_server(line: str, asked: m.ClientMessage) -> None:
    assert seated().asked(line) == asked


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("help", "5 4: bid five fours. Also 5x4 or 5 fours."),
        ("rules", "The usual game, with spot-on and palifico."),
        ("dice", "Your dice: 1, 2, 2, 4, 6."),
        ("table", "Seat 2: Bo (5 dice)."),
        ("time", "30 seconds left."),
        ("odds", "There is no bid yet."),
        ("bids", "There is no bid yet."),
        ("phrases", "phrase oops: Oops."),
        ("kick Zed", "Nobody at this table is called 'Zed'."),
        ("unbot", "Which bot? Type unbot and its name, or the number of its seat."),
        ("5 9", "A die shows 1 to 6, not 9. Type a bid as in 5 4, for five fours."),
        ("abracadabra", "'abracadabra' is no bid and no command. Type a bid as in 5 4, or help."),
    ],
)
def test_questions_are_answered_here(line: str, says: str) -> None:
    desk = playing()
    assert says in desk.type(line)
    assert desk.sent == []


def test_which_table_is_asked_where_there_are_several() -> None:
    desk = greeted()
    assert desk.type("join") == ["Which table? Type join and the table's number."]
    desk.hear(m.Tables(tables=sample_views.tables()[2:]))
    desk.type("join")
    assert desk.sent == [m.Join(id=1, table=3)]


def test_an_option_that_does_not_exist_is_said() -> None:
    desk = greeted()
    (line,) = desk.type("make T gravity=off")
    assert "'gravity'" in line
    assert "start_dice" in line
    assert desk.sent == []


def test_the_odds_of_the_standing_bid_are_said() -> None:
    desk = playing()
    desk.told(ev.BidPlaced(0, Bid(2, 4)), turn(1), ev.BidPlaced(1, Bid(3, 4)), turn(0))
    assert desk.type("odds", "bids") == [
        "3 fours: true with a chance of 87 percent, exact with 33 percent.",
        "1. Ana: 2 fours.",
        "2. Bo: 3 fours.",
    ]


@pytest.mark.parametrize("line", ["5 4", "dudo", "spot on", "say hi", "ready", "dice", "start"])
def test_at_no_table_one_is_told_how_to_come_to_one(line: str) -> None:
    desk = greeted()
    assert desk.type(line) == ["You are at no table. Type tables, then join and a number."]
    assert desk.sent == []


def test_lines_wait_until_the_one_before_was_answered() -> None:
    desk = Desk()
    desk.type("make T", "bot", "dice")
    assert desk.sent == []
    desk.hear(WELCOME)
    assert [type(message) for message in desk.sent] == [m.Make]
    desk.hear(m.View(view=LOBBY))
    assert len(desk.sent) == 1
    desk.hear(m.Done(re=1))
    assert [type(message) for message in desk.sent] == [m.Make, m.AddBot]
    assert desk.taken == 2
    assert "You have no dice under your cup." not in desk.lines
    desk.hear(m.Refused(re=2, reason="table_full"))
    assert "You have no dice under your cup." in desk.lines
    assert desk.taken == 3


def test_an_answer_that_is_lost_holds_nothing_up_for_ever() -> None:
    desk = seated()
    desk.type("bot", "bot")
    desk.now = ANSWER_SECONDS - 1
    desk.hear(m.Ping(now=1))
    assert len(desk.sent) == 1
    desk.now = ANSWER_SECONDS
    desk.hear(m.Ping(now=2))
    assert len(desk.sent) == 2


def test_wait_holds_a_script_until_ones_turn() -> None:
    desk = playing()
    desk.type("wait", "1 2")
    assert len(desk.sent) == 1
    desk.hear(m.Done(re=1))
    desk.told(ev.BidPlaced(0, Bid(1, 2)), turn(1))
    desk.type("wait", "dudo")
    assert len(desk.sent) == 1
    desk.told(ev.BidPlaced(1, Bid(2, 2)), turn(0))
    assert isinstance(desk.sent[-1], m.Dudo)


def test_wait_ends_with_the_game_and_with_the_table() -> None:
    desk = playing()
    desk.told(ev.BidPlaced(0, Bid(1, 2)), turn(1))
    desk.type("wait", "dice")
    desk.told(ev.Won(0, ()))
    assert desk.lines[-1].startswith("Your dice") or desk.lines[-1].startswith("You have no dice")
    away = seated()
    away.told(ev.Started(1, 5), ev.Dealt(1, 1, False), turn(1))
    away.type("wait", "dice")
    away.hear(m.Away(reason="closed"))
    assert away.lines[-1].startswith("You are at no table.")
