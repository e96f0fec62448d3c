"""Sample tables whose dice are proven: seeds are looked for until the chosen dice follow."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from itertools import count

from msgspec.structs import replace

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw
from perudo_protocol.views import Proof, TableView

GAME = "8f3a1c"
CHAIN = bytes.fromhex("4552e813ac2244b2b5c4a6e3070c93fa9998a5267d87c3778577aad0d6d64859")
"""The chain that is shown, from the vectors of the document."""


def proven(view: TableView) -> TableView:
    """Give a sample table with the proof of its dice in it."""
    if view.reveal is not None and view.hand:
        view = replace(view, hand=view.reveal.cups[view.my_seat])
    draw = Draw(GAME, view.round, 0)
    seeds = [b""] * len(view.seats)
    for seat, each in enumerate(view.seats):
        hand = view.reveal.cups[seat] if view.reveal is not None else ()
        if not hand and seat == view.my_seat:
            hand = view.hand
        if hand or (view.reveal is None and each.dice):
            seeds[seat] = seed_for(draw, seat, hand)
    proof = Proof(
        game=GAME,
        chain=CHAIN if view.round > 1 else fairness.first_link(GAME),
        round=view.round,
        commitments=tuple(
            fairness.commitment(draw, seat, seed) if seed else b""
            for seat, seed in enumerate(seeds)
        ),
        promises=(b"",) * len(seeds),
        entropies=(b"",) * len(seeds),
    )
    if view.round == 1 and view.reveal is not None:
        links = fairness.given(proof.commitments).items(), fairness.given(seeds).items()
        chain = fairness.next_link(proof.chain, draw, links[0], fairness.mix(draw, {}), links[1])
        proof = replace(proof, chain=chain)
    reveal = None if view.reveal is None else replace(view.reveal, seeds=tuple(seeds))
    mine = seeds[view.my_seat] if view.hand else b""
    return replace(view, proof=proof, reveal=reveal, seed=mine)


@lru_cache(256)
def seed_for(draw: Draw, seat: int, hand: tuple[int, ...]) -> bytes:
    """Look for a seed from which just these dice follow."""
    mixed = fairness.mix(draw, {})
    for number in count():
        seed = hashlib.sha256(b"%d" % number).digest()
        if fairness.dice(draw, seat, seed, mixed, len(hand)) == hand:
            return seed
    raise AssertionError
