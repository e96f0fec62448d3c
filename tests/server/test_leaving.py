"""Leaving, in every way, phase and role: the game goes on, is right, and has exactly one host.

RULES.md D31-D33, D40. A lost connection counts as leaving until it can be resumed.
"""

from __future__ import annotations

import pytest

from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase, Player
from perudo_server import view
from tests.support.house import HouseOfTests, Peer, phase

WAYS = ("leave", "drop", "kick", "silence")
PHASES = ("lobby", "throw", "opening", "bidding", "palifico", "reveal", "over")
ROLES = ("on_turn", "bidder", "opener", "host", "last_but_one")
# Ana throws highest and opens; her dice are sixes, so that what happens can be foretold.
THROW = [6, 3, 2, 1]


def reach(stage: str, players: int, on_leave: str) -> tuple[HouseOfTests, list[Peer]]:
    """Bring a table of people to a phase. Ana opens; in palifico she has fallen to one die."""
    house = HouseOfTests(THROW[:players])
    dice = 2 if stage == "palifico" else 5
    names = ["Ana", "Bia", "Caio", "Duda"][:players]
    peers = house.table(*names, on_leave=on_leave, start_dice=dice, turn_seconds=0)
    if stage == "lobby":
        return house, peers
    house.ask(peers[0], m.Start)
    if stage == "throw":
        return house, peers
    house.ready(peers)
    if stage == "opening":
        return house, peers
    house.bid(peers[0], sum(s.dice for s in peers[0].at.seats), 6)
    if stage == "bidding":
        return house, peers
    house.act(peers[1], m.Dudo)
    if stage == "reveal":
        return house, peers
    if stage == "palifico":
        house.ready(peers)
        assert peers[0].at.palifico
        house.bid(peers[0], 1, 2)
        return house, peers
    finish(house, peers)
    return house, peers


def finish(house: HouseOfTests, peers: list[Peer]) -> None:
    """Play on to the end with whoever is left: open with 1x2, doubt everything."""
    for _ in range(800):
        here = [peer for peer in peers if peer.view is not None and not peer.is_lost]
        at = here[0].at
        if at.phase is Phase.OVER:
            return
        if at.turn is None:
            house.ready(here)
            house.clock.advance(20)
            continue
        who = next((peer for peer in here if peer.seat == at.turn.seat), None)
        if who is None:
            house.clock.advance(1)
        elif at.ladder:
            assert house.act(who, m.Dudo) == "done"
        else:
            assert house.bid(who, 1, 2) == "done"
    raise AssertionError("the game does not end")


def pick(role: str, peers: list[Peer]) -> Peer:
    """Find who has a role; where nobody has it in this phase, somebody who could."""
    at = peers[0].at
    if role == "on_turn":
        seat = at.turn.seat if at.turn else 1
    elif role == "bidder":
        seat = at.ladder[-1].seat if at.ladder else 2
    elif role == "opener":
        seat = at.next.opener if at.next else max(at.opener, 0)
    else:
        seat = 0 if role == "host" else 1
    return peers[seat % len(peers)]


def go(house: HouseOfTests, peers: list[Peer], who: Peer, how: str) -> None:
    """Make somebody go away."""
    if how == "kick":
        host = next(peer for peer in peers if peer.at.host == peer.at.you)
        if host is who:
            other = next(peer for peer in peers if peer is not who)
            assert house.ask(who, m.HandOver, person=other.at.you) == "done"
            host = other
        assert house.ask(host, m.Kick, person=who.at.you) == "done"
    elif how == "leave":
        assert house.ask(who, m.Leave) == "done"
    elif how == "silence":
        who.answers_pings = False
        house.clock.advance(12.1)
        assert who.is_lost
    else:
        house.drop(who)


def invariants(house: HouseOfTests, left: list[Peer], before: TableView) -> None:
    """What must hold whoever leaves, however and whenever."""
    table = house.the_table()
    views = [peer.at for peer in left]
    people = {peer.at.you for peer in left}
    assert {at.host for at in views} <= people
    assert len({at.host for at in views}) == 1
    for peer in left:
        person = table.roster.find(peer.at.you)
        assert peer.at == view.build(table, person)
    at = views[0]
    if at.phase is Phase.BIDDING:
        assert at.turn is not None
        assert at.seats[at.turn.seat].dice > 0
        assert at.seats[at.turn.seat].player is not Player.NOBODY
        if before.phase is Phase.BIDDING:
            assert at.ladder == before.ladder
            assert at.dice_in_play == before.dice_in_play


