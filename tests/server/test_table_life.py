"""Coming, sitting, watching, starting, playing again, going: a table's life between games."""

from __future__ import annotations

import pytest

from perudo_protocol import messages as m
from perudo_protocol.vocabulary import Phase, Player
from perudo_server import view
from tests.support.house import HouseOfTests, Peer


def names(peer: Peer) -> list[str]:
    return [seat.name for seat in peer.at.seats]


def play_to_the_end(house: HouseOfTests, peers: list[Peer]) -> None:
    """Everybody opens with 1x2 and doubts, until one is left."""
    for _ in range(500):
        at = peers[0].at
        if at.phase is Phase.OVER:
            return
        if at.turn is None:
            house.ready([peer for peer in peers if peer.view is not None])
            continue
        who = next(peer for peer in peers if peer.seat == at.turn.seat)
        if at.ladder:
            assert house.act(who, m.Dudo) == "done"
        else:
            assert house.bid(who, 1, 2) == "done"
    raise AssertionError("the game does not end")


def test_a_newcomer_is_welcomed_and_sees_the_tables() -> None:
    """hello -> welcome, tables."""
    house = HouseOfTests()
    house.table("Ana")
    bia = house.peer("Bia")
    assert isinstance(bia.heard[0], m.Welcome)
    assert bia.heard[0].you == "Bia"
    assert isinstance(bia.heard[1], m.Tables)
    line = bia.heard[1].tables[0]
    assert (line.table, line.name, line.people, line.bots, line.seats) == (1, "Test", 1, 0, 6)
    assert not line.playing


def test_those_at_no_table_hear_of_every_change_of_the_list() -> None:
    """Tables opened, filled, playing and closed are told without being asked for."""
    house = HouseOfTests()
    eva = house.peer("Eva")
    assert eva.last(m.Tables).tables == ()
    ana, bia = house.table("Ana", "Bia")
    assert eva.last(m.Tables).tables[0].people == 2
    house.ask(ana, m.Start)
    assert eva.last(m.Tables).tables[0].playing
    house.ask(ana, m.Leave)
    house.ask(bia, m.Leave)
    assert eva.last(m.Tables).tables == ()
    assert ana.last(m.Tables).tables == ()


def test_a_table_is_made_from_a_preset_and_single_options() -> None:
    """Options are fixed when the table opens, and shown to all."""
    house = HouseOfTests()
    ana = house.peer("Ana")
    made = house.ask(ana, m.Make, name="Club", preset="club", options={"start_dice": 3})
    assert made == "done"
    assert ana.at.rules["spot_on_by"] == "any"
    assert ana.at.rules["start_dice"] == 3
    assert ana.at.host == ana.at.you


@pytest.mark.parametrize(
    ("fields", "reason", "says"),
    [
        ({"name": "X", "preset": "nope"}, "bad_option", "standard, classic"),
        ({"name": "X", "options": {"spot_on": 1}}, "bad_option", "true or false"),
        ({"name": "X", "options": {"start_dice": 9}}, "bad_option", "1 to 6"),
        ({"name": "X", "options": {"turn_seconds": 5}}, "bad_option", "0 or 10 to 600"),
        ({"name": "X", "options": {"wild": True}}, "bad_option", "no option"),
        ({"name": ""}, "bad_name", ""),
        ({"name": "x" * 60}, "bad_name", "24"),
    ],
)
def test_a_bad_table_is_refused_with_what_would_be_right(
    fields: dict[str, object], reason: str, says: str
) -> None:
    """Nothing is made, and the sentence tells."""
    house = HouseOfTests()
    ana = house.peer("Ana")
    assert house.ask(ana, m.Make, **fields) == reason
    assert says in ana.last(m.Refused).detail
    assert house.lobby.tables == ()
    assert ana.view is None


def test_two_tables_are_never_called_alike() -> None:
    """Look-alikes included; the name is free again when the table has closed."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    bia = house.peer("Bia")
    assert house.ask(bia, m.Make, name=" TEST ") == "name_taken"
    assert house.ask(ana, m.Leave) == "done"
    assert house.ask(bia, m.Make, name="test") == "done"


def test_seats_are_taken_in_order_until_the_table_is_full() -> None:
    """Then one may still watch."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia", max_players=2)
    caio = house.peer("Caio")
    assert house.ask(caio, m.Join, table=1) == "table_full"
    assert house.ask(caio, m.Watch, table=1) == "done"
    assert names(ana) == names(bia) == names(caio) == ["Ana", "Bia"]
    assert [w.name for w in ana.at.watchers] == ["Caio"]


