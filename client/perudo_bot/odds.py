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


def grains(chance: float) -> int:
    """Give the nearest step to a chance between 0 and 1."""
    return round(chance * GRAIN)


@lru_cache(maxsize=8192)
def at_least(dice: int, step: int) -> tuple[float, ...]:
    """Give the chances that 0 or more, 1 or more, ... `dice` or more of so many dice match.

    Each die matches with the chance `step / GRAIN`. The first value is always 1.
    """
    chance = step / GRAIN
    exact = [
        comb(dice, count) * chance**count * (1 - chance) ** (dice - count)
        for count in range(dice + 1)
    ]
    tails = [0.0] * (dice + 1)
    above = 0.0
    for count in range(dice, 0, -1):
        above += exact[count]
        tails[count] = min(1.0, above)
    tails[0] = 1.0
    return tuple(tails)


def chance_of(need: int, dice: int, step: int) -> float:
    """Give the chance that at least `need` of `dice` dice match; exact 1 and 0 where it is sure."""
    if need <= 0:
        return 1.0
    if need > dice:
        return 0.0
    return at_least(dice, step)[need]


def matching(hand: Sequence[int], face: int, wild: bool) -> int:
    """Count the dice of a hand that match a face (S1.3); aces match every face when wild."""
    count = sum(die == face for die in hand)
    if wild and face != ACE:
        count += sum(die == ACE for die in hand)
    return count
