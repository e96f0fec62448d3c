"""What a scripted player adds to the dice: promises, and entropy when the server is committed.

It never opens entropy for two draws, and remembers what it has answered, so that after a lost
connection it says the very same once more.
"""

from __future__ import annotations

import random

from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase


class Misused(Exception):
    """The server asks for entropy in a way that an honest one never does."""


class Shares:
    """One player's entropy in the games of a table."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._secrets: dict[bytes, bytes] = {}
        self._answers: dict[tuple[int, int, int], m.Entropy] = {}
        self._opened: dict[bytes, tuple[int, int, int]] = {}

    def promise(self, view: TableView) -> list[m.FromClient]:
        """Promise new entropy for the coming draw."""
        if not self._plays(view):
            return []
        return [m.Promise(game=view.game, promise=self._draw(view))]

    def come_back(self, view: TableView) -> list[m.FromClient]:
        """Say on a fresh picture what is needed for the draw that goes on, or for the next."""
        return self.answer(view) or self.promise(view)

    def answer(self, view: TableView) -> list[m.FromClient]:
        """Open what was promised for the draw that this view shows; the same again if it was said
        before."""
        proof, seat = view.proof, view.my_seat
        if not self._plays(view) or proof.entropies or seat >= len(proof.promises):
            return []
        if proof.round != view.round + 1 or not (promised := proof.promises[seat]):
            return []
        draw = (view.game, proof.round, proof.attempt)
        if draw not in self._answers:
            entropy = self._secrets.get(promised)
            if entropy is None:
                raise Misused(f"{draw}: seat {seat} never promised {promised.hex()[:8]}")
            if self._opened.setdefault(promised, draw) != draw:
                raise Misused(f"{draw}: a promise of draw {self._opened[promised]} again")
            game, number, attempt = draw
            self._answers[draw] = m.Entropy(
                game=game,
                round=number,
                attempt=attempt,
                entropy=entropy,
                promise=self._draw(view),
            )
        return [self._answers[draw]]

    def _plays(self, view: TableView) -> bool:
        on = view.phase not in (Phase.LOBBY, Phase.OVER)
        return on and view.my_seat != NO_SEAT and view.seats[view.my_seat].dice > 0

    def _draw(self, view: TableView) -> bytes:
        entropy = self._rng.randbytes(fairness.SIZE)
        promised = fairness.promise(view.proof.game, view.my_seat, entropy)
        self._secrets[promised] = entropy
        return promised