def test_one_may_stand_up_and_sit_down_again_before_the_game() -> None:
    """`watch` gives up the seat, `join` takes one at the end."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    assert house.ask(ana, m.Watch, table=1) == "done"
    assert names(bia) == ["Bia"]
    assert ana.at.host == ana.at.you
    assert house.ask(ana, m.Join, table=1) == "done"
    assert names(bia) == ["Bia", "Ana"]
    assert bia.at.watchers == ()
    assert bia.at == bia.at


def test_requests_that_make_no_sense_are_refused_with_their_word() -> None:
    """And nothing changes."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    before = ana.at
    eva = house.peer("Eva")
    assert house.ask(eva, m.Leave) == "not_at_table"
    assert house.ask(eva, m.Join, table=99) == "no_table"
    assert house.ask(ana, m.Join, table=1) == "at_table"
    assert house.ask(ana, m.Make, name="Another") == "at_table"
    assert house.ask(bia, m.Start) == "not_host"
    assert house.ask(ana, m.Rematch) == "no_game"
    assert house.ask(ana, m.Dudo, game=0, round=0, number=0) == "no_game"
    assert house.ask(ana, m.SetReady, game=7, round=1) == "stale"
    assert ana.at == before


def test_a_game_needs_two() -> None:
    """Start is refused for one, and done for one with a bot."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    assert house.ask(ana, m.Start) == "too_few"
    assert house.ask(ana, m.AddBot) == "done"
    assert house.ask(ana, m.Start) == "done"
    assert ana.at.phase is Phase.THROW
    assert house.ask(ana, m.Start) == "game_on"


def test_being_ready_is_shown() -> None:
    """In the lobby phase it says that one may start."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    assert house.ask(bia, m.SetReady, game=0, round=0) == "done"
    assert ana.at.seats[1].ready
    assert house.ask(bia, m.SetReady, game=0, round=0, ready=False) == "done"
    assert not ana.at.seats[1].ready


def test_late_arrivals_watch_and_play_from_the_next_game() -> None:
    """D35, D42: same seats, same options, the newcomer at the end."""
    house = HouseOfTests()
    ana, bia = house.game("Ana", "Bia", start_dice=1)
    caio = house.peer("Caio")
    assert house.ask(caio, m.Join, table=1) == "done"
    assert caio.seat == -1
    assert caio.at.watchers[0].waiting
    rules = ana.at.rules
    play_to_the_end(house, [ana, bia])
    assert house.ask(bia, m.Rematch) == "not_host"
    assert house.ask(ana, m.Rematch) == "done"
    assert names(caio) == ["Ana", "Bia", "Caio"]
    assert caio.seat == 2
    assert caio.at.phase is Phase.THROW
    assert caio.at.rules == rules
    assert [s.dice for s in caio.at.seats] == [1, 1, 1]
    assert caio.at.game == 2
    play_to_the_end(house, [ana, bia, caio])
    assert sorted(seat.place for seat in ana.at.seats) == [1, 2, 3]


def test_after_a_game_a_player_may_watch_instead() -> None:
    """The seat is given up, and taken again in the next game if so wished."""
    house = HouseOfTests()
    ana, bia, caio = house.game("Ana", "Bia", "Caio", start_dice=1)
    assert house.ask(bia, m.Watch, table=1) == "game_on"
    play_to_the_end(house, [ana, bia, caio])
    assert house.ask(bia, m.Watch, table=1) == "done"
    assert ana.at.seats[1].player is Player.NOBODY
    assert (bia.seat, bia.at.hand) == (-1, ())
    assert house.ask(ana, m.Rematch) == "done"
    assert names(bia) == ["Ana", "Caio"]


def test_a_rematch_drops_the_seats_of_those_who_left() -> None:
    """The bot that stood in goes home; with too few left there is none."""
    house = HouseOfTests()
    ana, bia, caio = house.game("Ana", "Bia", "Caio", start_dice=1)
    house.ask(caio, m.Leave)
    assert ana.at.seats[2].player is Player.STAND_IN
    house.clock.until(lambda: ana.at.phase is Phase.OVER, 2000)
    assert house.ask(ana, m.Rematch) == "done"
    assert names(ana) == ["Ana", "Bia"]
    assert house.lobby.sessions == 3
    house.ask(bia, m.Leave)
    house.clock.until(lambda: ana.at.phase is Phase.OVER, 2000)
    assert house.ask(ana, m.Rematch) == "too_few"
    assert house.ask(ana, m.AddBot) == "done"
    assert house.ask(ana, m.Rematch) == "done"
    assert len(names(ana)) == 2
    assert names(ana)[0] == "Ana"


