"""What a bot does when it may act: the odds of its own view, weighed by what is at stake.

All values are in dice: losing one is -1; another's loss is worth a share of that, since it helps
everybody else as well. The brain knows nothing of what raises what: it weighs what the options
allow. It keeps nothing between two calls but its random numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import FACES, Bid, Call, Options

from .reading import Reading

Choice = Bid | Call
_Move = TypeVar("_Move", bound=Choice)

DULL = 0.5
"""Bids below this part of what is to be expected move nobody, and are not thought about."""


class Temper(NamedTuple):
    """How a bot plays; every value may be tuned without breaking a rule."""

    bluff: float = 0.06
    """How often it bids as if its cup held something else."""
    daring: float = 0.25
    """How likely a bluff must be in truth."""
    trust: float = 1.2
    """How many times likelier a bid makes the matching faces of its bidder's dice."""
    whim: float = 0.02
    """Moves whose values lie this near are chosen among freely; in dice."""
    ease: float = 0.15
    """What a bid is worth that nobody doubts, as a share of another's loss."""
    doubted_at: float = 0.5
    """How likely a bid looks to others when every second of them would doubt it."""
    nerve: float = 0.1
    """How much an interjected call must be worth, in dice."""


HONEST = Temper()
"""The temper of the bot that everybody meets."""


class Brain:
    """Chooses moves from views alone."""

    def __init__(self, rng: random.Random, temper: Temper = HONEST) -> None:
        """Play with this temper; `rng` alone decides where the odds do not."""
        self.rng = rng
        self._temper = temper

    def choose(self, view: TableView) -> Choice:
        """Give the move of the viewer's seat, which is in turn; always one that is offered.

        Raises `ValueError` where no move is offered at all.
        """
        options = view.options_for(view.my_seat)
        reading = Reading(view, self._temper.trust)
        moves: list[tuple[float, Choice]] = []
        moves += self._calls(view, reading, options)
        moves += self._bids(reading, options)
        if not moves:
            raise ValueError("this seat has nothing to choose from")
        choice = self._pick(moves)
        if isinstance(choice, Bid) and self.rng.random() < self._temper.bluff:
            return self._bluff(view, reading, options) or choice
        return choice

    def _pick(self, moves: Sequence[tuple[float, _Move]]) -> _Move:
        """Take one of the best moves; the better, the likelier."""
        whim = self._temper.whim
        best = max(value for value, _ in moves)
        near = [move for move in moves if move[0] >= best - 4 * whim]
        return self.rng.choices(near, [math.exp((value - best) / whim) for value, _ in near])[0][1]

    def _bluff(self, view: TableView, reading: Reading, options: Options) -> Bid | None:
        """Bid as if other dice lay under the own cup, but nothing that is all too daring."""
        dreamt = Reading(replace(view, hand=tuple(self.rng.choices(FACES, k=len(view.hand)))), 1.0)
        bids = [
            (value, bid)
            for value, bid in self._bids(dreamt, options)
            if reading.chance(bid) >= self._temper.daring
        ]
        return self._pick(bids) if bids else None

    def interject(self, view: TableView) -> Call | None:
        """Give the call that is worth making out of turn, or `None` to let the others play."""
        options = view.options_for(view.my_seat)
        calls = list(self._calls(view, Reading(view, self._temper.trust), options))
        if not calls:
            return None
        value, call = max(calls)
        return call if value >= self._temper.nerve else None

    def _calls(
        self, view: TableView, reading: Reading, options: Options
    ) -> Iterator[tuple[float, Call]]:
        standing = view.standing
        if standing is None:
            return
        share = _share(reading)
        if options.may_dudo:
            true = reading.chance(standing.bid)
            yield (1 - true) * share - true, Call.DUDO
        if options.may_spot_on:
            exact = reading.exactly(standing.bid)
            reward = str(view.rules["spot_on_reward"])
            full = len(view.hand) >= int(view.rules["start_dice"])
            prize = (share if reward != "regain" else 0.0) + (
                1.0 if reward != "bidder" and not full else 0.0
            )
            yield exact * prize - (1 - exact), Call.SPOT_ON

    def _bids(self, reading: Reading, options: Options) -> Iterator[tuple[float, Bid]]:
        share = _share(reading)
        for face, least, most in zip(FACES, options.least, options.most, strict=True):
            if not least:
                continue
            odds = reading.on(face)
            lowest = min(most, max(least, int(odds.expected * DULL)))
            highest = min(most, max(lowest + 1, round(odds.expected) + 1))
            for quantity in range(lowest, highest + 1):
                true, looks = odds.chance(quantity), odds.looks(quantity)
                yield self._worth(true, looks, share), Bid(quantity, face)

    def _worth(self, true: float, looks: float, share: float) -> float:
        doubted = 1 / (1 + math.exp((looks - self._temper.doubted_at) * 10))
        caught = true * share - (1 - true)
        return doubted * caught + (1 - doubted) * self._temper.ease * share


def _share(reading: Reading) -> float:
    """Give what another's loss of a die is worth: it helps all who are left alike."""
    return 1 / max(1, reading.others)
