"""The odds of unseen dice against sums done by hand and by counting every case."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from perudo_bot.odds import GRAIN, at_least, grains, matching


def test_a_third_and_a_sixth_are_exact_steps() -> None:
    assert grains(1 / 3) / GRAIN == pytest.approx(1 / 3, abs=1e-15)
    assert grains(1 / 6) / GRAIN == pytest.approx(1 / 6, abs=1e-15)


@pytest.mark.parametrize(("face", "wild"), [(4, True), (1, True), (4, False), (1, False)])
def test_four_dice_counted_case_by_case(face: int, wild: bool) -> None:
    throws = [matching(throw, face, wild) for throw in product(range(1, 7), repeat=4)]
    chance = 1 / 3 if wild and face != 1 else 1 / 6
    for need, found in enumerate(at_least(4, grains(chance))):
        assert found == pytest.approx(sum(count >= need for count in throws) / 6**4)


def test_no_dice_match_nothing() -> None:
    assert at_least(0, grains(1 / 3)) == (1.0,)


def test_every_table_falls_from_one() -> None:
    for dice in (1, 7, 30, 60):
        for step in (0, 1, 40, 80, 239, GRAIN):
            tails = at_least(dice, step)
            assert tails[0] == 1.0
            assert len(tails) == dice + 1
            assert all(0.0 <= after <= before for before, after in pairwise(tails))


@pytest.mark.parametrize(
    ("face", "wild", "count"),
    [(3, True, 2), (5, True, 3), (1, True, 1), (5, False, 2), (1, False, 1), (6, False, 0)],
)
def test_a_hand_counts_as_in_the_seed_text(face: int, wild: bool, count: int) -> None:
    """S1.3: Paco-2-3-5-5 counts two for threes and three for fives."""
    assert matching((1, 2, 3, 5, 5), face, wild) == count