def test_a_table_closes_when_the_last_person_leaves() -> None:
    """Bots of the house go home with it."""
    house = HouseOfTests()
    (ana,) = house.game("Ana", bots=3)
    assert house.lobby.sessions == 4
    assert house.ask(ana, m.Leave) == "done"
    assert ana.last(m.Away).reason == "left"
    assert house.lobby.tables == ()
    assert house.lobby.sessions == 1
    house.clock.advance(600)
    assert house.lobby.sessions == 1


def test_several_tables_play_side_by_side() -> None:
    """What is told at one is not heard at another."""
    house = HouseOfTests()
    one = house.game("Ana", "Bia")
    two = [house.peer("Caio"), house.peer("Duda")]
    assert house.ask(two[0], m.Make, name="Second") == "done"
    assert house.ask(two[1], m.Join, table=2) == "done"
    heard = len(one[0].heard)
    assert house.ask(two[0], m.Start) == "done"
    house.ready(two)
    assert two[0].at.phase is Phase.BIDDING
    assert len(one[0].heard) == heard
    assert house.ask(two[0], m.Dudo, game=one[0].at.game, round=1, number=0) == "stale"


def test_chat_is_heard_at_the_table_cleaned() -> None:
    """Free text and quick phrases; nothing that moves a cursor passes."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    eva = house.peer("Eva")
    assert house.ask(ana, m.Say, text="  [red]hi\x1b[2J\r\n there\u202e ") == "done"
    said = bia.last(m.Said)
    assert said.name == "Ana"
    assert "[red]hi" in said.text
    assert not any(ord(c) < 32 or c == "\u202e" for c in said.text)
    assert house.ask(ana, m.Say, phrase="nice_bluff") == "done"
    assert bia.last(m.Said).phrase == "nice_bluff"
    assert house.ask(ana, m.Say, phrase="nonsense") == "bad_phrase"
    assert house.ask(ana, m.Say, text=" \u200b\n ") == "empty"
    assert house.ask(ana, m.Say, text="x" * 400) == "done"
    assert len(bia.last(m.Said).text) == 200
    assert eva.all(m.Said) == []


def test_names_are_one_persons_alone() -> None:
    """Look-alikes are refused, and another name may be tried on the same connection."""
    house = HouseOfTests()
    house.peer("Ana")
    other = house.connect()
    for name in ("ANA", "Ana ", "Аna", "\u200bAna", "Ana\x1b[0m", "", "x" * 300):
        other.send(m.Hello(versions=(1,), client="t", name=name))
        house.clock.settle()
        assert other.last(m.Error).error in ("name_taken", "bad_name")
        assert other.last(m.Error).detail
        house.clock.advance(20)  # people take their time to think of another one
    assert len(other.all(m.Error)) == 7
    other.send(m.Hello(versions=(1,), client="t", name="Bia"))
    house.clock.settle()
    assert other.last(m.Welcome).you == "Bia"
    house.drop(other)
    assert house.peer("Bia").last(m.Welcome).you == "Bia"


def test_of_many_watchers_who_come_together_not_each_is_told() -> None:
    house = HouseOfTests(crowd_seconds=0.25)
    ana, bo = house.game("Ana", "Bo")
    told = len(ana.all(m.Update))
    for number in range(20):
        assert house.ask(house.peer(f"W{number}"), m.Watch, table=1) == "done"
    assert len(ana.all(m.Update)) <= told + 1
    house.clock.advance(0.3)
    assert len(ana.all(m.Update)) <= told + 2
    assert len(ana.at.watchers) == len(bo.at.watchers) == 20
    assert ana.at == view.build(house.the_table(), house.the_table().roster.seats[0].person)


def test_who_watches_already_is_told_so() -> None:
    house = HouseOfTests()
    ana, _ = house.game("Ana", "Bo")
    di = house.peer("Di")
    assert house.ask(di, m.Watch, table=1) == "done"
    told = len(ana.heard)
    assert house.ask(di, m.Watch, table=1) == "at_table"
    assert len(ana.heard) == told
    assert house.ask(di, m.Join, table=1) == "done"
    assert ana.at.watchers[0].waiting
    assert house.ask(di, m.Join, table=1) == "at_table"
