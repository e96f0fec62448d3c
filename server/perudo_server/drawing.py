"""One draw of the dice under the cups, step by step (`perudo-fair/1`; see `fairness`).

    committed --(all promised entropy is open)--> dealt
        |--(3 s are over, or somebody who had promised is gone)--> another attempt, without them

Pure: seeds come from whoever calls, and nothing here knows a clock. What may be told of a draw is
its `proof`; its seeds are secret until a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw
from perudo_protocol.views import Proof


class Drawing(NamedTuple):
    """The draw that goes on, or that was dealt last."""

    proof: Proof
    """All that everybody knows of it."""
    seeds: tuple[bytes, ...]
    """One for each seat with dice, else empty: the server's secret."""
    opened: tuple[bytes, ...]
    """The entropy that has come so far, told only when all of it is there."""

    def __repr__(self) -> str:
        """Say what is known to everybody, never seeds nor entropy."""
        return f"Drawing(proof={self.proof!r}, seeds=<{len(self.seeds)}>)"

    @property
    def draw(self) -> Draw:
        """Name the draw as its hashes do."""
        return Draw(self.proof.game, self.proof.round, self.proof.attempt)

    @property
    def missing(self) -> list[int]:
        """Give the seats whose promised entropy has not come."""
        promised = fairness.given(self.proof.promises)
        return [seat for seat in promised if not self.opened[seat]]

    @property
    def mixed(self) -> bytes:
        """Give the mix of all entropy."""
        return fairness.mix(self.draw, fairness.given(self.opened))


def commit(
    before: Proof,
    draw: Draw,
    seeds: Sequence[bytes],
    promises: Sequence[bytes],
    left_out: Iterable[int],
) -> Drawing:
    """Begin a draw or another attempt: the server is committed to these seeds, one place a seat,
    before any entropy is open."""
    hashes = tuple(
        fairness.commitment(draw, seat, seed) if seed else b"" for seat, seed in enumerate(seeds)
    )
    proof = Proof(
        game=draw.game,
        chain=before.chain,
        round=draw.round,
        attempt=draw.attempt,
        commitments=hashes,
        promises=tuple(promises),
        left_out=tuple(sorted(left_out)),
    )
    return Drawing(proof, tuple(seeds), (b"",) * len(hashes))


def take(drawing: Drawing, seat: int, entropy: bytes) -> Drawing | None:
    """Take a seat's opened entropy; `None` if it is not what the seat promised."""
    promised = drawing.proof.promises[seat]
    if not promised or fairness.promise(drawing.proof.game, seat, entropy) != promised:
        return None
    opened = (*drawing.opened[:seat], entropy, *drawing.opened[seat + 1 :])
    return drawing._replace(opened=opened)


def link(proof: Proof, entropies: Sequence[bytes], seeds: Sequence[bytes]) -> bytes:
    """Give the chain when the round of this draw has ended with these seeds shown."""
    draw = Draw(proof.game, proof.round, proof.attempt)
    return fairness.next_link(
        proof.chain,
        draw,
        fairness.given(proof.commitments).items(),
        fairness.mix(draw, fairness.given(entropies)),
        fairness.given(seeds).items(),
    )
