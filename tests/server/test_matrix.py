"""Whoever goes, however, whenever: the game goes on, is right, and has exactly one host.

The matrix of THREATS: {leave, drop, kick, time-out} x phase x role, with a bot that plays on and
without. Views are compared with what the server would send afresh, and games are played to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Bid, Phase, Player
from perudo_server import absence, view
from tests.support.house import HouseOfTests, KeptJournal, Peer

NAMES = ("Ana", "Bo", "Cy")
WAYS = ("leave", "drop", "kick", "time-out")
HOUR = 3600.0


class House(HouseOfTests):
    """A house whose people can come back."""

    keys = True

    def __init__(self) -> None:
        # Ana throws highest and opens; all hands are alike, so that who loses is easy to say.
        super().__init__([6, 1, 1, *[2, 2, 3, 4, 5] * 300])
        self.journal = KeptJournal(self.clock)
        self.lobby = self._open()


def lobby(house: House, two: bool, **options: Any) -> list[Peer]:
    return house.table(*NAMES[: 3 - two], **options)


def throw(house: House, two: bool, **options: Any) -> list[Peer]:
    peers = lobby(house, two, **options)
    assert house.ask(peers[0], m.Start) == "done"
    return peers


def opening(house: House, two: bool, **options: Any) -> list[Peer]:
    peers = throw(house, two, **options)
    house.ready(peers)
    return peers


def bidding(house: House, two: bool, **options: Any) -> list[Peer]:
    peers = opening(house, two, **options)
    act(house, peers, Bid(2, 3))
    return peers


def reveal(house: House, two: bool, **options: Any) -> list[Peer]:
    peers = bidding(house, two, **options)
    act(house, peers, None)
    return peers


def palifico(house: House, two: bool, **options: Any) -> list[Peer]:
    options = {"start_dice": 2, "palifico_heads_up": True, **options}
    peers = opening(house, two, **options)
    act(house, peers, Bid(6 - 2 * two, 6))  # too many sixes
    act(house, peers, None)
    house.ready(peers)
    assert peers[0].at.palifico
    act(house, peers, Bid(1, 2))
    return peers


def over(house: House, two: bool, **options: Any) -> list[Peer]:
    peers = opening(house, two, start_dice=1, **options)
    while peers[0].at.phase is not Phase.OVER:
        act(house, peers, Bid(1, 2))
        act(house, peers, None)
        house.ready([p for p in peers if p.at.phase is Phase.REVEAL and p.mine.dice])
    return peers


Scene = Callable[..., list[Peer]]
SCENES: tuple[Scene, ...] = (lobby, throw, opening, bidding, palifico, reveal, over)


def act(house: House, peers: list[Peer], bid: Bid | None) -> None:
    """Bid, or doubt, from the seat that is in turn."""
    turn = peers[0].at.turn
    assert turn is not None
    who = peers[turn.seat]
    said = house.act(who, m.Dudo) if bid is None else house.bid(who, *bid)
    assert said == "done"


def on_turn(at: TableView) -> int | None:
    return at.turn.seat if at.turn is not None else None


def bidder(at: TableView) -> int | None:
    return at.ladder[-1].seat if at.ladder else None


def next_opener(at: TableView) -> int | None:
    return at.next.opener if at.next is not None else None


def host(at: TableView) -> int | None:
    return next(n for n, seat in enumerate(at.seats) if seat.person == at.host)


def last_but_one(at: TableView) -> int | None:
    return 1 if len(at.seats) == 2 else None


ROLES = (on_turn, bidder, next_opener, host, last_but_one)


def cases() -> Iterator[tuple[str, Scene, Callable[[TableView], int | None], str]]:
    """Give every case that there is: nobody is in turn in the lobby, and nobody kicks the host."""
    for scene in SCENES:
        for role in ROLES:
            for way in WAYS:
                nobody = {
                    on_turn: scene in (lobby, throw, reveal, over),
                    bidder: scene in (lobby, throw, opening),
                    next_opener: scene not in (throw, reveal),
                }
                no_turn = scene in (lobby, over)
                if nobody.get(role) or (role is host and way == "kick"):
                    continue
                if way == "time-out" and no_turn:
                    continue
                for on_leave in ("bot", "ghost"):
                    yield way, scene, role, on_leave


def number(peer: Peer) -> int:
    """Give who a peer is on this server."""
    return peer.last(m.Welcome).person


def go(house: House, peers: list[Peer], seat: int, way: str) -> None:
    """Let somebody go, or do nothing from now on."""
    who = peers[seat]
    if way == "leave":
        assert house.ask(who, m.Leave) == "done"
    elif way == "drop":
        house.drop(who)
    elif way == "kick":
        boss = next(p for p in peers if p.at.host == number(p))
        if boss is who:  # nobody sends the host away
            boss = peers[seat - 1]
            assert house.ask(who, m.HandOver, person=number(boss)) == "done"
        assert house.ask(boss, m.Kick, person=number(who)) == "done"


def check(house: House, here: list[Peer]) -> None:
    """Everybody sees what is so, and exactly one of those who are here can do what hosts do."""
    for peer in here:
        table = house.the_table()
        person = table.roster.find(number(peer))
        assert person is not None
        assert peer.at == view.build(table, person)
    hosts = [p for p in here if house.ask(p, m.Kick, person=9999) == "no_such_person"]
    in_game = here[0].at.phase not in (Phase.LOBBY, Phase.OVER)
    # In a game a host who is away may yet come back; between games somebody who is there is it.
    assert len(hosts) == 1 or (in_game and not hosts)
    assert len({peer.at.host for peer in here}) == 1


@pytest.mark.parametrize(
    ("way", "scene", "role", "on_leave"),
    [
        pytest.param(*case, id=f"{case[0]}-{case[1].__name__}-{case[2].__name__}-{case[3]}")
        for case in cases()
    ],
)
def test_the_game_goes_on(
    way: str, scene: Scene, role: Callable[[TableView], int | None], on_leave: str
) -> None:
    house = House()
    two = role is last_but_one
    peers = scene(house, two, on_leave=on_leave, turn_seconds=20, away_seconds=60)
    seat = role(peers[0].at)
    assert seat is not None
    go(house, peers, seat, way)
    here = [peer for n, peer in enumerate(peers) if n != seat or way == "time-out"]
    check(house, here)
    house.clock.advance(61)  # who is away is waited for no longer
    if here[0].at.phase is Phase.LOBBY:
        assert [s.name for s in here[0].at.seats] == [p.mine.name for p in here]
        assert house.ask(here[0], m.AddBot) == "done"
        assert house.ask(here[0], m.Start) == "done"
        return
    house.clock.until(lambda: here[0].at.phase is Phase.OVER, HOUR)
    check(house, here)
    gone = here[0].at.seats[seat]
    if scene is not over and way != "time-out" and on_leave == "ghost":
        assert gone.player is Player.NOBODY
    if len(here) > 1 and scene is not over:
        assert here[0].at.winner >= 0
    boss = next(p for p in here if p.at.host == number(p))
    while house.ask(boss, m.AddBot) == "done":
        pass
    assert house.ask(boss, m.Rematch) == "done"
    check(house, [p for p in here if p.view is not None])


def test_time_outs_in_a_row_make_away_and_any_word_brings_back() -> None:
    house = House()
    peers = opening(house, False, turn_seconds=20, away_seconds=60)
    ana, bo, cy = peers
    house.clock.until(lambda: ana.at.seats[0].away > 0, HOUR)
    assert ana.at.seats[0].player is Player.PERSON
    assert house.ask(ana, m.Say, text="here!") == "done"
    assert ana.at.seats[0].away == bo.at.seats[0].away == 0
    house.clock.until(lambda: cy.at.seats[0].player is Player.STAND_IN, HOUR)
    assert not ana.is_lost
    assert ana.at.my_seat == -1
    assert house.ask(ana, m.Back) == "done"
    assert ana.at.seats[0].player is Player.PERSON
    assert ana.at.my_seat == 0
    assert house.ask(ana, m.Back) == "done"  # in one's own seat there is nothing to do
    assert house.ask(house.peer("Di"), m.Back) == "not_at_table"


def test_a_bot_hands_back_when_the_person_returns() -> None:
    house = House()
    ana, bo, _ = bidding(house, False, away_seconds=10)
    house.drop(ana)
    assert bo.at.seats[0].away > 0
    house.clock.advance(11)
    assert bo.at.seats[0].player is Player.STAND_IN
    ana = house.come_back(ana)
    assert ana.at.seats[0].player is Player.PERSON
    assert ana.at.my_seat == 0
    assert bo.at == view.build(house.the_table(), house.the_table().roster.seats[1].person)
    assert sum(seat.player is Player.STAND_IN for seat in bo.at.seats) == 0


def test_bots_play_on_for_all_and_each_has_the_seat_again() -> None:
    """A network that is gone for a minute ends nobody's evening."""
    house = House()
    peers = bidding(house, False, away_seconds=10, turn_seconds=0)
    for peer in peers:
        house.drop(peer)
    house.clock.advance(15)
    assert [s.player for s in house.the_table().roster.seats] == [Player.STAND_IN] * 3
    ana, bo, cy = [house.come_back(peer) for peer in peers]
    assert [peer.at.my_seat for peer in (ana, bo, cy)] == [0, 1, 2]
    check(house, [ana, bo, cy])
    house.clock.advance(700)
    assert house.lobby.tables


