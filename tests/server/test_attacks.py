"""Ways in which one connection once held up, poisoned or doubled what is not its own."""

from __future__ import annotations

import hashlib
from typing import Any

from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.vocabulary import Phase
from perudo_server.entrance import Entrance
from perudo_server.settings import Settings
from tests.support.house import HouseOfTests, KeptJournal, Peer


class House(HouseOfTests):
    """A house whose people can come back."""

    keys = True

    def __init__(self, **settings: Any) -> None:
        super().__init__([6, 1, 1, *[1, 2, 3, 4, 5, 6] * 200], **settings)
        self.journal = KeptJournal(self.clock)
        self.lobby = self._open()


def number(peer: Peer) -> int:
    return peer.last(m.Welcome).person


def test_a_closed_table_has_no_hold_on_those_who_were_away_at_it() -> None:
    """Its timers ring no more, and a restart finds nobody missing."""
    house = House()
    host = house.peer("Host")
    house.ask(host, m.Make, name="Trap", options={"away_seconds": 10})
    xbot, ybot = house.peer("Xbot", bot=True), house.peer("Ybot", bot=True)
    for bot in (xbot, ybot):
        assert house.ask(bot, m.Join, table=1) == "done"
    victim = house.peer("Victim")
    house.ask(victim, m.Make, name="Victims")
    house.drop(xbot)
    house.ask(host, m.Leave)
    assert house.ask(ybot, m.Join, table=2) == "done"
    house.clock.advance(30)
    assert ybot.view is not None
    assert ybot.at.table == 2
    house.drop(ybot)
    house.clock.advance(70)
    house.restart()
    assert [table.name for table in house.lobby.tables] == ["Victims"]
    assert house.come_back(victim).at.table == 2


def test_one_connection_is_one_person() -> None:
    house = House()
    ana, *_ = house.game("Ana", "Bo")
    house.drop(ana)
    thief = house.connect()
    nonce = b"n" * 32
    thief.send(m.Resume(versions=(1,), client="t", person=number(ana), nonce=nonce))
    house.clock.settle()
    thief.key = hashlib.sha256(b"B").digest()
    hashed = returning.hashed(thief.key)
    thief.send(m.Hello(versions=(1,), client="t", name="Bea", key=hashed))
    house.clock.settle()
    assert thief.last(m.Welcome).you == "Bea"
    proof = returning.prove(ana.key, number(ana), nonce, thief.last(m.Nonce).nonce)
    thief.send(m.Prove(proof=proof))
    house.clock.settle()
    assert [welcome.you for welcome in thief.all(m.Welcome)] == ["Bea"]
    house.drop(thief)
    assert house.peer("Bea").last(m.Welcome).you == "Bea"  # nobody of that name is left behind


def test_whoever_takes_away_a_stand_in_takes_away_what_it_kept() -> None:
    house = House()
    options = {"start_dice": 1, "turn_seconds": 10, "away_seconds": 10}
    ana, bo, cy = house.game("Ana", "Bo", "Cy", **options)
    house.drop(cy)
    house.clock.until(lambda: ana.at.phase is Phase.OVER, 3600)
    seat = next(n for n, s in enumerate(ana.at.seats) if s.name == "Cy")
    if ana.at.seats[seat].player == "stand_in":
        assert house.ask(ana, m.RemoveBot, seat=seat) == "done"
        assert house.come_back(cy).last(m.Error).error == "bad_proof"
        assert house.peer("Cy").last(m.Welcome).you == "Cy"
    assert bo.at.seats[seat].player != "stand_in"


def test_those_sent_away_are_remembered_up_to_a_number() -> None:
    house = House()
    ana = house.peer("Ana")
    house.ask(ana, m.Make, name="Strict")
    for n in range(120):
        guest = house.peer(f"G{n}")
        house.ask(guest, m.Watch, table=1)
        assert house.ask(ana, m.Kick, person=number(guest)) == "done"
        assert house.ask(guest, m.Join, table=1) == "kicked"
    assert len(house.the_table().banned) == 100


def test_an_address_holds_no_more_places_than_connections() -> None:
    house = House(connections_per_address=3)
    ana = house.peer("Ana")
    house.ask(ana, m.Make, name="Full", options={"max_players": 9})
    for n in range(6):
        guest = house.peer(f"G{n}")
        assert house.ask(guest, m.Join, table=1) == "done"
        house.drop(guest)
    assert len(ana.at.seats) == 1 + 3


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    entrance = Entrance(Settings(connections_per_address=2))
    let_in = [entrance.admit(f"2001:db8:1:2::{n}", 0.0) for n in range(1, 5)]
    assert [ticket is not None for ticket in let_in] == [True, True, False, False]
    assert entrance.admit("2001:db8:1:3::1", 0.0) is not None
    assert all(entrance.admit("::1", 0.0) for _ in range(9))


def test_nobody_who_is_away_is_made_host() -> None:
    house = House()
    ana, bo = house.table("Ana", "Bo")
    house.drop(bo)
    assert house.ask(ana, m.HandOver, person=number(bo)) == "no_such_person"


def test_an_answer_that_was_a_refusal_stays_one() -> None:
    house = House()
    ana, bo = house.table("Ana", "Bo")
    bo.send(m.Start(id=500))
    house.clock.settle()
    assert bo.last(m.Refused).re == 500
    house.drop(bo)
    bo = house.come_back(bo)
    for n in range(600, 700):
        bo.send(m.SetReady(id=n, game=0, round=0, ready=n % 2 == 0))
    bo.send(m.Start(id=500))
    house.clock.settle()
    assert bo.last(m.Refused) == m.Refused(re=500, reason="not_host")
    assert ana.at.phase is Phase.LOBBY


def test_a_flood_of_shares_ends_the_link() -> None:
    house = House(share_burst=20)
    ana, _ = house.game("Ana", "Bo")
    before = len(house.journal.durable) if isinstance(house.journal, KeptJournal) else 0
    for n in range(30):
        ana.send(m.Promise(game=ana.at.game, promise=bytes([n]) * 32))
    house.clock.settle()
    assert ana.last(m.Error).error == "flood"
    assert isinstance(house.journal, KeptJournal)
    assert len(house.journal.durable) - before < 40


def test_a_pause_in_the_moment_in_which_time_is_up_stops_no_clock_for_ever() -> None:
    house = House()
    ana, _ = house.game("Ana", "Bo", turn_seconds=20)
    play = house.the_table().play
    assert play is not None
    play.deadline = house.clock.now()
    assert house.ask(ana, m.Pause, on=True) == "done"
    assert house.ask(ana, m.Pause, on=False) == "done"
    house.clock.advance(1)
    assert ana.at.ladder
