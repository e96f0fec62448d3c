"""The chances of bids, against counting every way the unknown dice can lie."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from perudo_client.odds import at_least, exactly, odds, own_count
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.views import SeatView, TableView
from perudo_protocol.vocabulary import ACE, FACES, Bid, Phase, Player


def view(
    hand: tuple[int, ...], others: int, *, palifico: bool = False, wild: bool = True
) -> TableView:
    mine = SeatView("Ana", Player.PERSON, 1, dice=len(hand))
    return TableView(
        table=1,
        name="T",
        rules=to_wire(ruleset("standard", {"wild_aces": wild})),
        rev=0,
        host=1,
        seats=(mine, SeatView("Bo", Player.PERSON, 2, dice=others)),
        phase=Phase.BIDDING,
        palifico=palifico,
        you=1,
        hand=hand,
    )


def counted(hand: tuple[int, ...], others: int, bid: Bid, wild: bool) -> tuple[float, float]:
    """Count the throws of the other dice in which the bid is true, and exact."""
    matching = {bid.face, ACE} if wild and bid.face != ACE else {bid.face}
    true = exact = throws = 0
    for throw in product(FACES, repeat=others):
        count = sum(face in matching for face in (*hand, *throw))
        throws += 1
        true += count >= bid.quantity
        exact += count == bid.quantity
    return true / throws, exact / throws


@pytest.mark.parametrize("palifico", [False, True])
@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("hand", [(), (1,), (1, 4, 4), (2, 3, 5, 6, 6)])
def test_chances_are_those_of_counting(hand: tuple[int, ...], wild: bool, palifico: bool) -> None:
    table = view(hand, 4, palifico=palifico, wild=wild)
    for face in FACES:
        for quantity in range(1, len(hand) + 6):
            bid = Bid(quantity, face)
            chances = odds(table, bid)
            expected = counted(hand, 4, bid, wild and not palifico)
            assert (chances.true, chances.exact) == pytest.approx(expected)


def test_one_who_watches_knows_no_dice() -> None:
    table = replace(view((1, 1), 2), you=9, hand=())
    assert odds(table, Bid(1, 4)).true == pytest.approx(1 - (2 / 3) ** 4)


def test_ones_own_dice_count_with_wild_aces() -> None:
    assert own_count(view((1, 4, 4), 1), 4) == 3
    assert own_count(view((1, 4, 4), 1), ACE) == 1
    assert own_count(view((1, 4, 4), 1, palifico=True), 4) == 2


def test_the_edges() -> None:
    assert at_least(0, 0, 1 / 3) == 1.0
    assert at_least(0, 1, 1 / 3) == 0.0
    assert at_least(60, -3, 1 / 6) == 1.0
    assert exactly(3, 4, 1 / 3) == 0.0
    assert exactly(3, -1, 1 / 3) == 0.0
    assert at_least(60, 1, 1 / 3) <= 1.0
