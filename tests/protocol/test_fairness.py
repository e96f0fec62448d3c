"""`perudo-fair/1` gives what its vectors say, and every change of what goes in shows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw
from tests.support.vectors import COMMITMENTS, ENTROPIES, GAME, HANDS, MIX, PROMISES, SEEDS, T0, T1

DRAW = Draw(GAME, 1, 0)
FORTY = "5 3 6 5 6 5 2 4 4 1 4 1 2 4 2 5 1 4 5 4 5 6 4 3 4 1 2 3 6 2 2 1 5 5 2 2 6 4 1 2"

secret = st.binary(min_size=32, max_size=32)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


@pytest.mark.parametrize("seat", range(3))
def test_commitments_and_promises_are_those_of_the_vectors(seat: int) -> None:
    assert fairness.commitment(DRAW, seat, SEEDS[seat]) == COMMITMENTS[seat]
    assert fairness.promise(GAME, seat, ENTROPIES[seat]) == PROMISES[seat]


def test_the_mix_is_that_of_the_vectors_in_whatever_order_entropy_came() -> None:
    opened = fairness.given(ENTROPIES)
    assert fairness.mix(DRAW, opened) == MIX
    assert fairness.mix(DRAW, dict(reversed(opened.items()))) == MIX


@pytest.mark.parametrize("seat", range(3))
def test_the_hands_are_those_of_the_vectors(seat: int) -> None:
    assert fairness.dice(DRAW, seat, SEEDS[seat], MIX, 5) == HANDS[seat]


def test_a_second_block_follows_when_the_first_is_used_up() -> None:
    assert fairness.dice(DRAW, 0, SEEDS[0], MIX, 40) == numbers(FORTY)


def test_bytes_that_would_favour_a_face_are_skipped() -> None:
    seed = (30).to_bytes(32, "big")
    assert fairness.dice(DRAW, 0, seed, MIX, 5) == (1, 4, 1, 5, 4)


def test_the_chain_is_that_of_the_vectors() -> None:
    first = fairness.first_link(GAME)
    assert first == T0
    link = fairness.next_link(first, DRAW, enumerate(COMMITMENTS), MIX, enumerate(SEEDS))
    assert link == T1
    assert fairness.digits(link) == "4552e8"


@settings(max_examples=60)
@given(secret, secret, st.integers(0, 9), st.integers(0, 60))
def test_dice_are_faces_and_fewer_dice_are_the_first_of_more(
    seed: bytes, mixed: bytes, seat: int, number: int
) -> None:
    many = fairness.dice(DRAW, seat, seed, mixed, 60)
    assert set(many) <= set(range(1, 7))
    assert fairness.dice(DRAW, seat, seed, mixed, number) == many[:number]


@settings(max_examples=60)
@given(secret, st.integers(0, 255), st.integers(1, 255))
def test_every_changed_byte_changes_every_hash(seed: bytes, place: int, change: int) -> None:
    at = place % 32
    other = seed[:at] + bytes([seed[at] ^ change]) + seed[at + 1 :]
    assert fairness.commitment(DRAW, 0, seed) != fairness.commitment(DRAW, 0, other)
    assert fairness.promise(GAME, 0, seed) != fairness.promise(GAME, 0, other)
    assert fairness.mix(DRAW, {0: seed}) != fairness.mix(DRAW, {0: other})


def test_no_hash_of_one_draw_or_seat_fits_another() -> None:
    draws = [DRAW, Draw(GAME, 2, 0), Draw(GAME, 1, 1), Draw("8f3a1d", 1, 0)]
    seats = range(3)
    made = {fairness.commitment(draw, seat, SEEDS[0]) for draw in draws for seat in seats}
    assert len(made) == len(draws) * len(seats)
    assert len({fairness.mix(draw, fairness.given(ENTROPIES)) for draw in draws}) == len(draws)
    # Whose entropy it is counts too, and that one is missing is not the same as that one is empty.
    assert fairness.mix(DRAW, {0: SEEDS[0]}) != fairness.mix(DRAW, {1: SEEDS[0]})
    assert fairness.mix(DRAW, {}) != fairness.mix(DRAW, {0: b""})