@pytest.mark.parametrize("on_leave", ["bot", "ghost"])
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("stage", PHASES)
def test_the_game_goes_on_is_right_and_has_one_host(
    stage: str, role: str, how: str, on_leave: str
) -> None:
    """The whole matrix, both ways of playing on."""
    players = 2 if role == "last_but_one" else 4
    house, peers = reach(stage, players, on_leave)
    who = pick(role, peers)
    name, seat, before = who.mine.name, who.seat, who.at
    go(house, peers, who, how)
    left = [peer for peer in peers if peer is not who]
    assert len(house.lobby.tables) == 1
    still = how != "silence" or on_leave == "ghost"  # in 12 seconds a bot may have moved
    invariants(house, left, before if still else left[0].at)
    at = left[0].at
    if stage == "lobby":
        assert name not in [s.name for s in at.seats]
        return
    was_out = before.seats[seat].dice == 0
    if stage == "over" or was_out:
        assert at.seats[seat].player is Player.NOBODY
    elif on_leave == "bot":
        assert at.seats[seat].name == name
        assert at.seats[seat].player is Player.STAND_IN
    else:
        assert at.seats[seat].player is Player.NOBODY
        assert at.seats[seat].place == players
        if players == 2:
            assert at.phase is Phase.OVER
            assert at.winner == 1 - seat
    finish(house, peers)
    end = left[0].at
    assert sorted(s.place for s in end.seats) == list(range(1, players + 1))
    invariants(house, left, end)


@pytest.mark.parametrize("on_leave", ["bot", "ghost"])
def test_two_leave_at_the_same_moment(on_leave: str) -> None:
    """One after the other, whatever the order: the rest play on."""
    house, peers = reach("bidding", 4, on_leave)
    for leaver in (peers[1], peers[0]):
        assert leaver.link is not None
        leaver.link.abort()
    house.clock.settle()
    invariants(house, peers[2:], peers[2].at)
    finish(house, peers)
    assert peers[2].at.host == peers[2].at.you


def test_the_matching_dice_of_a_ghost_count_to_the_end_of_the_round() -> None:
    """D32: the bid stands, the dice count, then they go out; the leaver opens nothing."""
    house, peers = reach("bidding", 4, "ghost")
    ana, bia, caio, duda = peers
    house.ask(ana, m.Leave)
    assert bia.at.dice_in_play == 20
    assert bia.at.standing is not None
    assert house.act(bia, m.Dudo) == "done"
    reveal = bia.at.reveal
    assert reveal is not None
    assert reveal.lost == (0,)
    assert len(reveal.cups[0]) == 5
    assert [s.dice for s in bia.at.seats] == [0, 5, 5, 5]
    assert bia.at.next is not None
    assert bia.at.next.opener == 1
    house.ready([bia, caio, duda])
    assert bia.at.round == 2


def test_a_ghost_leaving_while_all_others_are_ready_starts_the_round() -> None:
    """Nobody waits for somebody who has gone."""
    house, peers = reach("reveal", 4, "ghost")
    for peer in peers[:3]:
        house.ask(peer, m.SetReady, game=peer.at.game, round=peer.at.round)
    assert phase(peers[0]) is Phase.REVEAL
    house.ask(peers[3], m.Leave)
    assert phase(peers[0]) is Phase.BIDDING


def test_a_seat_that_was_given_up_is_not_ready() -> None:
    """So says the protocol of `left`; who watches from now on is shown the same."""
    house, (ana, bia, caio) = reach("reveal", 3, "ghost")
    house.ready([bia])
    house.ask(bia, m.Leave)
    late = house.peer("Late")
    house.ask(late, m.Watch, table=1)
    assert late.at.seats == ana.at.seats == caio.at.seats
    assert not late.at.seats[1].ready


def test_a_stand_in_plays_on_in_the_middle_of_its_turn() -> None:
    """The bot gets the hand and acts at once, with the clock running as it was."""
    house, peers = reach("opening", 4, "bot")
    house.ask(peers[0], m.Leave)
    house.clock.advance(1)
    assert len(peers[1].at.ladder) == 1
    assert peers[1].at.seats[0].name == "Ana"


def test_a_leaver_who_comes_back_waits_for_the_next_game() -> None:
    """Until a lost connection can be resumed: by name alone nobody gets a seat back."""
    house, peers = reach("bidding", 4, "bot")
    house.drop(peers[1])
    again = house.peer("Bia")
    assert again.last(m.Welcome).you == "Bia"
    assert house.ask(again, m.Join, table=1) == "done"
    assert again.seat == -1
    assert again.at.hand == ()
    assert again.at.watchers[0].waiting


def test_a_leaver_hears_nothing_more_of_the_table() -> None:
    """Only the list of tables."""
    house, peers = reach("bidding", 4, "bot")
    house.ask(peers[3], m.Leave)
    heard = len(peers[3].all(m.Update))
    twin = house.connect()
    twin.send(m.Hello(versions=(1,), client="t", name="Duda"))
    house.clock.settle()
    assert twin.last(m.Error).error == "name_taken"
    house.act(peers[1], m.Dudo)
    assert len(peers[3].all(m.Update)) == heard
    assert isinstance(peers[3].heard[-1], m.Tables | m.Done)
