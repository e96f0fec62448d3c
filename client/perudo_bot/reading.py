"""One view read for its odds: the bot's own cup, what others' bids say about theirs.

Each bid makes it somewhat likelier that its bidder holds dice that match it: every die of theirs
counts the matching faces `trust` times as heavy. From this come, for each face, two mean chances of
a single unknown die: as the bot sees it, and as the next player sees it, to whom the bot's own
cup is closed.
"""

from __future__ import annotations

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import ACE, FACES, Bid

from .odds import chance_of, grains, matching

FLAT = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""A cup about which nothing was said: every face weighs the same."""


class Reading:
    """The odds of one view."""

    def __init__(self, view: TableView, trust: float) -> None:
        """Read this view; `trust` of 1 takes others' bids for nothing."""
        self.seat = view.my_seat
        self.hand = view.hand
        self.wild = bool(view.rules["wild_aces"]) and not view.palifico
        self.dice = [seat.dice for seat in view.seats]
        self.total = sum(self.dice)
        self.unknown = self.total - len(self.hand)
        self.weights = self._weigh(view, trust)
        others = [s for s in range(len(self.dice)) if s != self.seat]
        self._mine = {face: matching(self.hand, face, self.wild) for face in FACES}
        self._step = {face: self._mean(face, others) for face in FACES}
        self._all = list(range(len(self.dice)))

    def chance(self, bid: Bid, mine: int | None = None) -> float:
        """Give the chance that a bid is true; `mine` imagines another number of own matches."""
        have = self._mine[bid.face] if mine is None else mine
        return chance_of(bid.quantity - have, self.unknown, self._step[bid.face])

    def exactly(self, bid: Bid) -> float:
        """Give the chance that a bid is exactly right."""
        return self.chance(bid) - self.chance(Bid(bid.quantity + 1, bid.face))

    def mine(self, face: int) -> int:
        """Count the bot's own dice that match a face."""
        return self._mine[face]

    def looks(self, bid: Bid) -> float:
        """Give the chance of a bid in the eyes of one who sees no cup at all."""
        return chance_of(bid.quantity, self.total, self._mean(bid.face, self._all))

    def expected(self, face: int) -> float:
        """Give how many dice match a face, on average."""
        return self._mine[face] + self.unknown * self._step[face] / 240

    def _weigh(self, view: TableView, trust: float) -> list[tuple[float, ...]]:
        weights: list[tuple[float, ...]] = [FLAT] * len(self.dice)
        said: set[tuple[int, int]] = set()
        for placed in view.ladder:
            face = placed.bid.face
            if (placed.seat, face) in said:
                continue  # raising one's own face again says little more
            said.add((placed.seat, face))
            weights[placed.seat] = tuple(
                weight * trust if f == face or (self.wild and f == ACE) else weight
                for f, weight in zip(FACES, weights[placed.seat], strict=True)
            )
        return weights

    def _mean(self, face: int, seats: list[int]) -> int:
        dice = 0
        chances = 0.0
        for seat in seats:
            weights = self.weights[seat]
            match = weights[face - 1]
            if self.wild and face != ACE:
                match += weights[ACE - 1]
            dice += self.dice[seat]
            chances += self.dice[seat] * match / sum(weights)
        return grains(chances / dice) if dice else 0
