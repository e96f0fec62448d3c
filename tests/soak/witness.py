"""Checks all that one client is shown of the dice, over every lost connection (P7).

What was once seen of a draw must never be seen otherwise: commitments, hands, the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perudo_protocol import fairness
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw
from perudo_protocol.views import Proof, TableView


class Untrue(Exception):
    """What is shown does not verify, or is not what was shown before."""


class Facts:
    """What all clients were shown, by what it is about: it is the same for everybody, for ever."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], Any] = {}

    def see(self, about: tuple[object, ...], what: object) -> None:
        """Note something; raises `Untrue` if it was otherwise before."""
        if self.known.setdefault(about, what) != what:
            raise Untrue(f"{about} was {self.known[about]!r} and is {what!r}")


class Witness:
    """One client's eyes."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.hands = 0
        """Hands that were verified."""
        self.rounds = 0
        """Rounds whose link of the chain was made again."""

    def view(self, view: TableView) -> None:
        """Look at a fresh picture."""
        self._proof(view.proof)
        proof = view.proof
        if view.hand and proof.round == view.round and proof.entropies:
            self.hand(view)
        reveal = view.reveal
        if reveal is not None and reveal.seeds and proof.round == view.round:
            self._cups(proof, reveal.cups, reveal.seeds)
            self._facts.see(("chain", proof.game, proof.round), proof.chain)

    def hand(self, view: TableView) -> None:
        """Look at one's own dice."""
        self._dice(view.proof, view.my_seat, view.hand, view.seed)
        self._facts.see(("hand", view.game, view.round, view.my_seat), view.hand)
        self.hands += 1

    def event(self, before: TableView, event: ev.AnyEvent, after: TableView) -> None:
        """Look at one step of the story."""
        match event:
            case ev.Committed():
                self._proof(after.proof)
            case ev.Opened():
                self._proof(after.proof)
            case ev.Called(cups=cups, seeds=seeds, chain=chain):
                self._cups(before.proof, cups, seeds)
                for seat, hand in enumerate(cups):
                    if hand:
                        self._facts.see(("hand", before.game, before.round, seat), hand)
                self._link(before.proof, seeds, chain)
            case ev.Won(chain=chain) if chain != before.proof.chain:
                self._link(before.proof, (), chain)

    def _proof(self, proof: Proof) -> None:
        if not proof.round:
            return
        draw = (proof.game, proof.round, proof.attempt)
        self._facts.see(("commitments", *draw), proof.commitments)
        self._facts.see(("promises", *draw), proof.promises)
        self._facts.see(("left out", *draw), proof.left_out)
        if proof.entropies:
            self._facts.see(("entropies", *draw), proof.entropies)
            for seat, entropy in fairness.given(proof.entropies).items():
                if fairness.promise(proof.game, seat, entropy) != proof.promises[seat]:
                    raise Untrue(f"{draw}: the entropy of seat {seat} was not promised")

    def _cups(self, proof: Proof, cups: Sequence[Sequence[int]], seeds: Sequence[bytes]) -> None:
        for seat, hand in enumerate(cups):
            if hand:
                self._dice(proof, seat, hand, seeds[seat])

    def _dice(self, proof: Proof, seat: int, hand: Sequence[int], seed: bytes) -> None:
        draw = Draw(proof.game, proof.round, proof.attempt)
        if fairness.commitment(draw, seat, seed) != proof.commitments[seat]:
            raise Untrue(f"{draw}: the seed of seat {seat} is not the committed one")
        mixed = fairness.mix(draw, fairness.given(proof.entropies))
        if fairness.dice(draw, seat, seed, mixed, len(hand)) != tuple(hand):
            raise Untrue(f"{draw}: the dice of seat {seat} do not follow from its seed")

    def _link(self, proof: Proof, seeds: Sequence[bytes], chain: bytes) -> None:
        draw = Draw(proof.game, proof.round, proof.attempt)
        link = fairness.next_link(
            proof.chain,
            draw,
            fairness.given(proof.commitments).items(),
            fairness.mix(draw, fairness.given(proof.entropies)),
            fairness.given(seeds).items(),
        )
        if link != chain:
            raise Untrue(f"{draw}: the chain does not go on")
        self._facts.see(("chain", proof.game, proof.round), chain)
        self.rounds += 1