def test_a_table_to_which_nobody_comes_back_closes_by_and_by() -> None:
    house = House()
    peers = bidding(house, False, away_seconds=10, turn_seconds=0)
    for peer in peers:
        house.drop(peer)
    house.clock.advance(300)
    house.restart()
    assert house.lobby.tables
    house.clock.advance(500)
    assert house.come_back(peers[0]).at.my_seat == 0
    house.clock.advance(11)
    assert house.lobby.tables
    house.drop(house.come_back(peers[0]))
    house.clock.advance(611)
    assert not house.lobby.tables
    assert house.come_back(peers[1]).last(m.Error).error == "bad_proof"


@pytest.mark.parametrize("how", [m.Join, m.Watch])
def test_who_comes_to_a_table_that_bots_keep_is_its_host(how: type[m.Join | m.Watch]) -> None:
    """A table has one host, who is there; and it does not close any more over their head."""
    house = House()
    peers = bidding(house, False, away_seconds=10, turn_seconds=0)
    for peer in peers:
        house.drop(peer)
    house.clock.advance(15)
    di, ed = house.peer("Di"), house.peer("Ed")
    assert house.ask(di, how, table=1) == "done"
    assert di.at.host == number(di)
    assert house.ask(ed, m.Watch, table=1) == "done"
    house.clock.advance(700)
    assert house.lobby.tables
    assert di.at.host == ed.at.host == number(di)
    if how is m.Join:
        ana = house.come_back(peers[0])
        assert ana.at.host == number(di)
        check(house, [ana, di, ed])


