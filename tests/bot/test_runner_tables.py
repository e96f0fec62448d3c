"""Being ready, names, tables and ends: what a bot does besides its moves."""

from __future__ import annotations

from perudo_bot.joining import JoinPlan
from perudo_bot.runner import MOST_NAMES
from perudo_bot.thoughts import LONGEST_LOOK
from perudo_protocol.messages import (
    Away,
    Bye,
    Error,
    Hello,
    Join,
    Leave,
    PlaceBid,
    Refused,
    SetReady,
    TableLine,
    Tables,
    View,
)
from perudo_protocol.story import Called, DieLost, NextSet, Ready, SeatLeft, Started, WentOut, Won
from perudo_protocol.views import Placed, Tally
from perudo_protocol.vocabulary import Bid, Call
from tests.support.scripted_server import (
    ScriptedServer,
    bidding,
    dealt,
    met,
    refuse,
    table,
    turn,
    wait,
)

# Being ready ------------------------------------------------------------------------------------


def reveal(server: ScriptedServer) -> None:
    """Tell that the person has doubted the bot's bid, wrongly, and who opens next."""
    cups = ((5, 5, 5, 6, 6), (2, 2, 3, 5, 1))
    server.tell(Called(0, Call.DUDO, 5, False, cups), DieLost(0), NextSet(0, False, 9000))


def test_it_looks_at_the_reveal_and_is_ready_once() -> None:
    server, _ = met(seconds=1.0)
    server.say(View(view=bidding(ladder=(Placed(1, Bid(2, 5)),), turn=turn(0, standing=True))))
    reveal(server)
    wait(server, 1.9)
    assert not server.said(SetReady)
    wait(server, 0.2)
    (ready,) = server.said(SetReady)
    assert (ready.game, ready.round, ready.ready) == (4, 2, True)
    refuse(server, "stale")
    server.tell(Ready(1, True))
    wait(server, 60)
    assert len(server.said(SetReady)) == 1


def test_it_never_looks_for_long() -> None:
    server, _ = met(seconds=30.0)
    server.say(View(view=bidding(ladder=(Placed(1, Bid(2, 5)),), turn=turn(0, standing=True))))
    reveal(server)
    wait(server, LONGEST_LOOK)
    assert len(server.said(SetReady)) == 1


def test_it_is_ready_in_the_lobby_after_the_throw_and_after_the_game() -> None:
    server, _ = met()
    server.say(View(view=table()))
    wait(server)
    assert [(r.game, r.round) for r in server.said(SetReady)] == [(0, 0)]
    server.tell(Ready(1, True), Started(4, 5), NextSet(0, False, 5000))
    wait(server)
    assert [(r.game, r.round) for r in server.said(SetReady)] == [(0, 0), (4, 0)]
    server.tell(*dealt(1, opener=0))
    server.tell(SeatLeft(0), WentOut(0, 2), Won(1, (Tally(0, 0, 0, 0, 0),) * 2))
    wait(server)
    assert [(r.game, r.round) for r in server.said(SetReady)] == [(0, 0), (4, 0), (4, 1)]


def test_it_is_ready_again_when_the_table_asks_again() -> None:
    """Somebody came, and all are asked anew."""
    server, _ = met()
    server.say(View(view=table()))
    wait(server)
    server.tell(Ready(1, True))
    server.tell(Ready(1, False))
    wait(server)
    assert len(server.said(SetReady)) == 2


def test_told_to_slow_down_it_is_ready_a_little_later() -> None:
    server, _ = met()
    server.say(View(view=table()))
    wait(server)
    refuse(server, "slow_down")
    wait(server, 2)
    assert len(server.said(SetReady)) == 2


# Names, tables, ends ----------------------------------------------------------------------------


def test_a_taken_name_gets_a_number() -> None:
    server, bot = met()
    for _ in range(3):
        server.say(Error(error="name_taken", detail=""))
    assert [hello.name for hello in server.said(Hello)] == ["Bia", "Bia 2", "Bia 3", "Bia 4"]
    assert bot.name == "Bia 4"
    assert not server.is_lost


def test_it_does_not_try_names_for_ever() -> None:
    server, bot = met()
    for _ in range(MOST_NAMES + 50):
        server.say(Error(error="name_taken", detail=""))
    assert len(server.said(Hello)) == MOST_NAMES
    assert all(len(hello.name) <= 16 for hello in server.said(Hello))
    assert server.is_lost
    assert bot.error is not None


def test_a_name_that_is_refused_ends_it() -> None:
    server, bot = met()
    server.say(Error(error="bad_name", detail=""))
    assert server.is_lost
    assert bot.error is not None
    assert bot.error.error == "bad_name"


def line(number: int, people: int = 1, seats: int = 6, playing: bool = False) -> TableLine:
    return TableLine(
        table=number,
        name="t",
        rules={},
        people=people,
        bots=0,
        seats=seats,
        watchers=0,
        playing=playing,
    )


