"""The odds of dice that nobody has seen: binomials, computed once and kept.

Chances of a single die are whole numbers of `GRAIN`ths, so that the few tables that a game needs
are found again; 1/3 and 1/6 are exact among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from perudo_protocol.vocabulary import ACE

GRAIN = 240
"""Into how many steps the chance of a single die is cut."""

Tails = tuple[float, ...]
"""The chances that 0 or more, 1 or more, ... of some dice match; the first is always 1."""


def grains(chance: float) -> int:
    """Give the nearest step to a chance between 0 and 1."""
    return round(chance * GRAIN)


@lru_cache(maxsize=8192)
def at_least(dice: int, step: int) -> Tails:
    """Give the chances for so many dice, each of which matches with the chance `step / GRAIN`."""
    chance = step / GRAIN
    tails = [1.0] * (dice + 1)
    above = 0.0
    for count in range(dice, 0, -1):
        above += comb(dice, count) * chance**count * (1 - chance) ** (dice - count)
        tails[count] = min(1.0, above)
    return tuple(tails)


def matching(hand: Sequence[int], face: int, wild: bool) -> int:
    """Count the dice of a hand that match a face (S1.3); aces match every face when wild."""
    count = hand.count(face)
    if wild and face != ACE:
        count += hand.count(ACE)
    return count
