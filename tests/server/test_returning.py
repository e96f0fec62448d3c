"""Who has lost the connection comes back to their seat, and to the state they would have had."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase, Player
from perudo_server import view
from tests.support.house import HouseOfTests, KeptJournal, Peer

FACES = [6, 1, 1, *[1, 2, 3, 4, 5, 6] * 400]


class House(HouseOfTests):
    """A house whose people can come back, with a journal in memory."""

    keys = True

    def __init__(self, faces: list[int] | None = None, **settings: Any) -> None:
        super().__init__(FACES if faces is None else faces, **settings)
        self.journal = KeptJournal(self.clock)
        self.lobby = self._open()


def truth(house: HouseOfTests, peer: Peer) -> TableView:
    """Give the view that the server would send afresh."""
    table = house.the_table()
    person = table.roster.find(peer.last(m.Welcome).person)
    assert person is not None
    return view.build(table, person)


def lobby(house: House) -> list[Peer]:
    return house.table("Ana", "Bo", "Cy")


def thrown(house: House) -> list[Peer]:
    peers = house.table("Ana", "Bo", "Cy")
    assert house.ask(peers[0], m.Start) == "done"
    return peers


def opening(house: House) -> list[Peer]:
    return house.game("Ana", "Bo", "Cy")


def bidding(house: House) -> list[Peer]:
    peers = opening(house)
    assert house.bid(peers[0], 2, 3) == "done"
    return peers


def reveal(house: House) -> list[Peer]:
    peers = bidding(house)
    assert house.act(peers[1], m.Dudo) == "done"
    return peers


def over(house: House) -> list[Peer]:
    peers = house.game("Ana", "Bo", "Cy", start_dice=1)
    while peers[0].at.phase is not Phase.OVER:
        play_round(house, peers)
    return peers


def play_round(house: House, peers: list[Peer]) -> None:
    """Let the opener bid and the next one doubt."""
    turn = peers[0].at.turn
    assert turn is not None
    assert house.bid(peers[turn.seat], 1, 2) == "done"
    turn = peers[0].at.turn
    assert turn is not None
    assert house.act(peers[turn.seat], m.Dudo) == "done"
    house.ready([peer for peer in peers if peer.mine.dice and peer.at.phase is Phase.REVEAL])


SCENES: list[Callable[[House], list[Peer]]] = [lobby, thrown, opening, bidding, reveal, over]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("scene", SCENES)
def test_who_comes_back_has_the_state_of_one_who_never_left(
    scene: Callable[[House], list[Peer]], seat: int
) -> None:
    house = House()
    peers = scene(house)
    before = truth(house, peers[seat])
    house.drop(peers[seat])
    others = [peer for peer in peers if peer is not peers[seat]]
    assert others[0].at.seats[seat].away > 0
    again = house.come_back(peers[seat])
    welcome = again.last(m.Welcome)
    assert welcome.resumed
    assert welcome.person == peers[seat].last(m.Welcome).person
    host = {"host": again.at.host, "rev": again.at.rev}
    assert again.at == truth(house, again) == replace(before, **host)
    for other in others:
        assert other.at == truth(house, other)
        assert other.at.seats[seat].away == 0


def test_of_many_who_come_back_together_not_each_is_told_or_written_down() -> None:
    """The first is at once, all others together a moment later."""
    house = House(crowd_seconds=0.25)
    journal = house.journal
    assert isinstance(journal, KeptJournal)
    ana, *others = house.game("Ana", "Bo", "Cy", "Di", "Eva", "Flo")
    for other in others:
        house.drop(other)
    house.clock.advance(1)
    told, written = len(ana.all(m.Update)), len(journal.durable)
    again = [house.come_back(other) for other in others]
    assert len(ana.all(m.Update)) == told + 1
    assert len(journal.durable) == written + 1
    house.clock.advance(0.4)
    assert len(ana.all(m.Update)) == told + 2
    assert len(journal.durable) == written + 2
    for peer in (ana, *again):
        assert peer.at == truth(house, peer)
        assert not any(seat.away for seat in peer.at.seats)


@pytest.mark.parametrize("scene", SCENES)
def test_after_a_crash_of_the_server_all_have_the_state_that_they_had(
    scene: Callable[[House], list[Peer]],
) -> None:
    house = House()
    peers = scene(house)
    before = [truth(house, peer) for peer in peers]
    house.restart()
    again = [house.come_back(peer) for peer in peers]
    for old, peer in zip(before, again, strict=True):
        same = {"rev": old.rev, "host": peer.at.host, "resume": old.resume, "turn": old.turn}
        assert replace(peer.at, **same) == old
        assert peer.at == truth(house, peer)
        assert (peer.at.turn is None) == (old.turn is None)
        if peer.at.turn is not None and old.turn is not None:
            assert peer.at.turn.deadline >= old.turn.deadline


def test_a_game_that_crashed_goes_on_to_its_end() -> None:
    house = House()
    peers = bidding(house)
    house.restart()
    peers = [house.come_back(peer) for peer in peers]
    assert house.act(peers[1], m.Dudo) == "done"
    assert peers[2].at.phase is Phase.REVEAL
    house.clock.until(lambda: peers[0].at.phase is Phase.OVER, 10_000)


def test_an_act_that_was_answered_before_is_answered_and_not_repeated() -> None:
    house = House()
    peers = bidding(house)
    ana = peers[0]
    ana.send(m.Say(id=77, text="hello"))
    house.clock.settle()
    house.drop(ana)
    ana = house.come_back(ana)
    ana.send(m.Say(id=77, text="hello"))
    house.clock.settle()
    assert ana.last(m.Done).re == 77
    assert [said.text for said in peers[1].all(m.Said)] == ["hello"]
    ana.send(m.Say(id=78, text="again"))
    house.clock.settle()
    assert [said.text for said in peers[1].all(m.Said)] == ["hello", "again"]


def test_a_refusal_is_repeated_too_also_after_a_crash() -> None:
    house = House()
    peers = bidding(house)
    ana = peers[0]
    bid = m.PlaceBid(id=901, quantity=3, face=3, **ana.stamp())
    ana.send(bid)
    house.clock.settle()
    assert ana.last(m.Refused).reason == "not_your_turn"
    house.restart()
    ana, _bo, _cy = [house.come_back(peer) for peer in peers]
    ana.send(bid)
    house.clock.settle()
    assert ana.last(m.Refused) == m.Refused(re=901, reason="not_your_turn")


def test_an_act_that_the_crash_swallowed_is_done_once_when_it_is_sent_again() -> None:
    house = House()
    peers = bidding(house)
    bo = peers[1]
    bid = m.PlaceBid(id=901, quantity=3, face=3, **bo.stamp())
    assert isinstance(house.journal, KeptJournal)
    house.journal.works = False  # the server dies before this is durable
    bo.send(bid)
    house.clock.settle()
    assert not [done for done in bo.all(m.Done) if done.re == 901]
    assert len(peers[0].at.ladder) == 1
    house.restart()
    ana, bo, _cy = [house.come_back(peer) for peer in peers]
    for _ in range(2):
        bo.send(bid)
        house.clock.settle()
    assert [done.re for done in bo.all(m.Done)][:1] == [901]
    assert [str(placed.bid) for placed in ana.at.ladder] == ["2x3", "3x3"]


def test_nothing_is_told_before_it_is_durable() -> None:
    house = House()
    peers = bidding(house)
    assert isinstance(house.journal, KeptJournal)
    house.journal.works = False
    heard = [len(peer.heard) for peer in peers]
    bo = peers[1]
    bo.send(m.PlaceBid(id=901, quantity=3, face=3, **bo.stamp()))
    house.clock.settle()
    new = [peer.heard[n:] for peer, n in zip(peers, heard, strict=True)]
    assert new == [[m.Notice(notice="storage_full")]] * 3
    assert house.ask_now(peers[2], m.Say, text="?") == "storage_full"
    house.clock.advance(100)  # the clock stands still: nobody is timed out
    house.journal.works = True
    house.journal.report()
    house.clock.settle()
    assert [done.re for done in bo.all(m.Done)][-1] == 901
    assert str(peers[0].at.ladder[-1].bid) == "3x3"
    assert peers[0].last(m.Notice).notice == "storage_back"
    assert house.act(peers[2], m.Dudo) == "done"


def test_only_the_key_brings_somebody_back() -> None:
    house = House()
    peers = bidding(house)
    house.drop(peers[0])
    for key in (b"x" * 32, returning.hashed(peers[0].key), peers[1].key):
        thief = house.come_back(peers[0], key)
        assert thief.last(m.Error).error == "bad_proof"
        assert not thief.all(m.View)
        assert not thief.is_lost
    assert house.come_back(peers[0]).at.hand


def test_a_proof_is_good_for_one_nonce() -> None:
    house = House()
    peers = bidding(house)
    number, nonce = peers[0].last(m.Welcome).person, b"n" * 32
    first = house.connect()
    first.send(m.Resume(versions=(1,), client="test", person=number, nonce=nonce))
    house.clock.settle()
    proof = returning.prove(peers[0].key, number, nonce, first.last(m.Nonce).nonce)
    second = house.connect()
    second.send(m.Resume(versions=(1,), client="test", person=number, nonce=nonce))
    second.send(m.Prove(proof=proof))
    house.clock.settle()
    assert second.last(m.Error).error == "bad_proof"
    first.send(m.Prove(proof=hashlib.sha256(proof).digest()))
    first.send(m.Prove(proof=proof))
    house.clock.settle()
    assert first.last(m.Error).error == "not_greeted"
    assert first.is_lost


def test_the_newest_connection_counts_and_the_old_one_is_told() -> None:
    house = House()
    ana, bo, _ = bidding(house)
    again = house.come_back(ana)
    assert ana.last(m.Bye).reason == "taken_over"
    assert ana.is_lost
    assert again.at.hand == ana.at.hand
    assert bo.at.seats[0].away == 0
    assert house.ask(again, m.Say, text="here") == "done"


def test_a_name_that_is_waited_for_is_nobody_elses() -> None:
    house = House()
    ana, *_ = bidding(house)
    house.drop(ana)
    assert house.peer("Ana").last(m.Error).error == "name_taken"


def test_who_left_on_purpose_is_not_waited_for() -> None:
    house = House()
    ana, bo, _ = bidding(house)
    assert house.ask(ana, m.Leave) == "done"
    house.drop(ana)
    assert bo.at.seats[0].player is Player.STAND_IN
    assert house.come_back(ana).last(m.Error).error == "bad_proof"
