"""One view read for its odds: the bot's own cup, and what bids say about the cups of others.

Each bid makes it somewhat likelier that its bidder holds dice that match it: every die under that
cup counts the matching faces `trust` times as heavy. From this comes, for each face, the mean
chance of a single unknown die; as the bot sees it, and as one sees it to whom all cups are closed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import ACE, Bid

from .odds import Tails, at_least, grains, matching


class FaceOdds(NamedTuple):
    """The odds of bids on one face."""

    mine: int
    """The bot's own dice that match."""
    expected: float
    """How many match in all, on average, as the bot sees it."""
    unseen: Tails
    """The chances that so many of the dice under other cups match."""
    closed: Tails
    """The same of all dice, in the eyes of one who sees no cup."""

    def chance(self, quantity: int) -> float:
        """Give the chance that so many match."""
        need = quantity - self.mine
        if need <= 0:
            return 1.0
        return self.unseen[need] if need < len(self.unseen) else 0.0

    def looks(self, quantity: int) -> float:
        """Give the chance that so many match in the eyes of one who sees no cup at all."""
        return self.closed[quantity] if quantity < len(self.closed) else 0.0


class Reading:
    """The odds of one view; worked out for a face when it is first asked for."""

    def __init__(self, view: TableView, trust: float) -> None:
        """Read this view; `trust` of 1 takes others' bids for nothing."""
        self._seat = view.my_seat
        self._hand = view.hand
        self._wild = bool(view.rules["wild_aces"]) and not view.palifico
        self._dice = [other.dice for other in view.seats]
        self._trust = trust
        said: dict[int, set[int]] = {}
        for placed in view.ladder:  # raising one's own face again says little more
            said.setdefault(placed.seat, set()).add(placed.bid.face)
        self._said = [(seat, self._dice[seat], frozenset(faces)) for seat, faces in said.items()]
        self._faces: dict[int, FaceOdds] = {}
        self.total = sum(self._dice)
        """The dice in play."""
        self.others = len(self._dice) - self._dice.count(0) - (self._dice[self._seat] > 0)
        """How many others still have dice."""

    def chance(self, bid: Bid) -> float:
        """Give the chance that a bid is true."""
        return self.on(bid.face).chance(bid.quantity)

    def exactly(self, bid: Bid) -> float:
        """Give the chance that a bid is exactly right."""
        odds = self.on(bid.face)
        return odds.chance(bid.quantity) - odds.chance(bid.quantity + 1)

    def on(self, face: int) -> FaceOdds:
        """Give the odds of bids on this face."""
        known = self._faces.get(face)
        if known is None:
            known = self._faces[face] = self._work_out(face)
        return known

    def _work_out(self, face: int) -> FaceOdds:
        flat = 1 / 3 if self._wild and face != ACE else 1 / 6
        unknown = self.total - len(self._hand)
        unseen = flat * unknown
        closed = flat * self.total
        for seat, dice, faces in self._said:
            shift = dice * (_tilted(face, faces, self._wild, self._trust) - flat)
            closed += shift
            if seat != self._seat:
                unseen += shift
        mine = matching(self._hand, face, self._wild)
        return FaceOdds(
            mine,
            mine + unseen,
            at_least(unknown, grains(unseen / unknown) if unknown else 0),
            at_least(self.total, grains(closed / self.total) if self.total else 0),
        )


@lru_cache(maxsize=4096)
def _tilted(face: int, said: frozenset[int], wild: bool, trust: float) -> float:
    """Give the chance that a die matches under the cup of one who has bid on these faces."""
    plain = len(said) - (ACE in said)
    if wild:
        ace = trust ** len(said)  # an ace matches each of these bids
    else:
        ace = trust if ACE in said else 1.0
    match = ace if face == ACE else trust if face in said else 1.0
    if wild and face != ACE:
        match += ace
    return match / (ace + plain * trust + 5 - plain)