def test_after_a_crash_bots_hand_back_too() -> None:
    house = House()
    ana, bo, cy = bidding(house, False, away_seconds=10)
    house.drop(ana)
    house.clock.advance(11)
    house.restart()
    bo, cy = house.come_back(bo), house.come_back(cy)
    assert bo.at.seats[0].player is Player.STAND_IN
    ana = house.come_back(ana)
    assert ana.at.my_seat == 0
    house.clock.until(lambda: bo.at.phase is Phase.OVER, HOUR)


def test_more_time_is_given_once_a_game_and_to_who_is_in_turn() -> None:
    house = House()
    ana, bo, _ = opening(house, False, turn_seconds=20)
    game = ana.at.game
    assert ana.at.turn is not None
    deadline = ana.at.turn.deadline
    assert house.ask(bo, m.MoreTime, game=game) == "no_clock"
    assert bo.mine.more_time
    assert house.ask(ana, m.MoreTime, game=game) == "done"
    assert bo.at.turn is not None
    assert bo.at.turn.deadline == deadline + 20_000
    assert not bo.at.seats[0].more_time
    assert house.ask(ana, m.MoreTime, game=game) == "no_more_time"
    assert house.ask(ana, m.MoreTime, game=game + 1) == "no_game"


def test_without_a_clock_there_is_no_more_time() -> None:
    house = House()
    ana, *_ = opening(house, False, turn_seconds=0)
    assert not ana.mine.more_time
    assert house.ask(ana, m.MoreTime, game=ana.at.game) == "no_clock"


