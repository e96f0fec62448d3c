"""A draw of dice outlasts lost connections and crashes: every proof stays whole (P7)."""

from __future__ import annotations

from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol.fairness import Draw
from perudo_protocol.vocabulary import Phase
from tests.support.fair_table import FairHouse, FairPeer
from tests.support.house import KeptJournal


class House(FairHouse):
    """Fair dice, people who can come back, and a journal in memory."""

    keys = True

    def __init__(self) -> None:
        super().__init__([6, 1, 1, *[1, 2, 3] * 50])
        self.journal = KeptJournal(self.clock)
        self.dice = self.fair
        self.lobby = self._open()

    def return_of(self, old: FairPeer) -> FairPeer:
        """Come back as the same program, which knows what it has promised and answered."""
        peer = self.come_back(old)
        assert isinstance(peer, FairPeer)
        peer.entropies, peer.entropy, peer.sent = old.entropies, old.entropy, old.sent
        proof = peer.at.proof
        answer = peer.sent.get((proof.round, proof.attempt))
        if answer is not None and proof.commitments and not proof.entropies:
            peer.send(answer)
            self.clock.settle()
        return peer


def held_up(house: House) -> list[FairPeer]:
    """Begin a draw for which the last one's entropy is still awaited."""
    peers = house.fair_table("Ana", "Bo", "Cy")
    assert house.ask(peers[0], m.Start) == "done"
    peers[2].holds = True
    house.ready(peers)
    assert peers[0].at.proof.commitments
    assert peers[0].at.phase is Phase.THROW
    return peers


def check_own_hand(peer: FairPeer) -> None:
    proof = peer.at.proof
    draw = Draw(proof.game, proof.round, proof.attempt)
    assert fairness.commitment(draw, peer.seat, peer.at.seed) == proof.commitments[peer.seat]
    for seat, entropy in fairness.given(proof.entropies).items():
        assert fairness.promise(proof.game, seat, entropy) == proof.promises[seat]
    mixed = fairness.mix(draw, fairness.given(proof.entropies))
    dice = fairness.dice(draw, peer.seat, peer.at.seed, mixed, peer.mine.dice)
    assert peer.at.hand == dice


def test_a_draw_that_a_crash_cut_off_is_ended_with_the_seeds_that_were_committed_to() -> None:
    house = House()
    peers = held_up(house)
    committed, seeds = peers[0].at.proof.commitments, len(house.fair.seeds)
    house.restart()
    ana, bo, cy = [house.return_of(peer) for peer in peers]
    assert cy.at.phase is Phase.BIDDING  # it could answer now, as the others did again
    assert len(house.fair.seeds) == seeds
    for peer in (ana, bo, cy):
        assert peer.at.proof.commitments == committed
        assert peer.at.proof.attempt == 0
        assert all(peer.at.proof.entropies)
        check_own_hand(peer)


def test_who_does_not_come_back_holds_up_the_draw_for_a_while_only() -> None:
    house = House()
    peers = held_up(house)
    house.restart()
    ana, bo = [house.return_of(peer) for peer in peers[:2]]
    assert ana.at.phase is Phase.THROW
    house.clock.advance(16)
    assert ana.at.phase is bo.at.phase is Phase.BIDDING
    assert ana.at.proof.attempt == 1
    assert ana.at.proof.left_out == (2,)
    check_own_hand(ana)
    check_own_hand(bo)


def test_a_round_that_was_dealt_before_a_crash_is_shown_with_its_seeds_after_it() -> None:
    house = House()
    peers = held_up(house)
    peers[2].release()
    house.clock.settle()
    before = [(peer.at.hand, peer.at.seed, peer.at.proof) for peer in peers]
    house.restart()
    peers = [house.return_of(peer) for peer in peers]
    assert [(peer.at.hand, peer.at.seed, peer.at.proof) for peer in peers] == before
    assert house.bid(peers[0], 1, 2) == "done"
    assert house.act(peers[1], m.Dudo) == "done"
    reveal = peers[2].at.reveal
    assert reveal is not None
    assert reveal.seeds == tuple(seed for _, seed, _ in before)
    proof = peers[2].at.proof
    draw = Draw(proof.game, 1, 0)
    mixed = fairness.mix(draw, fairness.given(proof.entropies))
    assert proof.chain == fairness.next_link(
        fairness.first_link(proof.game),
        draw,
        fairness.given(proof.commitments).items(),
        mixed,
        fairness.given(reveal.seeds).items(),
    )
    house.ready(peers)  # and what was promised for the next draw holds
    assert all(peers[0].at.proof.promises)
    for peer in peers:
        check_own_hand(peer)


def test_no_entropy_that_was_shown_meets_a_new_seed_over_crashes() -> None:
    house = House()
    peers = held_up(house)
    shown = {answer.entropy for peer in peers for answer in peer.sent.values()}
    house.restart()
    peers = [house.return_of(peer) for peer in peers[:2]]
    house.clock.advance(16)
    assert peers[0].at.proof.attempt == 1
    assert not shown & set(peers[0].at.proof.entropies)


def test_a_seat_that_was_given_up_before_a_crash_is_not_dealt_to_after_it() -> None:
    """A draw without it was to come; what was committed to for it must not be dealt."""
    house = House()
    peers = house.fair_table("Ana", "Bo", "Cy", on_leave="ghost")
    assert house.ask(peers[0], m.Start) == "done"
    peers[2].holds = True
    house.ready(peers)
    assert house.ask(peers[1], m.Leave) == "done"
    assert peers[0].at.proof.attempt == 0
    assert peers[0].at.seats[1].dice == 0
    house.restart()
    ana, cy = house.return_of(peers[0]), house.return_of(peers[2])
    house.clock.advance(20)
    assert ana.at.phase is Phase.BIDDING
    proof = ana.at.proof
    assert (proof.attempt, proof.left_out) == (1, (1,))
    assert [bool(c) for c in proof.commitments] == [True, False, True]
    check_own_hand(ana)
    check_own_hand(cy)
