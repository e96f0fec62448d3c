"""The bot at its end of a link, against a server that says what the test tells it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from perudo_bot.thoughts import MOST_REFUSALS
from perudo_protocol.codec import encode
from perudo_protocol.framing import frame
from perudo_protocol.messages import (
    Done,
    Dudo,
    Hello,
    OwnHand,
    Ping,
    PlaceBid,
    Pong,
    Refused,
    Said,
    SpotOn,
    Tables,
    View,
    Welcome,
)
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.story import People
from perudo_protocol.version import VERSIONS
from perudo_protocol.views import Placed, SeatView, TableView, Turn
from perudo_protocol.vocabulary import Bid, Call, Phase, Player
from tests.support.scripted_server import (
    BOT,
    LEAST,
    MOST,
    Scripted,
    bid,
    bidding,
    dealt,
    met,
    refuse,
    table,
    turn,
    wait,
)

# Greeting and small talk ------------------------------------------------------------------------


def test_it_greets_as_a_bot() -> None:
    server, _ = met()
    (hello,) = server.said(Hello)
    assert hello.versions == VERSIONS
    assert hello.name == "Bia"
    assert hello.bot
    assert hello.client.startswith("perudo-bot ")


def test_it_answers_a_ping_at_once() -> None:
    server, _ = met(seconds=50)
    server.say(Ping(now=4711))
    assert server.last == Pong(now=4711)


def test_it_has_nothing_to_say_to_chat_welcome_and_done() -> None:
    server, _ = met()
    server.say(
        Welcome(version=1, server="s", name="n", person=BOT, you="Bia", now=5),
        Said(person=5, name="Ana", text="hello"),
        Done(re=1),
        Tables(tables=()),
    )
    wait(server, 60)
    assert [type(message) for message in server.heard] == [Hello]


def test_messages_in_pieces_are_heard_whole() -> None:
    server, _ = met()
    assert server.link is not None
    for byte in encode(Ping(now=1)) + encode(Ping(now=2)):
        server.link.write(bytes([byte]))
    server.clock.settle()
    assert server.said(Pong) == [Pong(now=1), Pong(now=2)]


def test_a_message_of_a_newer_server_is_passed_over() -> None:
    server, _ = met()
    assert server.link is not None
    server.link.write(frame(b"\x81\xa4type\xa5later"))
    server.say(Ping(now=3))
    assert server.last == Pong(now=3)


def test_bytes_that_are_no_frame_end_it() -> None:
    server, _ = met()
    assert server.link is not None
    server.link.write(b"\xff\xff\xff\xff")
    server.clock.settle()
    assert server.is_lost


# Moves ------------------------------------------------------------------------------------------


def test_it_acts_on_a_view_in_mid_round() -> None:
    """A bot that stands in for a person may be in turn at that very moment."""
    server, _ = met(brain=Scripted(Bid(3, 5)))
    server.say(View(view=bidding(ladder=(Placed(0, Bid(2, 4)),), turn=turn(1, standing=True))))
    wait(server)
    (act,) = server.said(PlaceBid)
    assert (act.game, act.round, act.number, act.quantity, act.face) == (4, 2, 1, 3, 5)


@pytest.mark.parametrize(("call", "kind"), [(Call.DUDO, Dudo), (Call.SPOT_ON, SpotOn)])
def test_it_calls(call: Call, kind: type[Any]) -> None:
    server, _ = met(brain=Scripted(call))
    server.say(View(view=bidding(turn=turn(0), opener=0)))
    server.tell(*bid(0, "6x5"))
    wait(server)
    (act,) = server.said(kind)
    assert (act.game, act.round, act.number) == (4, 2, 1)


def test_after_a_deal_it_waits_for_its_own_hand() -> None:
    brain = Scripted(Bid(2, 5))
    server, _ = met(brain=brain)
    server.say(View(view=table(phase=Phase.REVEAL, game=4, round=1, ladder=())))
    server.tell(*dealt(2, opener=1))
    wait(server, 5)
    assert not server.said(PlaceBid)
    server.say(OwnHand(round=2, dice=(1, 5, 5, 5, 6)))
    wait(server)
    assert len(server.said(PlaceBid)) == 1
    assert brain.shown[0].hand == (1, 5, 5, 5, 6)


def test_a_hand_of_another_round_is_not_taken() -> None:
    server, bot = met(brain=Scripted(Bid(2, 5)))
    server.say(View(view=bidding(hand=())), OwnHand(round=1, dice=(6, 6)))
    wait(server, 5)
    assert bot.view is not None
    assert bot.view.hand == ()
    assert not server.said(PlaceBid)


def test_it_takes_human_time_and_then_acts_once() -> None:
    server, _ = met(seconds=2.0, brain=Scripted(Bid(2, 5)))
    server.say(View(view=bidding()))
    wait(server, 0.9)
    assert not server.said(PlaceBid)
    wait(server, 2.4)
    assert len(server.said(PlaceBid)) == 1
    wait(server, 60)
    assert len(server.said(PlaceBid)) == 1


def test_the_time_it_takes_varies() -> None:
    server, _ = met(seconds=2.0, brain=Scripted(Bid(1, 5)))
    taken = []
    for number in range(1, 30):
        server.say(View(view=bidding(round=number)))
        began, acts = server.clock.now(), len(server.said(PlaceBid))
        server.clock.until(lambda acts=acts: len(server.said(PlaceBid)) > acts, 5)  # type: ignore[misc]
        taken.append(server.clock.now() - began)
    assert min(taken) >= 1.0
    assert max(taken) <= 3.2
    assert max(taken) - min(taken) > 1.0


def test_a_slow_bot_stays_within_the_turns_clock() -> None:
    rules = {**to_wire(STANDARD), "turn_seconds": 10}
    server, _ = met(seconds=50.0, brain=Scripted(Bid(1, 5)))
    server.say(View(view=bidding(rules=rules)))
    wait(server, 5)
    assert len(server.said(PlaceBid)) == 1


def test_a_thought_is_dropped_when_the_table_moves_on() -> None:
    """The turn timed out while it thought: the old bid is never sent."""
    server, _ = met(seconds=2.0, brain=Scripted(Bid(1, 5)))
    server.say(View(view=bidding()))
    wait(server, 0.5)
    server.tell(*bid(1, "1x2"))
    wait(server, 60)
    assert not server.said(PlaceBid)


def test_a_thought_outlasts_what_does_not_concern_it() -> None:
    """Somebody comes to watch, over and over: the bot acts in its time all the same."""
    server, _ = met(seconds=2.0, brain=Scripted(Bid(1, 5)))
    view = bidding()
    server.say(View(view=view))
    for _ in range(8):
        wait(server, 0.4)
        server.tell(People(5, view.seats, ()))
    assert len(server.said(PlaceBid)) == 1


def test_one_who_watches_does_nothing() -> None:
    server, _ = met()
    server.say(View(view=bidding(you=99, hand=())))
    server.tell(*bid(1, "1x5"))
    wait(server, 60)
    assert [type(message) for message in server.heard] == [Hello]


def test_nothing_is_done_in_the_turn_of_others() -> None:
    server, _ = met()
    server.say(View(view=bidding(turn=turn(0), opener=0)))
    wait(server, 60)
    assert [type(message) for message in server.heard] == [Hello]


def out_of_turn(view: TableView) -> TableView:
    """Give the view with a third seat in turn, and a bid that the bot may doubt all the same."""
    seats = (*view.seats, SeatView("Caio", Player.PERSON, 6, 5))
    now = Turn(2, 0, LEAST, MOST, (1, 2), ())
    return replace(view, seats=seats, turn=now, ladder=(Placed(0, Bid(9, 5)),))


def test_it_may_call_out_of_turn_and_does_so_once() -> None:
    server, _ = met(brain=Scripted(Bid(1, 5), out_of_turn=Call.DUDO))
    server.say(View(view=out_of_turn(bidding())))
    wait(server)
    (act,) = server.said(Dudo)
    assert (act.game, act.round, act.number) == (4, 2, 1)
    server.say(Refused(re=act.id, reason="not_your_turn"))
    wait(server, 60)
    assert len(server.said(Dudo)) == 1


def test_it_may_let_the_others_play() -> None:
    brain = Scripted(Bid(1, 5), out_of_turn=None)
    server, _ = met(brain=brain)
    server.say(View(view=out_of_turn(bidding())))
    wait(server, 60)
    assert len(brain.shown) == 1
    assert [type(message) for message in server.heard] == [Hello]


# Refusals ---------------------------------------------------------------------------------------


def test_a_stale_act_is_let_go() -> None:
    server, _ = met(brain=Scripted(Bid(1, 5)))
    server.say(View(view=bidding()))
    wait(server)
    said = len(server.heard)
    refuse(server, "stale")
    wait(server, 60)
    assert len(server.heard) == said


def test_refused_it_doubts_where_it_may() -> None:
    server, _ = met(brain=Scripted(Bid(9, 5)))
    server.say(View(view=bidding(ladder=(Placed(0, Bid(2, 4)),), turn=turn(1, standing=True))))
    wait(server)
    refuse(server, "not_higher")
    assert isinstance(server.last, Dudo)
    assert server.last.number == 1


def test_refused_it_opens_with_the_least_bid() -> None:
    server, _ = met(brain=Scripted(Bid(99, 1)))
    server.say(View(view=bidding()))
    wait(server)
    refuse(server, "aces_opening")
    assert isinstance(server.last, PlaceBid)
    assert (server.last.quantity, server.last.face) == (1, 2)


def test_it_gives_up_on_a_server_that_always_says_no() -> None:
    server, _ = met(brain=Scripted(Bid(1, 5)))
    server.say(View(view=bidding(ladder=(Placed(0, Bid(2, 4)),), turn=turn(1, standing=True))))
    wait(server)
    for _ in range(50):
        refuse(server, "not_playing")
    acts = server.said(PlaceBid) + server.said(Dudo)
    assert len(acts) == 1 + MOST_REFUSALS
    assert len({act.id for act in acts}) == len(acts)


def test_told_to_slow_down_it_says_the_same_a_little_later() -> None:
    server, _ = met(brain=Scripted(Bid(3, 5)))
    server.say(View(view=bidding()))
    wait(server)
    refuse(server, "slow_down")
    assert len(server.said(PlaceBid)) == 1
    wait(server, 2)
    assert [act.quantity for act in server.said(PlaceBid)] == [3, 3]


def test_a_refusal_that_comes_late_changes_nothing() -> None:
    server, _ = met(brain=Scripted(Bid(3, 5)))
    server.say(View(view=bidding()))
    wait(server)
    server.tell(*bid(1, "3x5"))
    said = len(server.heard)
    refuse(server, "not_higher")
    assert len(server.heard) == said
