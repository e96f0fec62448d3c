"""What raises what: one total order, and the options that narrow it.

`rank(q, f) = (q, f)` for the faces 2-6 and `(2a, 7)` for *a* wild aces; a bid raises another when
its rank is greater. All the clauses of both texts follow from that line: more dice of any face, the
same number of a higher face, aces at half rounded up, and back from aces at twice and one more.
Where aces are not wild (palifico, or the option off) an ace is the lowest face, and nothing is
halved.

The options narrow the order and never widen it: `raising` between two faces of 2-6 of a normal
round, the locked face in palifico. For each face the legal quantities are therefore one unbroken
span, and `span` gives its two ends by arithmetic. `offer` is `span` for every face, and what is
legal is asked of it alone: a seat is offered, by its game, exactly what it is then judged by.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeGuard

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.vocabulary import ACE, FACES, Bid, Options, Refusal

from .values import Value, replace

Span = tuple[int, int]
"""The least and the most legal quantity, both inclusive; `NONE` when there is none."""

NONE: Span = (0, 0)

_TOP = 7
"""Wild aces stand above the sixes of twice their number."""

OFFERS_KEPT = 2048
"""So many offers are kept: a few games meet no more, and it is a megabyte."""


class Ground(Value, frozen=True):
    """All that the legality of a bid hangs on, but for the bid that stands.

    It is the same for a whole round, and rounds at many tables share it.
    """

    raising: str
    """What raises between two different faces of 2-6 (D1); no option of palifico."""
    wild: bool
    """Whether aces count for every face here (S1.3, S1.24)."""
    open_aces: bool
    """Whether wild aces may open (D9)."""
    locked: bool
    """Whether this bidder must keep to the face that stands (S1.25, D23)."""
    spot_on: bool
    """Whether a bid that stands may be answered by spot-on (D12, D17, D18)."""
    limit: int
    """How many dice are in play (D4)."""


def grounds_of(
    rules: Ruleset, palifico: bool, dice: tuple[int, ...], playing: int
) -> tuple[Ground, ...]:
    """Give the ground of each seat in a round of so many `playing`, by how many dice each has."""
    limit = sum(dice)
    spot_on = rules.spot_on and (rules.spot_on_heads_up or playing > 2)
    if not palifico:
        wild, opens = rules.wild_aces, rules.open_aces
        return (Ground(rules.raising, wild, opens, False, spot_on, limit),) * len(dice)
    spot_on = spot_on and rules.spot_on_palifico
    keeps = Ground("standard", False, True, True, spot_on, limit)
    if rules.palifico_change != "one_die":
        return (keeps,) * len(dice)
    changes = replace(keeps, locked=False)
    return tuple([changes if own == 1 else keeps for own in dice])


@lru_cache(maxsize=OFFERS_KEPT)
def offer(ground: Ground, standing: Bid | None) -> Options:
    """Give what a seat in turn may do: the spans of all faces, and the calls.

    A call needs a bid that stands (D11, D14); dudo is always among the answers to one.
    """
    least, most = zip(*(span(ground, standing, face) for face in FACES), strict=True)
    stands = standing is not None
    return Options(least, most, stands, stands and ground.spot_on)


def wrong_with(ground: Ground, standing: Bid | None, bid: object) -> Refusal:
    """Say why this is no legal bid here, of one that is none.

    Judged in this order: out of range (D5), above the table (D4), opening on aces (S1.10), another
    face in palifico (S1.25), not higher (D3).
    """
    if type(bid) is not Bid or type(bid.quantity) is not int or type(bid.face) is not int:
        return Refusal.OUT_OF_RANGE
    quantity, face = bid
    if quantity < 1 or face not in FACES:
        return Refusal.OUT_OF_RANGE
    if quantity > ground.limit:
        return Refusal.ABOVE_TABLE
    if standing is None:
        return Refusal.ACES_OPENING
    if _locked(ground, standing, face):
        return Refusal.FACE_LOCKED
    return Refusal.NOT_HIGHER


def is_legal(options: Options, bid: object) -> TypeGuard[Bid]:
    """Say whether this is a bid (D5), and one of those that are offered.

    Booleans, floats and texts are no whole numbers, whatever they equal.
    """
    if type(bid) is not Bid:
        return False
    quantity, face = bid
    if type(quantity) is not int or type(face) is not int or face not in FACES:
        return False
    return 0 < options.least[face - 1] <= quantity <= options.most[face - 1]


def span(ground: Ground, standing: Bid | None, face: int) -> Span:
    """Give the least and the most legal quantity of one face, or `NONE`."""
    if standing is None:
        return _clip(ground, _opening(ground, face), ground.limit)
    if _locked(ground, standing, face):
        return NONE
    least = least_over(standing, face, ground.wild)
    if ACE in (face, standing.face) or face == standing.face:
        return _clip(ground, least, ground.limit)
    return _narrowed(ground, standing, face, least)


def least_over(standing: Bid, face: int, wild: bool) -> int:
    """Give the least quantity of a face whose rank is above the standing bid's.

    The order of the module's head: S1.12-S1.16, S2.12-S2.18, D3, D7, D8.
    """
    quantity, tier = (standing.quantity, standing.face)
    if wild and standing.face == ACE:
        quantity, tier = (2 * standing.quantity, _TOP)
    if wild and face == ACE:
        return (quantity + (tier == _TOP) + 1) // 2
    return quantity + (face <= tier)


def _opening(ground: Ground, face: int) -> int:
    """Give the least opening bid on a face: one, but never wild aces without `open_aces`."""
    barred = face == ACE and ground.wild and not ground.open_aces
    return 0 if barred else 1


def _locked(ground: Ground, standing: Bid, face: int) -> bool:
    """Say whether palifico keeps this bidder from this face (S1.25, D23)."""
    return ground.locked and face != standing.face


def _narrowed(ground: Ground, standing: Bid, face: int, least: int) -> Span:
    """Narrow the order between two different faces of 2-6 by the option `raising` (D1)."""
    match ground.raising:
        case "no_lower_face":
            return _clip(ground, least if face > standing.face else 0, ground.limit)
        case "one_axis":
            return _clip(ground, least if face > standing.face else 0, standing.quantity)
        case _:
            return _clip(ground, least, ground.limit)


def _clip(ground: Ground, least: int, most: int) -> Span:
    most = min(most, ground.limit)
    return (least, most) if 0 < least <= most else NONE