def test_it_says_once_for_which_table_it_waits() -> None:
    told: list[str] = []
    server, _ = met(join=JoinPlan(table=77, tell=told.append))
    server.say(Tables(tables=(line(1),)))
    server.say(Tables(tables=(line(1), line(2))))
    assert told == ["waiting for table 77"]
    assert not server.said(Join)
    server.say(Tables(tables=(line(77),)))
    server.say(Refused(re=server.said(Join)[0].id, reason="table_full"))
    assert told == ["waiting for table 77"]
    server.say(View(view=table()))
    server.say(Away(reason="closed"), Tables(tables=()), Tables(tables=()))
    assert told[1:] == ["joined table 3", "left table 3", "waiting for a table with a free seat"]


def test_a_bot_for_any_table_says_that_it_waits() -> None:
    told: list[str] = []
    server, _ = met(join=JoinPlan(tell=told.append))
    server.say(Tables(tables=(line(1, people=6),)))
    server.say(Tables(tables=(line(2, playing=True),)))
    assert told == ["waiting for a table with a free seat"]


def test_without_a_plan_it_joins_nothing() -> None:
    server, _ = met()
    server.say(Tables(tables=(line(1),)))
    assert not server.said(Join)


def test_it_joins_the_first_open_table() -> None:
    told: list[str] = []
    server, _ = met(join=JoinPlan(tell=told.append))
    server.say(Tables(tables=()))
    assert not server.said(Join)
    server.say(Tables(tables=(line(1, people=6), line(2, playing=True), line(3), line(4))))
    assert [join.table for join in server.said(Join)] == [3]
    server.say(Tables(tables=(line(4),)))
    assert len(server.said(Join)) == 1, "one answer is awaited already"
    server.say(View(view=table()))
    assert told == ["waiting for a table with a free seat", "joined table 3"]


def test_refused_at_the_table_it_waits_for_the_list_to_change() -> None:
    server, _ = met(join=JoinPlan())
    server.say(Tables(tables=(line(3),)))
    refuse(server, "table_full")
    wait(server, 60)
    assert len(server.said(Join)) == 1
    server.say(Tables(tables=(line(5),)))
    assert [join.table for join in server.said(Join)] == [3, 5]


def test_it_waits_for_the_table_that_it_was_sent_to() -> None:
    server, _ = met(join=JoinPlan(table=5))
    server.say(Tables(tables=(line(3),)))
    assert not server.said(Join)
    server.say(Tables(tables=(line(3), line(5, playing=True))))
    assert [join.table for join in server.said(Join)] == [5]


def test_sent_away_it_goes_to_another_table() -> None:
    told: list[str] = []
    server, bot = met(join=JoinPlan(table=3, tell=told.append))
    server.say(Tables(tables=(line(3),)))
    server.say(View(view=bidding()), Away(reason="kicked"))
    assert bot.view is None
    wait(server, 60)
    assert not server.said(PlaceBid), "its thought went with the table"
    server.say(Tables(tables=(line(3), line(8))))
    assert [join.table for join in server.said(Join)] == [3, 8]
    assert told == ["joined table 3", "left table 3"]


def test_the_end_of_each_game_is_told_once() -> None:
    told: list[str] = []
    server, _ = met(join=JoinPlan(tell=told.append))
    server.say(View(view=bidding()))
    server.tell(SeatLeft(0), WentOut(0, 2), Won(1, (Tally(0, 0, 0, 0, 0),) * 2))
    server.tell(Ready(0, True))
    assert told == ["joined table 3", "game over, place 1"]
    server.tell(Started(5, 5), NextSet(1, False, 0))
    server.tell(WentOut(1, 2), Won(0, (Tally(0, 0, 0, 0, 0),) * 2))
    assert told[2:] == ["game over, place 2"]


def test_leaving_says_so_and_closes() -> None:
    server, bot = met(seconds=1.0)
    server.say(View(view=bidding()))
    bot.leave()
    server.clock.settle()
    assert isinstance(server.last, Leave)
    assert server.is_lost
    wait(server, 60)
    assert not server.said(PlaceBid)


def test_closing_ends_all_thought() -> None:
    server, bot = met(seconds=1.0)
    server.say(View(view=bidding()))
    bot.close()
    wait(server, 60)
    assert server.is_lost
    assert [type(message) for message in server.heard] == [Hello]


def test_a_lost_link_ends_all_thought() -> None:
    server, bot = met(seconds=1.0)
    server.say(View(view=bidding()), Bye(reason="shutdown"))
    assert server.link is not None
    server.link.close()
    wait(server, 60)
    assert bot.view is None
    assert bot.bye == "shutdown"
    assert [type(message) for message in server.heard] == [Hello]
