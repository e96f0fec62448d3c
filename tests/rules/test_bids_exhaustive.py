"""Every bid over every bid, for 1-60 dice in play, against a second formulation of the clauses."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from perudo_protocol.ruleset import Ruleset, ruleset
from perudo_protocol.vocabulary import FACES, Bid, Refusal
from perudo_server.rules.actions import PlaceBid
from perudo_server.rules.bidding import Ground, grounds_of, is_legal, offer, span, wrong_with
from perudo_server.rules.events import BidPlaced
from perudo_server.rules.game import Game, Refused, Stage, decide, options_for, prepared
from perudo_server.rules.values import replace
from tests.support.clauses import may_bid

MOST = 60
"""Ten seats of six dice: no table has more."""

NORMAL = [
    ruleset(changes={"raising": raising, "wild_aces": wild, "open_aces": opens})
    for raising, wild, opens in product(
        ("standard", "no_lower_face", "one_axis"), (True, False), (True, False)
    )
]
PALIFICO = [
    ruleset(changes={"raising": raising, "palifico_change": change})
    for raising, change in product(("standard", "one_axis"), ("nobody", "one_die"))
]
GROUNDS = [(rules, False, 5) for rules in NORMAL] + [
    (rules, True, own) for rules in PALIFICO for own in (1, 5)
]


def name(value: object) -> str:
    """Name a ground by what differs from the standard."""
    if isinstance(value, Ruleset):
        return "-".join(f"{key}={value}" for key, value in value.changes().items()) or "standard"
    return str(value)


def ground_of(rules: Ruleset, palifico: bool, table: int, own: int) -> Ground:
    """Give the ground of a seat that has one die of those in play, or another number."""
    dice = (1, table - 1) if own == 1 else (0, table)
    return grounds_of(rules, palifico, dice, 2)[0]


@cache
def quantities(least: int, most: int) -> int:
    """Give a span of quantities as a set of bits."""
    return sum(1 << quantity for quantity in range(least, most + 1)) if least else 0


@pytest.mark.parametrize(("rules", "palifico", "own"), GROUNDS, ids=name)
def test_every_bid_over_every_bid(rules: Ruleset, palifico: bool, own: int) -> None:
    """For each number of dice in play, each standing bid and face: the same quantities.

    What the clauses allow is asked once for the greatest table; a smaller one allows of it what is
    within its own dice (D4), and nothing else.
    """
    every = [Bid(quantity, face) for quantity in range(1, MOST + 1) for face in FACES]
    for standing in [None, *every]:
        allowed = {
            face: sum(
                1 << quantity
                for quantity in range(1, MOST + 1)
                if may_bid(rules, palifico, standing, MOST, own, Bid(quantity, face))
            )
            for face in FACES
        }
        for table in range(standing.quantity if standing else 1, MOST + 1):
            within = quantities(1, table)
            ground = ground_of(rules, palifico, table, own)
            for face in FACES:
                found = span(ground, standing, face)
                assert quantities(*found) == allowed[face] & within, (standing, face, table)
                assert found[0] or found == (0, 0), "none is told as 0 in both"


@pytest.mark.parametrize(("rules", "palifico", "own"), GROUNDS, ids=name)
@pytest.mark.parametrize("table", [1, 2, 3, 7, 20])
def test_judge_and_reason(table: int, rules: Ruleset, palifico: bool, own: int) -> None:
    """Each single pair is judged as the clauses say, with a reason that is true."""
    quantity = range(table + 3)
    ground = ground_of(rules, palifico, table, own)
    standings = [None, *(Bid(q, f) for q in range(1, table + 1) for f in FACES)]
    for standing in standings:
        for bid in map(Bid._make, product(quantity, range(8))):
            legal = is_legal(offer(ground, standing), bid)
            assert legal == may_bid(rules, palifico, standing, table, own, bid), (standing, bid)
            if not legal:
                reason = wrong_with(ground, standing, bid)
                fits = is_true(reason, standing, bid, table, palifico=palifico, own=own)
                assert fits, (standing, bid, reason)


def is_true(
    reason: Refusal, standing: Bid | None, bid: Bid, table: int, *, palifico: bool, own: int
) -> bool:
    """Say whether a reason describes this bid, and no earlier one does."""
    in_range = bid.quantity >= 1 and bid.face in FACES
    fits = bid.quantity <= table
    other_face = standing is not None and bid.face != standing.face
    match reason:
        case Refusal.OUT_OF_RANGE:
            return not in_range
        case Refusal.ABOVE_TABLE:
            return in_range and not fits
        case Refusal.ACES_OPENING:
            return in_range and fits and standing is None and bid.face == 1
        case Refusal.FACE_LOCKED:
            return in_range and fits and palifico and other_face
        case Refusal.NOT_HIGHER:
            free = not palifico or not other_face or own == 1
            return in_range and fits and standing is not None and free
        case _:
            return False


@pytest.mark.parametrize(("rules", "palifico", "own"), GROUNDS, ids=name)
def test_options_allow_what_decide_accepts(rules: Ruleset, palifico: bool, own: int) -> None:
    """`Options.allows` is true exactly for the bids that `decide` accepts, on a table of eight."""
    other = 8 - own
    cups = ((2,) * own, (2,) * other)
    game = Game(rules, (own, other), cups, stage=Stage.BIDDING, turn=0, palifico=palifico)
    for standing in [None, *(Bid(q, f) for q in range(1, 9) for f in FACES)]:
        ladder = (BidPlaced(1, standing),) if standing else ()
        here = prepared(replace(game, ladder=ladder))
        options = options_for(here, 0)
        for bid in map(Bid._make, product(range(-1, 11), range(-1, 9))):
            accepted = not isinstance(decide(here, PlaceBid(0, bid)), Refused)
            assert options.allows(bid) == accepted, (standing, bid)
