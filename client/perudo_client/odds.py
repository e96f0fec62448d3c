"""The chances of a bid, from one's own dice and what everybody sees; pure.

With u unknown dice and m matching ones of one's own, the chance that a bid of q is true is the sum
over k >= q - m of C(u, k) p^k (1 - p)^(u - k), and that it is exact the one term k = q - m. A die
matches with p = 1/3 where aces are wild, else with 1/6 (RULES.md, last paragraph).
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import ACE, Bid


class Odds(NamedTuple):
    """The chances of a bid, 0 to 1."""

    true: float
    """At least so many."""
    exact: float
    """Exactly so many."""


def odds(view: TableView, bid: Bid) -> Odds:
    """Give the chances of a bid for the viewer, who knows their own dice and no others."""
    unknown = max(0, view.dice_in_play - len(view.hand))
    wanted = bid.quantity - own_count(view, bid.face)
    chance = 1 / 3 if is_wild(view, bid.face) else 1 / 6
    return Odds(at_least(unknown, wanted, chance), exactly(unknown, wanted, chance))


def own_count(view: TableView, face: int) -> int:
    """Count the viewer's own dice that match a face, wild aces included."""
    wild = is_wild(view, face)
    return sum(own == face or (wild and own == ACE) for own in view.hand)


def is_wild(view: TableView, face: int) -> bool:
    """Say whether aces count for this face in this round, by the table's options."""
    return face != ACE and not view.palifico and bool(view.rules.get("wild_aces", True))


def exactly(unknown: int, wanted: int, chance: float) -> float:
    """Give the chance that exactly `wanted` of `unknown` dice match."""
    if not 0 <= wanted <= unknown:
        return 0.0
    misses = unknown - wanted
    return float(comb(unknown, wanted) * chance**wanted * (1 - chance) ** misses)


def at_least(unknown: int, wanted: int, chance: float) -> float:
    """Give the chance that `wanted` or more of `unknown` dice match."""
    if wanted <= 0:
        return 1.0
    return min(1.0, sum(exactly(unknown, k, chance) for k in range(wanted, unknown + 1)))
