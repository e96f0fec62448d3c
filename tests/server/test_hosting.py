"""What the host may do, and that there is always exactly one."""

from __future__ import annotations

import pytest

from perudo_protocol import messages as m
from perudo_protocol.story import People
from perudo_protocol.views import NOBODY
from perudo_protocol.vocabulary import Phase, Player
from tests.support.house import HouseOfTests, Peer


def told_last(peer: Peer) -> People:
    """Give what was told last of who is at the table."""
    updates = [message for message in peer.heard if isinstance(message, m.Update)]
    return [event for each in updates for event in each.events if isinstance(event, People)][-1]


def test_only_the_host_may() -> None:
    """Every one of the host's requests is refused to others."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    assert house.ask(bia, m.Start) == "not_host"
    assert house.ask(bia, m.Rematch) == "not_host"
    assert house.ask(bia, m.AddBot) == "not_host"
    assert house.ask(bia, m.RemoveBot, seat=0) == "not_host"
    assert house.ask(bia, m.Kick, person=ana.at.you) == "not_host"
    assert house.ask(bia, m.HandOver, person=bia.at.you) == "not_host"


def test_bots_come_and_go() -> None:
    """Between games; each has a name of its own."""
    house = HouseOfTests()
    (ana,) = house.table("Ana", bots=5)
    assert house.ask(ana, m.AddBot) == "table_full"
    seats = ana.at.seats
    assert [seat.player for seat in seats[1:]] == [Player.BOT] * 5
    assert len({seat.name for seat in seats}) == 6
    assert house.ask(ana, m.RemoveBot, seat=9) == "no_such_seat"
    assert house.ask(ana, m.RemoveBot, seat=0) == "not_a_bot"
    assert house.ask(ana, m.RemoveBot, seat=2) == "done"
    assert [seat.name for seat in ana.at.seats] == [s.name for s in seats if s is not seats[2]]
    assert house.lobby.sessions == 5
    house.ask(ana, m.Start)
    assert house.ask(ana, m.RemoveBot, seat=1) == "game_on"
    assert house.ask(ana, m.AddBot) == "game_on"
    assert house.ask(ana, m.Kick, person=ana.at.seats[1].person) == "game_on"


def test_twelve_bots_have_twelve_names() -> None:
    """The list of names is not the end of them."""
    house = HouseOfTests()
    (ana,) = house.table("Ana", bots=9, max_players=10)
    bia = house.peer("Zoe")
    house.ask(bia, m.Make, name="Other", options={"max_players": 10})
    for _ in range(9):
        assert house.ask(bia, m.AddBot) == "done"
    everybody = [seat.name for peer in (ana, bia) for seat in peer.at.seats]
    assert len(set(everybody)) == 20


def test_a_person_is_sent_away_and_stays_away() -> None:
    """Kicked: told so, and refused at this table alone."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    assert house.ask(ana, m.Kick, person=12345) == "no_such_person"
    assert house.ask(ana, m.Kick, person=ana.at.you) == "yourself"
    who = bia.at.you
    assert house.ask(ana, m.Kick, person=who) == "done"
    assert bia.last(m.Away).reason == "kicked"
    assert len(ana.at.seats) == 1
    assert told_last(ana).sent_away == who
    assert house.ask(bia, m.Join, table=1) == "kicked"
    assert house.ask(bia, m.Watch, table=1) == "kicked"
    house.drop(bia)
    again = house.peer("BIA")
    assert house.ask(again, m.Join, table=1) == "kicked"
    assert house.ask(again, m.Make, name="Own") == "done"


def test_a_watcher_can_be_sent_away() -> None:
    """Watching is a favour of the host too."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    eva = house.peer("Eva")
    house.ask(eva, m.Watch, table=1)
    who = eva.at.you
    assert house.ask(ana, m.Kick, person=who) == "done"
    assert ana.at.watchers == ()
    assert told_last(ana).sent_away == who


def test_who_leaves_was_not_sent_away() -> None:
    """So the two can be told apart."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    assert house.ask(bia, m.Leave) == "done"
    assert told_last(ana).sent_away == NOBODY


def test_kicked_in_mid_game_a_bot_plays_on() -> None:
    """It counts as leaving."""
    house = HouseOfTests()
    ana, bia = house.game("Ana", "Bia")
    assert house.ask(ana, m.Kick, person=bia.at.you) == "done"
    seat = ana.at.seats[1]
    assert (seat.name, seat.player) == ("Bia", Player.STAND_IN)
    assert ana.at.phase is Phase.BIDDING


def test_the_host_hands_over() -> None:
    """To a person at the table, seated or watching; never to a bot."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia", bots=1)
    assert house.ask(ana, m.HandOver, person=ana.at.seats[2].person) == "no_such_person"
    assert house.ask(ana, m.HandOver, person=999) == "no_such_person"
    assert house.ask(ana, m.HandOver, person=bia.at.you) == "done"
    assert ana.at.host == bia.at.you
    assert house.ask(ana, m.Start) == "not_host"
    assert house.ask(bia, m.Start) == "done"


@pytest.mark.parametrize("how", ["leave", "drop"])
def test_the_next_one_becomes_host_when_the_host_goes(how: str) -> None:
    """By seat first, then those who watch."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia", bots=1)
    eva = house.peer("Eva")
    house.ask(eva, m.Watch, table=1)
    if how == "leave":
        house.ask(ana, m.Leave)
    else:
        house.drop(ana)
    assert bia.at.host == eva.at.host == bia.at.you
    house.ask(bia, m.Leave)
    assert eva.at.host == eva.at.you
    assert house.ask(eva, m.AddBot) == "done"


def test_a_bot_over_the_wire_makes_no_table() -> None:
    """Whoever makes one is its host, and a bot is never a host."""
    house = HouseOfTests()
    bot = house.peer("Robot", bot=True)
    assert house.ask(bot, m.Make, name="Test") == "not_host"
    assert house.lobby.tables == ()


def test_a_bot_over_the_wire_is_no_host() -> None:
    """A table with bots alone closes, and tells them so."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    bot = house.peer("Robot", bot=True)
    assert house.ask(bot, m.Join, table=1) == "done"
    assert ana.at.seats[1].player is Player.BOT
    house.ask(ana, m.Leave)
    assert bot.last(m.Away).reason == "closed"
    assert house.lobby.tables == ()
    assert not bot.is_lost


def test_the_list_counts_those_who_would_play_again() -> None:
    """A bot that stood in counts while it plays; then a rematch is refused, and says as much."""
    house = HouseOfTests()
    ana, bia = house.game("Ana", "Bia", start_dice=1)
    assert house.ask(bia, m.Leave) == "done"
    (line,) = bia.last(m.Tables).tables
    assert (line.people, line.bots, line.playing) == (1, 1, True)
    while ana.at.phase is not Phase.OVER:
        if ana.at.turn is not None and ana.at.turn.seat == ana.seat:
            house.act(ana, m.Dudo) if ana.at.ladder else house.bid(ana, 1, 2)
        else:
            house.ready([ana])
            house.clock.advance(1)
    assert house.ask(ana, m.Rematch) == "too_few"
    (line,) = bia.last(m.Tables).tables
    assert (line.people, line.bots, line.playing) == (1, 0, False)