@pytest.mark.parametrize("scene", [throw, opening, bidding, reveal])
def test_a_pause_stops_the_clocks_and_all_acts(scene: Scene) -> None:
    house = House()
    ana, bo, cy = peers = scene(house, False, turn_seconds=20)
    before, at = ana.at.phase, house.clock.now()
    left = ana.at.turn.deadline - at * 1000 if ana.at.turn else ana.at.resume - at * 1000
    assert house.ask(bo, m.Pause, on=True) == "not_host"
    assert house.ask(ana, m.Pause, on=True) == "done"
    assert bo.at.paused > 0
    house.ready([p for p in peers if before is not Phase.BIDDING])
    house.clock.advance(300)
    assert bo.at.phase is before
    if bo.at.turn is not None:
        assert bo.at.turn.deadline == 0
        who = peers[bo.at.turn.seat]
        assert house.bid(who, 5, 5) == "paused"
        assert house.ask(who, m.MoreTime, game=who.at.game) == "paused"
        assert who.mine.more_time
    for peer in peers:
        assert peer.at == view.build(
            house.the_table(), house.the_table().roster.find(peer.last(m.Welcome).person)
        )
    assert house.ask(ana, m.Pause, on=False) == "done"
    if before is Phase.BIDDING:
        assert cy.at.paused == 0
        assert cy.at.turn is not None
        assert cy.at.turn.deadline == round(house.clock.now() * 1000 + left)
    else:  # all were ready in the pause
        assert cy.at.phase is Phase.BIDDING


def test_a_pause_ends_by_itself() -> None:
    house = House()
    ana, bo, _ = opening(house, False, turn_seconds=20)
    assert house.ask(ana, m.Pause, on=True) == "done"
    house.clock.advance(599)
    assert bo.at.paused > 0
    house.clock.advance(2)
    assert bo.at.paused == 0


def test_a_pause_ends_with_its_host() -> None:
    house = House()
    ana, bo, _ = opening(house, False, turn_seconds=20)
    assert house.ask(ana, m.Pause, on=True) == "done"
    house.drop(ana)
    assert bo.at.paused == 0


def test_nobody_stalls_a_table_by_pausing_again_and_again() -> None:
    house = House()
    ana, bo, _ = opening(house, False, turn_seconds=20)
    for _minute in range(10):
        assert house.ask(ana, m.Pause, on=True) == "done"
        house.clock.advance(59.95)
        assert house.ask(ana, m.Pause, on=False) == "done"
    assert house.ask(ana, m.Pause, on=True) == "paused_enough"
    house.restart()
    ana, bo = house.come_back(ana), house.come_back(bo)
    assert house.ask(ana, m.Pause, on=True) == "paused_enough"
    assert bo.at.paused == 0


def test_a_pause_outlasts_a_crash() -> None:
    house = House()
    peers = opening(house, False, turn_seconds=20)
    house.ask(peers[0], m.Pause, on=True)
    house.restart()
    ana, bo, _ = [house.come_back(peer) for peer in peers]
    assert bo.at.paused > 0
    house.clock.advance(100)
    assert house.ask(ana, m.Pause, on=False) == "done"
    assert bo.at.turn is not None
    assert bo.at.turn.deadline == round(house.clock.now() * 1000 + 20_000)


def test_who_only_sits_there_when_a_game_ends_keeps_the_seat() -> None:
    house = House()
    ana, bo, _ = over(house, False, turn_seconds=20, away_seconds=10)
    house.clock.advance(3600)
    assert [seat.player for seat in ana.at.seats] == [Player.PERSON] * 3
    for _ in range(2):  # as when the turns of its end ran out of time
        absence.timed_out(house.the_table(), 0)
    house.clock.settle()
    assert bo.at.seats[0].away > 0
    house.clock.advance(11)
    assert bo.at.seats[0].away == 0
    assert ana.at.my_seat == 0
    assert house.ask(ana, m.Rematch) == "done"


def test_nobody_waits_to_be_ready_for_the_absent() -> None:
    house = House()
    ana, bo, cy = reveal(house, False)
    house.drop(cy)
    house.ready([ana, bo])
    assert ana.at.phase is Phase.BIDDING


def test_who_only_watched_is_gone_at_once_and_who_waits_for_a_seat_is_waited_for() -> None:
    house = House()
    ana, *_ = bidding(house, False)
    di, ed = house.peer("Di"), house.peer("Ed")
    assert house.ask(di, m.Watch, table=1) == house.ask(ed, m.Join, table=1) == "done"
    house.drop(di)
    house.drop(ed)
    assert [watcher.name for watcher in ana.at.watchers] == ["Ed"]
    assert house.come_back(di).last(m.Error).error == "bad_proof"
    ed = house.come_back(ed)
    assert ed.at.watchers[0].waiting
    house.drop(ed)
    house.clock.advance(61)
    assert ana.at.watchers == ()
